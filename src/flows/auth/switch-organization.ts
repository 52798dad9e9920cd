import type { ClientFacts } from "../../base/client-facts.ts";
import { NOT_SIGNED_IN, problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { enterableMembership, findMembership, type MemberRole } from "../../models/member/member.ts";
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
import { entryBy } from "../steps/audit-entry.ts";
import { tokensDeadAt } from "../steps/end-sessions.ts";
import type { FinishNeeds, SignedIn } from "../steps/finish-sign-in.ts";
import { mintTokens } from "../steps/mint-tokens.ts";

export type SwitchNeeds = FinishNeeds & Pick<Deps, "revocations">;

export interface SwitchInput {
  readonly caller: SessionView;
  readonly organizationId: string;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/organization (decisions, section 4): the same session goes on in another organization of its user, with new
 * tokens. Refuses with `not_found` for an organization that the caller does not belong to, `forbidden` for a suspended one.
 */
export async function switchOrganization(needs: SwitchNeeds, input: SwitchInput): Promise<Result<SignedIn>> {
  const { caller, organizationId } = input;
  const membership = await needs.database.run("member.find", (sql) =>
    findMembership(sql, caller.userId, organizationId),
  );
  if (!membership) return refuse(problem("not_found", "There is no such organization."));
  if (membership.suspended) return refuse(problem("forbidden", "This organization is suspended."));
  const moved = await move(needs, input);
  if (!moved) return refuse(NOT_SIGNED_IN);
  await needs.revocations.announce([moved.event]);
  const tokens = await mintTokens(needs, moved.session);
  if (!tokens.ok) return tokens;
  return ok({ session: moved.session, email: caller.email, role: moved.role, tokens: tokens.value });
}

interface Moved {
  readonly session: Session;
  readonly role: MemberRole;
  readonly event: SessionEvent;
}

/** Why cached views of the session are stale, in the log of session events. */
const CHANGE = "organization_switched";

/** One statement, which looks once more under lock: the membership may have ended since it was read. */
async function move(needs: SwitchNeeds, { caller, organizationId, client }: SwitchInput): Promise<Moved | undefined> {
  const at = new Date(needs.clock.now());
  const jtis = { refreshJti: needs.random.uuid(), accessJti: needs.random.uuid() };
  const refreshMaxAgeMs = needs.config.tokens.refreshMaxAgeSeconds * 1000;
  const expiresAt = tokensDeadAt(needs, at);
  const [row] = await needs.database.run("session.move", (sql) => {
    const audit = insertAudit(
      sql,
      entryBy(needs, { ...caller, organizationId }, client, {
        action: "auth.organization.switched",
        at,
        resource: { type: "session", id: caller.id },
        metadata: { from: caller.organizationId },
      }),
      sql`from changed`,
    );
    return sql<(WithDates<Session> & { role: MemberRole; xid: string })[]>`
      with home as (${enterableMembership(sql, caller.userId, organizationId)}),
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
