import type { members } from "../../../db/schema/members.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

/** The built-in roles and the permissions of additional roles among the linked members of a connection. */
export interface LinkedPower {
  readonly roles: readonly RowOf<typeof members>["role"][];
  readonly granted: readonly string[];
}

/** The power of the members who sign in by a connection, without one user if given. */
export async function findLinkedPower(
  sql: Sql,
  {
    connectionId,
    organizationId,
    exceptUserId,
  }: {
    readonly connectionId: string;
    readonly organizationId: string;
    readonly exceptUserId: string | null;
  },
): Promise<LinkedPower> {
  const [row] = await sql<[LinkedPower]>`
    with linked as (
      select m.user_id, m.role from sso_identities i
      join members m on m.user_id = i.user_id and m.organization_id = ${organizationId}
      where i.connection_id = ${connectionId} and i.user_id is distinct from ${exceptUserId}::uuid
    )
    select array(select distinct role from linked) as roles,
           array(select distinct unnest(r.permissions) from linked l
                 join member_roles a on a.user_id = l.user_id and a.organization_id = ${organizationId}
                 join organization_roles r on r.id = a.role_id) as granted`;
  return row;
}
