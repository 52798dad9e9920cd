import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import {
  findOrganizationSession,
  listOrganizationSessions,
  type OrganizationSession,
  type SessionUser,
} from "../../models/session/organization-session.ts";
import { holds, mayChange } from "../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import { type Origin, withOrigin } from "../steps/sessions/describe-origin.ts";
import { endSessionsIn } from "../steps/sessions/end-sessions.ts";

export interface SessionOfOrganization extends OrganizationSession, Origin {
  readonly current: boolean;
  /** Whether the caller may end the session. */
  readonly canEnd: boolean;
}

/** GET /v1/orgs/:org_id/sessions (docs/contract.md, section 13.10). `caller`: holds `members.list`. */
export async function listMemberSessions(
  deps: Pick<Deps, "clock" | "geolocation" | "reads">,
  { caller, page }: { readonly caller: OrganizationCaller; readonly page: Page },
): Promise<Listing<SessionOfOrganization>> {
  const at = new Date(deps.clock.now());
  const { items, total } = await deps.reads.run("session.list_of_organization", caller.reader, (sql) =>
    listOrganizationSessions(sql, caller.organizationId, at, pageBounds(page)),
  );
  const current = caller.session?.id;
  const sessionOf = (item: OrganizationSession) => ({
    ...withOrigin(deps, item),
    current: item.id === current,
    canEnd: canEnd(caller, item),
  });
  return { ...page, total, items: items.map(sessionOf) };
}

/** A caller ends sessions of former members, and of members without a permission that the caller lacks. */
function canEnd(caller: OrganizationCaller, { role, granted }: SessionUser): boolean {
  return holds(caller, "members.remove") && mayChange(caller, { role: role ?? "member", granted });
}

/** The session of a confirmation page; undefined for an unknown session, and for a session of a higher role. */
export async function findEndableSession(deps: Pick<Deps, "database">, caller: OrganizationCaller, id: string) {
  const found = await deps.database.run("session.find_of_organization", (sql) =>
    findOrganizationSession(sql, caller.organizationId, id),
  );
  return found && canEnd(caller, found) ? found : undefined;
}

export interface EndInput {
  /** Holds `members.remove`. */
  readonly caller: OrganizationCaller;
  readonly id: string;
  readonly client: RequestContext;
}

/**
 * DELETE /v1/orgs/:org_id/sessions/:id (docs/contract.md, section 13.11): succeeds also for an ended session.
 * `not_found` covers sessions in other organizations; `forbidden` means a session of a higher role.
 */
export async function endMemberSession(
  deps: SessionDeps,
  { caller, id, client }: EndInput,
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const { organizationId, actor } = caller;
  const outcome = await deps.database.transaction("session.end_of_member", async (sql) => {
    const found = await findOrganizationSession(sql, organizationId, id);
    if (!found) return err(refusal("not_found", "There is no such session."));
    if (!canEnd(caller, found)) return err(refusal("forbidden", "Your role does not permit this."));
    const unprotected = await refuseProtected(sql, caller, [found.userId]);
    if (!unprotected.ok) return unprotected;
    const end = { userId: found.userId, actor, reason: "administrator_request", auditAction: ACTION, client } as const;
    return ok(await endSessionsIn(deps, sql, [id], end));
  });
  if (!outcome.ok) return outcome;
  await deps.revocations.announce(outcome.value);
  return ok(undefined);
}

const ACTION = "auth.session.revoked";
