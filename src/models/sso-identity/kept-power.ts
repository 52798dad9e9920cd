/** The power of members at the departure of the person behind a connection (docs/contract.md, section 29.12). */
import type { Sql } from "../../database/database.ts";
import type { MemberPower } from "../../vocabulary/member-power.ts";
import { grantColumns } from "../conditions/member-grants.ts";

/** Stores the present power of every member whom a connection signs in; null for members without permissions. */
export async function keepMemberPowers(sql: Sql, organizationId: string, connectionId: string): Promise<void> {
  await sql`
    update sso_identities i set kept_power = powers.power
    from (
      select k.id, case when m.role <> 'member' or cardinality(g.granted) > 0
                        then jsonb_build_object('role', m.role, 'granted', to_jsonb(g.granted)) end as power
      from sso_identities k
      left join members m on m.organization_id = ${organizationId} and m.user_id = k.user_id
      left join lateral (select ${grantColumns(sql)}) g on true
      where k.connection_id = ${connectionId}
    ) powers
    where i.id = powers.id and i.kept_power is distinct from powers.power`;
}

/** The power of a member at the departure of the person behind the connection; null: none, or no departure. */
export async function findKeptMemberPower(sql: Sql, connectionId: string, userId: string): Promise<MemberPower | null> {
  const [row] = await sql<{ kept: MemberPower | null }[]>`
    select kept_power as kept from sso_identities where connection_id = ${connectionId} and user_id = ${userId}`;
  return row?.kept ?? null;
}
