import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { hashToken } from "../../../base/token-hash.ts";
import type { Sql } from "../../../database/database.ts";
import type { SignInDeps } from "../../../deps.ts";
import {
  CREDENTIAL_HOLD_MS,
  REVIEW_CHANGES_MAX,
  REVIEW_ITEMS_MAX,
  REVIEW_LINK_LIFETIME_MS,
  REVIEW_PERIOD_MAX_MS,
} from "../../../limits/review-limits.ts";
import { USER_EMAILS_MAX } from "../../../limits/user-email-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import {
  type CredentialReview,
  findLastKnownSignIn,
  findReview,
  saveReview,
} from "../../../models/credential-review/credential-review.ts";
import {
  type ChangeKind,
  listRecentChanges,
  type RecentChange,
} from "../../../models/credential-review/recent-changes.ts";
import {
  listRecentCredentials,
  type RecentCredential,
  type RecentKind,
} from "../../../models/credential-review/recent-credentials.ts";
import {
  deleteSettledLinks,
  findContestedSince,
  saveReviewLink,
} from "../../../models/credential-review/review-link.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { providerName } from "../../../models/provider-config/provider.ts";
import { findControlledAt } from "../../../models/user/control.ts";
import { voidUndoLinksOfRecent } from "../../../models/user-email/email-change.ts";
import { findOwnAddress, listUserEmails, type UserEmail } from "../../../models/user-email/user-email.ts";
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

export interface ReviewItem extends Omit<RecentCredential, "kind"> {
  readonly kind: RecentKind | ChangeKind;
  /** Whether the item gives no sign-in until the user confirms. */
  readonly held: boolean;
  /** A change in an organization, which remains for a review there. Undefined: the end removes the item. */
  readonly change?: RecentChange;
}

/**
 * Runs inside the transaction of a reset of the password, under the lock of the user: a third party with the mailbox
 * for an hour may have set up a second way into the account (docs/contract.md, section 12.16). Recent credentials are
 * held, what was set up since the last sign-in from a known browser is mailed, and undo links of recent addresses end.
 * Returns the token of the link that ends what is listed; undefined: nothing is listed.
 */
export async function openReview(deps: SignInDeps, sql: Sql, reset: ReviewedReset): Promise<string | undefined> {
  const { user, email, at } = reset;
  const address = await findOwnAddress(sql, email, user.userId);
  await deleteSettledLinks(sql, user.userId, address?.verifiedAt ?? null);
  const { review, recentSince } = await periodOf(sql, reset);
  const isContested = address?.verifiedAt ? address.verifiedAt.getTime() >= recentSince : false;
  await voidUndoLinksOfRecent(sql, user.userId, review.heldSince, email);
  const items = await listReviewItems(sql, review, at);
  if (items.length === 0 && !isContested) return undefined;
  const token = makeOpaqueToken(deps.random);
  const expiresAt = new Date(at.getTime() + REVIEW_LINK_LIFETIME_MS);
  if (items.length > 0) await saveReview(sql, { ...review, tokenHash: hashToken(token), expiresAt });
  const metadata = {
    held: items.filter(({ held }) => held).length,
    listed: items.length,
    ...(isContested && { recent_address: true }),
  };
  const event = { action: "auth.credential_review.opened", at, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, user, reset.client, event));
  if (items.length > 0) await mailReview(deps, sql, reset, email, items, token);
  await mailOthers(deps, sql, reset, { review, items, isContested, expiresAt });
  return items.length > 0 ? token : undefined;
}

/** What a review lists: what the end removes, newest first, then the changes in organizations, which remain. */
export async function listReviewItems(
  sql: Sql,
  { userId, email, heldSince, listedSince, resetAt }: CredentialReview,
  at: Date,
): Promise<readonly ReviewItem[]> {
  const period = { since: listedSince, until: resetAt };
  const recent = await listRecentCredentials(sql, { userId, period, email, at }, REVIEW_ITEMS_MAX);
  const changes = await listRecentChanges(sql, { userId, period }, REVIEW_CHANGES_MAX);
  const credentials: readonly ReviewItem[] = recent.map((item) => ({
    ...item,
    name: item.kind === "identities" && item.name !== null ? providerName(item.name) : item.name,
    held: isHeldAfterReset(item.kind) && item.setUpAt >= heldSince,
  }));
  const remaining = changes.map((change) => ({ ...itemOf(change), held: false, change }));
  return [...credentials, ...remaining];
}

