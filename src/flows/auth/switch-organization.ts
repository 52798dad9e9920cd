import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte, withParts } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { grantColumns, type MemberGrants } from "../../models/conditions/member-grants.ts";
import { findMembership, lockActiveMembership } from "../../models/member/member.ts";
import { changeEvent, logChange, type SessionEvent } from "../../models/session/revocation.ts";
import {
  moveSession,
  type Session,
  type SessionView,
  sessionColumns,
  toSession,
  type WithDates,
} from "../../models/session/session.ts";
import { lockUserFor, rememberOrganization } from "../../models/user/user.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { assuranceIn, refusalOf } from "../steps/sessions/organization-rules.ts";
import { recordBreakGlassUse, usesBreakGlass } from "../steps/sign-in/break-glass.ts";
import type { SignInResult } from "../steps/sign-in/complete-sign-in.ts";
import { acquireSigningSlot, issueTokens } from "../steps/tokens/issue-session-tokens.ts";

const BOUND = refusal("forbidden", "A session of single sign-on stays in its organization.");

type SwitchProblem = Refusal<
  "authentication_required" | "forbidden" | "mfa_required" | "not_found" | "rate_limited" | "sso_required"
>;

export interface SwitchInput {
  readonly caller: SessionView;
  readonly organizationId: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/organization (docs/contract.md, section 7.9): moves the caller's session to a different organization of
 * the user and issues new tokens. `not_found` means that the caller has no membership there, `forbidden` a suspended
 * organization or a policy, `sso_required` and `mfa_required` an organization that requires these of this session,
 * `authentication_required` a session or membership that ended meanwhile; `rate_limited` precedes every
 * write.
 */
export async function switchOrganization(
  deps: SignInDeps,
  input: SwitchInput,
): Promise<Result<SignInResult, SwitchProblem>> {
  const { caller, organizationId } = input;
  if (caller.organizationBound && organizationId !== caller.organizationId) return err(BOUND);
  const at = new Date(deps.clock.now());
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, caller.userId, organizationId, assuranceIn(caller, organizationId), at),
  );
  if (!membership) return err(refusal("not_found", "There is no such organization."));
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  if (membership.refusal) return err(refusalOf(membership.refusal, organizationId));
  const slot = acquireSigningSlot(deps, caller.userId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const moved = await move(deps, input);
  if (!moved) return err(NOT_SIGNED_IN);
  await deps.revocations.announce([moved.event]);
  if (!caller.organizationBound && usesBreakGlass(deps, moved.session)) await recordUse(deps, input);
  const tokens = await issueTokens(deps, moved.session);
  return ok({
    session: moved.session,
    email: caller.email,
    role: moved.role,
    roleKeys: moved.roleKeys,
    granted: moved.granted,
    tokens,
  });
}

/** Emergency access by a session that comes from another organization of the user. */
async function recordUse(deps: SignInDeps, { caller, organizationId, client }: SwitchInput): Promise<void> {
  const { id: sessionId, userId, email } = caller;
  const at = new Date(deps.clock.now());
  await deps.database.transaction("session.record_break_glass", (sql) =>
    recordBreakGlassUse(deps, sql, { sessionId, userId, organizationId, email, at, client }),
  );
  deps.outbox.wake();
}

interface Moved extends MemberGrants {
  readonly session: Session;
  readonly role: MemberRole;
  readonly event: SessionEvent;
}

/** The reason of the session event that invalidates cached views of the session. */
const CHANGE = "organization_switched";

/**
 * Moves the session in one statement, which checks the membership again under lock. Undefined after the end of the
 * membership or the session.
 */
async function move(deps: SignInDeps, { caller, organizationId, client }: SwitchInput): Promise<Moved | undefined> {
  const at = new Date(deps.clock.now());
  const jtis = { refreshJti: deps.random.uuid(), accessJti: deps.random.uuid() };
  const refreshMaxAgeMs = deps.config.tokens.refreshMaxAgeSeconds * 1000;
  const expiresAt = tokensDeadAt(deps, at);
  const auditEvent = userAuditEvent(deps, { ...caller, organizationId }, client, {
    action: "auth.organization.switched",
    at,
    resource: { type: "session", id: caller.id },
    metadata: { from: caller.organizationId },
  });
  const [row] = await deps.database.run("session.move", (sql) => {
    const [membership, holder] = [cte(sql, "membership"), cte(sql, "holder")];
    const [changed, events] = [cte(sql, "changed"), cte(sql, "events")];
    const statement = withParts(sql, {
      membership: lockActiveMembership(
        sql,
        { userId: caller.userId, organizationId },
        assuranceIn(caller, organizationId),
        at,
      ),
      holder: lockUserFor(sql, caller.userId, membership),
      changed: moveSession(sql, { sessionId: caller.id, ...jtis, at, refreshMaxAgeMs }, membership, holder),
      account: rememberOrganization(sql, caller.userId, changed),
      events: logChange(sql, changed, CHANGE, at, expiresAt),
      audit: insertAudit(sql, auditEvent, sql`from ${changed}`),
    });
    return sql<(WithDates<Session> & MemberGrants & { role: MemberRole; xid: string })[]>`
      ${statement}
      select ${sessionColumns(sql)}, ${membership}.role,
             ${grantColumns(sql, sql`s.organization_id`, sql`s.user_id`)}, ${events}.xid::text as xid
      from ${changed} s, ${membership}, ${events}`;
  });
  if (!row) return undefined;
  const { role, roleKeys, granted, xid, ...session } = row;
  return {
    session: toSession(session),
    role,
    roleKeys,
    granted,
    event: changeEvent(caller.id, CHANGE, at, expiresAt, xid),
  };
}
