import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import { cte, withParts } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { consumeInvitation, type OfferedInvitation } from "../../models/invitation/invitation.ts";
import { insertMemberFrom } from "../../models/member/member.ts";
import { lockInviter } from "../../models/member/members.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findPlatformRoleOf } from "../../models/user/platform-role.ts";
import { lockUser, lockUserWithoutOrganization, markUserVerified } from "../../models/user/user.ts";
import { findOwnAddress } from "../../models/user-email/user-email.ts";
import { clearVouchedEmail } from "../../models/user-email/vouched-address.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import {
  confirmMailboxOwnership,
  confirmMailboxOwnershipInSession,
} from "../steps/credentials/confirm-mailbox-ownership.ts";
import { EMAIL_VERIFIED } from "../steps/email/issue-mailed-link.ts";
import { invitedRoleParts } from "../steps/roles/invited-roles.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { refuseChanged } from "./preview.ts";

/** An accepted invitation of an existing user. */
export interface Joined {
  readonly kind: "member";
  readonly organizationId: string;
  readonly role: MemberRole;
}

interface Acceptance {
  readonly token: string;
  readonly caller: SessionView | undefined;
  readonly client: RequestContext;
}

/** Joins the user of an existing account, in a session or by the token alone. */
export async function joinAsUser(
  deps: SignInDeps,
  input: Acceptance,
  offered: OfferedInvitation,
  userId: string,
): Promise<Result<Joined, Refusal<"authentication_required" | "conflict">>> {
  const { organizationId, role } = offered;
  const { caller } = input;
  try {
    const events = await deps.database.transaction("invitation.accept", (sql) =>
      caller ? persistInSession(deps, sql, input, offered, caller) : persistByToken(deps, sql, input, offered, userId),
    );
    if (!events) return await refuseChanged(deps, input);
    deps.outbox.wake();
    await deps.revocations.announce(events);
    return ok({ kind: "member", organizationId, role });
  } catch (error) {
    if (violatedConstraint(error) === "members_pkey") {
      return err(refusal("conflict", "You are already a member of this organization."));
    }
    throw error;
  }
}

/** Returns the events to announce after the commit; undefined if the invitation changed since the read. */
async function persistInSession(
  deps: SignInDeps,
  sql: Sql,
  input: Acceptance,
  offered: OfferedInvitation,
  caller: SessionView,
): Promise<readonly SessionEvent[] | undefined> {
  const { client } = input;
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const verified = markUserVerified(sql, userId, at, sql`from ${cte(sql, "joined")}`);
  // The user before the invitation, as a directory and single sign-on lock them.
  await sql`${lockUser(sql, userId)}`;
  const isPrimary = (await findOwnAddress(sql, offered.email, userId))?.primary === true;
  if (offered.isLink || !isPrimary) {
    // A program received the link: the acceptance proves no mailbox. An additional address proves its mailbox alone.
    const rows = await sql`
      ${withParts(sql, joiningParts(deps, sql, input, offered, userId, at))} select 1 from joined`;
    if (rows.length > 0 && !offered.isLink) await clearVouchedEmail(sql, userId, offered.email);
    return rows.length > 0 ? [] : undefined;
  }
  const [joined] = await sql<{ fresh: boolean }[]>`
    ${withParts(sql, { ...joiningParts(deps, sql, input, offered, userId, at), verified })} select fresh from verified`;
  if (!joined) return undefined;
  const control = { user: caller, sessionId: caller.id, proof: "invitation", client, at } as const;
  await confirmMailboxOwnershipInSession(deps, sql, control);
  await clearVouchedEmail(sql, userId, offered.email);
  return joined.fresh ? await logChangeOfUser(sql, userId, EMAIL_VERIFIED, at, tokensDeadAt(deps, at)) : [];
}

/**
 * Persists the acceptance for an account that no organization permits to sign in. The token proves only control of the
 * mailbox, so a first proof ends all credentials set up before: a third party who registered the address must not enter
 * with the invitation of the mailbox owner.
 */
async function persistByToken(
  deps: SignInDeps,
  sql: Sql,
  input: Acceptance,
  offered: OfferedInvitation,
  userId: string,
): Promise<readonly SessionEvent[] | undefined> {
  const at = new Date(deps.clock.now());
  const recipient = await lockUserWithoutOrganization(sql, userId, at);
  if (!recipient) return undefined;
  const address = await findOwnAddress(sql, offered.email, userId);
  if (!address) return undefined;
  const isVouched = offered.isLink;
  // A program never adds a user with a platform role (section 35.5); the role may be younger than the invitation.
  if (isVouched && (await findPlatformRoleOf(sql, userId)) !== null) return undefined;
  const rows = await sql`
    ${withParts(sql, joiningParts(deps, sql, input, offered, userId, at))} select 1 from joined`;
  if (rows.length === 0) return undefined;
  const user = { ...recipient, userId, organizationId: offered.organizationId };
  const proof = { kind: "invitation", addressId: address.id } as const;
  return await confirmMailboxOwnership(deps, sql, { user, proof, isVouched, client: input.client, at });
}

/** CTEs that consume the invitation and insert the membership and the audit record. */
function joiningParts(
  deps: SignInDeps,
  sql: Sql,
  { token, client }: Acceptance,
  { id, organizationId, invitedBy, role, roleIds }: OfferedInvitation,
  userId: string,
  at: Date,
) {
  const entry = userAuditEvent(deps, { userId, organizationId }, client, {
    action: "invitation.accepted",
    at,
    resource: { type: "invitation", id },
  });
  const [inviter, consumed] = [cte(sql, "inviter"), cte(sql, "consumed")];
  return {
    inviter: lockInviter(sql, organizationId, invitedBy, role),
    consumed: consumeInvitation(sql, id, hashToken(token), at, inviter),
    joined: insertMemberFrom(sql, userId, at, consumed),
    ...invitedRoleParts(deps, sql, { id, organizationId, roleIds, userId, client, at }),
    audit: insertAudit(sql, entry, sql`from ${cte(sql, "joined")}`),
  };
}
