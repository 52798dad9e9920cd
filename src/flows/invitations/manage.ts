import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps, EmailDeps, StoreDeps } from "../../deps.ts";
import { INVITATION_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  findInvitation,
  type Invitation,
  type InvitationStatus,
  listInvitations,
  lockOpenInvitation,
  renewInvitation,
  revokeInvitation,
} from "../../models/invitation/invitation.ts";
import { mayGrant } from "../../vocabulary/member-power.ts";
import { authorizeInvitedRoles } from "../roles/assign-roles.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { programCredentialId } from "../steps/credentials/lock-credential.ts";
import { countInvitation, TOO_MANY_EMAILS } from "./allowance.ts";
import { type Delivery, permitDelivery, permitInvitee } from "./delivery.ts";
import { authorizeSending, composeInvitation, queueInvitation, type Sending, type SentInvitation } from "./send.ts";

export interface ManageInput {
  /** Holds `members.invite`. */
  readonly caller: OrganizationCaller;
  readonly invitationId: string;
  readonly client: RequestContext;
}

export interface ResendInput extends ManageInput {
  /** Default: `mail`. */
  readonly delivery?: Delivery;
}

const NO_SUCH_INVITATION = refusal("not_found", "There is no such invitation.");
const ALREADY_USED = refusal("conflict", "This invitation was accepted or revoked.");
const ACCEPTED = refusal("conflict", "This invitation was accepted.");
const BY_DIRECTORY = refusal("conflict", "The directory of the organization sent this invitation, by email alone.");
const ABOVE_CALLER = refusal("forbidden", "This invitation is for a role above your own.");

export interface ListInput {
  /** Holds `members.list`. */
  readonly caller: OrganizationCaller;
  readonly status: InvitationStatus | undefined;
  readonly page: Page;
}

/** GET /v1/orgs/:org_id/invitations (docs/contract.md, section 13.2). */
export async function listOrganizationInvitations(
  deps: Pick<Deps, "reads" | "clock">,
  { caller, status, page }: ListInput,
): Promise<Result<Listing<Invitation>, never>> {
  const at = new Date(deps.clock.now());
  const found = await deps.reads.run("invitation.list", caller.reader, (sql) =>
    listInvitations(sql, caller.organizationId, status, at, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** DELETE /v1/orgs/:org_id/invitations/:id (docs/contract.md, section 13.3). Idempotent. */
export async function revokeOrganizationInvitation(
  deps: StoreDeps,
  input: ManageInput,
): Promise<Result<void, Refusal<"conflict" | "not_found">>> {
  const at = new Date(deps.clock.now());
  const found = await readInvitation(deps, input);
  if (!found.ok) return found;
  if (found.value.status === "accepted") return err(ACCEPTED);
  const entry = invitationAuditEvent(deps, input, "invitation.revoked", at);
  const rows = await deps.database.run(
    "invitation.revoke",
    (sql) => sql`
      with revoked as (${revokeInvitation(sql, input.invitationId, at)}),
      audit as (${insertAudit(sql, entry, sql`from revoked`)})
      select 1 from revoked`,
  );
  if (rows.length > 0) return ok(undefined);
  // Revoked before, or accepted since the read.
  const current = await readInvitation(deps, input);
  if (!current.ok) return current;
  return current.value.status === "accepted" ? err(ACCEPTED) : ok(undefined);
}

/**
 * POST /v1/orgs/:org_id/invitations/:id/resend (docs/contract.md, section 13.4): a new token and a new expiry; the
 * previous link becomes invalid. The caller and the inviter must both be authorized to grant the role now.
 */
export async function resendInvitation(
  deps: EmailDeps,
  input: ResendInput,
): Promise<
  Result<SentInvitation, Refusal<"authentication_required" | "conflict" | "forbidden" | "not_found" | "rate_limited">>
> {
  const { caller, client, delivery = "mail" } = input;
  const permitted = permitDelivery(deps, caller, delivery, undefined);
  if (!permitted.ok) return permitted;
  const at = new Date(deps.clock.now());
  const found = await readInvitation(deps, input);
  if (!found.ok) return found;
  const invitation = found.value;
  const reserved = permitDelivery(deps, caller, delivery, invitation.email);
  if (!reserved.ok) return reserved;
  if (delivery === "link" && invitation.sentBy === "organization") return err(BY_DIRECTORY);
  if (!mayGrant(caller, invitation.role)) return err(ABOVE_CALLER);
  if (invitation.status === "accepted" || invitation.status === "revoked") return err(ALREADY_USED);
  const roles = await authorizeInvitedRoles(deps, caller, invitation.roleIds);
  if (!roles.ok) return err(ABOVE_CALLER);
  const counted = await countInvitation(deps, caller, { email: invitation.email, delivery, network: client.network });
  if (!counted.ok) return counted;
  const token = makeOpaqueToken(deps.random);
  const renewed = {
    ...invitation,
    status: "pending",
    expiresAt: new Date(at.getTime() + INVITATION_LIFETIME_MS),
  } as const;
  const sending = await composeInvitation(deps, caller, { email: invitation.email, token, delivery, client, at });
  const written = await persistRenewal(deps, input, renewed, token, sending, at);
  if (!written.ok) return written;
  if (sending.mail) deps.outbox.wake();
  return ok({ ...renewed, url: sending.url });
}

async function persistRenewal(
  deps: EmailDeps,
  input: ResendInput,
  invitation: Invitation,
  token: string,
  sending: Sending,
  at: Date,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "forbidden" | "rate_limited">>> {
  const { caller, delivery = "mail" } = input;
  const entry = {
    ...invitationAuditEvent(deps, input, "invitation.resent", at),
    ...(delivery === "link" && { metadata: { delivery } }),
  };
  const renewed = {
    id: invitation.id,
    tokenHash: hashToken(token),
    delivery,
    expiresAt: invitation.expiresAt,
    receivedBy: delivery === "link" ? programCredentialId(caller.credential) : null,
  };
  return await deps.database.transaction("invitation.renew", async (sql) => {
    const authorized = await authorizeSending(sql, caller, invitation, sending, at);
    if (!authorized.ok) return authorized;
    const permitted = await permitInvitee(sql, caller, delivery, invitation.email);
    if (!permitted.ok) return permitted;
    if (!(await lockOpenInvitation(sql, invitation.id))) return err(ALREADY_USED);
    if (!(await queueInvitation(sql, sending))) return err(TOO_MANY_EMAILS);
    await sql`
      with renewed as (${renewInvitation(sql, renewed)})
      ${insertAudit(sql, entry, sql`from renewed`)}`;
    return ok(undefined);
  });
}

/** One invitation. */
export async function readInvitation(
  deps: Pick<Deps, "database" | "clock">,
  { caller, invitationId }: Pick<ManageInput, "caller" | "invitationId">,
): Promise<Result<Invitation, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const invitation = await deps.database.run("invitation.find", (sql) =>
    findInvitation(sql, invitationId, caller.organizationId, at),
  );
  return invitation ? ok(invitation) : err(NO_SUCH_INVITATION);
}

function invitationAuditEvent(deps: Pick<Deps, "random">, input: ManageInput, action: AuditEvent["action"], at: Date) {
  const { caller, invitationId, client } = input;
  return userAuditEvent(deps, caller.actor, client, { action, at, resource: { type: "invitation", id: invitationId } });
}
