/** The power of a connection beyond the present power of its activator (docs/contract.md, section 32.9). */
import type { Sql } from "../../database/database.ts";
import { confirmedColumn, type HolderRow, joinPerson, personColumns, type StoredPower } from "./channel-holder.ts";

/** Stored in `sso_connections.confirmed_power`. */
interface ConfirmedPower extends StoredPower {
  /** The activator at the time: the power counts for no later activator. Null: the account is erased. */
  readonly activatedBy: string | null;
}

/** Stores the power that a person confirmed for a connection, for the present activator. */
export async function saveConfirmedPower(
  sql: Sql,
  connectionId: string,
  { role, granted, activatedBy }: ConfirmedPower,
): Promise<void> {
  const power = sql.json({ activatedBy, role, granted: [...granted] });
  await sql`update sso_connections set confirmed_power = ${power} where id = ${connectionId}`;
}

/** The connections in any state that a member activated, with the power behind each. */
export async function listActivatedConnections(sql: Sql, userId: string, organizationId: string): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select c.id, c.name, ${personColumns(sql, organizationId)}, ${confirmedColumn(sql)}
    from sso_connections c ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where c.activated_by = ${userId} and c.organization_id = ${organizationId} order by c.id for no key update of c`;
}

/** The organizations with a connection that a user activated. */
export async function listActivatedOrganizations(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct organization_id as id from sso_connections where activated_by = ${userId} order by 1`;
  return rows.map(({ id }) => id);
}
