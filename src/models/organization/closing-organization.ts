/** Organizations whose deletion is pending, and the organizations that depend on one member. */
import type { NamedOrganization } from "../../base/problem.ts";
import type { Sql } from "../../database/database.ts";

export interface LeavingOrganization extends NamedOrganization {
  readonly suspended: boolean;
  readonly pending: boolean;
  /** The user is the only member. */
  readonly isSoleMember: boolean;
  /** Other members exist, and no other owner without a pending deletion. */
  readonly isLastOwner: boolean;
  /** Other members exist, and the user is registered for emergency access. */
  readonly isBreakGlass: boolean;
}

/**
 * The organizations that a leaving user must not leave without an owner, and the organizations without further member.
 * Organizations and owners are locked in a fixed order: of two owners who leave at once, the second reads the state
 * left by the first.
 */
export async function lockLeavingOrganizations(sql: Sql, userId: string): Promise<LeavingOrganization[]> {
  await sql`
    select o.id from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.kind = 'team' order by o.id for no key update of o`;
  await sql`
    select owner.user_id from members m join members owner on owner.organization_id = m.organization_id
    where m.user_id = ${userId} and owner.role = 'owner'
    order by owner.organization_id, owner.user_id for no key update of owner`;
  return await listLeavingOrganizations(sql, userId);
}

interface LeavingRow extends Omit<LeavingOrganization, "isLastOwner" | "isBreakGlass"> {
  readonly role: string;
  readonly hasOtherOwner: boolean;
  readonly isRegistered: boolean;
}

/** Reads the organizations of a user without locks. */
export async function listLeavingOrganizations(sql: Sql, userId: string): Promise<LeavingOrganization[]> {
  const rows = await sql<LeavingRow[]>`
    select o.id, o.name, o.slug, o.suspended_at is not null as suspended, o.deletion_at is not null as pending, m.role,
           not exists (
             select 1 from members x where x.organization_id = o.id and x.user_id <> m.user_id
           ) as "isSoleMember",
           exists (
             select 1 from members x join users u on u.id = x.user_id
             where x.organization_id = o.id and x.user_id <> m.user_id and x.role = 'owner' and u.deletion_at is null
           ) as "hasOtherOwner",
           exists (
             select 1 from sso_policies p where p.organization_id = o.id and m.user_id = any(p.break_glass)
           ) as "isRegistered"
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.kind = 'team' order by o.id`;
  return rows.map(({ role, hasOtherOwner, isRegistered, ...organization }) => ({
    ...organization,
    isLastOwner: role === "owner" && !organization.isSoleMember && !hasOtherOwner,
    isBreakGlass: isRegistered && !organization.isSoleMember,
  }));
}

export interface ClosingOrganization extends NamedOrganization {
  readonly suspended: boolean;
  readonly pending: boolean;
}

/** Locks an organization with the strongest row lock, so that sign-ins in progress commit before. */
export async function lockClosingOrganization(sql: Sql, id: string): Promise<ClosingOrganization | undefined> {
  const [row] = await sql<ClosingOrganization[]>`
    select id, name, slug, suspended_at is not null as suspended, deletion_at is not null as pending
    from organizations where id = ${id} and kind = 'team' for update`;
  return row;
}

/** Suspends a locked organization until `dueAt`. */
export async function closeOrganization(sql: Sql, id: string, dueAt: Date, at: Date): Promise<void> {
  await sql`
    update organizations
    set suspended_at = coalesce(suspended_at, ${at}), deletion_at = ${dueAt}, updated_at = ${at}
    where id = ${id}`;
}

/** Ends the suspension of a pending deletion. `staysSuspended`: the organization was suspended independently. */
export async function reopenOrganization(sql: Sql, id: string, staysSuspended: boolean, at: Date): Promise<void> {
  await sql`
    update organizations
    set deletion_at = null, updated_at = ${at},
        suspended_at = case when ${staysSuspended}::boolean then suspended_at end,
        restored_at = case when ${staysSuspended}::boolean then restored_at else ${at}::timestamptz end
    where id = ${id}`;
}
