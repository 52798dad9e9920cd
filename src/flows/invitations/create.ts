import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import { violatedConstraint } from "../../database/database.ts";
import type { EmailDeps } from "../../deps.ts";
import { INVITATION_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { isDeactivated } from "../../models/directory/directory.ts";
import { deleteExpiredInvitation, insertInvitation, type NewInvitation } from "../../models/invitation/invitation.ts";
import { addressIsMember } from "../../models/member/member.ts";
import { malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import { type MemberRole, mayGrant } from "../../vocabulary/member-power.ts";
import { authorizeInvitedRoles } from "../roles/assign-roles.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { ROLE_ABOVE_CALLER } from "../steps/authorization/authorize-role-edit.ts";
import { isEntitledTo, ROLES_NOT_INCLUDED } from "../steps/authorization/entitlement.ts";
import { programCredentialId } from "../steps/credentials/lock-credential.ts";
import { countInvitation, TOO_MANY_EMAILS } from "./allowance.ts";
import { type Delivery, permitDelivery, permitInvitee } from "./delivery.ts";
import { authorizeSending, composeInvitation, queueInvitation, type Sending, type SentInvitation } from "./send.ts";

export interface InviteInput {
  /** Holds `members.invite`. */
  readonly caller: OrganizationCaller;
  readonly email: string;
  readonly role: MemberRole;
  /** Additional roles, which count at acceptance as far as the inviter may grant the roles then. Default: none. */
  readonly roleIds?: readonly string[];
  /** Default: `mail`. */
  readonly delivery?: Delivery;
  readonly client: RequestContext;
}

const ALREADY_MEMBER = refusal("conflict", "This address already belongs to a member.");
const DEACTIVATED = refusal("conflict", "The directory of the organization has deactivated the user of this address.");
const ALREADY_INVITED = refusal("conflict", "This address already has an open invitation.");

/** POST /v1/orgs/:org_id/invitations (docs/contract.md, section 13.1). */
export async function createInvitation(
  deps: EmailDeps,
  input: InviteInput,
): Promise<
  Result<
    SentInvitation,
    Refusal<
      "authentication_required" | "conflict" | "forbidden" | "invalid_input" | "payment_required" | "rate_limited"
    >
  >
> {
  const { caller, role, client, delivery = "mail" } = input;
  const email = normalizeEmail(input.email);
  const permitted = permitDelivery(deps, caller, delivery, email);
  if (!permitted.ok) return permitted;
  if (!email) return err(malformedEmail("email", input.email));
  if (!mayGrant(caller, role)) return err(ROLE_ABOVE_CALLER);
  const { roleIds: invitedRoles = [] } = input;
  if (invitedRoles.length > 0 && !(await isEntitledTo(deps, "roles", caller.organizationId)))
    return err(ROLES_NOT_INCLUDED);
  const roleIds = await authorizeInvitedRoles(deps, caller, invitedRoles);
  if (!roleIds.ok) return roleIds;
  const counted = await countInvitation(deps, caller, { email, delivery, network: client.network });
  if (!counted.ok) return counted;
  const createdAt = new Date(deps.clock.now());
  const token = makeOpaqueToken(deps.random);
  const invitation: NewInvitation = {
    id: deps.random.uuid(),
    organizationId: caller.organizationId,
    email,
    role,
    roleIds: roleIds.value,
    tokenHash: hashToken(token),
    delivery,
    invitedBy: caller.responsibleId,
    sentBy: "member",
    createdByCredential: programCredentialId(caller.credential),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + INVITATION_LIFETIME_MS),
  };
  const sending = await composeInvitation(deps, caller, { email, token, delivery, client, at: createdAt });
  const written = await persistInvitation(deps, input, invitation, sending);
  if (!written.ok) return written;
  if (sending.mail) deps.outbox.wake();
  return ok({ ...invitation, status: "pending", url: sending.url });
}

async function persistInvitation(
  deps: EmailDeps,
  { caller, client }: InviteInput,
  invitation: NewInvitation,
  sending: Sending,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "forbidden" | "rate_limited">>> {
  const { organizationId, email, role, createdAt: at } = invitation;
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "invitation.created",
    at,
    resource: { type: "invitation", id: invitation.id },
    metadata: { role, ...(invitation.delivery === "link" && { delivery: "link" }) },
  });
  try {
    return await deps.database.transaction("invitation.create", async (sql) => {
      const authorized = await authorizeSending(sql, caller, invitation, sending, at);
      if (!authorized.ok) return authorized;
      const permitted = await permitInvitee(sql, caller, invitation.delivery, email);
      if (!permitted.ok) return permitted;
      if (await addressIsMember(sql, organizationId, email)) return err(ALREADY_MEMBER);
      if (await isDeactivated(sql, organizationId, email)) return err(DEACTIVATED);
      if (!(await queueInvitation(sql, sending))) return err(TOO_MANY_EMAILS);
      await deleteExpiredInvitation(sql, organizationId, email, at);
      await sql`
        with invited as (${insertInvitation(sql, invitation)})
        ${insertAudit(sql, entry, sql`from invited`)}`;
      return ok(undefined);
    });
  } catch (error) {
    if (violatedConstraint(error) === "invitations_open_key") return err(ALREADY_INVITED);
    throw error;
  }
}
