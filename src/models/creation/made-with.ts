/** The keys and set-up links with which items of a person were created, by the audit trail. */
import type { Sql } from "../../database/database.ts";
import type { KeyScope } from "../../vocabulary/key-scope.ts";

/** A key or a set-up link of the person. */
export interface CreatingCredential {
  readonly kind: "api_key" | "setup_link";
  readonly id: string;
  /** The service account with the visible part of the key, or the recipient of the link; null: not mailed. */
  readonly name: string | null;
}

interface CreatedItems {
  readonly organizationId: string;
  readonly userId: string;
  readonly ids: readonly string[];
  /** The creation of the oldest item. */
  readonly since: Date;
}

/** Keys with these scopes create items; the records of further keys, such as of directories, are not read. */
const CREATING_SCOPES: readonly KeyScope[] = ["members.invite", "ssf.manage"];
const CREATING_ACTIONS = [
  "api_key.created",
  "invitation.created",
  "signal_stream.created",
  "sso.connection.created",
  "sso.domain.claimed",
] as const;

/** The credential of each item, by the id of the item. An item that the person created in a session has no entry. */
export async function findCreatingCredentials(
  sql: Sql,
  { organizationId, userId, ids, since }: CreatedItems,
): Promise<ReadonlyMap<string, CreatingCredential>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(CreatingCredential & { itemId: string })[]>`
    with credential as (
      select k.id, 'api_key' as kind, s.name || ' (' || k.key_id || '…)' as name
      from api_keys k join service_accounts s on s.id = k.service_account_id
      where k.created_by = ${userId} and s.organization_id = ${organizationId}
        and k.scopes && ${[...CREATING_SCOPES]}::text[]
      union all
      select l.id, 'setup_link', l.email from sso_setup_links l
      where l.created_by = ${userId} and l.organization_id = ${organizationId}
    )
    select distinct on (a.resource_id) a.resource_id as "itemId", c.kind, c.id, c.name
    from credential c join audit_logs a on a.actor_id = c.id
    where a.organization_id = ${organizationId} and a.resource_id = any(${[...ids]}::text[])
      and a.action = any(${[...CREATING_ACTIONS]}::text[]) and a.timestamp >= ${since}
    order by a.resource_id, a.id`;
  return new Map(rows.map(({ itemId, ...credential }) => [itemId, credential]));
}
