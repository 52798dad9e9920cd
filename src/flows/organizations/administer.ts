import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type DisplayedVersion, isVersion } from "../../database/statement.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { SUSPENSION_BATCH } from "../../limits/session-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { recordClosedOtherwise } from "../../models/deletion/deletion.ts";
import {
  findOrganization,
  lockOrganization,
  type Organization,
  type OrganizationChange,
  type Tier,
  updateOrganization,
} from "../../models/organization/organization.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { includesRole, listPlatformRolesIn } from "../../models/user/platform-role.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit/audit-event.ts";
import { NO_SUCH_ORGANIZATION } from "../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import {
  announceSuspensionChange,
  endOrganizationSessions,
  endSessionBatch,
  logSuspensionChange,
  NONE_ENDED,
  type OrganizationSessionsEnd,
} from "../steps/sessions/end-organization-sessions.ts";

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
    if (sessionsLeft) {
      await deps.revocations.announce(events);
      continue;
    }
    // Also after a change of the name, which pages of single sign-on display.
    await announceSuspensionChange(deps, events);
    if (organization.suspended) await endOrganizationSessions(deps, endOf(input));
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
    const restores = before.suspended && suspended === false && !before.deletionAt;
    const { ended, events } = restores ? await endSessionBatch(deps, sql, endOf(input)) : NONE_ENDED;
    if (ended === SUSPENSION_BATCH) return ok({ organization: before, events, sessionsLeft: true });
    const after = {
      name: name ?? before.name,
      tier: tier ?? before.tier,
      // A pending deletion keeps the organization suspended; the decision counts after a cancellation.
      suspended: before.deletionAt ? before.suspended : (suspended ?? before.suspended),
    };
    if (before.deletionAt && suspended !== undefined) {
      await recordClosedOtherwise(sql, "organization", organizationId, suspended);
    }
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
    const actor = { ...caller.actor, organizationId };
    await recordAudit(sql, userAuditEvent(deps, actor, client, { ...auditEvent, at, resource }));
  }
  return before.suspended === after.suspended ? [] : await logSuspensionChange(deps, sql, organizationId, at);
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

function endOf({ caller, organizationId, client }: AdministerInput): OrganizationSessionsEnd {
  return { organizationId, actor: caller.actor, client };
}
