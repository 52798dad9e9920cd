/** Memberships that an administrator or a directory ended, with the addresses of the former members as keyed hashes. */
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";

/** An account as removals know it. */
export interface RemovedPerson {
  /** Undefined: no account has the addresses. */
  readonly userId?: string;
  /** Keyed hashes of the controlled addresses. */
  readonly addressHashes: readonly string[];
}

/** The condition that a removal of the alias `r` concerns a person. */
function concerns(sql: Sql, { userId, addressHashes }: RemovedPerson): Fragment {
  return sql`(r.user_id = ${userId ?? null}::uuid or r.address_hashes && ${[...addressHashes]}::text[])`;
}

export async function recordRemoval(
  sql: Sql,
  organizationId: string,
  { userId, addressHashes }: Required<RemovedPerson>,
  at: Date,
): Promise<void> {
  await sql`
    insert into member_removals (organization_id, user_id, removed_at, address_hashes)
    values (${organizationId}, ${userId}, ${at}, ${[...addressHashes]}::text[])
    on conflict (organization_id, user_id) do update
      set removed_at = excluded.removed_at, address_hashes = excluded.address_hashes`;
}

/** Whether the organization removed the person, under this account or another, since a time. */
export async function isRemoved(
  sql: Sql,
  organizationId: string,
  person: RemovedPerson,
  since: Date,
): Promise<boolean> {
  const rows = await sql`
    select 1 from member_removals r
    where r.organization_id = ${organizationId} and ${concerns(sql, person)} and r.removed_at > ${since} limit 1`;
  return rows.length > 0;
}

/** Forgets the removals of a person who becomes a member by an act of the organization. */
export async function deleteRemovals(sql: Sql, organizationId: string, person: RemovedPerson): Promise<void> {
  await sql`
    delete from member_removals r where r.organization_id = ${organizationId} and ${concerns(sql, person)}`;
}

/** Adds the addresses of an account that is erased: the id of the account ends, and the removals stay. */
export async function keepErasedAddresses(sql: Sql, { userId, addressHashes }: Required<RemovedPerson>): Promise<void> {
  await sql`
    update member_removals r
    set address_hashes = array(select distinct unnest(r.address_hashes || ${[...addressHashes]}::text[]))
    where r.user_id = ${userId}`;
}

/** The addresses of a user with a proof of control. */
export async function listControlledAddresses(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select email from user_emails
    where user_id = ${userId} and controlled_at is not null and ("primary" or verified_at is not null)`;
  return rows.map(({ email }) => email);
}

/** The deletion of old removals permits provisioning of the former members again. */
export const deleteOldRemovals = deleteRowsBefore("member_removals", "removed_at");
