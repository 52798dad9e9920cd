import { createHash, type KeyObject } from "node:crypto";
import type { Sql } from "../../base/database.ts";

/** The public half of an RSA key, as the JWKS publishes it (RFC 7517, RFC 7518 section 6.3.1). */
export interface PublicJwk {
  readonly kty: "RSA";
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly alg: "RS256";
  readonly use: "sig";
}

export type KeyState = "next" | "active" | "retiring";

/** A row of the ring, its private half still sealed. Times are milliseconds. */
export interface SigningKeyRow {
  readonly kid: string;
  readonly state: KeyState;
  readonly publicJwk: PublicJwk;
  readonly sealedPrivateKey: Buffer;
  readonly createdAt: Date;
  readonly activatedAt: Date | null;
  readonly retiredAt: Date | null;
}

export interface NewSigningKey {
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly sealedPrivateKey: Buffer;
}

/** Holders of this lock, one at a time over all replicas, may change a ring. Transaction-level: a crash gives it back. */
const RING_LOCK = 7_203_114_502;

/** What a sealed private key is bound to: a row copied to another kid does not open (promise 22). */
export function signingKeyIdentity(kid: string): string {
  return `signing-key/${kid}`;
}

/**
 * Whether a stored JWK is what this service publishes of a key, no member more, under the thumbprint of that key (RFC 7638). `publicKey`:
 * derived from the private half.
 */
export function isPublicHalf(jwk: PublicJwk, kid: string, publicKey: KeyObject): boolean {
  const { kty, n, e } = publicKey.export({ format: "jwk" });
  const published = Object.entries({ kty, n, e, kid, alg: "RS256", use: "sig" });
  const stored = new Map<string, unknown>(Object.entries(jwk));
  const thumbprint = createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");
  const isWhole = published.length === stored.size && published.every(([name, value]) => stored.get(name) === value);
  return isWhole && kid === thumbprint;
}

/** The keys of one ring, newest first. */
export async function listSigningKeys(sql: Sql, ring: string): Promise<SigningKeyRow[]> {
  return await sql<SigningKeyRow[]>`
    select kid, state, public_jwk as "publicJwk", sealed_private_key as "sealedPrivateKey", created_at as "createdAt",
           activated_at as "activatedAt", retired_at as "retiredAt"
    from signing_keys where ring = ${ring} order by created_at desc, kid`;
}

export async function lockRing(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RING_LOCK})`;
}

export async function insertSigningKey(
  sql: Sql,
  ring: string,
  key: NewSigningKey,
  state: KeyState,
  at: Date,
): Promise<void> {
  await sql`
    insert into signing_keys (kid, ring, state, public_jwk, sealed_private_key, created_at, activated_at)
    values (${key.kid}, ${ring}, ${state}, ${sql.json(key.publicJwk as never)}, ${key.sealedPrivateKey}, ${at},
            ${state === "active" ? at : null})`;
}

/** Moves the ring one step: active to retiring, next to active. The new next is inserted after it, under the same lock. */
export async function advanceRing(sql: Sql, ring: string, at: Date): Promise<void> {
  await sql`update signing_keys set state = 'retiring', retired_at = ${at} where ring = ${ring} and state = 'active'`;
  await sql`update signing_keys set state = 'active', activated_at = ${at} where ring = ${ring} and state = 'next'`;
}

/** Forgets keys that no live token can have been signed with. */
export async function deleteRetiredKeys(sql: Sql, ring: string, retiredBefore: Date): Promise<number> {
  const gone = await sql`
    delete from signing_keys where ring = ${ring} and state = 'retiring' and retired_at < ${retiredBefore}`;
  return gone.count;
}
