import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { STEP_UP_WINDOW_MS } from "../../../limits/factor-limits.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findSessionBinding } from "../../../models/session/session-binding.ts";
import { hashSubject, useSsoIdentity } from "../../../models/sso-identity/sso-identity.ts";
import { lockUser } from "../../../models/user/user.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { coversMember } from "../../steps/channels/covers-member.ts";
import { persistStepUp, type StepUpResult } from "../../steps/sign-in/persist-step-up.ts";
import { acquireSigningSlot } from "../../steps/tokens/issue-session-tokens.ts";
import type { SsoDeps, UsableConnection } from "../sign-in/connection.ts";
import type { AssertedIdentity } from "../sign-in/map-claims.ts";

/** A verified response to a request with the intent `step_up`. */
export interface StepUpResponse {
  readonly connection: UsableConnection;
  readonly session: SessionView;
  readonly asserted: AssertedIdentity;
  readonly client: RequestContext;
}

/**
 * Steps a bound session up by the response of the identity provider (docs/contract.md, section 29.17): the subject of
 * the session, authenticated within five minutes with a value of `mfa_trust`, and the person behind the connection has
 * every permission of the member. `step_up`: any other response.
 */
export async function finishSsoStepUp(
  deps: SsoDeps,
  { connection, session, asserted, client }: StepUpResponse,
): Promise<Result<StepUpResult, "changed" | "step_up" | Refusal<"rate_limited">>> {
  const at = new Date(deps.clock.now());
  const verifiedAt = authenticationTime(asserted, at, connection.config.clock_skew_seconds * 1000);
  const [binding, isVouched] = await Promise.all([
    deps.database.run("session.find_binding", (sql) => findSessionBinding(sql, session.id, at)),
    deps.database.run("sso_connection.find_holder", (sql) => coversMember(sql, connection, session.userId)),
  ]);
  const isSubject =
    binding?.connectionId === connection.id && binding.subjectHash.equals(hashSubject(asserted.subject));
  if (!isSubject || !isVouched || verifiedAt === undefined) return err("step_up");
  const slot = acquireSigningSlot(deps, session.userId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const { id: connectionId, revision } = connection;
  const identity = { connectionId, revision, subject: asserted.subject, userId: session.userId, at };
  const metadata = { factor: "sso", previous_aal: session.aal, connection_id: connectionId };
  const resource = { type: "session", id: session.id } as const;
  const steppedUp = await persistStepUp(deps, {
    caller: session,
    at,
    verifiedAt,
    allow: (sql) => lockUser(sql, session.userId),
    consume: (sql, live) => useSsoIdentity(sql, identity, sql`from ${live}`),
    entry: userAuditEvent(deps, session, client, { action: "auth.mfa.step_up", at, resource, metadata }),
  });
  return steppedUp.ok ? ok(steppedUp.value) : err("changed");
}

/** The time of an authentication with several factors; undefined for an old, future or weaker authentication. */
function authenticationTime({ isMultiFactor, authTime }: AssertedIdentity, at: Date, skewMs: number): Date | undefined {
  if (!isMultiFactor || authTime === undefined) return undefined;
  const ageMs = at.getTime() - authTime;
  return ageMs < STEP_UP_WINDOW_MS && ageMs >= -skewMs ? new Date(Math.min(authTime, at.getTime())) : undefined;
}
