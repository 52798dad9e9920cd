/** The beginning of a deletion: the account of a user is closed (docs/contract.md, section 30.1). */
import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import { type ProblemReason, type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { DAY_MS } from "../../../base/time-units.ts";
import { hashToken } from "../../../base/token-hash.ts";
import type { Sql } from "../../../database/database.ts";
import type { EmailDeps, SessionDeps } from "../../../deps.ts";
import { DELETION_NOTICES_MAX } from "../../../limits/deletion-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import {
  attachToParent,
  type Deletion,
  insertDeletion,
  insertDeletionToken,
  type LinkHolder,
  type NewDeletion,
} from "../../../models/deletion/deletion.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { deleteEmailCode } from "../../../models/email-code/email-code.ts";
import { revokeInvitationsOf } from "../../../models/invitation/invitation.ts";
import { deleteAllMailedTokens } from "../../../models/mailed-token/mailed-token.ts";
import {
  closeOrganization,
  type LeavingOrganization,
  lockLeavingOrganizations,
} from "../../../models/organization/closing-organization.ts";
import { lockLiveSessions, type SessionEvent } from "../../../models/session/revocation.ts";
import { endTrustedBrowsers } from "../../../models/trusted-browser/trusted-browser.ts";
import {
  closeUser,
  hasOtherPlatformOwner,
  lockClosingUser,
  lockPlatformOwnersOf,
} from "../../../models/user/closing-user.ts";
import { findOwner, type Owner } from "../../../models/user/user.ts";
import { listReservedEmails } from "../../../models/user-email/user-email.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { recordEach } from "../audit/record-ended-credentials.ts";
import { composeEmail, noticeDetails } from "../email/compose-email.ts";
import { logSuspensionChange } from "../sessions/end-organization-sessions.ts";
import { endSessionsIn, tokensLiveSince } from "../sessions/end-sessions.ts";
import { endApplicationsRecorded } from "../sessions/end-user-access.ts";

export type CloseDeps = EmailDeps & SessionDeps;

export interface AccountClosing {
  readonly userId: string;
  /** The user, or a platform administrator. */
  readonly actor: Actor;
  /** The reason of an administrator. */
  readonly reason: string | null;
  readonly client: RequestContext;
  readonly at: Date;
}

