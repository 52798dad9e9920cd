import { isOpaqueToken } from "../../base/opaque-token.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { StoreDeps } from "../../deps.ts";
import { findReview } from "../../models/credential-review/credential-review.ts";
import { findReviewLink } from "../../models/credential-review/review-link.ts";
import { listReviewItems, type ReviewItem } from "../steps/credentials/open-review.ts";

export interface OpenReview {
  /** By the mailed link of an older address: the end includes the recent address of the reset and the password. */
  readonly endsReset?: boolean;
  readonly resetAt: Date;
  readonly items: readonly ReviewItem[];
}

/** GET /v1/users/me/credential-review (docs/contract.md, section 12.16); undefined: no review awaits the user. */
export async function readReview({ database, clock }: StoreDeps, userId: string): Promise<OpenReview | undefined> {
  return await database.run("credential_review.read", async (sql) => {
    const review = await findReview(sql, userId);
    if (!review) return undefined;
    const items = await listReviewItems(sql, review, new Date(clock.now()));
    return { resetAt: review.resetAt, items };
  });
}

/** The review of a mailed link; undefined: the link is unknown, replaced, used or expired. */
export async function readReviewByLink({ database, clock }: StoreDeps, token: string): Promise<OpenReview | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const at = new Date(clock.now());
  return await database.run("credential_review.read_by_link", async (sql) => {
    const link = await findReviewLink(sql, hashToken(token), at);
    if (!link) return undefined;
    // A link that ends the reset ends what was set up after the reset too.
    const until = link.endsReset ? at : link.resetAt;
    return {
      resetAt: link.resetAt,
      endsReset: link.endsReset,
      items: await listReviewItems(sql, { ...link, resetAt: until }, at),
    };
  });
}
