import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import { invalidFields, invalidInput } from "../../base/invalid-input.ts";
import { isOpaqueToken } from "../../base/opaque-token.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import { cte, withParts } from "../../database/statement.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  consumeInvitation,
  findOfferedInvitation,
  type OfferedInvitation,
} from "../../models/invitation/invitation.ts";
import { insertMemberFrom } from "../../models/member/member.ts";
import { findPower, lockInviter } from "../../models/member/members.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { requiresSso } from "../../models/sso-policy/sso-policy.ts";
import {
  insertControlledUserFrom,
  lockUser,
  lockUserWithoutOrganization,
  markUserVerified,
} from "../../models/user/user.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { type MemberRole, mayGrant } from "../../vocabulary/member-power.ts";
import { linkInvitedMember } from "../directories/link-invited-member.ts";
import { liftRemoval } from "../steps/accounts/member-removal.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { joiningRefusal } from "../steps/authorization/joining-rules.ts";
import {
  confirmMailboxOwnership,
  confirmMailboxOwnershipInSession,
} from "../steps/credentials/confirm-mailbox-ownership.ts";
import { validateNewPassword } from "../steps/credentials/replace-password.ts";
import { EMAIL_VERIFIED } from "../steps/email/issue-mailed-link.ts";
import { invitedRoleParts } from "../steps/roles/invited-roles.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { ssoRequired } from "../steps/sessions/organization-rules.ts";
import { CHANGED_MEANWHILE, completeSignIn, type SignInResult } from "../steps/sign-in/complete-sign-in.ts";
import { hashPassword } from "../steps/sign-in/verify-password.ts";

const BAD_TOKEN = refusal("authentication_required", "This invitation is not valid any more.");
const ALREADY_USED = refusal("conflict", "This invitation was accepted or revoked.");
const SIGN_IN_FIRST = { ...NOT_SIGNED_IN, cause: "the invited address has an account" };

/**
 * GET /v1/auth/invitations/preview (docs/contract.md, section 13.5). If the inviter is disabled, has left the
 * organization or may no longer grant the role, the invitation is refused like an expired one (G36).
 */
export async function previewInvitation(
  deps: Pick<Deps, "database" | "clock">,
  token: string,
): Promise<Result<OfferedInvitation, Refusal<"authentication_required" | "conflict">>> {
  const at = new Date(deps.clock.now());
  const offered = isOpaqueToken(token)
    ? await deps.database.run("invitation.find_offered", (sql) => findOfferedInvitation(sql, hashToken(token), at))
    : undefined;
  if (!offered || offered.suspended || offered.status === "expired") return err(BAD_TOKEN);
  if (offered.status !== "pending") return err(ALREADY_USED);
  const { inviterRole, inviterGranted: granted, role } = offered;
  return inviterRole === null || !mayGrant({ role: inviterRole, granted }, role) ? err(BAD_TOKEN) : ok(offered);
}

/** The problem after no row was consumed: the invitation or the account changed since the read. */
async function refuseChanged(
  deps: Pick<Deps, "database" | "clock">,
  { token, caller }: AcceptInput,
): Promise<Result<never, Refusal<"authentication_required" | "conflict">>> {
  const current = await previewInvitation(deps, token);
  if (!current.ok) return current;
  return err(!caller && current.value.signInRequired ? SIGN_IN_FIRST : BAD_TOKEN);
}

export interface AcceptInput {
  readonly token: string;
  readonly caller: SessionView | undefined;
  /** Only for a new user. */
  readonly password: string | undefined;
  readonly displayName: string | undefined;
  readonly client: RequestContext;
}

type AcceptProblem = Refusal<
  "authentication_required" | "conflict" | "forbidden" | "invalid_input" | "rate_limited" | "sso_required"
>;

export type Accepted =
  | { readonly kind: "new_user"; readonly signedIn: SignInResult }
  | { readonly kind: "member"; readonly organizationId: string; readonly role: MemberRole };

/**
 * POST /v1/auth/invitations/accept (docs/contract.md, section 13.6): consumes the token. If the address has an account,
 * its user must be signed in, unless no organization permits the account to sign in: then the mailed token alone is
 * sufficient, without a session. `sso_required`: the organization requires single sign-on of the invited user, and the
 * sign-in accepts the invitation.
 */
export async function acceptInvitation(deps: SignInDeps, input: AcceptInput): Promise<Result<Accepted, AcceptProblem>> {
  const offered = await previewInvitation(deps, input.token);
  if (!offered.ok) return offered;
  const accepted = await join(deps, input, offered.value);
  if (!accepted.ok) return accepted;
  const { accountId, organizationId, email, sentBy } = offered.value;
  const userId = accepted.value.kind === "new_user" ? accepted.value.signedIn.session.userId : accountId;
  if (userId === null) return accepted;
  // A crash in between leaves a removal, which refuses no member.
  await deps.database.run("member_removal.lift", (sql) => liftRemoval(deps, sql, organizationId, userId));
  if (sentBy === "organization") {
    await linkInvitedMember(deps, { organizationId, userId, email, client: input.client });
  }
  return accepted;
}

