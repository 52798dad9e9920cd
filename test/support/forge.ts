/**
 * Forges tokens as an attacker or a bug would, signed with the real key of the deployment if a test needs the real key.
 */
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type postgres from "postgres";
import { deriveKey, open, sealingKey } from "../../src/base/seal.ts";
import { deriveRefreshKey } from "../../src/models/signing-key/refresh-key.ts";
import { signingKeyIdentity } from "../../src/models/signing-key/signing-key.ts";
import { TEST_SECRET } from "./replica.ts";

export interface RealKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** The key for refresh and MFA tokens. */
  readonly refreshKey: KeyObject;
}

/** Opens the active signing key of a test deployment with a known root secret. */
export async function realKey(sql: postgres.Sql): Promise<RealKey> {
  const sealing = sealingKey(deriveKey(TEST_SECRET, "seal/v1"));
  const [row] =
    await sql`select kid, sealed_private_key from signing_keys where ring = ${sealing.id} and state = 'active'`;
  const pem = row && open(sealing, signingKeyIdentity(row.kid), row.sealed_private_key);
  if (!row || !pem) throw new Error("the active key does not open");
  return { kid: row.kid, privateKey: createPrivateKey(pem), refreshKey: deriveRefreshKey(pem.toString()) };
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

export function decodeClaims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

export function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
}

export function signToken(key: Omit<RealKey, "refreshKey">, claims: object, header: object = {}): string {
  const input = `${encode({ alg: "RS256", kid: key.kid, typ: "JWT", ...header })}.${encode(claims)}`;
  return `${input}.${sign("RSA-SHA256", Buffer.from(input), key.privateKey).toString("base64url")}`;
}

export function signEd25519Token(key: Omit<RealKey, "privateKey">, claims: object, header: object = {}): string {
  const input = `${encode({ alg: "Ed25519", kid: key.kid, typ: "JWT", ...header })}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), key.refreshKey).toString("base64url")}`;
}
