import { isOpaqueToken } from "../../base/opaque-token.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { StoreDeps } from "../../deps.ts";
import { findReview, findReviewUser } from "../../models/credential-review/credential-review.ts";
import { listReviewItems, type ReviewItem } from "../steps/credentials/open-review.ts";

export interface OpenReview {
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
export async function readReviewByLink(deps: StoreDeps, token: string): Promise<OpenReview | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const at = new Date(deps.clock.now());
  const userId = await deps.database.run("credential_review.find_user", (sql) =>
    findReviewUser(sql, hashToken(token), at),
  );
  return userId === undefined ? undefined : await readReview(deps, userId);
}
