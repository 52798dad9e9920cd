import type { ClientFacts } from "../../base/client-facts.ts";
import { NOT_SIGNED_IN, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { findMembership, lockEnterableMembership, type MemberRole } from "../../models/member/member.ts";
import { changeEvent, logChange, type SessionEvent } from "../../models/session/revocation.ts";
import {
  moveSession,
  type Session,
  type SessionView,
  sessionColumns,
  toSession,
  type WithDates,
} from "../../models/session/session.ts";
import { rememberOrganization } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import type { CompleteSignInDeps, SignedIn } from "../steps/complete-sign-in.ts";
import { tokensDeadAt } from "../steps/end-sessions.ts";
import { issueTokens, withSigningSlot } from "../steps/issue-tokens.ts";

export type SwitchDeps = CompleteSignInDeps;

export interface SwitchInput {
  readonly caller: SessionView;
  readonly organizationId: string;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/organization (decisions, section 4): the same session goes on in another organization of its user, with new
 * tokens. Refuses with `not_found` for an organization that the caller does not belong to, `forbidden` for a suspended one, and before the
 * session has moved with `rate_limited`.
 */
export async function switchOrganization(deps: SwitchDeps, input: SwitchInput): Promise<Result<SignedIn>> {
  const { caller, organizationId } = input;
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, caller.userId, organizationId),
  );
  if (!membership) return err(refusal("not_found", "There is no such organization."));
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  return await withSigningSlot(deps, caller.userId, async () => {
    const moved = await move(deps, input);
    if (!moved) return err(NOT_SIGNED_IN);
    await deps.revocations.announce([moved.event]);
    const tokens = await issueTokens(deps, moved.session);
    return ok({ session: moved.session, email: caller.email, role: moved.role, tokens });
  });
}

interface Moved {
  readonly session: Session;
  readonly role: MemberRole;
  readonly event: SessionEvent;
}

/** Why cached views of the session are stale, in the log of session events. */
const CHANGE = "organization_switched";

/** One statement, which looks once more under lock: the membership may have ended since it was read. */
async function move(deps: SwitchDeps, { caller, organizationId, client }: SwitchInput): Promise<Moved | undefined> {
  const at = new Date(deps.clock.now());
  const jtis = { refreshJti: deps.random.uuid(), accessJti: deps.random.uuid() };
  const refreshMaxAgeMs = deps.config.tokens.refreshMaxAgeSeconds * 1000;
  const expiresAt = tokensDeadAt(deps, at);
  const [row] = await deps.database.run("session.move", (sql) => {
    const audit = insertAudit(
      sql,
      userAuditEvent(deps, { ...caller, organizationId }, client, {
        action: "auth.organization.switched",
        at,
        resource: { type: "session", id: caller.id },
        metadata: { from: caller.organizationId },
      }),
      sql`from changed`,
    );
    return sql<(WithDates<Session> & { role: MemberRole; xid: string })[]>`
      with home as (${lockEnterableMembership(sql, caller.userId, organizationId)}),
      changed as (${moveSession(sql, { sessionId: caller.id, ...jtis, at, refreshMaxAgeMs })}),
      person as (${rememberOrganization(sql, caller.userId)}),
      events as (${logChange(sql, CHANGE, at, expiresAt)}),
      audit as (${audit})
      select ${sessionColumns(sql)}, home.role, events.xid::text as xid from changed s, home, events`;
  });
  if (!row) return undefined;
  const { role, xid, ...session } = row;
  return { session: toSession(session), role, event: changeEvent(caller.id, CHANGE, at, expiresAt, xid) };
}
