/** The account of a user whose deletion is pending. */
import type { Sql } from "../../database/database.ts";
import type { PlatformRole } from "./platform-role.ts";

export interface ClosingUser {
  readonly disabled: boolean;
  readonly pending: boolean;
  readonly platformRole: PlatformRole | null;
}

/** The state of a user, whose row is locked; undefined for an unknown user. */
export async function lockClosingUser(sql: Sql, userId: string): Promise<ClosingUser | undefined> {
  const [row] = await sql<ClosingUser[]>`
    select disabled_at is not null as disabled, deletion_at is not null as pending, platform_role as "platformRole"
    from users where id = ${userId} for no key update`;
  return row;
}

/** Closes an account until `dueAt`: no sign-in method works, and every earlier mfa_token is invalid. */
export async function closeUser(sql: Sql, userId: string, dueAt: Date, at: Date): Promise<void> {
  await sql`
    update users
    set disabled_at = coalesce(disabled_at, ${at}), deletion_at = ${dueAt}, updated_at = ${at},
        credentials_epoch = credentials_epoch + 1
    where id = ${userId}`;
}

/** Opens a closed account. `staysDisabled`: an administrator has disabled the user independently of the deletion. */
export async function reopenUser(sql: Sql, userId: string, staysDisabled: boolean, at: Date): Promise<void> {
  await sql`
    update users
    set deletion_at = null, disabled_at = case when ${staysDisabled}::boolean then disabled_at end, updated_at = ${at},
        credentials_epoch = credentials_epoch + 1
    where id = ${userId}`;
}

/**
 * Locks the owners of the platform, by ascending id, if the user is one of the owners: of two owners who leave at once,
 * the second waits. Called before the lock of a single user.
 */
export async function lockPlatformOwnersOf(sql: Sql, userId: string): Promise<void> {
  await sql`
    select id from users
    where platform_role = 'owner' and exists (select 1 from users where id = ${userId} and platform_role = 'owner')
    order by id for no key update`;
}

/** Whether an enabled platform owner remains without this user. The owners are locked (`lockPlatformOwnersOf`). */
export async function hasOtherPlatformOwner(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from users where platform_role = 'owner' and disabled_at is null and id <> ${userId} limit 1`;
  return rows.length > 0;
}
