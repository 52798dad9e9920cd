import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from "jose";
import type { Database } from "../../base/database.ts";
import type { Random } from "../../base/random.ts";
import { type SealingKey, seal } from "../../base/seal.ts";
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

/** RFC 7518, section 3.3, and decisions, section 3. */
const MODULUS_BITS = 2048;

export interface RingDeps {
  readonly database: Database;
  readonly random: Random;
  /** Its id names the ring. */
  readonly sealing: SealingKey;
}

/** A fresh key, its private half sealed and bound to its thumbprint (RFC 7638). */
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

/** Makes the ring's first two keys if it has none. Of replicas that start at once, one does (promise 30). */
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

export interface RotationPlan {
  readonly at: Date;
  /** Rotate only if the active key was activated before this: a rotation by age that another replica made counts. */
  readonly activatedBefore?: Date;
  /** Retiring keys older than this can have no live token. */
  readonly retiredBefore: Date;
}

/**
 * Moves the ring one step: the published next key becomes active, the active one goes on verifying, a new next is published.
 * Returns whether it moved. No verifier fails, since each key was published before the first token that it signs.
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
    await deleteRetiredKeys(sql, ring, plan.retiredBefore);
    return true;
  });
}
