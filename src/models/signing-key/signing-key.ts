import { createHash, type KeyObject } from "node:crypto";
import type { signingKeys } from "../../../db/schema/signing-keys.ts";
import { DATABASE_CLIENT_NAME_0_1_0 } from "../../base/compatibility-0-1.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";

type SigningKeysRow = RowOf<typeof signingKeys>;

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

/** A row of the ring; the private half is sealed. */
export interface SigningKeyRow
  extends Pick<SigningKeysRow, "kid" | "state" | "sealedPrivateKey" | "createdAt" | "activatedAt" | "retiredAt"> {
  readonly publicJwk: PublicJwk;
}

export interface NewSigningKey extends Pick<SigningKeysRow, "kid" | "sealedPrivateKey"> {
  readonly publicJwk: PublicJwk;
}

/**
 * Advisory lock for changes of a ring, over all replicas. The lock belongs to the transaction: a crash releases the
 * lock.
 */
const RING_LOCK = 7_203_114_502;

/** Associated data of a sealed private key: a row copied to a different kid does not open (G22). */
export function signingKeyIdentity(kid: string): string {
  return `signing-key/${kid}`;
}

/**
 * Whether a stored JWK has exactly the members published by this service, with the thumbprint of the key (RFC 7638) as
 * `kid`. `publicKey`: derived from the private half.
 */
export function isPublicHalf(jwk: PublicJwk, kid: string, publicKey: KeyObject): boolean {
  const { kty, n, e } = publicKey.export({ format: "jwk" });
  const published = Object.entries({ kty, n, e, kid, alg: "RS256", use: "sig" });
  const stored = new Map<string, unknown>(Object.entries(jwk));
  const thumbprint = createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");
  const matches = published.length === stored.size && published.every(([name, value]) => stored.get(name) === value);
  return matches && kid === thumbprint;
}

/** Columns of `SigningKeyRow`. */
function keyColumns(sql: Sql): Fragment {
  return sql`
    kid, state, public_jwk as "publicJwk", sealed_private_key as "sealedPrivateKey", created_at as "createdAt",
    activated_at as "activatedAt", retired_at as "retiredAt"`;
}

/** The keys of one ring, newest first. */
export async function listSigningKeys(sql: Sql, ring: string): Promise<SigningKeyRow[]> {
  return await sql<SigningKeyRow[]>`
    select ${keyColumns(sql)}
    from signing_keys where ring = ${ring} order by created_at desc, kid`;
}

/** A ring as read, and whether a replica of version 0.1.0 is connected to the database. */
export interface LoadedRing {
  readonly rows: readonly SigningKeyRow[];
  readonly olderReplicaConnected: boolean;
}

/**
 * The keys of one ring, and in the same round trip whether any connection to this database has the name of connections
 * of version 0.1.0; where the operator names connections in DATABASE_URL, the name of this connection without ` 0.2`.
 * Every role may read the names of all connections (PostgreSQL manual, section 27.2.3).
 */
export async function loadRing(sql: Sql, ring: string): Promise<LoadedRing> {
  const rows = await sql<(SigningKeyRow & { olderReplicaConnected: boolean })[]>`
    select ${keyColumns(sql)},
           (select count(*) > 0 from pg_stat_activity
             where datname = current_database() and application_name in (
               ${DATABASE_CLIENT_NAME_0_1_0}, left(current_setting('application_name'), -4)))
             as "olderReplicaConnected"
    from signing_keys where ring = ${ring} order by created_at desc, kid`;
  return { rows, olderReplicaConnected: rows[0]?.olderReplicaConnected ?? false };
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
    values (${key.kid}, ${ring}, ${state}, ${json(sql, key.publicJwk)}, ${key.sealedPrivateKey}, ${at},
            ${state === "active" ? at : null})`;
}

/** Updates active to retiring and next to active. The caller inserts the new next key under this lock. */
export async function advanceRing(sql: Sql, ring: string, at: Date): Promise<void> {
  await sql`update signing_keys set state = 'retiring', retired_at = ${at} where ring = ${ring} and state = 'active'`;
  await sql`update signing_keys set state = 'active', activated_at = ${at} where ring = ${ring} and state = 'next'`;
}

/** Deletes retiring keys; returns how many. */
export async function deleteRetiredKeys(sql: Sql, ring: string, retiredBefore: Date): Promise<number> {
  const deleted = await sql`
    delete from signing_keys where ring = ${ring} and state = 'retiring' and retired_at < ${retiredBefore}`;
  return deleted.count;
}
