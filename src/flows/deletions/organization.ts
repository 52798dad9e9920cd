import { invalidInput } from "../../base/invalid-input.ts";
import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { DELETION_NOTICES_MAX, ORGANIZATION_DELETION_DAYS } from "../../limits/deletion-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertDeletion, insertDeletionToken, type NewDeletion } from "../../models/deletion/deletion.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  type ClosingOrganization,
  closeOrganization,
  lockClosingOrganization,
} from "../../models/organization/closing-organization.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { includesRole, listPlatformRolesIn } from "../../models/user/platform-role.ts";
import { listResponsibleUsers } from "../../models/user/user.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import { isProgram, NO_SUCH_ORGANIZATION, type OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { confirmPasswordOrStepUp } from "../steps/authorization/confirm-identity.ts";
import { authorizeLiveSession } from "../steps/credentials/change-credentials.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import {
  announceSuspensionChange,
  endOrganizationSessions,
  logSuspensionChange,
} from "../steps/sessions/end-organization-sessions.ts";
import { requireStepUp } from "../steps/sessions/step-up.ts";

export interface PendingOrganizationDeletion extends Pick<NewDeletion, "id" | "requestedAt" | "dueAt"> {
  readonly organizationId: string;
}

const OTHER_SLUG = invalidInput("slug", "format", "is not the slug of this organization");
const HOLDS_HIGHER_ROLE = refusal("forbidden", "A member of this organization holds a higher platform role.");

export interface OwnOrganizationDeletion {
  /** Has `organization.delete`. */
  readonly caller: OrganizationCaller;
  /** The slug as the caller entered it, against a deletion of the wrong organization. */
  readonly slug: string;
  readonly password: string | undefined;
  readonly client: RequestContext;
}

type OwnProblem =
  | "authentication_required"
  | "conflict"
  | "forbidden"
  | "invalid_input"
  | "mfa_required"
  | "not_found"
  | "rate_limited";

/**
 * POST /v1/orgs/:org_id/deletion (docs/contract.md, section 30.4): suspends the organization for 30 days, then erases
 * every row. Every owner receives a separate link that cancels the deletion.
 */
export async function requestOrganizationDeletion(
  deps: SignInDeps,
  { caller, slug, password, client }: OwnOrganizationDeletion,
): Promise<Result<PendingOrganizationDeletion, Refusal<OwnProblem>>> {
  const { session, actor, organizationId } = caller;
  // A program confirms by the slug alone: its scopes were granted with a step-up.
  const confirmed = session ? await confirm(deps, session, password, client) : ok(undefined);
  if (!confirmed.ok) return confirmed;
  return await close<"forbidden" | "invalid_input">(
    deps,
    { organizationId, actor, reason: null, client },
    async (sql, organization) => {
      if (slug !== organization.slug) return err(OTHER_SLUG);
      const isProtected = isProgram(caller) && (await listPlatformRolesIn(sql, organizationId)).length > 0;
      return isProtected ? err(HOLDS_HIGHER_ROLE) : ok(undefined);
    },
  );
}

/** A step-up; a user without a second factor and passkey may enter the password. */
async function confirm(
  deps: SignInDeps,
  caller: SessionView,
  password: string | undefined,
  client: RequestContext,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "mfa_required" | "rate_limited">>> {
  const acting = await authorizeLiveSession(deps, caller);
  if (!acting.ok) return acting;
  const mayUsePassword = password !== undefined && !acting.value.mfaEnabled;
  return mayUsePassword
    ? await confirmPasswordOrStepUp(deps, { caller, acting: acting.value, password, client })
    : requireStepUp(deps, acting.value);
}

export interface AdministeredDeletion {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly organizationId: string;
  readonly reason: string;
  readonly client: RequestContext;
}

/** POST /v1/admin/orgs/:id/deletion (docs/contract.md, section 30.4): the same by a platform administrator. */
export async function requestOrganizationDeletionAsAdmin(
  deps: SignInDeps,
  { caller, organizationId, reason, client }: AdministeredDeletion,
): Promise<Result<PendingOrganizationDeletion, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const closing = { organizationId, actor: caller.actor, reason, client };
  return await close<"forbidden">(deps, closing, async (sql) => {
    const roles = await listPlatformRolesIn(sql, organizationId);
    if (roles.every((role) => includesRole(caller.role, role))) return ok(undefined);
    return err(HOLDS_HIGHER_ROLE);
  });
}

interface Closing {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly client: RequestContext;
}

async function close<Code extends "forbidden" | "invalid_input">(
  deps: SignInDeps,
  closing: Closing,
  permit: (sql: Sql, organization: ClosingOrganization) => Promise<Result<void, Refusal<Code>>>,
): Promise<Result<PendingOrganizationDeletion, Refusal<Code | "conflict" | "not_found">>> {
  const { organizationId, actor, client } = closing;
  const at = new Date(deps.clock.now());
  const outcome = await deps.database.transaction("organization.request_deletion", async (sql) => {
    const organization = await lockClosingOrganization(sql, organizationId);
    if (!organization) return err(NO_SUCH_ORGANIZATION);
    const permitted = await permit(sql, organization);
    if (!permitted.ok) return permitted;
    if (organization.pending) return err(refusal("conflict", "The deletion of this organization is pending already."));
    return ok(await persist(deps, sql, closing, organization, at));
  });
  if (!outcome.ok) return outcome;
  const { deletion, events } = outcome.value;
  deps.outbox.wake();
  await announceSuspensionChange(deps, events);
  await endOrganizationSessions(deps, { organizationId, actor, client });
  return ok({ ...deletion, organizationId });
}

async function persist(
  deps: SignInDeps,
  sql: Sql,
  { organizationId, actor, reason, client }: Closing,
  { name, suspended }: ClosingOrganization,
  at: Date,
): Promise<{ readonly deletion: NewDeletion; readonly events: readonly SessionEvent[] }> {
  const deletion: NewDeletion = {
    id: deps.random.uuid(),
    subjectType: "organization",
    subjectId: organizationId,
    parentId: null,
    requestedBy: actor.userId,
    reason,
    noticeId: null,
    wasClosed: suspended,
    requestedAt: at,
    dueAt: new Date(at.getTime() + ORGANIZATION_DELETION_DAYS * DAY_MS),
  };
  await insertDeletion(sql, deletion);
  await closeOrganization(sql, organizationId, deletion.dueAt, at);
  const entry = userAuditEvent(deps, { ...actor, organizationId }, client, {
    action: "organization.deletion_requested",
    at,
    resource: { type: "organization", id: organizationId },
    metadata: { deletion_id: deletion.id, due_at: deletion.dueAt.toISOString() },
  });
  await recordAudit(sql, entry);
  const details = { ...noticeDetails(client, at), organization_name: name, days: ORGANIZATION_DELETION_DAYS };
  for (const owner of await listResponsibleUsers(sql, organizationId, DELETION_NOTICES_MAX)) {
    const token = makeOpaqueToken(deps.random);
    const holder = { userId: owner.userId, mailbox: "present" } as const;
    await insertDeletionToken(sql, { tokenHash: hashToken(token), deletionId: deletion.id, ...holder });
    const values = { ...details, link: `${deps.config.urls.publicBaseUrl}/cancel-deletion?token=${token}` };
    const mail = { kind: "organization_deletion", values } as const;
    await insertEmail(sql, composeEmail(deps, { to: owner, mail, tenants: { organizationId }, client, at }));
  }
  return { deletion, events: await logSuspensionChange(deps, sql, organizationId, at) };
}
