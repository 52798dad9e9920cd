import { generateURI, verifySync } from "otplib";
import type { totpFactors } from "../../../db/schema/totp-factors.ts";
import { open, type SealingKey } from "../../base/seal.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { TOTP_DRIFT_STEPS, TOTP_STEP_SECONDS } from "../../limits/factor-limits.ts";
import { type FactorOwner, factorOwnerKey } from "../../vocabulary/factor-owner.ts";
import { keptOrReplaced, type PendingSecret } from "../conditions/pending-secret.ts";
import { type SetUpPeriod, setUpInside } from "../conditions/set-up-period.ts";

type TotpFactorRow = RowOf<typeof totpFactors>;

/** The associated data of a sealed secret: a row copied to another owner does not open (G22). */
export function totpIdentity(owner: FactorOwner): string {
  return `totp:${factorOwnerKey(owner)}`;
}

/** The library throws for any further text. */
const CODE = /^[0-9]{6}$/;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 of RFC 4648, section 6, without padding, as authenticator apps expect it. `bytes`: a multiple of five. */
export function encodeSecret(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((group) => BASE32[Number.parseInt(group, 2)]).join("");
}

/** Key URI format of authenticator apps: issuer, account, secret; SHA-1, 6 digits and 30 s are its defaults. */
export function otpauthUri(issuer: string, account: string, secret: string): string {
  return generateURI({ issuer, label: account, secret });
}

/**
 * The time step whose TOTP is `code` (RFC 6238: SHA-1, 6 digits, 30 s), with one step of drift either way. Undefined if
 * no step matches, or if the step is not after `lastStep`: single use, so that a captured code cannot be replayed.
 */
export function matchingStep(
  secret: string,
  code: string,
  nowSeconds: number,
  lastStep: number | null,
): number | undefined {
  if (!CODE.test(code)) return undefined;
  const result = verifySync({
    secret,
    token: code,
    epoch: nowSeconds,
    period: TOTP_STEP_SECONDS,
    epochTolerance: TOTP_DRIFT_STEPS * TOTP_STEP_SECONDS,
  });
  if (!result.valid || !("timeStep" in result)) return undefined;
  return lastStep !== null && result.timeStep <= lastStep ? undefined : result.timeStep;
}

/**
 * The opened secret; undefined if the row was altered, copied from a different owner or sealed under a different key.
 */
export function openSecret(sealing: SealingKey, owner: FactorOwner, sealed: Buffer): string | undefined {
  return open(sealing, totpIdentity(owner), sealed)?.toString();
}

export interface TotpFactor extends Pick<TotpFactorRow, "sealedSecret" | "confirmedAt"> {
  /** The last accepted time step. */
  readonly lastStep: TotpFactorRow["lastStep"];
}

/** The factor of a user, confirmed or not. */
export async function findTotpFactor(sql: Sql, userId: string): Promise<TotpFactor | undefined> {
  const [row] = await sql<TotpFactor[]>`
    select sealed_secret as "sealedSecret", confirmed_at as "confirmedAt", last_step::float8 as "lastStep"
    from totp_factors where user_id = ${userId}`;
  return row;
}

/**
 * Stores an unconfirmed secret in place of an older unconfirmed secret. Returns the secret that is stored; undefined if
 * a confirmed secret exists.
 */
export async function beginTotpFactor(sql: Sql, userId: string, pending: PendingSecret): Promise<Buffer | undefined> {
  const { sealedSecret, at, sessionId } = pending;
  const [row] = await sql<{ sealedSecret: Buffer }[]>`
    insert into totp_factors as f (user_id, sealed_secret, session_id, created_at)
    values (${userId}, ${sealedSecret}, ${sessionId}, ${at})
    on conflict (user_id) do update set ${keptOrReplaced(sql, pending)} where f.confirmed_at is null
    returning f.sealed_secret as "sealedSecret"`;
  return row?.sealedSecret;
}

/** CTE fragment: confirms exactly this secret; one row for the request that succeeds. */
export function confirmTotpFactor(
  sql: Sql,
  factor: { userId: string; sealedSecret: Buffer; step: number; at: Date },
): Fragment {
  return sql`
    update totp_factors set confirmed_at = ${factor.at}, last_step = ${factor.step}, session_id = null
    where user_id = ${factor.userId} and confirmed_at is null and sealed_secret = ${factor.sealedSecret}
    returning user_id`;
}

/** CTE fragment, if `from` has a row: consumes the time step; one row for the first request (compare-and-set). */
export function consumeTotpStep(sql: Sql, userId: string, step: number, from: Fragment): Fragment {
  return sql`
    update totp_factors set last_step = ${step}
    where user_id = ${userId} and confirmed_at is not null and (last_step is null or last_step < ${step})
      and exists (select 1 ${from})
    returning user_id`;
}

/** CTE fragment: deletes the factor, confirmed or not. */
export function deleteAnyTotpFactor(sql: Sql, userId: string): Fragment {
  return sql`delete from totp_factors where user_id = ${userId}`;
}

/** CTE fragment: deletes an unconfirmed secret, a secret confirmed in the period, and any secret unless `isKept`. */
export function removeTotpFactor(
  sql: Sql,
  userId: string,
  { isKept, period }: { readonly isKept: boolean; readonly period: SetUpPeriod },
): Fragment {
  return sql`
    delete from totp_factors
    where user_id = ${userId}
      and (confirmed_at is null or not ${isKept}::boolean or ${setUpInside(sql, sql`confirmed_at`, period)})
    returning confirmed_at`;
}

/** CTE fragment: deletes the confirmed factor. */
export function deleteTotpFactor(sql: Sql, userId: string): Fragment {
  return sql`delete from totp_factors where user_id = ${userId} and confirmed_at is not null returning user_id`;
}
