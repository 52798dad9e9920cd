import type { credentialReviews } from "../../../db/schema/credential-reviews.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { isHeld } from "../conditions/held-credential.ts";

type ReviewRow = RowOf<typeof credentialReviews>;

/** A reset of the password that awaits the user's review. */
export type CredentialReview = Pick<ReviewRow, "userId" | "email" | "heldSince" | "listedSince" | "resetAt">;

export type NewReview = CredentialReview & Pick<ReviewRow, "tokenHash" | "expiresAt">;

/** Inserts the review of a reset, or replaces the review that still waits. */
export async function saveReview(sql: Sql, review: NewReview): Promise<void> {
  await sql`
    insert into credential_reviews (user_id, email, held_since, listed_since, reset_at, token_hash, expires_at)
    values (${review.userId}, ${review.email}, ${review.heldSince}, ${review.listedSince}, ${review.resetAt},
            ${review.tokenHash}, ${review.expiresAt})
    on conflict (user_id) do update
      set email = excluded.email, held_since = excluded.held_since, listed_since = excluded.listed_since,
          reset_at = excluded.reset_at, token_hash = excluded.token_hash, expires_at = excluded.expires_at`;
}

/** The review that awaits a user. */
export async function findReview(sql: Sql, userId: string): Promise<CredentialReview | undefined> {
  const [row] = await sql<CredentialReview[]>`
    select user_id as "userId", email, held_since as "heldSince", listed_since as "listedSince", reset_at as "resetAt"
    from credential_reviews where user_id = ${userId}`;
  return row;
}

/** Closes the review of a user: held credentials are valid again. */
export async function deleteReview(sql: Sql, userId: string): Promise<void> {
  await sql`delete from credential_reviews where user_id = ${userId}`;
}

/** Two browsers are the same if their user agents differ in numbers of versions alone. */
const VERSIONS = "[0-9][0-9._]*";

/**
 * The last sign-in of a user from a browser that had a session before `knownBefore`; undefined without such a sign-in
 * among the stored sessions.
 */
export async function findLastKnownSignIn(sql: Sql, userId: string, knownBefore: Date): Promise<Date | undefined> {
  const [row] = await sql<{ at: Date | null }[]>`
    with own as (
      select created_at, regexp_replace(coalesce(user_agent, ''), ${VERSIONS}, '', 'g') as browser
      from sessions where user_id = ${userId}
    )
    select max(s.created_at) as at from own s
    where s.browser in (select k.browser from own k where k.created_at < ${knownBefore})`;
  return row?.at ?? undefined;
}

/** Whether an address of a user awaits a confirmation after a reset. */
export async function isAddressHeld(sql: Sql, userId: string, email: string): Promise<boolean> {
  const rows = await sql`
    select 1 from user_emails e
    where e.user_id = ${userId} and e.email = ${email}
      and ${isHeld(sql, sql`e.user_id`, sql`e.verified_at`, sql`e.email`)}`;
  return rows.length > 0;
}
