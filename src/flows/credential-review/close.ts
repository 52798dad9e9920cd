import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  type CredentialReview,
  deleteReview,
  findReview,
  findReviewUser,
} from "../../models/credential-review/credential-review.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { lockControlState } from "../../models/user/control.ts";
import { findOwner, type Owner } from "../../models/user/user.ts";
import { findOwnAddress } from "../../models/user-email/user-email.ts";
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
        const close = { review, client, at: new Date(deps.clock.now()) };
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
 * POST /v1/auth/password/reset/end (docs/contract.md, section 12.16): the mailbox of the reset ends what the review
 * lists, without a session. The second factor remains: a mailbox alone removes no second factor.
 */
export async function endByLink(
  deps: SignInDeps,
  { token, client }: { readonly token: string; readonly client: RequestContext },
): Promise<Result<void, Refusal<"authentication_required" | "invalid_input">>> {
  return await followRevertLink(deps, token, ({ tokenHash, at }) =>
    deps.database.transaction("credential_review.end", async (sql) => {
      const userId = await findReviewUser(sql, tokenHash, at);
      const locked = userId !== undefined && (await lockControlState(sql, userId));
      // Read again under the lock of the user: a concurrent request has closed the review, or a reset has replaced it.
      const isLive = locked && (await findReviewUser(sql, tokenHash, at)) === userId;
      const review = isLive ? await findReview(sql, userId) : undefined;
      return review && (await end(deps, sql, { review, client, at }, undefined));
    }),
  );
}

interface Closing {
  readonly review: CredentialReview;
  readonly client: RequestContext;
  readonly at: Date;
}

async function confirm(deps: SignInDeps, sql: Sql, { review, client, at }: Closing): Promise<readonly SessionEvent[]> {
  await deleteReview(sql, review.userId);
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
  const { userId, email, listedSince: since, resetAt: until } = review;
  const before = await lockControlState(sql, userId);
  if (!before) throw new Error("a locked user does not exist");
  const owner = await findOwner(sql, userId);
  await deleteReview(sql, userId);
  await recordAudit(sql, userAuditEvent(deps, owner, client, { action: "auth.credential_review.ended", at }));
  await restorePrimary(sql, owner, review, at);
  const proof = { kind: "credential_review", email, inSession: keepSession !== undefined } as const;
  const reason = "credentials_ended";
  const period = { since, until };
  return await endAndRecordCredentials(deps, sql, owner, { proof, reason, period, before, keepSession, client, at });
}

/** Makes the address of the reset the primary address, if the review lists the present primary address. */
async function restorePrimary(sql: Sql, { userId, email }: Owner, review: CredentialReview, at: Date): Promise<void> {
  if (email === review.email) return;
  const primary = await findOwnAddress(sql, email, userId);
  const kept = await findOwnAddress(sql, review.email, userId);
  const isListed =
    primary?.verifiedAt && primary.verifiedAt >= review.listedSince && primary.verifiedAt < review.resetAt;
  if (isListed && kept?.verifiedAt) await movePrimaryAddress(sql, userId, review.email, at);
}
