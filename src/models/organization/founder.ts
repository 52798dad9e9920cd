import type { Sql } from "../../database/database.ts";

/** A user who creates a further organization. */
export interface Founder {
  readonly isVerified: boolean;
  readonly ownedOrganizations: number;
}

/** Locks the user, so that simultaneous creations count one another. */
export async function lockFounder(sql: Sql, userId: string): Promise<Founder> {
  const [locked] = await sql<{ isVerified: boolean }[]>`
    select email_verified_at is not null and disabled_at is null as "isVerified" from users where id = ${userId}
    for no key update`;
  // A statement after the lock, so that the snapshot has the creation of the request that held the lock before.
  const [counted] = await sql<[{ owned: number }]>`
    select count(*)::int as owned from members where user_id = ${userId} and role = 'owner'`;
  return { isVerified: locked?.isVerified ?? false, ownedOrganizations: counted.owned };
}
