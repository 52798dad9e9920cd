import type { totpFactors } from "../../../db/schema/totp-factors.ts";
import type { users } from "../../../db/schema/users.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type UserRow = RowOf<typeof users>;

/** A user before the second factor, with the values for the comparison of a code. */
export interface SecondFactorState
  extends Pick<UserRow, "email" | "displayName" | "locale" | "timeZone" | "credentialsEpoch"> {
  readonly userId: UserRow["id"];
  readonly disabled: boolean;
  /** Whether the owner of the mailbox has proven control of this account. */
  readonly isMailboxOwner: boolean;
  /** Null when the user has no confirmed authenticator app. */
  readonly sealedSecret: RowOf<typeof totpFactors>["sealedSecret"] | null;
  readonly lastStep: number | null;
  /** Whether the given recovery code exists and is unused. */
  readonly recoveryCodeLive: boolean;
  /** End of the period without comparisons, after too many failed attempts of the user. */
  readonly lockedUntil: Date | null;
}

/**
 * Reads all that a challenge or step-up depends on. `lockedUntil`: an expression over the alias `f` of the user's
 * failed attempts at second factors.
 */
export async function findSecondFactorState(
  sql: Sql,
  userId: string,
  recoveryCodeHash: Buffer | undefined,
  lockedUntil: Fragment,
): Promise<SecondFactorState | undefined> {
  const [row] = await sql<SecondFactorState[]>`
    select u.id as "userId", u.email, u.display_name as "displayName", u.locale, u.time_zone as "timeZone",
           u.disabled_at is not null as disabled, u.credentials_epoch as "credentialsEpoch",
           u.controlled_at is not null as "isMailboxOwner",
           t.sealed_secret as "sealedSecret", t.last_step::float8 as "lastStep",
           r.user_id is not null as "recoveryCodeLive", ${lockedUntil} as "lockedUntil"
    from users u
    left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
    left join recovery_codes r
      on r.user_id = u.id and r.code_hash = ${recoveryCodeHash ?? null}::bytea and r.used_at is null
    left join failed_attempts f on f.user_id = u.id and f.kind = 'second_factor'
    where u.id = ${userId}`;
  return row;
}

/** GET /v1/auth/mfa/status (docs/contract.md, section 8.2). */
export interface MfaStatus {
  readonly enabledAt: Date | null;
  readonly recoveryCodesRemaining: number;
}

export async function findMfaStatus(sql: Sql, userId: string): Promise<MfaStatus> {
  const [row] = await sql<MfaStatus[]>`
    select (select confirmed_at from totp_factors where user_id = ${userId}) as "enabledAt",
           (
             select count(*)::int from recovery_codes where user_id = ${userId} and used_at is null
           ) as "recoveryCodesRemaining"`;
  return row ?? { enabledAt: null, recoveryCodesRemaining: 0 };
}

/** The factors with which a user reaches a stronger sign-in. */
export interface UserFactors {
  readonly hasAuthenticator: boolean;
  readonly hasPasskey: boolean;
}

export async function findFactors(sql: Sql, userId: string): Promise<UserFactors> {
  const [row] = await sql<UserFactors[]>`
    select exists (
             select 1 from totp_factors where user_id = ${userId} and confirmed_at is not null
           ) as "hasAuthenticator",
           exists (select 1 from passkeys where user_id = ${userId} and deleted_at is null) as "hasPasskey"`;
  return row ?? { hasAuthenticator: false, hasPasskey: false };
}
