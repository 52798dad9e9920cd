/** The clients of the console and of GET /v1/admin/oauth-clients: the table can have 111,000 rows. */
import type { BoundedSearch } from "../../database/bounded-list.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { likePattern, type PageBounds } from "../../database/listing.ts";
import { type ClientRow, clientColumns, type OAuthClient, secretsOf, toClient } from "./oauth-client.ts";

export interface ClientSearch extends BoundedSearch {
  readonly type?: OAuthClient["applicationType"] | undefined;
}

/** A page of the matching clients, and the total. `q` is a part of the name, of the id or of the document's address. */
export async function findClients(
  sql: Sql,
  search: ClientSearch,
  { limit, offset }: PageBounds,
): Promise<{ items: OAuthClient[]; total: number }> {
  const matching = sql`oauth_clients c where ${matches(sql, search)}`;
  const rows = await sql<(ClientRow & { readonly total: number })[]>`
    with page as (
      select c.id from ${matching} order by ${orderOf(sql, search.sort)} limit ${limit} offset ${offset}
    )
    select counted.total, listed.*
    from (select count(*)::int as total from ${matching}) counted
    left join lateral (
      select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets
      from page join oauth_clients c using (id) order by ${orderOf(sql, search.sort)}
    ) listed on true`;
  const items = rows.filter(({ id }) => id !== null).map(({ total: _total, ...row }) => toClient(row as ClientRow));
  return { items, total: rows[0]?.total ?? 0 };
}

function matches(sql: Sql, { q, isOn, from, to, type }: ClientSearch): Fragment {
  const pattern = likePattern(q ?? "");
  return sql`
    (lower(c.name) like ${pattern} or c.id::text like ${pattern} or lower(c.external_id) like ${pattern})
    ${isOn === undefined ? sql`` : sql`and (c.disabled_at is null) = ${isOn}`}
    ${from === undefined ? sql`` : sql`and c.created_at >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql`and c.created_at <= ${to}::timestamptz`}
    ${type === undefined ? sql`` : sql`and c.application_type = ${type}`}`;
}

/** Newest first by default. */
function orderOf(sql: Sql, sort: BoundedSearch["sort"]): Fragment {
  if (sort === "name") return sql`lower(c.name), c.id`;
  if (sort === "-name") return sql`lower(c.name) desc, c.id`;
  return sort === "at" ? sql`c.created_at, c.id` : sql`c.created_at desc, c.id`;
}
