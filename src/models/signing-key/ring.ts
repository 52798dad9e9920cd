import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from "jose";
import type { Random } from "../../base/random.ts";
import { type SealingKey, seal } from "../../base/seal.ts";
import type { Database } from "../../database/database.ts";
import {
  advanceRing,
  deleteRetiredKeys,
  insertSigningKey,
  listSigningKeys,
  lockRing,
  type NewSigningKey,
  type PublicJwk,
  type SigningKeyRow,
  signingKeyIdentity,
} from "./signing-key.ts";

/** The minimum of RFC 7518, section 3.3. */
const MODULUS_BITS = 2048;

export interface RingDeps {
  readonly database: Database;
  readonly random: Random;
  /** The id of the sealing key names the ring. */
  readonly sealing: SealingKey;
}

/** A new key; its private half is sealed with the thumbprint (RFC 7638) as associated data. */
export async function makeSigningKey({
  random,
  sealing,
}: Pick<RingDeps, "random" | "sealing">): Promise<NewSigningKey> {
  const pair = await generateKeyPair("RS256", { modulusLength: MODULUS_BITS, extractable: true });
  const { kty, n, e } = await exportJWK(pair.publicKey);
  const publicJwk = { kty, n, e } as Pick<PublicJwk, "kty" | "n" | "e">;
  const kid = await calculateJwkThumbprint(publicJwk);
  const pem = Buffer.from(await exportPKCS8(pair.privateKey));
  return {
    kid,
    publicJwk: { ...publicJwk, kid, alg: "RS256", use: "sig" },
    sealedPrivateKey: seal(sealing, random, signingKeyIdentity(kid), pem),
  };
}

/** Inserts the first two keys of an empty ring. Of replicas that start concurrently, one inserts the keys (G30). */
export async function ensureRing(deps: RingDeps, at: Date): Promise<SigningKeyRow[]> {
  const ring = deps.sealing.id;
  const present = await deps.database.run("signing_key.list", (sql) => listSigningKeys(sql, ring));
  if (present.some((key) => key.state === "active")) return present;
  const [active, next] = await Promise.all([makeSigningKey(deps), makeSigningKey(deps)]);
  return await deps.database.transaction("signing_key.create_ring", async (sql) => {
    await lockRing(sql);
    const rows = await listSigningKeys(sql, ring);
    if (rows.some((key) => key.state === "active")) return rows;
    await insertSigningKey(sql, ring, active, "active", at);
    await insertSigningKey(sql, ring, next, "next", at);
    return await listSigningKeys(sql, ring);
  });
}

/** The longest lifetime of a token, in milliseconds: the signing key must verify for as long. */
export function tokenMaxAgeMs(tokens: {
  readonly accessExpirySeconds: number;
  readonly refreshMaxAgeSeconds: number;
}): number {
  return Math.max(tokens.refreshMaxAgeSeconds, tokens.accessExpirySeconds) * 1000;
}

export interface RotationPlan {
  readonly at: Date;
  /** Rotates only if the active key was activated before this time, so that two replicas do not rotate twice by age. */
  readonly activatedBefore?: Date;
  /** The longest lifetime of a token: a retiring key is deleted after this time. */
  readonly tokenMaxAgeMs: number;
}

/**
 * Rotates the ring: the next key becomes active, the active key becomes retiring and still verifies, and a new next key
 * is published. Returns whether it rotated. Each key is published before it signs, so no verifier fails (G23).
 */
export async function rotateRing(deps: RingDeps, plan: RotationPlan): Promise<boolean> {
  const ring = deps.sealing.id;
  const next = await makeSigningKey(deps);
  return await deps.database.transaction("signing_key.rotate", async (sql) => {
    await lockRing(sql);
    const active = (await listSigningKeys(sql, ring)).find((key) => key.state === "active");
    if (!active || (plan.activatedBefore && (active.activatedAt ?? plan.at) >= plan.activatedBefore)) return false;
    await advanceRing(sql, ring, plan.at);
    await insertSigningKey(sql, ring, next, "next", plan.at);
    await deleteRetiredKeys(sql, ring, new Date(plan.at.getTime() - plan.tokenMaxAgeMs));
    return true;
  });
}
