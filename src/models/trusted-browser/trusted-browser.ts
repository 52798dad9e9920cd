import type { trustedBrowsers } from "../../../db/schema/trusted-browsers.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";

type TrustedBrowserRow = RowOf<typeof trustedBrowsers>;

/** docs/contract.md, section 4.7, without `current`. */
export type TrustedBrowser = Pick<
  TrustedBrowserRow,
  "id" | "name" | "userAgent" | "ipAddress" | "createdAt" | "lastUsedAt" | "expiresAt" | "tokenHash"
> & {
  /** Address of the last sign-in, or of the creation. */
  readonly lastIpAddress: string | null;
};

function columns(sql: Sql): Fragment {
  return sql`
    b.id, b.name, b.user_agent as "userAgent", b.ip_address as "ipAddress",
    coalesce(b.last_ip_address, b.ip_address) as "lastIpAddress", b.created_at as "createdAt",
    b.last_used_at as "lastUsedAt", b.expires_at as "expiresAt", b.token_hash as "tokenHash"`;
}

export type NewTrustedBrowser = Pick<TrustedBrowser, "id" | "name" | "createdAt" | "expiresAt" | "tokenHash"> & {
  readonly userId: string;
  readonly client: RequestContext;
};

/** CTE fragment: inserts a trusted browser. */
export function insertTrustedBrowser(sql: Sql, browser: NewTrustedBrowser): Fragment {
  return sql`
    insert into trusted_browsers (id, user_id, token_hash, name, user_agent, ip_address, created_at, expires_at)
    values (${browser.id}, ${browser.userId}, ${browser.tokenHash}, ${browser.name}, ${browser.client.userAgent},
            ${browser.client.ipAddress}, ${browser.createdAt}, ${browser.expiresAt})
    returning id`;
}

/**
 * CTE fragment: revokes the entry of this cookie and the oldest entries beyond `keep`, so that a user has a bounded
 * number; one row per revoked entry. The statement must see every entry that was committed before.
 */
export function replaceTrustedBrowsers(
  sql: Sql,
  userId: string,
  { tokenHash, keep, at }: { readonly tokenHash: Buffer | undefined; readonly keep: number; readonly at: Date },
): Fragment {
  return sql`
    update trusted_browsers set revoked_at = ${at}
    where user_id = ${userId} and revoked_at is null
      and (token_hash = ${tokenHash ?? null}::bytea or id in (
        select id from trusted_browsers
        where user_id = ${userId} and revoked_at is null and token_hash is distinct from ${tokenHash ?? null}::bytea
        order by created_at desc, id desc offset ${keep}
      ))
    returning id`;
}

/**
 * CTE fragment of the sign-in statement: updates time and address of the last use; one row if the browser is still
 * trusted. `lockedUser`: locks the user first, as every change that ends trusted browsers does, so that the statements
 * cannot deadlock.
 */
export function touchTrustedBrowser(
  sql: Sql,
  { id, at, ipAddress }: { readonly id: string; readonly at: Date; readonly ipAddress: string | null },
  lockedUser: Fragment,
): Fragment {
  return sql`
    update trusted_browsers b set last_used_at = ${at}, last_ip_address = ${ipAddress}::text
    from (${lockedUser}) locked_user
    where b.id = ${id} and b.user_id = locked_user.id and b.revoked_at is null and b.expires_at > ${at}
    returning b.id`;
}

/**
 * CTE fragment: ends all trusted browsers of a user; for a row of `from`, if it is given
 * (docs/contract.md, section 10).
 */
export function endTrustedBrowsers(sql: Sql, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    update trusted_browsers set revoked_at = ${at}
    where user_id = ${userId} and revoked_at is null and exists (select 1 ${from})
    returning id, name, expires_at`;
}

/** CTE fragment: one row if the user had the live browser. */
export function revokeTrustedBrowser(sql: Sql, id: string, userId: string, at: Date): Fragment {
  return sql`
    update trusted_browsers set revoked_at = ${at}
    where id = ${id} and user_id = ${userId} and revoked_at is null
    returning id`;
}

/** The hash of the cookie of a user's browser, live or not. */
export async function findTrustedBrowser(sql: Sql, id: string, userId: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ tokenHash: Buffer }[]>`
    select token_hash as "tokenHash" from trusted_browsers where id = ${id} and user_id = ${userId}`;
  return row?.tokenHash;
}

/** A page of a user's live trusted browsers, newest first, and their total. */
export async function listTrustedBrowsers(
  sql: Sql,
  userId: string,
  at: Date,
  page: PageBounds,
): Promise<{ items: TrustedBrowser[]; total: number }> {
  const rows = await sql<(TrustedBrowser & { total: number })[]>`
    with live as (
      select * from trusted_browsers where user_id = ${userId} and revoked_at is null and expires_at > ${at}
    )
    select counted.total, ${columns(sql)}
    from (select count(*)::int as total from live) counted
    left join lateral (
      select * from live order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) b on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Deletes at most `batch` browsers whose trust expired before `before`; returns how many. */
export const deleteEndedTrustedBrowsers = deleteRowsBefore("trusted_browsers", "expires_at");
