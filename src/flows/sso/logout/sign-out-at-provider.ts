/** Sign-out at the identity provider of a session by SAML 2.0 (docs/contract.md, section 29.37). */
import { isLocalPath } from "../../../base/local-path.ts";
import { isOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { SSO_REQUEST_LIFETIME_SECONDS, SSO_REQUESTS_MAX } from "../../../limits/sso-sign-in-limits.ts";
import { findSessionName, openSessionName } from "../../../models/session/session-name.ts";
import { consumeLogoutRequest, findLogoutRequest } from "../../../models/sso-request/logout-request.ts";
import { insertSsoRequest } from "../../../models/sso-request/sso-request.ts";
import { requestIdOf } from "../../../providers/saml/authn-request.ts";
import { logoutRequest } from "../../../providers/saml/logout-messages.ts";
import { type CarriedMessage, carryMessage } from "../../../providers/saml/signed-message.ts";
import { type LogoutInput, logoutSession, sessionOfLogout } from "../../auth/logout.ts";
import { connectionUrls, logoutPath } from "../connections/urls.ts";
import type { SamlConnection, SsoDeps } from "../sign-in/connection.ts";
import { currentKey, logoutTrustOf, signerOf } from "../sign-in/saml-party.ts";
import { NO_CONNECTION } from "../sign-in/start.ts";
import { verifyMessage } from "../sign-in/verify-saml.ts";
import { findLogoutConnection, type LogoutMessage, type LogoutRefusal, refuseLogout } from "./receive-logout.ts";

/** The page that confirms a sign-out. */
export const SIGNED_OUT_PATH = "/sign-out";
/** The page after a sign-out that the identity provider did not complete. */
const SIGNED_OUT_HERE_PATH = "/sign-out?only=here";

export interface ProviderLogout extends LogoutInput {
  /** Any value that is no local path counts as absent. */
  readonly redirectTo: string | undefined;
}

export interface ContinuedLogout {
  /** A path of this origin. */
  readonly continueAt: string;
  /** Names the cookie of the request. */
  readonly handle: string;
  /** The value of the cookie that binds the request to this browser. */
  readonly browserToken: string;
}

/** Ends the session, and begins the sign-out at the identity provider. Undefined: no provider to continue at. */
export async function signOutAtProvider(deps: SsoDeps, input: ProviderLogout): Promise<ContinuedLogout | undefined> {
  const session = await sessionOfLogout(deps, input);
  if (!session) return undefined;
  const continued = await beginLogout(deps, session, input.redirectTo);
  await logoutSession(deps, session, input.client);
  return continued;
}

/** Whether a session can be signed out at its identity provider. */
export async function canSignOutAtProvider(deps: SsoDeps, sessionId: string): Promise<boolean> {
  return (await partiesOf(deps, sessionId)) !== undefined;
}

async function beginLogout(
  deps: SsoDeps,
  { id: sessionId, userId }: { readonly id: string; readonly userId: string },
  redirectTo: string | undefined,
): Promise<ContinuedLogout | undefined> {
  const parties = await partiesOf(deps, sessionId);
  if (!parties) return undefined;
  const { id: connectionId, revision: connectionRevision } = parties.connection;
  const proof = { state: makeOpaqueToken(deps.random), browserToken: makeOpaqueToken(deps.random) };
  const createdAt = new Date(deps.clock.now());
  const request = {
    connectionId,
    connectionRevision,
    intent: "logout",
    userId,
    sessionId,
    redirectTo: redirectTo !== undefined && isLocalPath(redirectTo) ? redirectTo : SIGNED_OUT_PATH,
    maxAge: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + SSO_REQUEST_LIFETIME_SECONDS * 1000),
  } as const;
  const insertion = await deps.database.run("sso_request.insert", (sql) =>
    insertSsoRequest(sql, proof, request, SSO_REQUESTS_MAX),
  );
  if (insertion !== "inserted") return undefined;
  const { state: handle, browserToken } = proof;
  return { continueAt: logoutPath(deps, connectionId, handle), handle, browserToken };
}

/** The parts of a request: the connection with an address and a key, and the name of the user. */
async function partiesOf(deps: SsoDeps, sessionId: string) {
  const stored = await deps.database.run("session.find_name", (sql) => findSessionName(sql, sessionId));
  const connection = stored && findLogoutConnection(deps, stored.connectionId);
  const nameId = stored && openSessionName(deps, stored);
  const signer = connection && signerOf(deps, currentKey(connection));
  const destination = connection?.config.slo_url ?? null;
  if (!connection || !nameId || !signer || destination === null) return undefined;
  return { connection, nameId, sessionIndex: stored.sessionIndex, signer, destination };
}

export interface LogoutContinuation {
  readonly connectionId: string;
  /** From the path of the sign-out. */
  readonly handle: string;
  readonly browserToken: string | undefined;
}

/** GET …/:connection_id/slo with `h`: the signed request, in the browser that signed out; undefined elsewhere. */
export async function sendLogoutRequest(
  deps: SsoDeps,
  { connectionId, handle, browserToken }: LogoutContinuation,
): Promise<CarriedMessage | undefined> {
  if (!isOpaqueToken(handle) || !isOpaqueToken(browserToken)) return undefined;
  const at = new Date(deps.clock.now());
  const pending = await deps.database.run("sso_request.find_logout", (sql) =>
    findLogoutRequest(sql, { state: handle, browserToken }, connectionId, at),
  );
  const parties = pending?.sessionId ? await partiesOf(deps, pending.sessionId) : undefined;
  if (parties?.connection.id !== connectionId) return undefined;
  const { connection, signer, ...named } = parties;
  const { spEntityId } = connectionUrls(deps, connectionId);
  const message = logoutRequest({ ...named, id: requestIdOf(handle), issuedAt: at.getTime(), spEntityId });
  return await carryMessage(message, connection.config.request_binding, handle, signer);
}

/**
 * GET and POST …/:connection_id/slo with `SAMLResponse`: the path on which the browser continues. A response that
 * reports a failure consumes no request; the session here has ended in any case.
 */
export async function receiveLogoutResponse(
  deps: SsoDeps,
  { connectionId, received, relayState, client }: LogoutMessage,
): Promise<Result<string, LogoutRefusal>> {
  const connection: SamlConnection | undefined = findLogoutConnection(deps, connectionId);
  if (!connection) return err(NO_CONNECTION);
  const handle = isOpaqueToken(relayState) ? relayState : undefined;
  const requestId = handle === undefined ? null : requestIdOf(handle);
  const [trust, now] = [logoutTrustOf(deps, connection), deps.clock.now()];
  const job = { kind: "logout_response", received, trust, now, requestId } as const;
  const verified = await verifyMessage(deps, connection.organizationId, job);
  if (!verified.ok) {
    const refused = await refuseLogout(deps, { connection, client, kind: "response" }, verified.error);
    const isReported = verified.error.kind === "refused" && verified.error.reason === "status";
    return isReported ? ok(SIGNED_OUT_HERE_PATH) : err(refused);
  }
  const consumed = await deps.database.run("sso_request.consume_logout", (sql) =>
    consumeLogoutRequest(sql, handle ?? "", connectionId, new Date(now)),
  );
  if (consumed) return ok(consumed.redirectTo);
  const repeated = { kind: "refused", reason: "in_response_to" } as const;
  return err(await refuseLogout(deps, { connection, client, kind: "response" }, repeated));
}