export interface ClosedAccount {
  readonly deletion: PendingDeletion;
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

export interface PendingDeletion extends Pick<Deletion, "id" | "requestedAt" | "dueAt"> {
  /** Deleted with the user, because the user is the only member. */
  readonly organizations: readonly Pick<LeavingOrganization, "id" | "name" | "slug">[];
}

const PENDING = refusal("conflict", "The deletion of this account is pending already.");
const LAST_PLATFORM_OWNER = {
  ...refusal("conflict", "The last owner of the platform cannot be deleted."),
  reason: "last_platform_owner",
} as const;

function permitLeaving(organizations: readonly LeavingOrganization[]): Result<void, Refusal<"conflict">> {
  const owned = organizations.filter(({ isLastOwner }) => isLastOwner);
  if (owned.length > 0) {
    return err(conflictIn(owned, "last_owner", "Another member of these organizations must become an owner first."));
  }
  const registered = organizations.filter(({ isBreakGlass }) => isBreakGlass);
  if (registered.length === 0) return ok(undefined);
  const message = "Another member of these organizations must be registered for emergency access first.";
  return err(conflictIn(registered, "break_glass", message));
}

function conflictIn(
  organizations: readonly LeavingOrganization[],
  reason: ProblemReason,
  message: string,
): Refusal<"conflict"> {
  const named = organizations.map(({ id, name, slug }) => ({ id, name, slug }));
  return { ...refusal("conflict", message), reason, organizations: named };
}

/**
 * Locks the rows of other users that the end of an account depends on. Called at the start of the transaction, before
 * the locks of the user and the session: memberships, users, sessions is the order of all transactions.
 */
export async function lockBeforeClosing(sql: Sql, userId: string): Promise<void> {
  await lockLeavingOrganizations(sql, userId);
  await lockPlatformOwnersOf(sql, userId);
}

/** A role granted since `lockBeforeClosing` is locked too. */
async function keepsPlatformOwner(sql: Sql, userId: string): Promise<boolean> {
  await lockPlatformOwnersOf(sql, userId);
  return await hasOtherPlatformOwner(sql, userId);
}

/**
 * Closes an account under the lock of the user, in the transaction of the caller, after `lockBeforeClosing`: ends
 * sessions, tokens, links, codes and sent invitations, and suspends the organizations without further member.
 */
export async function closeAccount(
  deps: CloseDeps,
  sql: Sql,
  closing: AccountClosing,
): Promise<Result<ClosedAccount, Refusal<"conflict" | "not_found">>> {
  const { userId, at } = closing;
  const user = await lockClosingUser(sql, userId);
  if (!user) return err(refusal("not_found", "There is no such user."));
  if (user.pending) return err(PENDING);
  const organizations = await lockLeavingOrganizations(sql, userId);
  const permitted = permitLeaving(organizations);
  if (!permitted.ok) return permitted;
  if (user.platformRole === "owner" && !(await keepsPlatformOwner(sql, userId))) return err(LAST_PLATFORM_OWNER);
  const deletion = await persistDeletion(deps, sql, closing, user.disabled);
  await closeUser(sql, userId, deletion.dueAt, at);
  const sole = organizations.filter(({ isSoleMember }) => isSoleMember);
  const suspended = await closeOrganizations(deps, sql, closing, deletion, sole);
  const ended = await endAccess(deps, sql, closing);
  return ok({ deletion: { ...deletion, organizations: sole }, events: [...suspended, ...ended] });
}

async function persistDeletion(
  deps: CloseDeps,
  sql: Sql,
  closing: AccountClosing,
  wasClosed: boolean,
): Promise<NewDeletion> {
  const { userId, actor, reason, client, at } = closing;
  const days = deps.config.accountDeletionDays;
  const dueAt = new Date(at.getTime() + days * DAY_MS);
  const owner = await findOwner(sql, userId);
  const present = composeNotice(deps, closing, owner, "present");
  const deletion: NewDeletion = {
    id: deps.random.uuid(),
    subjectType: "user",
    subjectId: userId,
    parentId: null,
    requestedBy: actor.userId,
    reason,
    noticeId: present.tokenHash === undefined ? present.email.id : null,
    wasClosed,
    requestedAt: at,
    dueAt,
  };
  await insertDeletion(sql, deletion);
  // An attacker with a stolen session can change the address before the request: the former mailbox cancels too.
  const addresses = await listReservedEmails(sql, userId, at, DELETION_NOTICES_MAX);
  const former = addresses.map((email) => composeNotice(deps, closing, { ...owner, email }, "former"));
  for (const { email, mailbox, tokenHash } of [present, ...former]) {
    if (tokenHash) await insertDeletionToken(sql, { tokenHash, deletionId: deletion.id, userId, mailbox });
    await insertEmail(sql, email);
  }
  const entry = userAuditEvent(deps, actor, client, {
    action: "user.deletion_requested",
    at,
    resource: { type: "user", id: userId },
    metadata: { deletion_id: deletion.id, due_at: dueAt.toISOString() },
  });
  await recordAudit(sql, entry);
  return deletion;
}

/** The notice to one mailbox, with a separate link that cancels; without a link where the erasure is immediate. */
function composeNotice(
  deps: CloseDeps,
  { actor, reason, client, at }: AccountClosing,
  to: Owner,
  mailbox: LinkHolder["mailbox"],
) {
  const days = deps.config.accountDeletionDays;
  const token = days > 0 ? makeOpaqueToken(deps.random) : undefined;
  const isByAdministrator = reason !== null;
  const values = {
    ...noticeDetails(client, at),
    link: token === undefined ? null : `${deps.config.urls.publicBaseUrl}/cancel-deletion?token=${token}`,
    days,
    is_immediate: token === undefined,
    by_administrator: isByAdministrator,
  };
  // The organization of an administrator is not an organization of the user.
  const tenants = isByAdministrator ? undefined : { organizationId: actor.organizationId ?? undefined };
  const mail = { kind: "account_deletion", values } as const;
  const email = composeEmail(deps, { to, mail, tenants, client, at });
  return { email, mailbox, tokenHash: token === undefined ? undefined : hashToken(token) };
}

/** The organizations of the user alone are suspended until the erasure, together with their keys. */
async function closeOrganizations(
  deps: CloseDeps,
  sql: Sql,
  { actor, client, at }: AccountClosing,
  parent: NewDeletion,
  organizations: readonly LeavingOrganization[],
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (const { id: organizationId, suspended, pending } of organizations) {
    if (pending) {
      await attachToParent(sql, organizationId, parent);
      await closeOrganization(sql, organizationId, parent.dueAt, at);
      continue;
    }
    await insertDeletion(sql, {
      ...parent,
      id: deps.random.uuid(),
      subjectType: "organization",
      subjectId: organizationId,
      parentId: parent.id,
      noticeId: null,
      wasClosed: suspended,
    });
    await closeOrganization(sql, organizationId, parent.dueAt, at);
    const entry = userAuditEvent(deps, { ...actor, organizationId }, client, {
      action: "organization.deletion_requested",
      at,
      resource: { type: "organization", id: organizationId },
      metadata: { deletion_id: parent.id, due_at: parent.dueAt.toISOString() },
    });
    await recordAudit(sql, entry);
    events.push(...(await logSuspensionChange(deps, sql, organizationId, at)));
  }
  return events;
}

/** The order equals the order of a controlling proof, against deadlocks: sessions, then tokens of applications. */
async function endAccess(
  deps: CloseDeps,
  sql: Sql,
  { userId, actor, client, at }: AccountClosing,
): Promise<readonly SessionEvent[]> {
  await endTrustedBrowsers(sql, userId, at);
  await deleteEmailCode(sql, userId);
  await deleteAllMailedTokens(sql, userId);
  await endInvitations(deps, sql, { userId, actor, client, at });
  const reason = "user_deletion" as const;
  const sessionIds = await lockLiveSessions(sql, { userId }, undefined, tokensLiveSince(deps));
  const sessions = await endSessionsIn(deps, sql, sessionIds, {
    userId,
    actor,
    reason,
    auditAction: "auth.session.revoked",
    client,
  });
  return [...sessions, ...(await endApplicationsRecorded(deps, sql, { userId, actor, reason, client }))];
}

async function endInvitations(
  deps: CloseDeps,
  sql: Sql,
  { userId, actor, client, at }: Omit<AccountClosing, "reason">,
): Promise<void> {
  const ended = await sql<{ id: string; organizationId: string }[]>`
    with ended as (${revokeInvitationsOf(sql, userId, at)})
    select id, organization_id as "organizationId" from ended`;
  const entry = userAuditEvent(deps, actor, client, {
    action: "invitation.revoked",
    at,
    metadata: { reason: "inviter_deleted" },
  });
  const items = ended.map((item) => ({ ...item, name: null }));
  await recordEach(deps, sql, { ...entry, resourceType: "invitation" }, items);
}
