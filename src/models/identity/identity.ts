import type { userIdentities } from "../../../db/schema/identities.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type IdentityRow = RowOf<typeof userIdentities>;

/** The key of a user at an identity provider (OpenID Connect Core, section 2). */
export type IdentityKey = Pick<IdentityRow, "provider" | "issuer" | "subject">;

/** The id of the user whom an identity is linked to. */
export async function findIdentityOwner(sql: Sql, key: IdentityKey): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from user_identities
    where provider = ${key.provider} and issuer = ${key.issuer} and subject = ${key.subject}`;
  return row?.userId;
}

/** An identity that is linked to a user. */
export type LinkedIdentity = Pick<IdentityRow, "provider" | "createdAt" | "lastUsedAt">;

export async function listIdentities(sql: Sql, userId: string): Promise<LinkedIdentity[]> {
  return await sql<LinkedIdentity[]>`
    select provider, created_at as "createdAt", last_used_at as "lastUsedAt" from user_identities
    where user_id = ${userId} order by created_at, provider`;
}

/** CTE fragment: sets the time of last use; one row if the identity is still linked to this user. */
export function touchIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date): Fragment {
  return sql`
    update user_identities set last_used_at = ${at}
    where provider = ${key.provider} and issuer = ${key.issuer} and subject = ${key.subject} and user_id = ${userId}
    returning user_id`;
}

/** CTE fragment: inserts an identity. A linked identity violates `user_identities_pkey`. */
export function insertIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    select ${key.provider}, ${key.issuer}, ${key.subject}, ${userId}::uuid, ${at}::timestamptz, ${at}::timestamptz
    ${from}
    returning user_id as id`;
}

/** CTE fragment, for a row of `from`: links an identity to a user; no row if it was linked concurrently. */
export function linkIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date, from: Fragment): Fragment {
  return sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    select ${key.provider}::text, ${key.issuer}::text, ${key.subject}::text, ${userId}::uuid, ${at}::timestamptz,
           ${at}::timestamptz
    ${from}
    on conflict do nothing
    returning user_id`;
}

/** CTE fragment: unlinks all identities of a user except `kept`. */
export function unlinkIdentities(sql: Sql, userId: string, kept: IdentityKey | undefined): Fragment {
  return sql`
    delete from user_identities
    where user_id = ${userId} and (provider, issuer, subject) is distinct from
      (${kept?.provider ?? null}::text, ${kept?.issuer ?? null}::text, ${kept?.subject ?? null}::text)
    returning provider`;
}
