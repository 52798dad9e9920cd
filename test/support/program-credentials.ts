/** The kinds of credentials of programs, with a service account and scopes. */
import type { Client } from "./client.ts";
import type { ForgedProvider } from "./identity/forged-provider.ts";
import { basic, sendForm } from "./oauth.ts";
import { ISSUER } from "./replica.ts";
import { keyOf } from "./service-accounts.ts";

export const CREDENTIALS = ["a key", "a token of a key", "a token of a trust"] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

export interface MadeCredential {
  /** The id of the service account. */
  readonly accountId: string;
  /** The id of the key or trust. */
  readonly id: string;
  /** The endpoint of the key or trust. */
  readonly path: string;
  /** The text in the header `Authorization`, after `Bearer`. */
  readonly secret: string;
}

const CONDITION = { claim: "repository_id", equals: "64511" } as const;

/** Creates credentials with a token of the replica at `url`. `issuer`: the external issuer of trusts. */
export function credentialFrom(url: string, issuer: ForgedProvider) {
  return async (
    kind: CredentialKind,
    client: Client,
    path: string,
    scopes: readonly string[],
    fields = {},
  ): Promise<MadeCredential> => {
    if (kind === "a token of a trust") return await trusted(client, path, scopes, fields);
    const { accountId, id, key } = await keyOf(client, path, scopes, fields);
    const made = { accountId, id, path: `${path}/${accountId}/keys/${id}` };
    if (kind === "a key") return { ...made, secret: key };
    return { ...made, secret: await tokenFor({}, basic({ id: accountId, secret: key })) };
  };

  async function trusted(client: Client, path: string, scopes: readonly string[], fields: object) {
    const account = await client.post(path, { name: "Pipeline" });
    const accountId = account.body.id as string;
    const trusts = `${path}/${accountId}/trusts`;
    const settings = { issuer: issuer.url, name: "Pipeline", conditions: [CONDITION], scopes, ...fields };
    const made = await client.post(trusts, settings);
    if (made.status !== 201) throw new Error(`the trust returned ${made.status}: ${made.text}`);
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300, jti: crypto.randomUUID() };
    const claims = { iss: issuer.url, sub: "pipeline", aud: ISSUER, repository_id: CONDITION.equals, ...times };
    const secret = await tokenFor({
      client_id: accountId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await issuer.sign(claims, {}),
    });
    return { accountId, id: made.body.id as string, path: `${trusts}/${made.body.id}`, secret };
  }

  async function tokenFor(fields: Record<string, string>, headers?: Record<string, string>): Promise<string> {
    const form = { grant_type: "client_credentials", ...fields };
    const { status, body, text } = await sendForm(url, "/oauth2/token", form, headers);
    if (status !== 200) throw new Error(`the token endpoint returned ${status}: ${text}`);
    return body.access_token;
  }
}
