import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import { invalidFields, invalidInput } from "../../base/invalid-input.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import { violatedConstraint } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { consumeInvitation, type OfferedInvitation } from "../../models/invitation/invitation.ts";
import { insertMemberFrom } from "../../models/member/member.ts";
import { findPower, lockInviter } from "../../models/member/members.ts";
import type { SessionView } from "../../models/session/session.ts";
import { requiresSso } from "../../models/sso-policy/sso-policy.ts";
import { insertControlledUserFrom } from "../../models/user/user.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { insertVouchedPrimary } from "../../models/user-email/vouched-address.ts";
import { linkInvitedMember } from "../directories/link-invited-member.ts";
import { liftRemoval } from "../steps/accounts/member-removal.ts";
import { joiningRefusal } from "../steps/authorization/joining-rules.ts";
import { validateNewPassword } from "../steps/credentials/replace-password.ts";
import { invitedRoleParts } from "../steps/roles/invited-roles.ts";
import { ssoRequired } from "../steps/sessions/organization-rules.ts";
import { CHANGED_MEANWHILE, completeSignIn, type SignInResult } from "../steps/sign-in/complete-sign-in.ts";
import { hashPassword } from "../steps/sign-in/verify-password.ts";
import { type Joined, joinAsUser } from "./join-as-user.ts";
import { previewInvitation, refuseChanged, SIGN_IN_FIRST } from "./preview.ts";

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

export type Accepted = { readonly kind: "new_user"; readonly signedIn: SignInResult } | Joined;

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
    return err(refusal("forbidden", "This invitation is for another email address."));
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
    // A program that received the link in place of the mailbox vouches for the address.
    provesControl: !invited.isLink,
    conditions: (sql) => {
      const [inviter, consumed] = [cte(sql, "inviter"), cte(sql, "consumed")];
      const address = invited.isLink ? insertVouchedPrimary(sql, { email, at }, cte(sql, "account")) : undefined;
      return {
        inviter: lockInviter(sql, organizationId, invitedBy, role),
        consumed: consumeInvitation(sql, invitationId, hashToken(token), at, inviter),
        account: insertControlledUserFrom(sql, user, sql`from ${consumed}`),
        ...(address && { address }),
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
