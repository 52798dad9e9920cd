import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { cte, type DisplayedVersion, isVersion } from "../../database/statement.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { SUSPENSION_BATCH } from "../../limits/session-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { endFamiliesOfOrganization } from "../../models/oauth-grant/family-state.ts";
import {
  findOrganization,
  lockOrganization,
  lockSuspension,
  type Organization,
  type OrganizationChange,
  type Tier,
  updateOrganization,
} from "../../models/organization/organization.ts";
import { liveKeysIn } from "../../models/service-account/api-key.ts";
import {
  type EventRow,
  eventColumns,
  liveSessionsOf,
  logChange,
  logOrganizationChange,
  type SessionEvent,
  toEvent,
} from "../../models/session/revocation.ts";
import { includesRole, listPlatformRolesIn } from "../../models/user/platform-role.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit/audit-event.ts";
import { NO_SUCH_ORGANIZATION } from "../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { endDepartedSessions, endSessionsIn, tokensDeadAt, tokensLiveSince } from "../steps/sessions/end-sessions.ts";
import { type EndedFamilies, endFamilies } from "../steps/tokens/token-family-events.ts";

/** One organization, for the console. `_caller`: a Viewer or higher. */
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
const CHANGED_SINCE = refusal("conflict", "The organization has changed meanwhile.");

/** The reason in the log of session events. */
const SUSPENSION_CHANGED = "organization_suspension_changed";

export interface AdministerInput {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly organizationId: string;
  readonly name: string | undefined;
  readonly tier: Tier | undefined;
  readonly suspended: boolean | undefined;
  readonly client: RequestContext;
}

/**
 * PATCH /v1/admin/orgs/:id (docs/contract.md, section 14.4). A suspension revokes all sessions of the organization; a
 * restoration first revokes the sessions left after a crash or failure during the suspension.
 */
export async function administerOrganization(
  deps: SessionDeps,
  input: AdministerInput,
): Promise<Result<Organization, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  return await changeOrganization<never>(deps, input, () => undefined);
}

/**
 * Saves a form. An organization changed since the display is a `conflict`, so no administrator undoes a concurrent
 * change. `displayed`: undefined in a form of an earlier release.
 */
export async function administerDisplayedOrganization(
  deps: SessionDeps,
  { displayed, ...input }: AdministerInput & { readonly displayed: DisplayedVersion | undefined },
): Promise<Result<Organization, Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  return await changeOrganization(deps, input, ({ updatedAt }) =>
    displayed && !isVersion(updatedAt, displayed) ? CHANGED_SINCE : undefined,
  );
}

/** Decides under lock whether the organization may be changed from its current state. */
type Objection<Code extends "conflict"> = (before: Organization) => Refusal<Code> | undefined;

async function changeOrganization<Code extends "conflict">(
  deps: SessionDeps,
  input: AdministerInput,
  objection: Objection<Code>,
): Promise<Result<Organization, Refusal<Code | "forbidden" | "invalid_input" | "not_found">>> {
  const name = input.name === undefined ? undefined : normalizeName(input.name);
  if (input.name !== undefined && name === undefined) {
    return err(invalidInput("name", "format", NAME_RULE));
  }
  for (;;) {
    const persisted = await persistChange(deps, input, name, objection);
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
  /** No row has changed yet: before a restoration there are more sessions to revoke than one transaction revokes. */
  readonly sessionsLeft: boolean;
}

/** The lock waits for sign-ins, acceptances and platform role grants in progress. */
async function persistChange<Code extends "conflict">(
  deps: SessionDeps,
  input: AdministerInput,
  name: string | undefined,
  objection: Objection<Code>,
): Promise<Result<Persisted, Refusal<Code | "forbidden" | "not_found">>> {
  const { caller, organizationId, tier, suspended } = input;
  return await deps.database.transaction("organization.update", async (sql) => {
    const before = await lockOrganization(sql, organizationId);
    if (!before) return err(NO_SUCH_ORGANIZATION);
    const objected = objection(before);
    if (objected) return err(objected);
    if (suspended) {
      const roles = await listPlatformRolesIn(sql, organizationId);
      if (!roles.every((role) => includesRole(caller.role, role))) return err(HOLDS_HIGHER_ROLE);
    }
    const { ended, events } = before.suspended && suspended === false ? await endBatch(deps, sql, input) : NONE_ENDED;
    if (ended === SUSPENSION_BATCH) return ok({ organization: before, events, sessionsLeft: true });
    const after = {
      name: name ?? before.name,
      tier: tier ?? before.tier,
      suspended: suspended ?? before.suspended,
    };
    const changed = await updateAndRecord(deps, sql, input, before, after);
    return ok({ organization: { ...before, ...after }, events: [...events, ...changed], sessionsLeft: false });
  });
}

async function updateAndRecord(
  deps: SessionDeps,
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
 * Inserts the invalidation events for cached views of the sessions and keys, and returns the events for the
 * announcement after the commit. From then on every replica refuses all sessions, including sessions not revoked yet.
 */
async function logSuspensionChange(
  deps: SessionDeps,
  sql: Sql,
  organizationId: string,
  at: Date,
): Promise<SessionEvent[]> {
  const deadAt = tokensDeadAt(deps, at);
  const rows = await sql<EventRow[]>`
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
 * Revokes in batches and announces each batch, until no session is left or the organization is no longer suspended:
 * sessions after a restoration are not affected. No session begins before the restoration, and a failed request can be
 * repeated.
 */
async function endAllSessions(deps: SessionDeps, input: AdministerInput): Promise<void> {
  for (;;) {
    const { ended, events } = await deps.database.transaction("session.revoke_many", async (sql) =>
      (await lockSuspension(sql, input.organizationId)) ? await endBatch(deps, sql, input) : NONE_ENDED,
    );
    await deps.revocations.announce(events);
    if (ended < SUSPENSION_BATCH) return;
  }
}

const NONE_ENDED: EndedFamilies = { ended: 0, events: [] };

/**
 * Revokes at most `SUSPENSION_BATCH` sessions in the locked organization, including sessions that have just left, and
 * the organization's token families with a session elsewhere.
 */
async function endBatch(
  deps: SessionDeps,
  sql: Sql,
  { caller, organizationId, client }: AdministerInput,
): Promise<EndedFamilies> {
  const sessionIds = await liveSessionsOf(sql, organizationId, tokensLiveSince(deps), SUSPENSION_BATCH);
  const events = await endSessionsIn(deps, sql, sessionIds, {
    userId: null,
    actor: caller.session,
    reason: "organization_suspended",
    auditAction: "auth.session.revoked",
    client,
  });
  const departed = { organizationId, userId: null, limit: SUSPENSION_BATCH - events.length };
  events.push(...(await endDepartedSessions(deps, sql, departed)));
  // A session may have moved to another organization; an application that it signed in would otherwise stay signed in.
  const at = new Date(deps.clock.now());
  const families = endFamiliesOfOrganization(sql, organizationId, at, SUSPENSION_BATCH - events.length);
  const also = await endFamilies(sql, families, "organization_suspended", at);
  return { ended: events.length + also.ended, events: [...events, ...also.events] };
}
