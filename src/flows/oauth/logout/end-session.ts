import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, SessionDeps } from "../../../deps.ts";
import { OAUTH_STATE_MAX_CHARACTERS } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { isRegisteredUri } from "../../../models/oauth-client/redirect-uri.ts";
import { findSessionOfFamily } from "../../../models/oauth-grant/family-state.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { endSession } from "../../steps/sessions/end-sessions.ts";
import { readParameters } from "../request/parameters.ts";
import { verifyIdTokenHint } from "../request/verify-token.ts";

export type EndSessionDeps = SessionDeps & Pick<Deps, "oauthClients">;

/** A valid logout request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export interface LogoutRequest {
  readonly client: OAuthClient | undefined;
  /** Where the browser goes then, `state` included; undefined: nowhere. */
  readonly location: string | undefined;
  /** The session of the hint; undefined without a hint. */
  readonly sessionId: string | undefined;
}

interface LogoutInput {
  readonly search: URLSearchParams;
  readonly requestContext: RequestContext;
}

/**
 * Validates a logout request (docs/contract.md, section 23.10). Redirects only go to a registered URI of the client
 * named by the hint or by `client_id`.
 */
export async function readLogoutRequest(
  deps: EndSessionDeps,
  { search, requestContext: { network } }: LogoutInput,
): Promise<Result<LogoutRequest, OAuthRefusal<"invalid_request" | "temporarily_unavailable">>> {
  const parameters = readParameters(search);
  if (!parameters.ok) return parameters;
  const { one } = parameters.value;
  const hint = await readHint(deps, one("id_token_hint"));
  if (!hint.ok) return hint;
  const named = one("client_id");
  if (named !== undefined && hint.value && named !== hint.value.clientId) {
    return err(oauthRefusal("invalid_request", "client_id and id_token_hint are of two applications."));
  }
  const clientId = hint.value?.clientId ?? named;
  const found = clientId === undefined ? ok(undefined) : await deps.oauthClients.lookUp(clientId, network);
  if (!found.ok) return err(busy(found.error));
  const client = found.value;
  const location = locationOf(client, one("post_logout_redirect_uri"), one("state"));
  return location.ok ? ok({ client, location: location.value, sessionId: hint.value?.sessionId }) : location;
}

interface Hint {
  readonly clientId: string;
  readonly sessionId: string | undefined;
}

async function readHint(
  deps: EndSessionDeps,
  text: string | undefined,
): Promise<Result<Hint | undefined, OAuthRefusal<"invalid_request">>> {
  if (text === undefined) return ok(undefined);
  const claims = await verifyIdTokenHint(deps, text);
  if (!claims) return err(oauthRefusal("invalid_request", "id_token_hint is not an ID token of this service."));
  const family = await deps.database.run("oauth_family.find_session", (sql) => findSessionOfFamily(sql, claims.sid));
  return ok({ clientId: claims.aud, sessionId: family?.sessionId });
}

function locationOf(
  client: OAuthClient | undefined,
  uri: string | undefined,
  state: string | undefined,
): Result<string | undefined, OAuthRefusal<"invalid_request">> {
  if (uri === undefined) return ok(undefined);
  if (!client || !isRegisteredUri(uri, client.postLogoutRedirectUris, client)) {
    return err(oauthRefusal("invalid_request", "post_logout_redirect_uri is not one that the application registered."));
  }
  if (state === undefined) return ok(uri);
  if (state.length > OAUTH_STATE_MAX_CHARACTERS) return err(oauthRefusal("invalid_request", "state is too long."));
  return ok(`${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams({ state })}`);
}

/**
 * Whether the user must confirm: a request without an ID token of this very session could come from any site (OpenID
 * Connect RP-Initiated Logout 1.0, section 6).
 */
export function mustConfirmLogout({ sessionId }: LogoutRequest, session: SessionView): boolean {
  return sessionId !== session.id;
}

/**
 * Ends the session of the browser with the tokens that applications received from the session, and also the session of
 * the hint if both belong to one user: after `prompt=login` the hint names the earlier session. A hint of another user
 * ends no session.
 */
export async function endBrowserSession(
  deps: EndSessionDeps,
  session: SessionView,
  { sessionId: hinted = session.id }: LogoutRequest,
  requestContext: RequestContext,
): Promise<void> {
  const end = { userId: session.userId, reason: "logout", auditAction: "auth.logout", client: requestContext } as const;
  // A bound session ends no other session: the hint may name a session beyond its organization.
  const first = session.organizationBound ? session.id : hinted;
  // The session of the browser ends last: while it exists, the same request repeats a failed step.
  for (const sessionId of new Set([first, session.id])) await endSession(deps, sessionId, end);
}
