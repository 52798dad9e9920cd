import { createHmac } from "node:crypto";
import type { Random } from "../../base/random.ts";
import { typedCode } from "../../base/typed-code.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { RECOVERY_CODES_COUNT } from "../../limits/factor-limits.ts";
import { type FactorOwner, factorOwnerKey } from "../../vocabulary/factor-owner.ts";
import { type SetUpPeriod, setUpInside } from "../conditions/set-up-period.ts";

/** Crockford's Base32 in lower case: without i, l, o and u, which are misread on paper. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUP_CHARACTERS = 5;

/** Ten codes `xxxxx-xxxxx` of 50 random bits each (docs/contract.md, section 8.1). */
export function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES_COUNT }, () => {
    // 32 divides 256, so the low five bits of a random byte are uniform.
    const text = [...random.bytes(2 * GROUP_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return `${text.slice(0, GROUP_CHARACTERS)}-${text.slice(GROUP_CHARACTERS)}`;
  });
}

/**
 * The stored hash: HMAC-SHA-256 under a key from the root secret, over the owner and the code. Without the key the
 * 50 bits cannot be searched, and a row copied to a different owner matches no code. Case, spaces, dashes and invisible
 * characters are ignored.
 */
export function hashRecoveryCode(key: Buffer, owner: FactorOwner, code: string): Buffer {
  return createHmac("sha256", key)
    .update(`recovery:${factorOwnerKey(owner)}:${typedCode(code)}`)
    .digest();
}

/** CTE fragment: inserts the codes of a user; for a row of `from`, if it is given. */
export function insertRecoveryCodes(sql: Sql, userId: string, hashes: readonly Buffer[], from = sql``): Fragment {
  // The driver has no arrays of bytea.
  const hexadecimal = hashes.map((hash) => hash.toString("hex"));
  return sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}::uuid, decode(code.hash, 'hex')
    from unnest(${hexadecimal}::text[]) code (hash), (select 1 ${from}) holds`;
}

/** CTE fragment: deletes a user's codes, used or not; for a row of `from`, if it is given. */
export function deleteRecoveryCodes(sql: Sql, userId: string, from = sql``): Fragment {
  return sql`delete from recovery_codes where user_id = ${userId} and exists (select 1 ${from})`;
}

/** Deletes a user's codes: all codes unless `isKept`, and codes of the period. */
export async function deleteEndedRecoveryCodes(
  sql: Sql,
  userId: string,
  { isKept, period }: { readonly isKept: boolean; readonly period: SetUpPeriod },
): Promise<void> {
  await sql`
    delete from recovery_codes
    where user_id = ${userId} and (not ${isKept}::boolean or ${setUpInside(sql, sql`created_at`, period)})`;
}

/** CTE fragment, if `from` has a row: consumes the code; one row for the first request. */
export function consumeRecoveryCode(sql: Sql, userId: string, hash: Buffer, at: Date, from: Fragment): Fragment {
  return sql`
    update recovery_codes set used_at = ${at}
    where user_id = ${userId} and code_hash = ${hash} and used_at is null and exists (select 1 ${from})
    returning user_id`;
}