async function join(
  deps: SignInDeps,
  input: AcceptInput,
  offered: OfferedInvitation,
): Promise<Result<Accepted, AcceptProblem>> {
  const { accountId, email, organizationId } = offered;
  const at = new Date(deps.clock.now());
  const isRequired = await deps.database.run("sso_policy.requires", (sql) =>
    requiresSso(sql, organizationId, { email, accountId }, at),
  );
  if (isRequired) return err(ssoRequired(organizationId));
  const newUserFrom = accountId === null ? { address: input.client.ipAddress } : undefined;
  const refused = await deps.database.run("organization_policy.find", (sql) =>
    joiningRefusal(sql, { organizationId, email, newUserFrom }, at),
  );
  if (refused) return err(refused);
  if (accountId === null) return await joinAsNewUser(deps, input, offered);
  const { caller } = input;
  if (!caller && offered.signInRequired) return err(SIGN_IN_FIRST);
  if (caller && caller.userId !== accountId) {
    return err(refusal("forbidden", "This invitation is for another e-mail address."));
  }
  return await joinAsUser(deps, input, offered, accountId);
}

async function joinAsNewUser(
  deps: SignInDeps,
  input: AcceptInput,
  offered: OfferedInvitation,
): Promise<Result<Accepted, Refusal<"authentication_required" | "conflict" | "invalid_input" | "rate_limited">>> {
  const { organizationId } = offered;
  const password = await validateNewPassword(deps, "password", input.password ?? "", {
    organizationIds: [organizationId],
  });
  const displayName = input.displayName === undefined ? null : normalizeName(input.displayName);
  const nameFlaws = displayName === undefined ? [{ field: "display_name", ...NAME_FLAW }] : [];
  if (!password.ok) return err(invalidFields([password.error, ...nameFlaws]));
  if (displayName === undefined) return err(invalidInput("display_name", NAME_FLAW.rule, NAME_FLAW.text));
  const passwordHash = await hashPassword(deps, password.value, input.client.network);
  if (!passwordHash.ok) return passwordHash;
  try {
    const newUser = { passwordHash: passwordHash.value, displayName };
    const signedIn = await persistNewUser(deps, input, offered, newUser);
    if (!signedIn.ok) {
      return signedIn.error === CHANGED_MEANWHILE ? await refuseChanged(deps, input) : err(signedIn.error);
    }
    return ok({ kind: "new_user", signedIn: signedIn.value });
  } catch (error) {
    // The address was registered meanwhile, so its user must sign in first.
    if (isAddressConstraint(violatedConstraint(error))) return err(NOT_SIGNED_IN);
    throw error;
  }
}

/** Inserts user, membership and session in the statement that consumes the invitation. */
async function persistNewUser(
  deps: SignInDeps,
  { token, client }: AcceptInput,
  invited: OfferedInvitation,
  newUser: { readonly passwordHash: string; readonly displayName: string | null },
): Promise<Result<SignInResult, typeof CHANGED_MEANWHILE | Refusal<"rate_limited">>> {
  const { id: invitationId, organizationId, email, invitedBy, role } = invited;
  const at = new Date(deps.clock.now());
  const userId = deps.random.uuid();
  const user = { ...newUser, id: userId, email, locale: client.locale, organizationId, at };
  const signedIn = await completeSignIn(deps, {
    userId,
    organizationId,
    email,
    authMethod: "password",
    aal: "aal1",
    client,
    audit: { action: "invitation.accepted", metadata: { invitation_id: invitationId } },
    insertsControlledUser: true,
    conditions: (sql) => {
      const [inviter, consumed] = [cte(sql, "inviter"), cte(sql, "consumed")];
      return {
        inviter: lockInviter(sql, organizationId, invitedBy, role),
        consumed: consumeInvitation(sql, invitationId, hashToken(token), at, inviter),
        account: insertControlledUserFrom(sql, user, sql`from ${consumed}`),
        membership: insertMemberFrom(sql, userId, at, consumed),
        ...invitedRoleParts(deps, sql, { ...invited, userId, client, at }),
      };
    },
  });
  if (!signedIn.ok || invited.roleIds.length === 0) return signedIn;
  // The snapshot of the statement precedes the roles that the statement grants.
  const power = await deps.database.run("member.find_power", (sql) => findPower(sql, organizationId, userId));
  return ok({ ...signedIn.value, ...power });
}

async function joinAsUser(
  deps: SignInDeps,
  input: AcceptInput,
  offered: OfferedInvitation,
  userId: string,
): Promise<Result<Accepted, Refusal<"authentication_required" | "conflict">>> {
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
  input: AcceptInput,
  offered: OfferedInvitation,
  caller: SessionView,
): Promise<readonly SessionEvent[] | undefined> {
  const { client } = input;
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const verified = markUserVerified(sql, userId, at, sql`from ${cte(sql, "joined")}`);
  // The user before the invitation, as a directory and single sign-on lock them.
  await sql`${lockUser(sql, userId)}`;
  const [joined] = await sql<{ fresh: boolean }[]>`
    ${withParts(sql, { ...joiningParts(deps, sql, input, offered, userId, at), verified })} select fresh from verified`;
  if (!joined) return undefined;
  const control = { user: caller, sessionId: caller.id, proof: "invitation", client, at } as const;
  await confirmMailboxOwnershipInSession(deps, sql, control);
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
  input: AcceptInput,
  offered: OfferedInvitation,
  userId: string,
): Promise<readonly SessionEvent[] | undefined> {
  const at = new Date(deps.clock.now());
  const recipient = await lockUserWithoutOrganization(sql, userId, at);
  if (!recipient) return undefined;
  const rows = await sql`
    ${withParts(sql, joiningParts(deps, sql, input, offered, userId, at))} select 1 from joined`;
  if (rows.length === 0) return undefined;
  const user = { ...recipient, userId, organizationId: offered.organizationId };
  return await confirmMailboxOwnership(deps, sql, { user, proof: { kind: "invitation" }, client: input.client, at });
}

/** CTEs that consume the invitation and insert the membership and the audit record. */
function joiningParts(
  deps: SignInDeps,
  sql: Sql,
  { token, client }: AcceptInput,
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
