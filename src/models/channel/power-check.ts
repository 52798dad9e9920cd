/** Organizations with changed power, whose bound sessions await the comparison (docs/contract.md, section 29.12). */
import type { Sql } from "../../database/database.ts";

export interface PowerCheck {
  readonly organizationId: string;
  /** The transactions that changed the power, in decimal. */
  readonly xids: readonly string[];
}

/** At most `limit` organizations, except `busy`, with changes whose transactions have ended. */
export async function listPowerChecks(sql: Sql, limit: number, busy: readonly string[] = []): Promise<PowerCheck[]> {
  return await sql<PowerCheck[]>`
    select organization_id as "organizationId", array_agg(xid::text) as xids from power_checks
    where organization_id <> all(${[...busy]}::uuid[])
    group by organization_id order by organization_id limit ${limit}`;
}

/** Locks the rows of a check; false while another replica has the check, and after its completion. */
export async function claimPowerCheck(sql: Sql, { organizationId, xids }: PowerCheck): Promise<boolean> {
  const rows = await sql`
    select 1 from power_checks where organization_id = ${organizationId} and xid = any(${[...xids]}::text[]::xid8[])
    order by xid for update skip locked`;
  return rows.length > 0;
}

/** Deletes the rows of a completed check. A change since then has a row of its own. */
export async function deletePowerCheck(sql: Sql, { organizationId, xids }: PowerCheck): Promise<void> {
  await sql`
    delete from power_checks where organization_id = ${organizationId} and xid = any(${[...xids]}::text[]::xid8[])`;
}