function itemOf({ kind, name, setUpAt }: RecentChange) {
  return { kind, name, setUpAt };
}

/** A review that still waits keeps the earlier times, so that a second reset releases no held credential. */
async function periodOf(
  sql: Sql,
  { user: { userId }, email, at }: ReviewedReset,
): Promise<{ readonly review: CredentialReview; readonly recentSince: number }> {
  const knownBefore = new Date(at.getTime() - CREDENTIAL_HOLD_MS);
  const waiting = await findReview(sql, userId);
  const lastKnown = await findLastKnownSignIn(sql, userId, knownBefore);
  const controlledAt = await findControlledAt(sql, userId);
  // Links to older addresses that remain keep their period: a later reset releases nothing from the links.
  const contested = await findContestedSince(sql, userId, at);
  const times = (own: number, ...earlier: (Date | null | undefined)[]) =>
    new Date(Math.min(own, ...earlier.map((time) => time?.getTime() ?? own)));
  // The first proof ended whatever was set up before.
  const earliest = Math.max(at.getTime() - REVIEW_PERIOD_MAX_MS, (controlledAt?.getTime() ?? 0) + 1);
  const heldSince = Math.max(knownBefore.getTime(), earliest);
  const listedSince = Math.min(heldSince, Math.max(lastKnown?.getTime() ?? earliest, earliest));
  const review = {
    userId,
    email,
    heldSince: times(heldSince, waiting?.heldSince, contested.heldSince),
    listedSince: times(listedSince, waiting?.listedSince, contested.listedSince),
    resetAt: at,
  };
  return { review, recentSince: heldSince };
}

interface OpenedReview {
  readonly review: CredentialReview;
  readonly items: readonly ReviewItem[];
  /** Whether the address of the reset is recent itself. */
  readonly isContested: boolean;
  readonly expiresAt: Date;
}

/**
 * Emails further mailboxes, each with a separate link. After a reset by a recent address every older address gets a
 * link that lists and ends the recent address too: a third party with the mailbox for an hour may have added it.
 * Otherwise the primary address gets a link, unless the review lists the address.
 */
async function mailOthers(
  deps: SignInDeps,
  sql: Sql,
  reset: ReviewedReset,
  { review, items, isContested, expiresAt }: OpenedReview,
): Promise<void> {
  const { user, at } = reset;
  const own = await listUserEmails(sql, user.userId, { limit: USER_EMAILS_MAX, offset: 0 });
  const isOlder = ({ email, verifiedAt }: UserEmail) =>
    email !== review.email && verifiedAt !== null && verifiedAt < review.listedSince;
  const older = own.items.filter((address) => isOlder(address) && (isContested || address.primary));
  for (const { email } of older) {
    const token = makeOpaqueToken(deps.random);
    const { userId, email: resetEmail, heldSince, listedSince, resetAt } = review;
    const period = { heldSince, listedSince, resetAt };
    const link = { tokenHash: hashToken(token), userId, email, resetEmail, ...period, endsReset: isContested };
    await saveReviewLink(sql, { ...link, expiresAt });
    const listed = isContested ? await listReviewItems(sql, { ...review, email }, at) : items;
    await mailReview(deps, sql, reset, email, listed, token);
  }
}

async function mailReview(
  deps: SignInDeps,
  sql: Sql,
  { user, client, at }: ReviewedReset,
  address: string,
  items: readonly ReviewItem[],
  token: string,
): Promise<void> {
  const { publicBaseUrl } = deps.config.urls;
  const values = {
    ...noticeDetails(client, at),
    ...noticeItems(items),
    end_link: `${publicBaseUrl}/reset-password/review?token=${token}`,
  };
  const mail = { kind: "credential_review", values } as const;
  const to = { ...user, email: address };
  await insertEmail(sql, composeEmail(deps, { to, mail, tenants: undefined, client, at }));
}
