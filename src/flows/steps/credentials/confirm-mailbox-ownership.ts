import { inertName } from "../../../base/display-name.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SignInDeps } from "../../../deps.ts";
import { NOTICE_ITEMS_MAX } from "../../../limits/control-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { listMembersInvitedBy } from "../../../models/invitation/invitation.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { confirmControl, lockControlState, markControlled } from "../../../models/user/control.ts";
import type { Recipient } from "../../../models/user/user.ts";
import { isPrimaryAddress } from "../../../models/user-email/user-email.ts";
import { clearVouched, markVouched } from "../../../models/user-email/vouched-address.ts";
import type { ControlProof } from "../../../vocabulary/control-proof.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import { composeEmail, noticeDetails } from "../email/compose-email.ts";
import { grantInitialOwner } from "../roles/grant-initial-owner.ts";
import type { CredentialKindName } from "./credential-kinds.ts";
import { type EndedKind, endCredentials, recordEndedKinds, summarizeEnded } from "./end-credentials.ts";

export interface MailboxOwner extends Recipient {
  readonly userId: string;
  readonly organizationId: string | null;
}

export interface PresentedProof {
  readonly user: MailboxOwner;
  readonly proof: ControlProof;
  /** True: a program delivered the link, so the address counts as controlled and remains vouched (section 5.7). */
  readonly isVouched?: boolean;
  /** The session that the proof itself inserted, if any. */
  readonly keepSession?: string;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Runs inside the transaction of a controlling proof made outside the sessions of the account. The first proof ends
 * every credential set up before the proof (docs/contract.md, section 5.3); later proofs end no credential here.
 * Every proof clears the mark of a vouched address. A proof of an additional address proves no control of the primary
 * mailbox: an account whose primary address an administrator or a program has replaced stays without control. Returns
 * the events to announce after the commit.
 */
export async function confirmMailboxOwnership(
  deps: SignInDeps,
  sql: Sql,
  presented: PresentedProof,
): Promise<readonly SessionEvent[]> {
  const { user, proof, keepSession, client, at, isVouched = false } = presented;
  const { userId, organizationId } = user;
  const before = await lockControlState(sql, userId);
  if (!before) return [];
  // Neither an identity provider nor a directory of an organization nor a program grants a role of the platform.
  const isInPerson = proof.kind !== "single_sign_on" && proof.kind !== "directory" && !isVouched;
  const isCleared = isInPerson && (await clearVouched(sql, userId, proof.addressId));
  if (before.isMailboxOwner) {
    if (isCleared) await grantInitialOwner(deps, sql, user.email);
    return [];
  }
  if (!(await isPrimaryAddress(sql, userId, proof.addressId))) return [];
  const reason = "control_proven";
  const removal = { userId, organizationId, proof, reason, before, keepSession, client, at } as const;
  const ended = await endCredentials(deps, sql, removal);
  await markControlled(sql, userId, at);
  if (isVouched) await markVouched(sql, userId, user.email);
  await recordEnded(deps, sql, presented, ended);
  await notifyOwner(deps, sql, presented, ended);
  if (isInPerson) await grantInitialOwner(deps, sql, user.email);
  return ended.flatMap(({ access }) => access.events);
}

async function recordEnded(
  deps: SignInDeps,
  sql: Sql,
  { user, proof, isVouched = false, client, at }: PresentedProof,
  ended: readonly EndedKind[],
): Promise<void> {
  const metadata = { proof: proof.kind, ...(isVouched && { vouched: true }), ...summarizeEnded(ended) };
  await insertAudit(sql, userAuditEvent(deps, user, client, { action: "auth.control.proven", at, metadata }), sql``);
  await recordEndedKinds(deps, sql, { actor: user, reason: "control_proven", client, at }, ended);
}

/**
 * Emails the owner the ended credentials, the users who joined by an invitation of the account, and the way to set a
 * password. A reset without further ended credentials has a separate notice.
 */
async function notifyOwner(
  deps: SignInDeps,
  sql: Sql,
  { user, client, at }: PresentedProof,
  ended: readonly EndedKind[],
): Promise<void> {
  const removed = ended.flatMap(({ name, kind, access }) =>
    kind.isNoticed
      ? access.items.map((item) => ({ [`is_${name}`]: true, name: item.name && inertName(item.name) }))
      : [],
  );
  const hasEnded = (wanted: CredentialKindName) =>
    ended.some(({ name, access }) => name === wanted && access.items.length > 0);
  const members = await listMembersInvitedBy(sql, user.userId, NOTICE_ITEMS_MAX + 1);
  if (removed.length === 0 && members.length === 0) return;
  const values = {
    ...noticeDetails(client, at),
    password: hasEnded("password"),
    second_factor: hasEnded("second_factor"),
    has_removed: removed.length > 0,
    removed: removed.slice(0, NOTICE_ITEMS_MAX),
    more_removed: Math.max(0, removed.length - NOTICE_ITEMS_MAX),
    has_members: members.length > 0,
    members: members.slice(0, NOTICE_ITEMS_MAX).map(({ email, organizationName }) => ({
      name: inertName(email),
      organization_name: inertName(organizationName),
    })),
    more_members: members.length > NOTICE_ITEMS_MAX,
    members_link: `${deps.config.urls.publicBaseUrl}/team`,
  };
  const mail = { kind: "account_secured", values } as const;
  // Not the brand of the organization: the organization may belong to the third party that set the account up.
  await insertEmail(sql, composeEmail(deps, { to: user, mail, tenants: undefined, client, at }));
}

export interface SessionProof {
  readonly user: Pick<MailboxOwner, "userId" | "organizationId" | "email">;
  /** The session in which the proof was made. */
  readonly sessionId: string;
  readonly proof: "address_change" | "invitation" | "verification_link";
  /** True: a program delivered the link, so the address counts as controlled and remains vouched (section 5.7). */
  readonly isVouched?: boolean;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Runs inside the transaction of a mailed link or an invitation confirmed in a session of the same user: the user
 * who set the account up holds the mailbox, so no credential ends. A session revoked meanwhile proves no control.
 */
export async function confirmMailboxOwnershipInSession(
  deps: SignInDeps,
  sql: Sql,
  presented: SessionProof,
): Promise<void> {
  const { user, sessionId, proof, isVouched = false, client, at } = presented;
  const before = await lockControlState(sql, user.userId);
  if (!before || before.isMailboxOwner) return;
  const metadata = { proof, ...(isVouched && { vouched: true }) };
  const entry = userAuditEvent(deps, user, client, { action: "auth.control.proven", at, metadata });
  const rows = await sql`
    with confirmed as (${confirmControl(sql, user.userId, sessionId, at)}),
    audit as (${insertAudit(sql, entry, sql`from confirmed`)})
    select 1 from confirmed`;
  if (rows.length === 0) return;
  if (isVouched) await markVouched(sql, user.userId, user.email);
  else await grantInitialOwner(deps, sql, user.email);
}
