import type { ClientFacts } from "../../base/client-facts.ts";
import { INVITATION_LIFETIME_MS } from "../../base/limits.ts";
import { type Listing, type Page, pageBounds } from "../../base/page.ts";
import { problem, rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  findInvitation,
  type Invitation,
  type InvitationStatus,
  listInvitations,
  renewInvitation,
  revokeInvitation,
} from "../../models/invitation/invitation.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { hashMailedToken, makeMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { Permission } from "../../models/member/member.ts";
import type { SessionView } from "../../models/session/session.ts";
import { type Deed, entryBy } from "../steps/audit-entry.ts";
import { countMail } from "../steps/count-mail.ts";
import { requirePermission } from "../steps/require-permission.ts";
import { type InviteNeeds, invitationLetter } from "./create.ts";

interface InOrganization {
  readonly caller: SessionView;
  readonly organizationId: string;
}

export interface ManageInput extends InOrganization {
  readonly invitationId: string;
  readonly client: ClientFacts;
}

const NO_SUCH_INVITATION = problem("not_found", "There is no such invitation.");

/** GET /v1/orgs/:org_id/invitations (decisions, section 7). Refuses with `not_found`, `forbidden`. */
export async function listOrganizationInvitations(
  needs: Pick<Deps, "database" | "clock">,
  input: InOrganization & { readonly status: InvitationStatus | undefined; readonly page: Page },
): Promise<Result<Listing<Invitation>>> {
  const { caller, organizationId, status, page } = input;
  const allowed = await requirePermission(needs, caller, organizationId, "members.list");
  if (!allowed.ok) return allowed;
  const at = new Date(needs.clock.now());
  const found = await needs.database.run("invitation.list", (sql) =>
    listInvitations(sql, organizationId, status, at, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** DELETE …/invitations/:id: also done when it was revoked. Refuses with `not_found`, `forbidden`, `conflict` once accepted. */
export async function revokeOrganizationInvitation(
  needs: Pick<Deps, "database" | "clock" | "random">,
  input: ManageInput,
): Promise<Result<void>> {
  const at = new Date(needs.clock.now());
  const found = await find(needs, input, "members.invite", at);
  if (!found.ok) return found;
  if (found.value.status === "accepted") return refuse(problem("conflict", "This invitation was accepted."));
  const entry = entryOf(needs, input, "invitation.revoked", at);
  await needs.database.run(
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
export async function resendInvitation(needs: InviteNeeds, input: ManageInput): Promise<Result<Invitation>> {
  const at = new Date(needs.clock.now());
  const found = await find(needs, input, "members.invite", at);
  if (!found.ok) return found;
  const invitation = found.value;
  const settled = problem("conflict", "This invitation was accepted or revoked.");
  if (invitation.status === "accepted" || invitation.status === "revoked") return refuse(settled);
  if (!(await countMail(needs, "invitation", invitation.email))) return refuse(rateLimited(60, "too many invitations"));
  const token = makeMailedToken(needs.random);
  const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_MS);
  const letter = await invitationLetter(needs, input.caller, invitation, token, input.client, at);
  const entry = entryOf(needs, input, "invitation.resent", at);
  const rows = await needs.database.run(
    "invitation.renew",
    (sql) => sql`
      with renewed as (${renewInvitation(sql, invitation.id, hashMailedToken(token), expiresAt)}),
      letter as (${insertLetter(sql, letter, sql`from renewed`)}),
      audit as (${insertAudit(sql, entry, sql`from renewed`)})
      select 1 from renewed`,
  );
  if (rows.length === 0) return refuse(settled);
  needs.outbox.wake();
  return ok({ ...invitation, status: "pending", expiresAt });
}

async function find(
  needs: Pick<Deps, "database">,
  { caller, organizationId, invitationId }: ManageInput,
  permission: Permission,
  at: Date,
): Promise<Result<Invitation>> {
  const allowed = await requirePermission(needs, caller, organizationId, permission);
  if (!allowed.ok) return allowed;
  const invitation = await needs.database.run("invitation.find", (sql) =>
    findInvitation(sql, invitationId, organizationId, at),
  );
  return invitation ? ok(invitation) : refuse(NO_SUCH_INVITATION);
}

function entryOf(needs: Pick<Deps, "random">, input: ManageInput, action: Deed["action"], at: Date) {
  const { caller, organizationId, invitationId, client } = input;
  return entryBy(needs, { ...caller, organizationId }, client, {
    action,
    at,
    resource: { type: "invitation", id: invitationId },
  });
}
