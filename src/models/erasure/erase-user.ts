/** The erasure of a user (docs/contract.md, section 30.3). */
import type { Sql } from "../../database/database.ts";
import { WEBHOOK_DELIVERY_RETENTION_MS } from "../../limits/machine-limits.ts";
import { personalOrganizationId } from "../../vocabulary/personal-organization.ts";

export interface ErasedUser {
  readonly id: string;
  readonly organizationId: string | null;
  readonly avatarHash: string | null;
  /** Addresses that no other user holds, requested addresses included. */
  readonly addresses: readonly string[];
  /** The subset of addresses whose mailbox the user controlled: only these rows of other users are deleted. */
  readonly verifiedAddresses: readonly string[];
}

/**
 * Locks a user against every other change; undefined if the user does not exist. Directories and memberships first, as
 * every other transaction locks them before a user: the cascades of the erasure change rows of both.
 */
export async function lockErasedUser(sql: Sql, userId: string): Promise<ErasedUser | undefined> {
  await sql`
    select 1 from directories where id in (select directory_id from directory_users where user_id = ${userId})
    order by id for no key update`;
  await sql`select 1 from members where user_id = ${userId} order by organization_id for update`;
  const [user] = await sql<Pick<ErasedUser, "id" | "organizationId" | "avatarHash">[]>`
    select id, last_organization_id as "organizationId", avatar_hash as "avatarHash"
    from users where id = ${userId} for update`;
  if (!user) return undefined;
  const rows = await sql<{ email: string; verified: boolean }[]>`
    select a.email, bool_or(a.verified) as verified
    from (
      select email, verified_at is not null as verified from user_emails where user_id = ${userId}
      union all select email, true from email_reservations where user_id = ${userId} and expires_at > now()
      union all select email, false from email_changes where user_id = ${userId}
      union all select previous_email, false from email_changes where user_id = ${userId}
    ) a
    where not exists (
      select 1 from user_emails o
      where o.email = a.email and o.user_id <> ${userId} and (o."primary" or o.verified_at is not null)
    ) and not exists (
      select 1 from email_reservations r
      where r.email = a.email and r.user_id <> ${userId} and r.expires_at > now()
    )
    group by a.email`;
  return {
    ...user,
    addresses: rows.map(({ email }) => email),
    verifiedAddresses: rows.filter(({ verified }) => verified).map(({ email }) => email),
  };
}

/**
 * Deletes the rows outside of the tables that the deletion of the user's row empties by cascade. `addressHashes`: keyed
 * hashes of the addresses.
 */
export async function deleteByAddress(
  sql: Sql,
  { id, verifiedAddresses }: ErasedUser,
  addressHashes: readonly string[],
): Promise<void> {
  // Sealed emails to the addresses, held notices included.
  await sql`delete from outbox where address_hash = any(${[...addressHashes]}::text[])`;
  await sql`delete from invitations where email = any(${[...verifiedAddresses]}::text[])`;
  await sql`delete from sign_ups where email = any(${[...verifiedAddresses]}::text[])`;
  await sql`delete from sso_setup_links where email = any(${[...verifiedAddresses]}::text[])`;
  await sql`
    update sso_attempts set email = null
    where email is not null and (user_id = ${id} or email = any(${[...verifiedAddresses]}::text[]))`;
  // Requests of other users for a controlled address.
  await sql`
    delete from email_changes
    where expires_at > now() - interval '8 days' and (
      email = any(${[...verifiedAddresses]}::text[]) or previous_email = any(${[...verifiedAddresses]}::text[])
    )`;
  await sql`
    delete from user_emails
    where email = any(${[...verifiedAddresses]}::text[]) and verified_at is null and not "primary"`;
}

/**
 * Deletes the queued security events that contain an address of the user: changes of identifiers. The ids of the events
 * derive from the audit records of the changes, so the primary key finds the rows.
 */
export async function deleteAddressEvents(sql: Sql, userId: string, at: Date): Promise<void> {
  const since = new Date(at.getTime() - WEBHOOK_DELIVERY_RETENTION_MS);
  await sql`
    delete from webhook_deliveries d
    using webhooks w, audit_logs a
    where w.stream_status is not null and a.actor_id = ${userId} and a.timestamp > ${since}
      and a.action in ('user.email.changed', 'user.email.reverted')
      and d.webhook_id = w.id and d.event_id = md5(w.id::text || a.event_id::text)::uuid`;
}

/** Deletes a bounded number of decisions about requests of a user; returns the number. Outside of the transaction. */
export async function deleteDecisionsOf(sql: Sql, userIds: readonly string[], batch: number): Promise<number> {
  const deleted = await sql`
    delete from request_decisions where id in (
      select id from request_decisions where user_id = any(${[...userIds]}::uuid[]) limit ${batch}
    )`;
  return deleted.count;
}

/** Deletes the row of the user with the personal organization, and by cascade every row that belongs to the user. */
export async function deleteUserRow(sql: Sql, userId: string): Promise<void> {
  await sql`delete from organizations where id = ${personalOrganizationId(userId)}`;
  await sql`delete from mailed_tokens where user_id = ${userId}`;
  await sql`delete from users where id = ${userId}`;
}
