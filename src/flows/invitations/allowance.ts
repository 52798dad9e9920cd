import type { Sql } from "../../base/database.ts";
import { UNVERIFIED_INVITATIONS_MAX, UNVERIFIED_INVITATIONS_WINDOW_MS } from "../../base/limits.ts";
import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { lockRecentInvitations } from "../../models/invitation/allowance.ts";
import type { MemberCaller } from "../steps/authorize-member.ts";
import { hashedAddress } from "../steps/limit-emails.ts";

/**
 * Counts an invitation that is about to be mailed, new or again: of the sender, to the address by this organization,
 * and of the organization (docs/contract.md). In this order, so that what one refuses uses up no other's. One tenant's
 * mails to an address leave those of another alone. Refuses with `rate_limited`.
 */
export async function countInvitation(
  { config, state }: Pick<Deps, "config" | "state">,
  { session, organizationId }: MemberCaller,
  email: string,
): Promise<Result<void>> {
  const { enabled, inviter, mail, organizationInvitations } = config.limits;
  if (!enabled) return ok(undefined);
  const limits = [
    { key: `service:invitations:inviter:${session.userId}`, ...inviter },
    { key: `service:mail:invitation:${organizationId}:${hashedAddress(email)}`, ...mail },
    { key: `service:invitations:organization:${organizationId}`, ...organizationInvitations },
  ];
  for (const { key, count, seconds } of limits) {
    const window = await state.count(key, seconds * 1000);
    if (window.count > count) return err(rateLimited(window.resetMs / 1000, `too many invitations: ${key}`));
  }
  return ok(undefined);
}

/**
 * Inside the sending transaction: whether a sender whose address is not verified has some of the day's invitations
 * left. Counted in Postgres, by those that were sent, and not switched off with the rate limits: it is no limit of
 * load, but keeps an account that anybody can make from mailing strangers. Refuses with `rate_limited`.
 */
export async function checkUnverifiedSender(sql: Sql, userId: string, at: Date): Promise<Result<void>> {
  const since = new Date(at.getTime() - UNVERIFIED_INVITATIONS_WINDOW_MS);
  const sent = await lockRecentInvitations(sql, userId, since, UNVERIFIED_INVITATIONS_MAX);
  const oldest = sent[UNVERIFIED_INVITATIONS_MAX - 1];
  if (!oldest) return ok(undefined);
  // One that was sent while this one waited for the lock has a later time than this one.
  const waitMs = Math.min(oldest.getTime() - since.getTime(), UNVERIFIED_INVITATIONS_WINDOW_MS);
  return err(rateLimited(waitMs / 1000, "too many invitations of an unverified sender"));
}
