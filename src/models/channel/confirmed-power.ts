/** The power of a connection beyond the present power of its activator (docs/contract.md, section 32.9). */
import type { Sql } from "../../database/database.ts";
import {
  confirmedColumn,
  type HolderRow,
  joinPerson,
  type KeptPower,
  personColumns,
  type StoredPower,
} from "./channel-holder.ts";

/**
 * Stores the power behind a connection beyond the present power of its activator. `ofErased`: the account of the
 * activator is about to be erased, so the power counts for a connection without an activator.
 */
export async function saveConfirmedPower(
  sql: Sql,
  connectionId: string,
  { role, granted, departed }: KeptPower,
  ofErased = false,
): Promise<void> {
  const power = sql.json({ role, granted: [...granted], ...(departed && { departed: storedPower(departed) }) });
  await sql`
    update sso_connections
    set confirmed_power =
      ${power}::jsonb || jsonb_build_object('activatedBy', case when not ${ofErased}::boolean then activated_by end)
    where id = ${connectionId}`;
}

function storedPower({ role, granted }: StoredPower) {
  return { role, granted: [...granted] };
}

/** The connections in any state that a member activated, with the power behind each. */
export async function listActivatedConnections(sql: Sql, userId: string, organizationId: string): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select c.id, c.name, ${personColumns(sql, organizationId, sql`c.set_up_power`)}, ${confirmedColumn(sql)}
    from sso_connections c ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where c.activated_by = ${userId} and c.organization_id = ${organizationId} order by c.id for no key update of c`;
}

/** The powers that connections keep of a former member who activated the connections, at the end of the membership. */
export async function listDepartedPowers(sql: Sql, userId: string, organizationId: string): Promise<StoredPower[]> {
  const rows = await sql<{ departed: StoredPower }[]>`
    select c.confirmed_power -> 'departed' as departed from sso_connections c
    where c.organization_id = ${organizationId} and c.activated_by = ${userId}
      and c.activated_by::text = c.confirmed_power ->> 'activatedBy' and c.confirmed_power ? 'departed'`;
  return rows.map(({ departed }) => departed);
}

/** The organizations with a connection that a user activated. */
export async function listActivatedOrganizations(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct organization_id as id from sso_connections where activated_by = ${userId} order by 1`;
  return rows.map(({ id }) => id);
}

/** The power behind a connection beyond the present power of its activator; undefined: none. */
export async function findKeptPower(sql: Sql, connectionId: string): Promise<KeptPower | undefined> {
  const [row] = await sql<{ confirmed: KeptPower | null }[]>`
    select ${confirmedColumn(sql)} from sso_connections c where c.id = ${connectionId}`;
  return row?.confirmed ?? undefined;
}
