import { createHash, timingSafeEqual } from "node:crypto";
import type { Random } from "../../base/random.ts";
import { OAUTH_SECRET_BYTES } from "../../limits/oauth-limits.ts";
import type { ClientSecret } from "./oauth-client.ts";

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new secret, with the text that is displayed once. */
export interface ClientSecretText {
  readonly text: string;
  readonly secret: ClientSecret;
}

/** 32 random bytes in base64url, and the stored hash of the secret. */
export function makeClientSecret(random: Random, at: Date): ClientSecretText {
  const text = random.bytes(OAUTH_SECRET_BYTES).toString("base64url");
  return { text, secret: { id: random.uuid(), hash: sha256(text), createdAt: at } };
}

/** Whether a text is one of the secrets. Compares every secret, in constant time. */
export function secretFits(secrets: readonly ClientSecret[], text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const presented = sha256(text);
  return secrets.map(({ hash }) => timingSafeEqual(hash, presented)).includes(true);
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
