/** The secrets that the service stores in a readable form, with the party that receives each (docs/security.md). */
import { isDeepStrictEqual } from "node:util";

interface StoredSecret {
  /** The settings that name the party to which the service sends the secret; empty: no setting names a party. */
  readonly recipient: readonly string[];
  readonly reason: string;
}

/** Columns by `table.column`. A sealed column without an entry fails `test/conventions/stored-secrets.test.ts`. */
export const STORED_SECRETS = {
  "data_export_parts.sealed_content": { recipient: [], reason: "a user's own data, downloaded by the user" },
  "organization_factors.sealed_secret": { recipient: [], reason: "compared with codes of the user" },
  "outbox.sealed_letter": { recipient: [], reason: "an email to the address inside the sealed text" },
  "provider_configs.sealed_secret": { recipient: [], reason: "sent to the provider's address in the environment" },
  "sessions.sealed_sso_name_id": { recipient: [], reason: "identifies a user to the connection of the session" },
  "signing_keys.sealed_private_key": { recipient: [], reason: "signs tokens" },
  "social_providers.sealed_secret": {
    recipient: ["issuer", "token_endpoint"],
    reason: "sent to the token endpoint of the provider",
  },
  "sso_connections.sealed_secret": { recipient: ["issuer"], reason: "sent to the issuer's token endpoint" },
  "sso_outcomes.sealed_identity": { recipient: [], reason: "a verified identity, read by this service" },
  "sso_service_keys.sealed_private_key": { recipient: [], reason: "signs assertions and requests, and decrypts" },
  "sso_tests.sealed_result": { recipient: [], reason: "displayed to the administrator of the test" },
  "totp_factors.sealed_secret": { recipient: [], reason: "compared with codes of the user" },
  "transparency_keys.sealed_private_key": { recipient: [], reason: "signs checkpoints" },
  "webhooks.sealed_previous_secret": { recipient: [], reason: "signs deliveries" },
  "webhooks.sealed_secret": {
    recipient: ["url"],
    reason:
      "signs deliveries of a webhook; the Authorization header of a stream, whose delivery is replaced as a whole",
  },
} as const satisfies Readonly<Record<string, StoredSecret>>;

/**
 * Whether a change of settings names another recipient of a stored secret: the secret was given to the service for the
 * former recipient alone, so the change ends the secret.
 */
export function changesRecipient(secret: keyof typeof STORED_SECRETS, before: object, after: object): boolean {
  const [stored, changed]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...after }];
  return STORED_SECRETS[secret].recipient.some((member) => !isDeepStrictEqual(stored?.[member], changed?.[member]));
}
