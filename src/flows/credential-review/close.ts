import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { deleteReview, findReview } from "../../models/credential-review/credential-review.ts";
import {
  deleteLinksOfReview,
  deleteReviewLinks,
  findReviewLink,
  type ReviewLink,
} from "../../models/credential-review/review-link.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { lockControlState } from "../../models/user/control.ts";
import { findOwner, type Owner } from "../../models/user/user.ts";
import { voidChangesSince } from "../../models/user-email/email-change.ts";
import { findOtherHolder, findOwnAddress, insertVerifiedEmail } from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmIdentity } from "../steps/authorization/confirm-identity.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";
import { endAndRecordCredentials } from "../steps/credentials/end-credentials.ts";
import { followRevertLink } from "../steps/credentials/revert-link.ts";
import { movePrimaryAddress } from "../user-emails/move-address.ts";

export interface ReviewDecision {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly authorized: ActingSession;
  readonly password: string | undefined;
  readonly client: RequestContext;
  /** `confirm`: the user set everything up. `end`: ends everything that the review lists. */
  readonly decision: "confirm" | "end";
}

type DecisionProblem = "authentication_required" | "conflict" | "mfa_required" | "rate_limited";

/**
 * POST /v1/users/me/credential-review (docs/contract.md, section 12.16): closes the review of the caller, who confirms
 * the identity of section 3.9. Succeeds also without a review.
 */
export async function closeReview(
  deps: SignInDeps,
  { caller, authorized, password, client, decision }: ReviewDecision,
): Promise<Result<void, Refusal<DecisionProblem>>> {
  const closed = await changeCredentials<
    readonly SessionEvent[],
    "authentication_required" | "mfa_required",
    DecisionProblem
  >(
    deps,
    caller,
    authorizeCredentialChange,
    async (acting) => {
      const confirmed = await confirmIdentity(deps, { caller, acting, password, client });
      if (!confirmed.ok) return confirmed;
      return await asActingSession(deps, "credential_review.close", acting, async (sql) => {
        const review = await findReview(sql, acting.userId);
        if (!review) return ok([]);
        const close = { review: { ...review, endsReset: false }, client, at: new Date(deps.clock.now()) };
        return ok(await (decision === "confirm" ? confirm(deps, sql, close) : end(deps, sql, close, caller.id)));
      });
    },
    authorized,
  );
  if (!closed.ok) return closed;
  await deps.revocations.announce(closed.value);
  return ok(undefined);
}

/**
 * POST /v1/auth/password/reset/end (docs/contract.md, section 12.16): a mailbox ends what the review lists, without a
 * session; the mailbox of an older address also ends a recent address that made the reset, and the password. The second
 * factor remains: a mailbox alone removes no second factor.
 */
export async function endByLink(
  deps: SignInDeps,
  { token, client }: { readonly token: string; readonly client: RequestContext },
): Promise<Result<void, Refusal<"authentication_required" | "invalid_input">>> {
  return await followRevertLink(deps, token, ({ tokenHash, at }) =>
    deps.database.transaction("credential_review.end", async (sql) => {
      const found = await findReviewLink(sql, tokenHash, at);
      const locked = found && (await lockControlState(sql, found.userId));
      // Read again under the lock of the user: a concurrent request has closed the review, or a reset has replaced it.
      const review = locked && (await findReviewLink(sql, tokenHash, at));
      return review && (await end(deps, sql, { review, client, at }, undefined));
    }),
  );
}

interface Closing {
  readonly review: ReviewLink;
  readonly client: RequestContext;
  readonly at: Date;
}

async function confirm(deps: SignInDeps, sql: Sql, { review, client, at }: Closing): Promise<readonly SessionEvent[]> {
  await deleteReview(sql, review.userId);
  await deleteLinksOfReview(sql, review.userId);
  const owner = await findOwner(sql, review.userId);
  await recordAudit(sql, userAuditEvent(deps, owner, client, { action: "auth.credential_review.confirmed", at }));
  return [];
}

/** `keepSession`: the session of the decision; undefined: by the mailed link. */
async function end(
  deps: SignInDeps,
  sql: Sql,
  { review, client, at }: Closing,
  keepSession: string | undefined,
): Promise<readonly SessionEvent[]> {
  const { userId, email, listedSince: since, endsReset } = review;
  const before = await lockControlState(sql, userId);
  if (!before) throw new Error("a locked user does not exist");
  const owner = await findOwner(sql, userId);
  await deleteReview(sql, userId);
  await (keepSession === undefined ? deleteReviewLinks(sql, userId) : deleteLinksOfReview(sql, userId));
  const event = { action: "auth.credential_review.ended", at, metadata: { reset_ended: endsReset } } as const;
  await recordAudit(sql, userAuditEvent(deps, owner, client, event));
  await restorePrimary(sql, owner, review, at);
  // Requests for addresses and undo links of the ended mailbox would otherwise return the account.
  if (endsReset) await voidChangesSince(sql, userId, since);
  const proof = { kind: "credential_review", email, inSession: keepSession !== undefined, endsReset } as const;
  const reason = "credentials_ended";
  // A recent address that made the reset had the account since: what was set up after the reset ends too.
  const period = endsReset ? { since } : { since, until: review.resetAt };
  return await endAndRecordCredentials(deps, sql, owner, { proof, reason, period, before, keepSession, client, at });
}

/**
 * Makes the remaining address the primary address, if the review lists the present primary address. An older address
 * that was removed since the reset returns, unless a further user has the address.
 */
async function restorePrimary(sql: Sql, { userId, email }: Owner, review: ReviewLink, at: Date): Promise<void> {
  if (email === review.email) return;
  const primary = await findOwnAddress(sql, email, userId);
  const until = review.endsReset ? at : review.resetAt;
  const isListed = primary?.verifiedAt && primary.verifiedAt >= review.listedSince && primary.verifiedAt <= until;
  if (!isListed) return;
  const kept = await findOwnAddress(sql, review.email, userId);
  if (!kept?.verifiedAt) {
    if (!review.endsReset || (await findOtherHolder(sql, review.email, userId, at))) return;
    await insertVerifiedEmail(sql, userId, review.email, at);
  }
  await movePrimaryAddress(sql, userId, review.email, at);
}
