import type { RequestContext } from "../../../base/request-context.ts";
import { SSO_UNREQUESTED_PER_NETWORK_MAX, SSO_UNREQUESTED_WINDOW_MS } from "../../../limits/sso-sign-in-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { insertAttempt, type NewSsoAttempt } from "../../../models/sso-connection/attempt.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { SsoDeps, UsableConnection } from "./connection.ts";
import type { SsoReason } from "./refusals.ts";

/** The step that decided an attempt. */
export type SsoStep = "request" | "response" | "account" | "session" | "logout";

export interface SsoAttempt {
  readonly connection: UsableConnection;
  readonly client: RequestContext;
  readonly step: SsoStep;
  readonly email?: string | undefined;
  readonly userId?: string | null;
  readonly warning?: NewSsoAttempt["warning"];
}

/** A refused response. `unreachable`: the identity provider did not respond. */
export interface SsoFailure extends Pick<SsoAttempt, "email" | "step" | "userId"> {
  readonly reason: SsoReason;
  readonly cause?: string;
  readonly unreachable?: boolean;
}

/** Records a completed sign-in for the administrators; the audit record is part of the sign-in. */
export async function recordSuccess(deps: SsoDeps, attempt: SsoAttempt): Promise<void> {
  deps.telemetry.metrics.signInAttempt("sso", "success");
  deps.telemetry.metrics.ssoSignIn(attempt.connection.protocol, "success");
  await insert(deps, attempt, null, true);
}

/** Records a refused sign-in: one reason in the attempts, the audit trail and the metric. */
export async function recordFailure(
  deps: SsoDeps,
  attempt: SsoAttempt,
  reason: SsoReason,
  unreachable = false,
): Promise<void> {
  const { connection, client, userId } = attempt;
  const { organizationId } = connection;
  deps.telemetry.metrics.signInAttempt("sso", unreachable ? "unavailable" : "failure");
  deps.telemetry.metrics.ssoSignIn(connection.protocol, reason);
  const actor = userId === undefined || userId === null ? undefined : { userId, organizationId };
  const at = new Date(deps.clock.now());
  const metadata = { method: "sso", connection_id: connection.id, reason };
  const event = { action: "auth.sso.login", at, outcome: "failure", metadata } as const;
  const entry = { ...userAuditEvent(deps, actor, client, event), organizationId };
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
  await insert(deps, attempt, reason, true);
}

/** Records a message without a live request, within the share of such messages. */
export async function recordUnrequested(
  deps: SsoDeps,
  attempt: SsoAttempt,
  reason: Extract<SsoReason, "in_response_to" | "state"> = "state",
): Promise<void> {
  deps.telemetry.metrics.signInAttempt("sso", "failure");
  deps.telemetry.metrics.ssoSignIn(attempt.connection.protocol, reason);
  await insertUnrequested(deps, attempt, reason);
}

/** Records a logout message that was refused, within the share of messages without a live request. */
export async function recordRefusedLogout(deps: SsoDeps, attempt: SsoAttempt, reason: SsoReason): Promise<void> {
  deps.telemetry.metrics.ssoLogout(attempt.connection.protocol, reason);
  await insertUnrequested(deps, attempt, reason);
}

async function insertUnrequested(deps: SsoDeps, attempt: SsoAttempt, reason: SsoReason): Promise<void> {
  const { connection, client } = attempt;
  const key = `service:sso-unrequested:${connection.id}:${client.network}`;
  const { count } = await deps.state.count(key, SSO_UNREQUESTED_WINDOW_MS);
  if (count <= SSO_UNREQUESTED_PER_NETWORK_MAX) await insert(deps, attempt, reason, false);
}

async function insert(
  deps: SsoDeps,
  { connection, client, step, email, userId = null, warning = null }: SsoAttempt,
  reason: SsoReason | null,
  requested: boolean,
): Promise<void> {
  const row = {
    id: deps.random.uuid(),
    connectionId: connection.id,
    at: new Date(deps.clock.now()),
    outcome: reason === null ? ("success" as const) : ("failure" as const),
    reason,
    warning,
    step,
    requested,
    email: email ?? null,
    requestId: client.requestId ?? "",
    userId,
  };
  await deps.database.run("sso_attempt.insert", (sql) => insertAttempt(sql, row));
}
