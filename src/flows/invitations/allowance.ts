import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { UNVERIFIED_INVITATIONS_MAX, UNVERIFIED_INVITATIONS_WINDOW_MS } from "../../limits/credential-limits.ts";
import { EMAIL_RETRY_SECONDS, YOUNG_ORGANIZATION_MS } from "../../limits/email-limits.ts";
import { lockRecentInvitations } from "../../models/invitation/invitation-allowance.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { Delivery } from "./delivery.ts";

interface CountedInvitation {
  readonly email: string;
  readonly delivery: Delivery;
  readonly network: string;
}

/**
 * Counts an invitation before the email, new or resent: per sender, per network over its young organizations, per
 * address and organization, and per organization (docs/contract.md, section 20.2). The order matters: an exceeded limit
 * leaves the later counters unchanged.
 */
export async function countInvitation(
  deps: EmailDeps,
  { responsibleId, organizationId }: OrganizationCaller,
  { email, delivery, network }: CountedInvitation,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const { config, state, addressKey } = deps;
  const { enabled, inviter, mail, networkInvitations, organizationInvitations } = config.limits;
  if (!enabled) return ok(undefined);
  const mailKey = `service:mail:invitation:${organizationId}:${hashAddress(addressKey, email)}`;
  const isYoung = await isYoungOrganization(deps, organizationId);
  const limits = [
    ...(isYoung ? [{ key: `service:invitations:network:${network}`, ...networkInvitations }] : []),
    { key: `service:invitations:inviter:${responsibleId}`, ...inviter },
    ...(delivery === "mail" ? [{ key: mailKey, ...mail }] : []),
    { key: `service:invitations:organization:${organizationId}`, ...organizationInvitations },
  ];
  for (const { key, count, seconds } of limits) {
    const window = await state.count(key, seconds * 1000);
    if (window.count <= count) continue;
    return err(
      rateLimited("limit_invitations", window.resetMs / 1000, "too many invitations", {
        counters: { count: window.count, limit: count, window_seconds: seconds },
      }),
    );
  }
  return ok(undefined);
}

async function isYoungOrganization({ clock, database }: Pick<Deps, "clock" | "database">, id: string) {
  const organization = await database.run("organization.find", (sql) => findOrganization(sql, id));
  return organization !== undefined && clock.now() - organization.createdAt.getTime() < YOUNG_ORGANIZATION_MS;
}

/** Returned where an address has had too many emails, of this network or of all. */
export const TOO_MANY_EMAILS = rateLimited("limit_invitations", EMAIL_RETRY_SECONDS, "too many emails to one address");

/**
 * Limits a sender whose address is not verified (docs/contract.md, section 3.11), inside the sending transaction.
 * PostgreSQL counts the sent invitations of the sender and of keys of the sender. `SERVICE_RATE_LIMITS=off` does not
 * disable this limit: a freely registered account must not be able to send emails to arbitrary addresses.
 */
export async function authorizeUnverifiedSender(
  sql: Sql,
  userId: string,
  { actor }: Pick<OrganizationCaller, "actor">,
  at: Date,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const since = new Date(at.getTime() - UNVERIFIED_INVITATIONS_WINDOW_MS);
  const sent = await lockRecentInvitations(sql, userId, actor.userId, since, UNVERIFIED_INVITATIONS_MAX);
  const oldest = sent[UNVERIFIED_INVITATIONS_MAX - 1];
  if (!oldest) return ok(undefined);
  // An invitation sent while this transaction waited for the lock is later than `at`.
  const waitMs = Math.min(oldest.getTime() - since.getTime(), UNVERIFIED_INVITATIONS_WINDOW_MS);
  return err(rateLimited("unverified_invitations", waitMs / 1000, "too many invitations of an unverified sender"));
}
