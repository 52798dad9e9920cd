import type { ClientFacts } from "../../base/client-facts.ts";
import { violatedConstraint } from "../../base/database.ts";
import { INVITATION_LIFETIME_MS } from "../../base/limits.ts";
import { rateLimited, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail, type SealedEmail } from "../../models/email/email.ts";
import {
  deleteExpiredInvitation,
  type Invitation,
  insertInvitation,
  type NewInvitation,
} from "../../models/invitation/invitation.ts";
import { hashMailedToken, makeMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { addressIsMember, MEMBER_ROLES, type MemberRole } from "../../models/member/member.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import type { SessionView } from "../../models/session/session.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findRecipient, findRecipientByEmail } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { authorizeMember } from "../steps/authorize-member.ts";
import { composeEmail } from "../steps/compose-email.ts";
import { limitEmails } from "../steps/limit-emails.ts";

export type InviteDeps = Pick<Deps, "config" | "clock" | "random" | "database" | "state" | "sealing" | "outbox">;

export interface InviteInput {
  readonly caller: SessionView;
  readonly organizationId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly client: ClientFacts;
}

const OPEN_ALREADY = refusal("conflict", "This address has an open invitation already.");

/**
 * POST /v1/orgs/:org_id/invitations (decisions, section 7): mails a link of seven days. Refuses with `invalid_input`, `not_found`,
 * `forbidden` without the permission or for a role above one's own, `conflict` for a member or an open invitation, and
 * `rate_limited` when the address got too many.
 */
export async function createInvitation(deps: InviteDeps, input: InviteInput): Promise<Result<Invitation>> {
  const { caller, organizationId } = input;
  const role = await authorizeMember(deps, caller, organizationId, "members.invite");
  if (!role.ok) return role;
  const email = normalizeEmail(input.email);
  if (!email) return err(refusal("invalid_input", "email: not an e-mail address"));
  if (MEMBER_ROLES.indexOf(input.role) > MEMBER_ROLES.indexOf(role.value)) {
    return err(refusal("forbidden", "A role above one's own is not to be given."));
  }
  if (!(await limitEmails(deps, "invitation", email))) return err(rateLimited(60, "too many invitations"));
  const createdAt = new Date(deps.clock.now());
  const token = makeMailedToken(deps.random);
  const invitation: NewInvitation = {
    id: deps.random.uuid(),
    organizationId,
    email,
    role: input.role,
    tokenHash: hashMailedToken(token),
    invitedBy: caller.userId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + INVITATION_LIFETIME_MS),
  };
  const mail = await composeInvitation(deps, caller, invitation, token, input.client, createdAt);
  return await write(deps, input, invitation, mail);
}

async function write(
  deps: InviteDeps,
  { caller, organizationId, client }: InviteInput,
  invitation: NewInvitation,
  mail: SealedEmail,
): Promise<Result<Invitation>> {
  const at = invitation.createdAt;
  const resource = { type: "invitation", id: invitation.id } as const;
  const entry = userAuditEvent(deps, { ...caller, organizationId }, client, {
    action: "invitation.created",
    at,
    resource,
    metadata: { role: invitation.role },
  });
  try {
    const outcome = await deps.database.transaction("invitation.create", async (sql) => {
      if (await addressIsMember(sql, organizationId, invitation.email)) return "member";
      await deleteExpiredInvitation(sql, organizationId, invitation.email, at);
      await sql`
        with invited as (${insertInvitation(sql, invitation)}),
        letter as (${insertEmail(sql, mail, sql`from invited`)})
        ${insertAudit(sql, entry, sql`from invited`)}`;
      return "invited";
    });
    if (outcome === "member") return err(refusal("conflict", "This address belongs to a member already."));
  } catch (error) {
    if (violatedConstraint(error) === "invitations_open_key") return err(OPEN_ALREADY);
    throw error;
  }
  deps.outbox.wake();
  return ok({ ...invitation, status: "pending" });
}

/** The letter with the link; in the language of the invited user, if the address is known, else of whoever invites. */
export async function composeInvitation(
  deps: InviteDeps,
  inviter: SessionView,
  invitation: Pick<Invitation, "organizationId" | "email">,
  token: string,
  client: ClientFacts,
  at: Date,
): Promise<SealedEmail> {
  const { organizationId, email } = invitation;
  const [organization, host, guest] = await Promise.all([
    deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId)),
    deps.database.run("user.find_correspondent", (sql) => findRecipient(sql, inviter.userId)),
    deps.database.run("user.find_correspondent_by_email", (sql) => findRecipientByEmail(sql, email)),
  ]);
  const values = {
    link: `${deps.config.urls.publicBaseUrl}/accept-invitation?token=${token}`,
    organization_name: organization?.name ?? "",
    inviter_name: host?.displayName ?? inviter.email,
    days: INVITATION_LIFETIME_MS / 86_400_000,
  };
  const to = guest ?? { email, displayName: null, locale: host?.locale ?? null };
  return composeEmail(deps, to, client, { kind: "invitation", values }, at);
}
