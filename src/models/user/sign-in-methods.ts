import type { Sql } from "../../database/database.ts";

/** The ways to sign in that belong to a user alone. An emailed code is no such way: the mailbox can be lost. */
export interface SignInMethods {
  readonly hasPassword: boolean;
  readonly passkeyIds: readonly string[];
  readonly identities: readonly { readonly id: string; readonly provider: string }[];
}

/** Read under the lock of the user, so that two removals at once see each other. */
export async function findSignInMethods(sql: Sql, userId: string): Promise<SignInMethods> {
  const [row] = await sql<SignInMethods[]>`
    select u.password_hash is not null as "hasPassword",
           array(select p.id::text from passkeys p where p.user_id = u.id and p.deleted_at is null) as "passkeyIds",
           coalesce((select jsonb_agg(jsonb_build_object('id', i.id, 'provider', i.provider))
                     from user_identities i where i.user_id = u.id), '[]') as identities
    from users u where u.id = ${userId}`;
  return row ?? { hasPassword: false, passkeyIds: [], identities: [] };
}
