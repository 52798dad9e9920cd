import { isLocalPath } from "../../../base/local-path.ts";
import { isOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, rateLimited, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { SSO_REQUEST_LIFETIME_SECONDS, SSO_REQUESTS_MAX } from "../../../limits/sso-sign-in-limits.ts";
import { browserProof } from "../../../models/oauth-state/oauth-state.ts";
import { insertSsoRequest, type RequestProof, type SsoRequest } from "../../../models/sso-request/sso-request.ts";
import { normalizeEmail } from "../../../models/user/email-address.ts";
import type { CarriedMessage } from "../../../providers/saml/signed-message.ts";
import type { AuthorizationDetails } from "../../../providers/sso/openid-party.ts";
import { inProviderSpan } from "../../../telemetry/spans.ts";
import { findRoutable, type OidcConnection, partyOf, type SsoDeps, type UsableConnection } from "./connection.ts";
import { ssoUnavailable } from "./refusals.ts";
import { samlRequest } from "./saml-request.ts";

export interface SsoStart {
  readonly connectionId: string;
  /** Any value that is no local path counts as absent. */
  readonly redirectTo: string | undefined;
  /** From a form, never from a URL. */
  readonly loginHint?: string | undefined;
  /** The cookie of an earlier start: sign-ins of several tabs of a browser can finish. */
  readonly browserToken?: string | undefined;
}

export interface SsoStarted extends CarriedMessage {
  /** The `state` or `RelayState` of the request: names the cookie. */
  readonly handle: string;
  /** The value of the cookie that binds the request to this browser. */
  readonly browserToken: string;
}

export type StartRefusal = Refusal<"internal_error" | "not_found" | "rate_limited">;

export const NO_CONNECTION = refusal("not_found", "There is no such connection.");
const TOO_MANY_REQUESTS = rateLimited("sso_requests", 60, "too many requests of a connection");

/**
 * GET and POST /v1/auth/sso/:connection_id/start (docs/contract.md, section 29.10): the authorization request of a
 * sign-in. A connection without sign-ins and a suspended organization are `not_found`, as an unknown connection.
 */
export async function startSsoSignIn(deps: SsoDeps, start: SsoStart): Promise<Result<SsoStarted, StartRefusal>> {
  const connection = findRoutable(deps, start.connectionId);
  if (!connection) return err(NO_CONNECTION);
  const redirectTo = start.redirectTo !== undefined && isLocalPath(start.redirectTo) ? start.redirectTo : "/";
  const loginHint = start.loginHint === undefined ? undefined : normalizeEmail(start.loginHint);
  const purpose = { intent: "sign_in", userId: null, sessionId: null, redirectTo, maxAge: null } as const;
  return await requestIdentity(deps, connection, purpose, { loginHint, browserToken: start.browserToken });
}

type Purpose = Pick<SsoRequest, "intent" | "userId" | "sessionId" | "redirectTo" | "maxAge">;

interface RequestOptions {
  readonly loginHint?: string | undefined;
  readonly browserToken?: string | undefined;
  /** Consumes the credential that admits the request, in the transaction of the request; false: not admitted. */
  readonly admit?: (sql: Sql, state: string, at: Date) => Promise<boolean>;
}

/** Stores a request and builds the message. Verifier, nonce and ID of the message are derived, not stored. */
export async function requestIdentity(
  deps: SsoDeps,
  connection: UsableConnection,
  purpose: Purpose,
  { loginHint, browserToken: present, admit = async () => true }: RequestOptions,
): Promise<Result<SsoStarted, StartRefusal>> {
  const { id: connectionId, revision: connectionRevision } = connection;
  const browserToken = isOpaqueToken(present) ? present : makeOpaqueToken(deps.random);
  const proof = { state: makeOpaqueToken(deps.random), browserToken };
  const details = { loginHint, maxAge: purpose.maxAge ?? undefined };
  const message =
    connection.protocol === "oidc"
      ? await openidRequest(deps, connection, proof, details)
      : await samlRequest(deps, connection, proof.state, { forceAuthn: purpose.maxAge === 0 });
  if (!message.ok) return err(ssoUnavailable(message.error));
  const createdAt = new Date(deps.clock.now());
  const expiresAt = new Date(createdAt.getTime() + SSO_REQUEST_LIFETIME_SECONDS * 1000);
  const request = { ...purpose, connectionId, connectionRevision, createdAt, expiresAt };
  const refused = await deps.database.transaction("sso_request.insert", async (sql) => {
    if (!(await admit(sql, proof.state, createdAt))) return NO_CONNECTION;
    const insertion = await insertSsoRequest(sql, proof, request, SSO_REQUESTS_MAX);
    if (insertion === "no_connection") return NO_CONNECTION;
    return insertion === "full" ? TOO_MANY_REQUESTS : undefined;
  });
  return refused ? err(refused) : ok({ ...message.value, handle: proof.state, browserToken: proof.browserToken });
}

async function openidRequest(
  deps: SsoDeps,
  connection: OidcConnection,
  proof: RequestProof,
  details: AuthorizationDetails,
): Promise<Result<CarriedMessage, string>> {
  const exchange = { state: proof.state, ...browserProof(proof.browserToken, proof.state) };
  const url = await inProviderSpan(deps.telemetry, "sso", () =>
    partyOf(deps, connection).authorizationUrl(exchange, details),
  );
  return url.ok ? ok({ location: url.value.href }) : err(url.error.cause);
}
