/** Signatures of deliveries by Standard Webhooks: v1 with a secret of the webhook, v1a with a key of the service. */
import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { ed25519FromSeed } from "../../base/ed25519.ts";
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import { WEBHOOK_SECRET_BYTES } from "../../limits/machine-limits.ts";

const SECRET_PREFIX = "whsec_";
const PUBLIC_KEY_PREFIX = "whpk_";

/** Signs for all webhooks. The key is derived from the root secret, so the keys of all replicas are equal. */
export interface WebhookSigner {
  /** `whpk_` and the base64 of the 32 bytes. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export function webhookSigner(seed: Buffer): WebhookSigner {
  const privateKey = ed25519FromSeed(seed);
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return { publicKey: PUBLIC_KEY_PREFIX + Buffer.from(x, "base64url").toString("base64"), privateKey };
}

/** `whsec_` and the base64 of random bytes. */
export function makeWebhookSecret(random: Random): string {
  return SECRET_PREFIX + random.bytes(WEBHOOK_SECRET_BYTES).toString("base64");
}

export function sealWebhookSecret(
  deps: { readonly sealing: SealingKey; readonly random: Random },
  webhookId: string,
  secret: string,
): Buffer {
  return seal(deps.sealing, deps.random, identity(webhookId), Buffer.from(secret));
}

/** `undefined` if the row was tampered with or sealed under a different root secret. */
function openWebhookSecret(sealing: SealingKey, webhookId: string, sealed: Buffer): string | undefined {
  return open(sealing, identity(webhookId), sealed)?.toString();
}

function identity(webhookId: string): string {
  return `webhook:${webhookId}`;
}

export interface SignedMessage {
  /** Equal for every attempt: receivers recognize a repetition by the id. */
  readonly id: string;
  /** Time of the attempt in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of a delivery. `secrets`: the current secret, and after a rotation the previous secret. `signer`:
 * undefined if the key of the service is absent (the command `webhooks listen` with an API key).
 */
export function webhookHeaders(
  signer: WebhookSigner | undefined,
  secrets: readonly string[],
  { id, timestamp, body }: SignedMessage,
): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`;
  const symmetric = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  const asymmetric = signer ? [`v1a,${sign(null, Buffer.from(content), signer.privateKey).toString("base64")}`] : [];
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": [...symmetric, ...asymmetric].join(" "),
  };
}

/** The HTTP request for one delivery. Undefined if no secret can be unsealed. */
export function webhookRequest(
  deps: { readonly clock: Clock; readonly sealing: SealingKey; readonly signer: WebhookSigner },
  delivery: {
    readonly webhookId: string;
    readonly eventId: string;
    readonly payload: string;
    readonly sealedSecret: Buffer;
    readonly sealedPreviousSecret: Buffer | null;
  },
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } | undefined {
  const { webhookId, eventId, payload, sealedSecret, sealedPreviousSecret } = delivery;
  const secrets = [sealedSecret, ...(sealedPreviousSecret ? [sealedPreviousSecret] : [])].flatMap(
    (sealed) => openWebhookSecret(deps.sealing, webhookId, sealed) ?? [],
  );
  if (secrets.length === 0) return undefined;
  const message = { id: eventId, timestamp: unixSeconds(deps.clock.now()), body: payload };
  const headers = {
    "content-type": "application/json",
    "user-agent": "identity-service-webhooks/1",
    ...webhookHeaders(deps.signer, secrets, message),
  };
  return { headers, body: payload };
}
