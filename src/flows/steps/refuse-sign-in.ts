import type { FirstFactor } from "../../base/assurance.ts";
import type { ClientFacts } from "../../base/client-facts.ts";
import type { Deps } from "../../deps.ts";
import { type AuditAction, type AuditEntry, recordAudit } from "../../models/audit/audit.ts";
import type { SignInCandidate } from "../../models/user/user.ts";
import { entryBy } from "./audit-entry.ts";

export interface RefusedSignIn {
  readonly method: FirstFactor;
  /** What the audit trail and the log may know, and the client never. */
  readonly reason: string;
  readonly candidate: Pick<SignInCandidate, "userId" | "organizationId"> | undefined;
  readonly client: ClientFacts;
  readonly action?: Extract<
    AuditAction,
    "auth.login" | "auth.oauth.login" | "auth.passkey.login" | "auth.passkey.counter_regressed"
  >;
  readonly metadata?: AuditEntry["metadata"];
}

/** Leaves the trace of a refused sign-in: the metric and the audit row. */
export async function recordRefusedSignIn(
  needs: Pick<Deps, "telemetry" | "random" | "clock" | "database">,
  refused: RefusedSignIn,
): Promise<void> {
  const { candidate, method, reason } = refused;
  needs.telemetry.metrics.signInAttempt(method, "failure");
  await needs.database.run("audit.record", (sql) =>
    recordAudit(
      sql,
      entryBy(needs, candidate, refused.client, {
        action: refused.action ?? "auth.login",
        at: new Date(needs.clock.now()),
        outcome: "failure",
        metadata: { method, ...refused.metadata, reason },
      }),
    ),
  );
}
