import type { ClientFacts } from "../../base/client-facts.ts";
import { INVITATION_LIFETIME_MS } from "../../base/limits.ts";
import { type Listing, type Page, pageBounds } from "../../base/listing.ts";
import { rateLimited, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  findInvitation,
  type Invitation,
  type InvitationStatus,
  listInvitations,
  renewInvitation,
  revokeInvitation,
} from "../../models/invitation/invitation.ts";
import { hashMailedToken, makeMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { Permission } from "../../models/member/member.ts";
import type { SessionView } from "../../models/session/session.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit-event.ts";
import { authorizeMember } from "../steps/authorize-member.ts";
import { limitEmails } from "../steps/limit-emails.ts";
import { composeInvitation, type InviteDeps } from "./create.ts";

interface InOrganization {
  readonly caller: SessionView;
  readonly organizationId: string;
}

export interface ManageInput extends InOrganization {
  readonly invitationId: string;
  readonly client: ClientFacts;
}

const NO_SUCH_INVITATION = refusal("not_found", "There is no such invitation.");

/** GET /v1/orgs/:org_id/invitations (decisions, section 7). Refuses with `not_found`, `forbidden`. */
export async function listOrganizationInvitations(
  deps: Pick<Deps, "database" | "clock">,
  input: InOrganization & { readonly status: InvitationStatus | undefined; readonly page: Page },
): Promise<Result<Listing<Invitation>>> {
  const { caller, organizationId, status, page } = input;
  const allowed = await authorizeMember(deps, caller, organizationId, "members.list");
  if (!allowed.ok) return allowed;
  const at = new Date(deps.clock.now());
  const found = await deps.database.run("invitation.list", (sql) =>
    listInvitations(sql, organizationId, status, at, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** DELETE …/invitations/:id: also done when it was revoked. Refuses with `not_found`, `forbidden`, `conflict` once accepted. */
export async function revokeOrganizationInvitation(
  deps: Pick<Deps, "database" | "clock" | "random">,
  input: ManageInput,
): Promise<Result<void>> {
  const at = new Date(deps.clock.now());
  const found = await find(deps, input, "members.invite", at);
  if (!found.ok) return found;
  if (found.value.status === "accepted") return err(refusal("conflict", "This invitation was accepted."));
  const entry = entryOf(deps, input, "invitation.revoked", at);
  await deps.database.run(
    "invitation.revoke",
    (sql) => sql`
      with revoked as (${revokeInvitation(sql, input.invitationId, at)})
      ${insertAudit(sql, entry, sql`from revoked`)}`,
  );
  return ok(undefined);
}

/**
 * POST …/invitations/:id/resend (decisions, section 7): a new token and another seven days; the link of before is dead. Refuses with
 * `not_found`, `forbidden`, `conflict` once accepted or revoked, `rate_limited`.
 */
export async function resendInvitation(deps: InviteDeps, input: ManageInput): Promise<Result<Invitation>> {
  const at = new Date(deps.clock.now());
  const found = await find(deps, input, "members.invite", at);
  if (!found.ok) return found;
  const invitation = found.value;
  const watermark = refusal("conflict", "This invitation was accepted or revoked.");
  if (invitation.status === "accepted" || invitation.status === "revoked") return err(watermark);
  if (!(await limitEmails(deps, "invitation", invitation.email))) return err(rateLimited(60, "too many invitations"));
  const token = makeMailedToken(deps.random);
  const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_MS);
  const mail = await composeInvitation(deps, input.caller, invitation, token, input.client, at);
  const entry = entryOf(deps, input, "invitation.resent", at);
  const rows = await deps.database.run(
    "invitation.renew",
    (sql) => sql`
      with renewed as (${renewInvitation(sql, invitation.id, hashMailedToken(token), expiresAt)}),
      letter as (${insertEmail(sql, mail, sql`from renewed`)}),
      audit as (${insertAudit(sql, entry, sql`from renewed`)})
      select 1 from renewed`,
  );
  if (rows.length === 0) return err(watermark);
  deps.outbox.wake();
  return ok({ ...invitation, status: "pending", expiresAt });
}

async function find(
  deps: Pick<Deps, "database">,
  { caller, organizationId, invitationId }: ManageInput,
  permission: Permission,
  at: Date,
): Promise<Result<Invitation>> {
  const allowed = await authorizeMember(deps, caller, organizationId, permission);
  if (!allowed.ok) return allowed;
  const invitation = await deps.database.run("invitation.find", (sql) =>
    findInvitation(sql, invitationId, organizationId, at),
  );
  return invitation ? ok(invitation) : err(NO_SUCH_INVITATION);
}

function entryOf(deps: Pick<Deps, "random">, input: ManageInput, action: AuditEvent["action"], at: Date) {
  const { caller, organizationId, invitationId, client } = input;
  return userAuditEvent(deps, { ...caller, organizationId }, client, {
    action,
    at,
    resource: { type: "invitation", id: invitationId },
  });
}
