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
  lockSuspension,
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
  logOrganizationChange,
  type SessionEvent,
  toEvent,
} from "../../models/session/revocation.ts";
import { includesRole, listPlatformRolesIn } from "../../models/user/platform-role.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit-event.ts";
import { NO_SUCH_ORGANIZATION } from "../steps/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorize-platform-role.ts";
import {
  type EndDeps,
  endDepartedSessions,
  endSessionsIn,
  tokensDeadAt,
  tokensLiveSince,
} from "../steps/end-sessions.ts";

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
 * PATCH /v1/admin/orgs/:id (docs/contract.md, section 14.4). A suspension revokes all sessions of the organization; a
 * restoration revokes first what a suspension left, because its replica died or its request failed. Refuses with
 * `invalid_input`, `not_found`, and `forbidden` for the suspension of an organization that has a member with a platform
 * role above the caller's.
 */
export async function administerOrganization(
  deps: EndDeps,
  input: AdministerInput,
): Promise<Result<Organization, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  const name = input.name === undefined ? undefined : normalizeName(input.name);
  if (input.name !== undefined && name === undefined) {
    return err(refusal("invalid_input", `name: ${NAME_RULE}`));
  }
  for (;;) {
    const persisted = await persistChange(deps, input, name);
    if (!persisted.ok) return persisted;
    const { organization, events, sessionsLeft } = persisted.value;
    await deps.revocations.announce(events);
    if (sessionsLeft) continue;
    if (organization.suspended) await endAllSessions(deps, input);
    return ok(organization);
  }
}

interface Persisted {
  readonly organization: Organization;
  /** To announce. */
  readonly events: readonly SessionEvent[];
  /** Nothing has changed yet: before a restoration there are more sessions to revoke than one transaction does. */
  readonly sessionsLeft: boolean;
}

/** The lock waits for sign-ins, acceptances and platform role grants that are in progress. */
async function persistChange(
  deps: EndDeps,
  input: AdministerInput,
  name: string | undefined,
): Promise<Result<Persisted, Refusal<"forbidden" | "not_found">>> {
  const { caller, organizationId, tier, suspended } = input;
  return await deps.database.transaction("organization.update", async (sql) => {
    const before = await lockOrganization(sql, organizationId);
    if (!before) return err(NO_SUCH_ORGANIZATION);
    if (suspended) {
      const roles = await listPlatformRolesIn(sql, organizationId);
      if (!roles.every((role) => includesRole(caller.role, role))) return err(HOLDS_HIGHER_ROLE);
    }
    const ended = before.suspended && suspended === false ? await endBatch(deps, sql, input) : [];
    if (ended.length === SUSPENSION_BATCH) return ok({ organization: before, events: ended, sessionsLeft: true });
    const after = {
      name: name ?? before.name,
      tier: tier ?? before.tier,
      suspended: suspended ?? before.suspended,
    };
    const changed = await updateAndRecord(deps, sql, input, before, after);
    return ok({ organization: { ...before, ...after }, events: [...ended, ...changed], sessionsLeft: false });
  });
}

async function updateAndRecord(
  deps: EndDeps,
  sql: Sql,
  { caller, organizationId, client }: AdministerInput,
  before: Organization,
  after: OrganizationChange,
): Promise<SessionEvent[]> {
  const at = new Date(deps.clock.now());
  const auditEvents = organizationAuditEvents(before, after);
  if (auditEvents.length > 0) await updateOrganization(sql, before, after, at);
  for (const auditEvent of auditEvents) {
    const resource = { type: "organization", id: organizationId } as const;
    const actor = { userId: caller.session.userId, organizationId };
    await recordAudit(sql, userAuditEvent(deps, actor, client, { ...auditEvent, at, resource }));
  }
  return before.suspended === after.suspended ? [] : await logSuspensionChange(deps, sql, organizationId, at);
}

/**
 * Inserts the events that cached views of the sessions and keys are stale, and returns them, to announce after the
 * commit. From then on every replica refuses the sessions, those too that are not revoked yet.
 */
async function logSuspensionChange(deps: EndDeps, sql: Sql, organizationId: string, at: Date): Promise<SessionEvent[]> {
  const deadAt = tokensDeadAt(deps, at);
  const rows = await sql<Parameters<typeof toEvent>[0][]>`
    with changed as (${liveKeysIn(sql, organizationId, at)}),
    keys as (${logChange(sql, cte(sql, "changed"), SUSPENSION_CHANGED, at, deadAt)}),
    sessions_of as (${logOrganizationChange(sql, organizationId, SUSPENSION_CHANGED, at, deadAt)})
    select ${eventColumns(sql)} from (select * from keys union all select * from sessions_of) e`;
  return rows.map(toEvent);
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
 * Revokes in batches and announces each one, until none is left or the organization is not suspended any more: sessions
 * that began after a restoration are none of these. No session begins before it, and a request that failed here can be
 * repeated.
 */
async function endAllSessions(deps: EndDeps, input: AdministerInput): Promise<void> {
  for (;;) {
    const events = await deps.database.transaction("session.revoke_many", async (sql) =>
      (await lockSuspension(sql, input.organizationId)) ? await endBatch(deps, sql, input) : [],
    );
    await deps.revocations.announce(events);
    if (events.length < SUSPENSION_BATCH) return;
  }
}

/** Revokes at most `SUSPENSION_BATCH` sessions of the organization, which is locked, or that have just left it. */
async function endBatch(
  deps: EndDeps,
  sql: Sql,
  { caller, organizationId, client }: AdministerInput,
): Promise<readonly SessionEvent[]> {
  const sessionIds = await liveSessionsOf(sql, organizationId, tokensLiveSince(deps), SUSPENSION_BATCH);
  const ended = await endSessionsIn(deps, sql, sessionIds, {
    userId: null,
    actor: caller.session,
    reason: "organization_suspended",
    auditAction: "auth.session.revoked",
    client,
  });
  const limit = SUSPENSION_BATCH - ended.length;
  return [...ended, ...(await endDepartedSessions(deps, sql, { organizationId, userId: null, limit }))];
}
