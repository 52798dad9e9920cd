import type { Fragment, Sql } from "../../base/database.ts";

/** Somebody as a provider names them. */
export interface IdentityKey {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
}

/** Whose identity this is here. */
export async function findIdentityOwner(sql: Sql, key: IdentityKey): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from user_identities
    where provider = ${key.provider} and issuer = ${key.issuer} and subject = ${key.subject}`;
  return row?.userId;
}

/** CTE fragment `consumed` of the sign-in statement: one row while the identity is still this user's. */
export function useIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date): Fragment {
  return sql`
    update user_identities set last_used_at = ${at}
    where provider = ${key.provider} and issuer = ${key.issuer} and subject = ${key.subject} and user_id = ${userId}
    returning user_id`;
}

/** CTE fragment of a statement that makes a user. An identity that is somebody's already violates `user_identities_pkey`. */
export function insertIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    select ${key.provider}, ${key.issuer}, ${key.subject}, ${userId}::uuid, ${at}::timestamptz, ${at}::timestamptz ${from}
    returning user_id as id`;
}

/** CTE fragment `consumed` of the sign-in statement: the identity becomes the user's; no row when somebody linked it a moment ago. */
export function linkIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date): Fragment {
  return sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    values (${key.provider}, ${key.issuer}, ${key.subject}, ${userId}, ${at}, ${at})
    on conflict do nothing
    returning user_id`;
}

/** CTE fragment: unlinks all identities of a user, but the one that is kept, if one is. */
export function unlinkIdentities(sql: Sql, userId: string, kept: IdentityKey | undefined): Fragment {
  return sql`
    delete from user_identities
    where user_id = ${userId} and (provider, issuer, subject) is distinct from
      (${kept?.provider ?? null}::text, ${kept?.issuer ?? null}::text, ${kept?.subject ?? null}::text)
    returning provider`;
}
