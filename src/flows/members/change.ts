import type { ClientFacts } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { MEMBER_ROLES, type MemberRole } from "../../models/member/member.ts";
import {
  changeMemberRole,
  deleteMember,
  findMember,
  lockMembership,
  lockOwners,
  type Member,
} from "../../models/member/members.ts";
import { eventColumns, logChange, type SessionEvent, sessionsIn, toEvent } from "../../models/session/revocation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { findOwnMembership } from "../steps/authorize-member.ts";
import { type EndDeps, endSessionsIn, tokensDeadAt } from "../steps/end-sessions.ts";

export interface MemberChange {
  readonly caller: SessionView;
  readonly organizationId: string;
  readonly userId: string;
  readonly client: ClientFacts;
}

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const LAST_OWNER = refusal("conflict", "An organization keeps at least one owner.");
const NOT_ALLOWED = refusal("forbidden", "This is not for your role to decide.");
/** Why cached views of a session are stale, in the log of session events. */
const ROLE_CHANGED = "role_changed";

/**
 * PATCH /v1/orgs/:org_id/members/:user_id (decisions, section 7): one may grant up to one's own role and touch nobody above it.
 * The members' sessions know the new role at once. Refuses with `not_found`, `forbidden`, `conflict` for the last owner.
 */
export async function changeRole(
  deps: EndDeps,
  input: MemberChange & { readonly role: MemberRole },
): Promise<Result<Member>> {
  const { organizationId, userId, role } = input;
  const own = await findOwnMembership(deps, input.caller, organizationId);
  if (!own.ok) return own;
  if (own.value === "member") return err(NOT_ALLOWED);
  const outcome = await deps.database.transaction("member.change_role", async (sql) => {
    const standing = await authorizeChange(sql, input, role);
    if (!standing.ok || standing.value === role) return standing;
    return ok(await writeRole(deps, sql, input, standing.value));
  });
  if (!outcome.ok) return outcome;
  if (typeof outcome.value !== "string") await deps.revocations.announce(outcome.value);
  const member = await deps.database.run("member.find_one", (sql) => findMember(sql, organizationId, userId));
  return member ? ok(member) : err(NO_SUCH_MEMBER);
}

/**
 * DELETE /v1/orgs/:org_id/members/:user_id: the member's sessions in this organization end. Whoever wants to may leave. Refuses with
 * `not_found`, `forbidden`, `conflict` for the last owner.
 */
export async function removeMember(deps: EndDeps, input: MemberChange): Promise<Result<void>> {
  const { caller, organizationId, userId, client } = input;
  const own = await findOwnMembership(deps, caller, organizationId);
  if (!own.ok) return own;
  if (own.value === "member" && userId !== caller.userId) return err(NOT_ALLOWED);
  const outcome = await deps.database.transaction("member.remove", async (sql) => {
    const standing = await authorizeChange(sql, input, undefined);
    if (!standing.ok) return standing;
    await deleteMember(sql, organizationId, userId);
    const at = new Date(deps.clock.now());
    const resource = { type: "user", id: userId } as const;
    const metadata = { role: standing.value };
    await recordAudit(
      sql,
      userAuditEvent(deps, { ...caller, organizationId }, client, { action: "member.removed", at, resource, metadata }),
    );
    const sessionIds = await sessionsIn(sql, organizationId, userId);
    const end = {
      userId,
      actorId: caller.userId,
      reason: "member_removed",
      auditAction: "auth.session.revoked",
      client,
    } as const;
    return ok(await endSessionsIn(deps, sql, sessionIds, end));
  });
  if (!outcome.ok) return outcome;
  await deps.revocations.announce(outcome.value);
  return ok(undefined);
}

/**
 * Under lock: the owners first, always in one order, so that of two who demote each other one waits, looks again, and finds itself
 * demoted (promise 6). Returns the target's role. `to`: undefined for a removal.
 */
async function authorizeChange(sql: Sql, input: MemberChange, to: MemberRole | undefined): Promise<Result<MemberRole>> {
  const { caller, organizationId, userId } = input;
  const owners = await lockOwners(sql, organizationId);
  const [own, target] = [
    await lockMembership(sql, organizationId, caller.userId),
    await lockMembership(sql, organizationId, userId),
  ];
  if (!own) return err(NOT_ALLOWED);
  if (!target) return err(NO_SUCH_MEMBER);
  const above = (role: MemberRole) => MEMBER_ROLES.indexOf(role) > MEMBER_ROLES.indexOf(own);
  const touchesSelf = userId === caller.userId;
  if (above(target) || (to !== undefined && above(to))) return err(NOT_ALLOWED);
  if (own === "member" && !(touchesSelf && to === undefined)) return err(NOT_ALLOWED);
  if (target === "owner" && to !== "owner" && owners.length === 1) return err(LAST_OWNER);
  return ok(target);
}

async function writeRole(
  deps: EndDeps,
  sql: Sql,
  { caller, organizationId, userId, client, role }: MemberChange & { readonly role: MemberRole },
  from: MemberRole,
): Promise<SessionEvent[]> {
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, { ...caller, organizationId }, client, {
    action: "member.role_changed",
    at,
    resource: { type: "user", id: userId },
    metadata: { from, to: role },
  });
  const rows = await sql<Parameters<typeof toEvent>[0][]>`
    with member as (${changeMemberRole(sql, organizationId, userId, role)}),
    changed as (
      select id from sessions where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null
    ),
    events as (${logChange(sql, ROLE_CHANGED, at, tokensDeadAt(deps, at))}),
    audit as (${insertAudit(sql, entry, sql`from member`)})
    select ${eventColumns(sql)} from events e`;
  return rows.map(toEvent);
}
