import type { ClientFacts } from "../../base/client-facts.ts";
import { violatedConstraint } from "../../base/database.ts";
import { INVITATION_LIFETIME_MS } from "../../base/limits.ts";
import { problem, rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  deleteExpiredInvitation,
  type Invitation,
  insertInvitation,
  type NewInvitation,
} from "../../models/invitation/invitation.ts";
import { insertLetter, type SealedLetter } from "../../models/letter/letter.ts";
import { hashMailedToken, makeMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { addressIsMember, MEMBER_ROLES, type MemberRole } from "../../models/member/member.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import type { SessionView } from "../../models/session/session.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findCorrespondent, findCorrespondentByEmail } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { countMail } from "../steps/count-mail.ts";
import { requirePermission } from "../steps/require-permission.ts";
import { writeLetter } from "../steps/write-letter.ts";

export type InviteNeeds = Pick<Deps, "config" | "clock" | "random" | "database" | "state" | "sealing" | "outbox">;

export interface InviteInput {
  readonly caller: SessionView;
  readonly organizationId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly client: ClientFacts;
}

const OPEN_ALREADY = problem("conflict", "This address has an open invitation already.");

/**
 * POST /v1/orgs/:org_id/invitations (decisions, section 7): mails a link of seven days. Refuses with `invalid_input`, `not_found`,
 * `forbidden` without the permission or for a role above one's own, `conflict` for a member or an open invitation, and
 * `rate_limited` when the address got too many.
 */
export async function createInvitation(needs: InviteNeeds, input: InviteInput): Promise<Result<Invitation>> {
  const { caller, organizationId } = input;
  const role = await requirePermission(needs, caller, organizationId, "members.invite");
  if (!role.ok) return role;
  const email = normalizeEmail(input.email);
  if (!email) return refuse(problem("invalid_input", "email: not an e-mail address"));
  if (MEMBER_ROLES.indexOf(input.role) > MEMBER_ROLES.indexOf(role.value)) {
    return refuse(problem("forbidden", "A role above one's own is not to be given."));
  }
  if (!(await countMail(needs, "invitation", email))) return refuse(rateLimited(60, "too many invitations"));
  const createdAt = new Date(needs.clock.now());
  const token = makeMailedToken(needs.random);
  const invitation: NewInvitation = {
    id: needs.random.uuid(),
    organizationId,
    email,
    role: input.role,
    tokenHash: hashMailedToken(token),
    invitedBy: caller.userId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + INVITATION_LIFETIME_MS),
  };
  const letter = await invitationLetter(needs, caller, invitation, token, input.client, createdAt);
  return await write(needs, input, invitation, letter);
}

async function write(
  needs: InviteNeeds,
  { caller, organizationId, client }: InviteInput,
  invitation: NewInvitation,
  letter: SealedLetter,
): Promise<Result<Invitation>> {
  const at = invitation.createdAt;
  const resource = { type: "invitation", id: invitation.id } as const;
  const entry = entryBy(needs, { ...caller, organizationId }, client, {
    action: "invitation.created",
    at,
    resource,
    metadata: { role: invitation.role },
  });
  try {
    const outcome = await needs.database.transaction("invitation.create", async (sql) => {
      if (await addressIsMember(sql, organizationId, invitation.email)) return "member";
      await deleteExpiredInvitation(sql, organizationId, invitation.email, at);
      await sql`
        with invited as (${insertInvitation(sql, invitation)}),
        letter as (${insertLetter(sql, letter, sql`from invited`)})
        ${insertAudit(sql, entry, sql`from invited`)}`;
      return "invited";
    });
    if (outcome === "member") return refuse(problem("conflict", "This address belongs to a member already."));
  } catch (error) {
    if (violatedConstraint(error) === "invitations_open_key") return refuse(OPEN_ALREADY);
    throw error;
  }
  needs.outbox.wake();
  return ok({ ...invitation, status: "pending" });
}

/** The letter with the link; in the language of the invited user, if the address is known, else of whoever invites. */
export async function invitationLetter(
  needs: InviteNeeds,
  inviter: SessionView,
  invitation: Pick<Invitation, "organizationId" | "email">,
  token: string,
  client: ClientFacts,
  at: Date,
): Promise<SealedLetter> {
  const { organizationId, email } = invitation;
  const [organization, host, guest] = await Promise.all([
    needs.database.run("organization.find", (sql) => findOrganization(sql, organizationId)),
    needs.database.run("user.find_correspondent", (sql) => findCorrespondent(sql, inviter.userId)),
    needs.database.run("user.find_correspondent_by_email", (sql) => findCorrespondentByEmail(sql, email)),
  ]);
  const values = {
    link: `${needs.config.urls.publicBaseUrl}/accept-invitation?token=${token}`,
    organization_name: organization?.name ?? "",
    inviter_name: host?.displayName ?? inviter.email,
    days: INVITATION_LIFETIME_MS / 86_400_000,
  };
  const to = guest ?? { email, displayName: null, locale: host?.locale ?? null };
  return writeLetter(needs, to, client, { kind: "invitation", values }, at);
}
