import type { ClientFacts } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { SUSPENSION_BATCH } from "../../base/limits.ts";
import { type Listing, type Page, pageBounds } from "../../base/listing.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte } from "../../base/statement.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  findOrganization,
  listOrganizations,
  lockOrganization,
  type Organization,
  type OrganizationChange,
  type Tier,
  updateOrganization,
} from "../../models/organization/organization.ts";
import { liveKeysIn } from "../../models/service-account/api-key.ts";
import {
  eventColumns,
  liveSessionsOf,
  logChange,
  type SessionEvent,
  toEvent,
} from "../../models/session/revocation.ts";
import { includesRole, listPlatformRolesIn } from "../../models/user/platform-role.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit-event.ts";
import { NO_SUCH_ORGANIZATION } from "../steps/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorize-platform-role.ts";
import { type EndDeps, endSessionsIn, tokensDeadAt } from "../steps/end-sessions.ts";

/** GET /v1/admin/orgs (docs/contract.md, section 14.2). */
export async function listAllOrganizations(
  deps: Pick<Deps, "reads">,
  { caller, q, page }: { readonly caller: PlatformCaller; readonly q: string | undefined; readonly page: Page },
): Promise<Result<Listing<Organization>, never>> {
  const found = await deps.reads.run("organization.list", caller.session, (sql) =>
    listOrganizations(sql, q, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** One organization, for the console. `_caller`: a Viewer or higher. Refuses with `not_found`. */
export async function readOrganization(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  id: string,
): Promise<Result<Organization, Refusal<"not_found">>> {
  const found = isUuid(id)
    ? await deps.database.run("organization.find", (sql) => findOrganization(sql, id))
    : undefined;
  return found ? ok(found) : err(NO_SUCH_ORGANIZATION);
}

const HOLDS_HIGHER_ROLE = refusal("forbidden", "A member of this organization holds a higher platform role.");

/** The reason in the log of session events. */
const SUSPENSION_CHANGED = "organization_suspension_changed";

export interface AdministerInput {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly organizationId: string;
  readonly name: string | undefined;
  readonly tier: Tier | undefined;
  readonly suspended: boolean | undefined;
  readonly client: ClientFacts;
}

/**
 * PATCH /v1/admin/orgs/:id (docs/contract.md, section 14.4). A suspension revokes all sessions of the organization.
 * Refuses with `invalid_input`, `not_found`, and `forbidden` for the suspension of an organization that has a member
 * with a platform role above the caller's.
 */
export async function administerOrganization(
  deps: EndDeps,
  input: AdministerInput,
): Promise<Result<Organization, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  const name = input.name === undefined ? undefined : normalizeName(input.name);
  if (input.name !== undefined && name === undefined) {
    return err(refusal("invalid_input", `name: ${NAME_RULE}`));
  }
  const changed = await persistChange(deps, input, name);
  if (!changed.ok) return changed;
  const { organization, events } = changed.value;
  await deps.revocations.announce(events);
  if (organization.suspended) await endAllSessions(deps, input);
  return ok(organization);
}

/** Inserts the events that cached views of the keys are stale, and returns them, to announce after the commit. */
async function logKeyChanges(deps: EndDeps, sql: Sql, organizationId: string, at: Date): Promise<SessionEvent[]> {
  const rows = await sql<Parameters<typeof toEvent>[0][]>`
    with changed as (${liveKeysIn(sql, organizationId, at)}),
    events as (${logChange(sql, cte(sql, "changed"), SUSPENSION_CHANGED, at, tokensDeadAt(deps, at))})
    select ${eventColumns(sql)} from events e`;
  return rows.map(toEvent);
}

/** The lock waits for sign-ins, acceptances and platform role grants that are in progress. */
async function persistChange(
  deps: EndDeps,
  input: AdministerInput,
  name: string | undefined,
): Promise<Result<{ organization: Organization; events: SessionEvent[] }, Refusal<"forbidden" | "not_found">>> {
  const { caller, organizationId, tier, suspended } = input;
  const at = new Date(deps.clock.now());
  return await deps.database.transaction("organization.update", async (sql) => {
    const before = await lockOrganization(sql, organizationId);
    if (!before) return err(NO_SUCH_ORGANIZATION);
    if (suspended) {
      const roles = await listPlatformRolesIn(sql, organizationId);
      if (!roles.every((role) => includesRole(caller.role, role))) return err(HOLDS_HIGHER_ROLE);
    }
    const after = {
      name: name ?? before.name,
      tier: tier ?? before.tier,
      suspended: suspended ?? before.suspended,
    };
    const auditEvents = organizationAuditEvents(before, after);
    if (auditEvents.length > 0) await updateOrganization(sql, before, after, at);
    for (const auditEvent of auditEvents) {
      const resource = { type: "organization", id: organizationId } as const;
      const actor = { userId: caller.session.userId, organizationId };
      await recordAudit(sql, userAuditEvent(deps, actor, input.client, { ...auditEvent, at, resource }));
    }
    const keysChange = before.suspended !== after.suspended;
    const events = keysChange ? await logKeyChanges(deps, sql, organizationId, at) : [];
    return ok({ organization: { ...before, ...after }, events });
  });
}

function organizationAuditEvents(
  before: Organization,
  after: OrganizationChange,
): Pick<AuditEvent, "action" | "metadata">[] {
  const auditEvents: Pick<AuditEvent, "action" | "metadata">[] = [];
  if (before.name !== after.name || before.tier !== after.tier) {
    auditEvents.push({ action: "organization.updated", metadata: { name: after.name, tier: after.tier } });
  }
  if (before.suspended !== after.suspended) {
    auditEvents.push({ action: after.suspended ? "organization.suspended" : "organization.restored" });
  }
  return auditEvents;
}

/**
 * Revokes in batches and announces each one. The organization is already suspended, so no new session begins meanwhile,
 * and a request that failed here can be repeated.
 */
async function endAllSessions(deps: EndDeps, { caller, organizationId, client }: AdministerInput): Promise<void> {
  for (;;) {
    const events = await deps.database.transaction("session.revoke_many", async (sql) => {
      const sessionIds = await liveSessionsOf(sql, organizationId, SUSPENSION_BATCH);
      return await endSessionsIn(deps, sql, sessionIds, {
        userId: null,
        actor: caller.session,
        reason: "organization_suspended",
        auditAction: "auth.session.revoked",
        client,
      });
    });
    await deps.revocations.announce(events);
    if (events.length < SUSPENSION_BATCH) return;
  }
}
