/** The mailed links of a review after a reset (docs/contract.md, section 12.16): a token for each mailbox. */
import type { credentialReviewLinks } from "../../../db/schema/credential-reviews.ts";
import type { Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";

type LinkRow = RowOf<typeof credentialReviewLinks>;

export type NewReviewLink = LinkRow;

/** What a mailed link ends. `email`: the address that remains. */
export type ReviewLink = Pick<LinkRow, "userId" | "email" | "heldSince" | "listedSince" | "resetAt" | "endsReset">;

/** Inserts the link of a mailbox, and replaces an earlier link of the mailbox that ends no more than this link. */
export async function saveReviewLink(sql: Sql, link: NewReviewLink): Promise<void> {
  await sql`
    delete from credential_review_links
    where user_id = ${link.userId} and email = ${link.email} and (not ends_reset or ${link.endsReset})`;
  await sql`
    insert into credential_review_links (token_hash, user_id, email, reset_email, held_since, listed_since, reset_at,
                                         ends_reset, expires_at)
    values (${link.tokenHash}, ${link.userId}, ${link.email}, ${link.resetEmail}, ${link.heldSince},
            ${link.listedSince}, ${link.resetAt}, ${link.endsReset}, ${link.expiresAt})`;
}

/** A link that is neither replaced, consumed nor expired: of the address of the reset, or of a further mailbox. */
export async function findReviewLink(sql: Sql, tokenHash: Buffer, at: Date): Promise<ReviewLink | undefined> {
  const [row] = await sql<ReviewLink[]>`
    select user_id as "userId", email, held_since as "heldSince", listed_since as "listedSince",
           reset_at as "resetAt", false as "endsReset"
    from credential_reviews where token_hash = ${tokenHash} and expires_at > ${at}
    union all
    select user_id, case when ends_reset then email else reset_email end, held_since, listed_since, reset_at, ends_reset
    from credential_review_links where token_hash = ${tokenHash} and expires_at > ${at}`;
  return row;
}

/** The earliest times of the links that contest earlier resets by recent addresses; null without such a link. */
export async function findContestedSince(
  sql: Sql,
  userId: string,
  at: Date,
): Promise<{ readonly heldSince: Date | null; readonly listedSince: Date | null }> {
  const [row] = await sql<{ heldSince: Date | null; listedSince: Date | null }[]>`
    select min(held_since) as "heldSince", min(listed_since) as "listedSince"
    from credential_review_links where user_id = ${userId} and ends_reset and expires_at > ${at}`;
  return row ?? { heldSince: null, listedSince: null };
}

/** Ends the links of a closed review. Links that contest a reset by a recent address remain. */
export async function deleteLinksOfReview(sql: Sql, userId: string): Promise<void> {
  await sql`delete from credential_review_links where user_id = ${userId} and not ends_reset`;
}

/**
 * Ends the links that a reset settles. A reset by an address that a link contests, verified at `verifiedAt`, does not
 * settle this link: otherwise a second reset would disarm the older mailboxes.
 */
export async function deleteSettledLinks(sql: Sql, userId: string, verifiedAt: Date | null): Promise<void> {
  await sql`
    delete from credential_review_links
    where user_id = ${userId} and not (ends_reset and coalesce(${verifiedAt}::timestamptz >= listed_since, false))`;
}

/** Ends all links of a user. */
export async function deleteReviewLinks(sql: Sql, userId: string): Promise<void> {
  await sql`delete from credential_review_links where user_id = ${userId}`;
}

/** Deletes at most a batch of expired links; returns how many. */
export const deleteExpiredReviewLinks = deleteRowsBefore("credential_review_links", "expires_at");
