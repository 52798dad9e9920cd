import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { ID_TOKEN_MAX_AGE_SECONDS } from "../../../limits/provider-limits.ts";
import { hashSubject } from "../../../models/sso-identity/sso-identity.ts";
import { consumeMessage } from "../../../models/sso-request/consumed-message.ts";
import type { LogoutToken } from "../../../providers/sso/openid-logout-token.ts";
import { inProviderSpan } from "../../../telemetry/spans.ts";
import {
  type BoundSessionsEnd,
  endBoundSessions,
  endBoundSessionsIn,
} from "../../steps/sessions/end-bound-sessions.ts";
import { findUsable, type OidcConnection, partyOf, type SsoDeps } from "./connection.ts";
import { countLogout } from "./count-logout.ts";
import { sessionIndexIn, subjectIn } from "./map-claims.ts";
import { ssoUnavailable } from "./refusals.ts";
import { NO_CONNECTION } from "./start.ts";

export interface BackchannelLogout {
  readonly connectionId: string;
  readonly logoutToken: string;
  readonly client: RequestContext;
}

/** One response for all causes; the cause is in the log. */
const NOT_ACCEPTED = (cause: string) =>
  invalidInput("logout_token", "format", "not a logout token of this connection", cause);

/** The actor of the audit records: no user of this service requested the end. */
export const IDENTITY_PROVIDER = { userId: null, type: "system" } as const;

/**
 * POST /v1/auth/sso/:connection_id/backchannel-logout (docs/contract.md, section 29.22): ends the bound sessions of a
 * subject or a session of the identity provider, with the token families of applications. Only verified tokens count
 * against the limit of the connection: forged tokens cannot delay a logout. `internal_error`: the keys of the identity
 * provider are unreachable.
 */
export async function endSessionsByProvider(
  deps: SsoDeps,
  { connectionId, logoutToken, client }: BackchannelLogout,
): Promise<Result<void, Refusal<"internal_error" | "invalid_input" | "not_found" | "rate_limited">>> {
  const connection = findUsable(deps, connectionId);
  if (connection?.protocol !== "oidc" || connection.status !== "active") return err(NO_CONNECTION);
  const verified = await inProviderSpan(deps.telemetry, "sso", () =>
    partyOf(deps, connection).verifyLogoutToken(logoutToken),
  );
  if (!verified.ok) {
    const { unreachable, cause } = verified.error;
    return err(unreachable ? ssoUnavailable(cause) : NOT_ACCEPTED(cause));
  }
  const end = sessionsEnd(connection, verified.value, client);
  if (!end) return err(NOT_ACCEPTED("the token names no subject and no session of the connection"));
  const counted = await countLogout(deps, connectionId, verified.value.jti);
  if (!counted.ok) return counted;
  const isFirst = await consumeAndEnd(deps, connection, verified.value, end);
  if (!isFirst) return err(NOT_ACCEPTED("the token was used before"));
  await endBoundSessions(deps, end);
  deps.telemetry.metrics.ssoLogout("oidc", "success");
  return ok(undefined);
}

/**
 * The sessions of a token: of the subject, of the session at the identity provider, or of both. `sub` counts only for a
 * connection that reads the subject from `sub`. Undefined: the token names no sessions.
 */
function sessionsEnd(
  { id: connectionId, organizationId, config }: OidcConnection,
  { claims }: LogoutToken,
  client: RequestContext,
): BoundSessionsEnd | undefined {
  const [subject, sessionIndex] = [subjectIn(config, claims), sessionIndexIn(claims)];
  if (subject === undefined && sessionIndex === undefined) return undefined;
  const subjectHash = subject === undefined ? undefined : hashSubject(subject);
  const sessions = { connectionId, organizationId, subjectHash, sessionIndex };
  return { sessions, reason: "idp_logout", actor: IDENTITY_PROVIDER, client };
}

/** Ends the first batch in the transaction that consumes the token: a token without an effect is not consumed. */
async function consumeAndEnd(
  deps: SsoDeps,
  { id: connectionId, config }: OidcConnection,
  { jti }: LogoutToken,
  end: BoundSessionsEnd,
): Promise<boolean> {
  const validSeconds = ID_TOKEN_MAX_AGE_SECONDS + 2 * config.clock_skew_seconds;
  const expiresAt = new Date(deps.clock.now() + validSeconds * 1000);
  const ended = await deps.database.transaction("sso_logout.consume", async (sql) => {
    if (!(await consumeMessage(sql, { connectionId, id: jti, expiresAt }))) return undefined;
    return await endBoundSessionsIn(deps, sql, end);
  });
  if (ended) await deps.revocations.announce(ended.events);
  return ended !== undefined;
}
