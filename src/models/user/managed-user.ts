import type { Sql } from "../../database/database.ts";
import type { Owner } from "./user.ts";

/** Name and addresses of a user whom an organization manages: a user without another membership. */
export async function findManagedUser(sql: Sql, userId: string, organizationId: string): Promise<Owner | undefined> {
  const [row] = await sql<Owner[]>`
    select u.id as "userId", u.managed_by as "organizationId", u.email,
           u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName", u.locale
    from users u
    where u.id = ${userId} and u.managed_by = ${organizationId} and not exists (
      select 1 from members m where m.user_id = u.id and m.organization_id <> ${organizationId}
    )`;
  return row;
}

/** Replaces the name of a user whom an organization manages. */
export async function renameManagedUser(sql: Sql, userId: string, displayName: string, at: Date): Promise<void> {
  await sql`update users set display_name = ${displayName}, updated_at = ${at} where id = ${userId}`;
}
