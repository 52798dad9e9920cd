import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { hashToken } from "../../../base/token-hash.ts";
import type { Sql } from "../../../database/database.ts";
import type { SignInDeps } from "../../../deps.ts";
import {
  CREDENTIAL_HOLD_MS,
  REVIEW_ITEMS_MAX,
  REVIEW_LINK_LIFETIME_MS,
  REVIEW_PERIOD_MAX_MS,
} from "../../../limits/review-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import {
  type CredentialReview,
  findLastKnownSignIn,
  findReview,
  saveReview,
} from "../../../models/credential-review/credential-review.ts";
import { listRecentCredentials, type RecentCredential } from "../../../models/credential-review/recent-credentials.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { providerName } from "../../../models/provider-config/provider.ts";
import { findControlledAt } from "../../../models/user/control.ts";
import { voidUndoLinksOfRecent } from "../../../models/user-email/email-change.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import { composeEmail, noticeDetails, noticeItems } from "../email/compose-email.ts";
import type { MailboxOwner } from "./confirm-mailbox-ownership.ts";
import { isHeldAfterReset } from "./credential-kinds.ts";

export interface ReviewedReset {
  readonly user: MailboxOwner;
  /** The address whose mailbox reset the password. */
  readonly email: string;
  readonly client: RequestContext;
  readonly at: Date;
}

export interface ReviewItem extends RecentCredential {
  /** Whether the item gives no sign-in until the user confirms. */
  readonly held: boolean;
}

/**
 * Runs inside the transaction of a reset of the password, under the lock of the user: a third party with the mailbox
 * for an hour may have set up a second way into the account (docs/contract.md, section 12.16). Recent credentials are
 * held, what was set up since the last sign-in from a known browser is mailed, and undo links of recent addresses end.
 * Returns the token of the link that ends what is listed; undefined: nothing is listed.
 */
export async function openReview(deps: SignInDeps, sql: Sql, reset: ReviewedReset): Promise<string | undefined> {
  const { user, email, at } = reset;
  const review = await periodOf(sql, reset);
  await voidUndoLinksOfRecent(sql, user.userId, review.heldSince, email);
  const items = await listReviewItems(sql, review, at);
  if (items.length === 0) return undefined;
  const token = makeOpaqueToken(deps.random);
  const expiresAt = new Date(at.getTime() + REVIEW_LINK_LIFETIME_MS);
  await saveReview(sql, { ...review, tokenHash: hashToken(token), expiresAt });
  const metadata = { held: items.filter(({ held }) => held).length, listed: items.length };
  const event = { action: "auth.credential_review.opened", at, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, user, reset.client, event));
  await mailReview(deps, sql, reset, items, token);
  return token;
}

/** What a review lists, newest first. */
export async function listReviewItems(
  sql: Sql,
  { userId, email, heldSince, listedSince, resetAt }: CredentialReview,
  at: Date,
): Promise<readonly ReviewItem[]> {
  const period = { since: listedSince, until: resetAt };
  const recent = await listRecentCredentials(sql, { userId, period, email, at }, REVIEW_ITEMS_MAX);
  return recent.map((item) => ({
    ...item,
    name: item.kind === "identities" && item.name !== null ? providerName(item.name) : item.name,
    held: isHeldAfterReset(item.kind) && item.setUpAt >= heldSince,
  }));
}

/** A review that still waits keeps the earlier times, so that a second reset releases no held credential. */
async function periodOf(sql: Sql, { user: { userId }, email, at }: ReviewedReset): Promise<CredentialReview> {
  const knownBefore = new Date(at.getTime() - CREDENTIAL_HOLD_MS);
  const waiting = await findReview(sql, userId);
  const lastKnown = await findLastKnownSignIn(sql, userId, knownBefore);
  const controlledAt = await findControlledAt(sql, userId);
  // The first proof ended whatever was set up before.
  const earliest = Math.max(at.getTime() - REVIEW_PERIOD_MAX_MS, (controlledAt?.getTime() ?? 0) + 1);
  const heldSince = Math.max(knownBefore.getTime(), earliest);
  const listedSince = Math.min(heldSince, Math.max(lastKnown?.getTime() ?? earliest, earliest));
  return {
    userId,
    email,
    heldSince: new Date(Math.min(heldSince, waiting?.heldSince.getTime() ?? heldSince)),
    listedSince: new Date(Math.min(listedSince, waiting?.listedSince.getTime() ?? listedSince)),
    resetAt: at,
  };
}

/** E-mails the address of the reset, and the primary address unless the address itself is recent. */
async function mailReview(
  deps: SignInDeps,
  sql: Sql,
  { user, email, client, at }: ReviewedReset,
  items: readonly ReviewItem[],
  token: string,
): Promise<void> {
  const { publicBaseUrl } = deps.config.urls;
  const values = {
    ...noticeDetails(client, at),
    ...noticeItems(items),
    end_link: `${publicBaseUrl}/reset-password/review?token=${token}`,
  };
  const isRecent = items.some(({ kind, name }) => kind === "address_changes" && name === user.email);
  const addresses = new Set(isRecent ? [email] : [email, user.email]);
  const mail = { kind: "credential_review", values } as const;
  for (const address of addresses) {
    const to = { ...user, email: address };
    await insertEmail(sql, composeEmail(deps, { to, mail, tenants: undefined, client, at }));
  }
}
