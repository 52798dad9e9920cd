/** The steps of an authorization request: from the application, through the pages, to the response. */
import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { OAUTH_REQUEST_LIFETIME_MS } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { isRegisteredUri } from "../../../models/oauth-client/redirect-uri.ts";
import {
  type AuthorizationParameters,
  findRequest,
  insertRequest,
  type PendingRequest,
  recordRequestUser,
} from "../../../models/oauth-request/oauth-request.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { isStillPermitted } from "../request/requested.ts";
import { type AuthorizationResponse, errorResponse } from "./authorization-response.ts";
import { type ConsumeReference, withReference } from "./consume-reference.ts";
import { decideAuthorization, type Step } from "./decide-authorization.ts";
import { type AuthorizeDeps, type FoundRequest, NO_REQUEST, respondWithCode } from "./respond-with-code.ts";
import { type AuthorizationProblem, validateAuthorization } from "./validate-authorization.ts";

/** A request waiting for the user, and the cookie that binds the request to the browser. */
export interface PendingAuthorization {
  readonly handle: string;
  readonly browserToken: string;
}

export type AuthorizationStarted =
  | { readonly kind: "response"; readonly response: AuthorizationResponse }
  | { readonly kind: "wait"; readonly waiting: PendingAuthorization };

export interface BeginInput {
  /** The parameters of the request, as `resolveRequest` returned the parameters. */
  readonly search: URLSearchParams;
  /** Consumes a pushed request or a signed object, together with the code or the stored request. */
  readonly consume?: ConsumeReference | undefined;
  readonly session: SessionView | undefined;
  readonly browserToken: string | undefined;
  readonly requestContext: RequestContext;
  /**
   * Counts a request before storage: an anonymous client can send any number, and each request is a row for an hour.
   */
  readonly admitWaiting: () => Promise<Result<void, Refusal<"rate_limited">>>;
}

/**
 * GET /oauth2/authorize: responds at once if no page is needed, else stores the request for the pages. A problem has no
 * target if the client or the redirect URI is not trusted. Exceeding the limit of stored requests is `rate_limited`. A
 * refused request consumes neither a pushed request nor a signed object.
 */
export async function beginAuthorization(
  deps: AuthorizeDeps,
  input: BeginInput,
): Promise<Result<AuthorizationStarted, OAuthRefusal | Refusal<"rate_limited">>> {
  const validated = await validateAuthorization(deps, input.search);
  if (!validated.ok) return await refuse(deps, validated.error);
  const request = { parameters: validated.value, createdAt: new Date(deps.clock.now()) };
  const client = await deps.oauthClients.load(request.parameters.clientId);
  if (!client) return err(NO_CLIENT);
  // Without an access cookie a session may exist that only lacks the access token: the pages check.
  const step = input.session && (await decideAuthorization(deps, client, request, input.session));
  if (input.session && step?.kind === "code") {
    const response = await respondWithCode(deps, {
      request,
      client,
      session: input.session,
      requestContext: input.requestContext,
      consume: input.consume,
    });
    return response.ok ? ok({ kind: "response", response: response.value }) : response;
  }
  if (step?.kind === "refuse")
    return ok({ kind: "response", response: await errorResponse(deps, request, step.refusal) });
  const admitted = await input.admitWaiting();
  if (admitted.ok) {
    const kept = await keepRequest(deps, request, input);
    return kept.ok ? ok({ kind: "wait", waiting: kept.value }) : kept;
  }
  // No page is rendered for a silent request: an invisible frame of an application cannot show a page.
  if (!request.parameters.prompt.includes("none")) return admitted;
  return ok({ kind: "response", response: await errorResponse(deps, request, busy(admitted.error)) });
}

async function refuse(
  deps: AuthorizeDeps,
  { refusal, target }: AuthorizationProblem,
): Promise<Result<AuthorizationStarted, OAuthRefusal>> {
  if (!target) return err(refusal);
  return ok({ kind: "response", response: await errorResponse(deps, { parameters: target }, refusal) });
}

const NO_CLIENT = oauthRefusal("invalid_client", "client_id names no application.");

async function keepRequest(
  deps: AuthorizeDeps,
  request: PendingRequest,
  { browserToken, session, consume }: Pick<BeginInput, "browserToken" | "consume" | "session">,
): Promise<Result<PendingAuthorization, OAuthRefusal>> {
  const handle = makeOpaqueToken(deps.random);
  const known = hashOpaqueToken(browserToken);
  const browser = known && browserToken ? browserToken : makeOpaqueToken(deps.random);
  const [handleHash, browserHash] = [hashOpaqueToken(handle), hashOpaqueToken(browser)];
  if (!handleHash || !browserHash) throw new Error("a handle of this service has no hash");
  const expiresAt = new Date(request.createdAt.getTime() + OAUTH_REQUEST_LIFETIME_MS);
  const userId = session?.userId ?? null;
  const kept = await withReference(deps, "oauth_request.insert", consume, async (sql) => {
    await insertRequest(sql, { ...request, handleHash, browserHash, userId, expiresAt });
    return true;
  });
  return kept.ok ? ok({ handle, browserToken: browser }) : kept;
}

/**
 * The request of this browser. Invalid are a request of a different browser, an expired request, a request for a
 * redirect URI, scope or resource server withdrawn from the application or disabled meanwhile, and a request without a
 * challenge of an application that requires PKCE meanwhile.
 */
export async function findPendingRequest(
  deps: AuthorizeDeps,
  presented: { readonly handle: string | undefined; readonly browserToken: string | undefined },
): Promise<Result<FoundRequest, OAuthRefusal>> {
  const [handleHash, browserHash] = [hashOpaqueToken(presented.handle), hashOpaqueToken(presented.browserToken)];
  if (!handleHash || !browserHash) return err(NO_REQUEST);
  const at = new Date(deps.clock.now());
  const request = await deps.database.run("oauth_request.find", (sql) =>
    findRequest(sql, { handleHash, browserHash, at }),
  );
  const client = request && (await clientOf(deps, request));
  return client ? ok({ request, client, handleHash }) : err(NO_REQUEST);
}

/** The client of a request, if the present settings of the client still permit the request. */
export async function clientOf(deps: AuthorizeDeps, { parameters }: PendingRequest): Promise<OAuthClient | undefined> {
  const client = await deps.oauthClients.load(parameters.clientId);
  return client && isStillValid(deps, client, parameters) ? client : undefined;
}

/** Whether the present settings of the client still permit a request validated earlier. */
function isStillValid(deps: AuthorizeDeps, client: OAuthClient, parameters: AuthorizationParameters): boolean {
  const { redirectUri, codeChallenge, nonce } = parameters;
  return (
    (codeChallenge !== null || nonce !== null || !client.requireNonceOrPkce) &&
    (codeChallenge !== null || !client.requirePkce) &&
    isRegisteredUri(redirectUri, client.redirectUris, client) &&
    isStillPermitted(deps, client, parameters)
  );
}

/** The next step of a stored request. A request at a page belongs to the user of the page. */
export async function continueAuthorization(
  deps: AuthorizeDeps,
  { request, client, handleHash }: FoundRequest,
  session: SessionView | undefined,
): Promise<Step> {
  const step = await decideAuthorization(deps, client, request, session);
  if (session && step.kind !== "code") {
    await deps.database.run("oauth_request.record_user", (sql) => recordRequestUser(sql, handleHash, session.userId));
  }
  return step;
}
