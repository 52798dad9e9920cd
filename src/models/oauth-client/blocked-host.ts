/** Hosts whose metadata documents identify no client (docs/contract.md, section 23.30). */
import type { oauthBlockedHosts } from "../../../db/schema/oauth-blocked-hosts.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

/** `host`: a host, or `*.example.com` for every host below example.com. */
export interface BlockedHost extends RowOf<typeof oauthBlockedHosts> {}

/** Redis stream that announces changes to the replicas. If the stream is lost, replicas poll PostgreSQL. */
export const BLOCKED_HOST_STREAM = "service:oauth-blocked-hosts";

/** Whether a host is the host of a pattern, or below the domain of `*.example.com`. */
export function isHostOf(pattern: string, host: string): boolean {
  const [canonical, name] = [withoutRoot(pattern), withoutRoot(host)];
  return canonical.startsWith("*.") ? name.endsWith(canonical.slice(1)) : name === canonical;
}

/** The host of a URL without the dot of the root, which reaches the same server (RFC 1034, section 3.1). */
function withoutRoot(host: string): string {
  return host.toLowerCase().replace(/\.+$/, "");
}

/** All blocked hosts in the order of their names. */
export async function listBlockedHosts(sql: Sql): Promise<BlockedHost[]> {
  return await sql<BlockedHost[]>`
    select host, created_at as "createdAt" from oauth_blocked_hosts order by host`;
}

/** CTE fragment: one row, unless the host is blocked, or there are already `max` hosts. */
export function insertBlockedHost(sql: Sql, { host, createdAt }: BlockedHost, max: number): Fragment {
  return sql`
    insert into oauth_blocked_hosts (host, created_at)
    select ${host}, ${createdAt}::timestamptz where (select count(*) from oauth_blocked_hosts) < ${max}
    on conflict (host) do nothing
    returning host`;
}

/** CTE fragment: one row if the host was blocked. */
export function deleteBlockedHost(sql: Sql, host: string): Fragment {
  return sql`delete from oauth_blocked_hosts where host = ${host} returning host`;
}

/** At most `limit` clients of documents at the host, in the order of their ids, after one of the clients. */
export async function clientIdsOfHost(sql: Sql, pattern: string, after: string, limit: number): Promise<string[]> {
  const suffix = pattern.slice(1);
  const rows = await sql<{ id: string }[]>`
    with documents as (
      select id, rtrim(lower(substring(external_id from '^https?://([^/:]+|[[][^]]+[]])')), '.') as host
      from oauth_clients where kind = 'document' and id > ${after}
    )
    select id from documents
    where case
      when starts_with(${pattern}, '*.') then right(host, ${suffix.length}) = ${suffix}
      else host = ${pattern}
    end
    order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}
