/** Initial access tokens: each permits a number of registrations (RFC 7591, section 3). */
import type { oauthRegistrationTokens } from "../../../db/schema/oauth-registration-tokens.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";

type Row = RowOf<typeof oauthRegistrationTokens>;

export type RegistrationToken = Omit<Row, "createdByCredential" | "tokenHash">;

function columns(sql: Sql): Fragment {
  return sql`id, name, max_uses as "maxUses", uses, created_at as "createdAt", expires_at as "expiresAt"`;
}

/** CTE fragment: one row, unless there are already `max` tokens. */
export function insertRegistrationToken(sql: Sql, token: Omit<Row, "uses">, max: number): Fragment {
  return sql`
    insert into oauth_registration_tokens (id, name, token_hash, max_uses, created_by_credential, created_at,
                                           expires_at)
    select ${token.id}::uuid, ${token.name}, ${token.tokenHash}::bytea, ${token.maxUses}::int,
           ${token.createdByCredential}::uuid, ${token.createdAt}::timestamptz, ${token.expiresAt}::timestamptz
    where (select count(*) from oauth_registration_tokens) < ${max}
    returning id`;
}

/** A page of the tokens, newest first, and the total. */
export async function listRegistrationTokens(
  sql: Sql,
  page: PageBounds,
): Promise<{ items: RegistrationToken[]; total: number }> {
  const rows = await sql<(RegistrationToken & { total: number })[]>`
    select counted.total, t.* from (select count(*)::int as total from oauth_registration_tokens) counted
    left join lateral (
      select ${columns(sql)} from oauth_registration_tokens
      order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) t on true`;
  const items = rows.filter(({ id }) => id !== null).map(({ total: _total, ...item }) => item);
  return { items, total: rows[0]?.total ?? 0 };
}

/** CTE fragment: one row if the token existed. */
export function deleteRegistrationToken(sql: Sql, id: string): Fragment {
  return sql`delete from oauth_registration_tokens where id = ${id} returning id`;
}

/** CTE fragment: deletes the tokens of programs, named by their keys and trusts. */
export function deleteRegistrationTokensBy(sql: Sql, credentialIds: readonly string[]): Fragment {
  return sql`
    delete from oauth_registration_tokens where created_by_credential = any(${[...credentialIds]}::uuid[])
    returning id, null::uuid as organization_id`;
}

/** Locks a token with a remaining use; undefined: unknown, expired or used up. */
export async function lockRegistrationToken(sql: Sql, tokenHash: Buffer, at: Date): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from oauth_registration_tokens
    where token_hash = ${tokenHash} and uses < max_uses and expires_at > ${at} for update`;
  return row?.id;
}

/** Counts a registration by a locked token. */
export async function countRegistration(sql: Sql, id: string): Promise<void> {
  await sql`update oauth_registration_tokens set uses = uses + 1 where id = ${id}`;
}

/** Deletes a bounded batch of expired tokens; returns how many. */
export const deleteExpiredRegistrationTokens = deleteRowsBefore("oauth_registration_tokens", "expires_at");
