import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps, EmailDeps } from "../../../deps.ts";
import { type AuditEntry, recordAudit } from "../../../models/audit/audit.ts";
import type { SignInCandidate } from "../../../models/user/sign-in-candidate.ts";
import type { FirstFactor } from "../../../vocabulary/assurance.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../audit/audit-event.ts";

export interface RefusedSignIn {
  readonly method: FirstFactor;
  /** The reason for the audit trail and the log, never for the client. `unavailable`: an identity provider failed. */
  readonly reason: string;
  readonly candidate: Pick<SignInCandidate, "userId" | "organizationId"> | undefined;
  readonly client: RequestContext;
  readonly action?: Extract<
    AuditAction,
    "auth.login" | "auth.oauth.login" | "auth.passkey.login" | "auth.passkey.counter_regressed"
  >;
  readonly metadata?: AuditEntry["metadata"];
}

/** Records the metric and the audit record of a refused sign-in. */
export async function recordRefusedSignIn(deps: EmailDeps, refused: RefusedSignIn): Promise<void> {
  deps.telemetry.metrics.signInAttempt(refused.method, refused.reason === "unavailable" ? "unavailable" : "failure");
  const entry = refusedSignInEntry(deps, refused);
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}

/** Returns the audit record of a refused sign-in, for a statement that also counts the attempt. */
export function refusedSignInEntry(deps: Pick<Deps, "random" | "clock">, refused: RefusedSignIn): AuditEntry {
  const { candidate, method, reason } = refused;
  return userAuditEvent(deps, candidate, refused.client, {
    action: refused.action ?? "auth.login",
    at: new Date(deps.clock.now()),
    outcome: "failure",
    metadata: { method, ...refused.metadata, reason },
  });
}
