/** The steps of an authorization request: from the application, through the pages, to the response. */

import { busy, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import {
  OAUTH_CODE_LIFETIME_MS,
  OAUTH_REQUEST_LIFETIME_MS,
  OAUTH_UNBOUND_CODE_LIFETIME_MS,
} from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { isRegisteredUri } from "../../../models/oauth-client/redirect-uri.ts";
import { coveringGrantWithin } from "../../../models/oauth-grant/bound-grant.ts";
import {
  allowGrant,
  coveringGrant,
  insertCode,
  lockAuthorizingSession,
} from "../../../models/oauth-grant/oauth-grant.ts";
import { subjectOf } from "../../../models/oauth-grant/subject.ts";
import {
  type AuthorizationParameters,
  consumeRequest,
  findRequest,
  insertRequest,
  type PendingRequest,
  recordRequestUser,
} from "../../../models/oauth-request/oauth-request.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { isStillPermitted } from "../request/requested.ts";
import { grantableScopes } from "../request/role-scopes.ts";
import {
  type AuthorizationResponse,
  type AuthorizationResponseDeps,
  errorResponse,
  responseOf,
} from "./authorization-response.ts";
import {
  type DecideDeps,
  decideAuthorization,
  LOGIN_REQUIRED,
  type Step,
  signedInSince,
} from "./decide-authorization.ts";
import { type AuthorizationProblem, validateAuthorization } from "./validate-authorization.ts";

export type AuthorizeDeps = DecideDeps & AuthorizationResponseDeps & Pick<Deps, "oauthResources" | "random">;

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
 * target if the client or the redirect URI is not trusted. Exceeding the limit of stored requests is `rate_limited`.
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
    });
    return response.ok ? ok({ kind: "response", response: response.value }) : response;
  }
  if (step?.kind === "refuse")
    return ok({ kind: "response", response: await errorResponse(deps, request, step.refusal) });
  const admitted = await input.admitWaiting();
  if (admitted.ok) return ok({ kind: "wait", waiting: await keepRequest(deps, request, input) });
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
export const NO_REQUEST = oauthRefusal("invalid_request", "This sign-in was completed, or began too long ago.");

async function keepRequest(
  deps: AuthorizeDeps,
  request: PendingRequest,
  { browserToken, session }: Pick<BeginInput, "browserToken" | "session">,
): Promise<PendingAuthorization> {
  const handle = makeOpaqueToken(deps.random);
  const known = hashOpaqueToken(browserToken);
  const browser = known && browserToken ? browserToken : makeOpaqueToken(deps.random);
  const [handleHash, browserHash] = [hashOpaqueToken(handle), hashOpaqueToken(browser)];
  if (!handleHash || !browserHash) throw new Error("a handle of this service has no hash");
  const expiresAt = new Date(request.createdAt.getTime() + OAUTH_REQUEST_LIFETIME_MS);
  const userId = session?.userId ?? null;
  await deps.database.run("oauth_request.insert", (sql) =>
    insertRequest(sql, { ...request, handleHash, browserHash, userId, expiresAt }),
  );
  return { handle, browserToken: browser };
}

/** A stored request and its client. */
export interface FoundRequest {
  readonly request: PendingRequest;
  readonly client: OAuthClient;
  readonly handleHash: Buffer;
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

/** The request with the scopes that the user may grant in the organization of the session. */
export async function narrowToRoles<Found extends Pick<FoundRequest, "client" | "request">>(
  deps: AuthorizeDeps,
  found: Found,
  session: SessionView,
): Promise<Result<Found, OAuthRefusal<"invalid_scope" | "invalid_target">>> {
  const { parameters } = found.request;
  const scopes = await grantableScopes(deps, found.client, parameters, session);
  if (!scopes.ok) return scopes;
  return ok({ ...found, request: { ...found.request, parameters: { ...parameters, scopes: scopes.value } } });
}

export interface Authorized {
  readonly request: PendingRequest;
  readonly client: OAuthClient;
  readonly session: SessionView;
  readonly requestContext: RequestContext;
  /** The handle of a stored request, consumed together with the response. */
  readonly handleHash?: Buffer;
  /** Whether the user was asked about the scopes and resource servers, and not only about the account. */
  readonly asked?: boolean;
}

/**
 * Records the consent of the user and issues a code, in one statement that consumes the stored request. Invalid are a
 * request with an earlier response, and a consent withdrawn meanwhile.
 */
export async function respondWithCode(
  deps: AuthorizeDeps,
  authorized: Authorized,
): Promise<Result<AuthorizationResponse, OAuthRefusal>> {
  const narrowed = await narrowToRoles(deps, authorized, authorized.session);
  if (!narrowed.ok) return ok(await errorResponse(deps, authorized.request, narrowed.error));
  const code = makeOpaqueToken(deps.random);
  const request = { ...authorized, ...narrowed.value };
  const issued = await deps.database.run("oauth_code.issue", (sql) => persistCode(deps, sql, request, code));
  deps.telemetry.metrics.oauthAuthorization(issued ? "code" : "error");
  if (issued) return ok(await responseOf(deps, authorized.request.parameters, { code }));
  // The session or the consent ended meanwhile: a silent request has no page (docs/contract.md, section 23.4).
  const isSilent = authorized.request.parameters.prompt.includes("none") && authorized.handleHash === undefined;
  return isSilent ? ok(await errorResponse(deps, authorized.request, LOGIN_REQUIRED)) : err(NO_REQUEST);
}

async function persistCode(
  deps: AuthorizeDeps,
  sql: Sql,
  { request, client, session, requestContext, handleHash, asked = false }: Authorized,
  code: string,
): Promise<boolean> {
  const { parameters } = request;
  const at = new Date(deps.clock.now());
  const { scopes, resources } = parameters;
  const { userId, organizationId, organizationBound } = session;
  // A consent in a bound session counts in its organization only: the token family is the record.
  const remembered = asked && !organizationBound;
  const grant = { id: deps.random.uuid(), userId, clientId: client.id, scopes, resources, at, asked: remembered };
  const codeHash = hashOpaqueToken(code);
  if (!codeHash) throw new Error("a code of this service has no hash");
  const resource = { type: "oauth_client", id: client.id } as const;
  const details = { action: "oauth.authorized", at, resource, metadata: { scope: scopes.join(" "), asked } } as const;
  const event = userAuditEvent(deps, session, requestContext, details);
  const [acting, consumed] = [cte(sql, "acting"), cte(sql, "consumed")];
  const [granted, issued] = [cte(sql, "granted"), cte(sql, "issued")];
  // The user before the request and the grant, as in a controlling proof: both are locked only after `acting`.
  const preceding = handleHash ? sql`cross join ${acting} cross join ${consumed}` : sql`cross join ${acting}`;
  const newCode = {
    ...parameters,
    codeHash,
    clientId: client.id,
    userId,
    sessionId: session.id,
    organizationId,
    subject: subjectOf(deps.codeKey, client, session.userId),
    dpopJkt: parameters.dpopJkt ?? null,
    expiresAt: new Date(at.getTime() + codeLifetimeMs(parameters)),
  };
  const statement = withParts(sql, {
    acting: lockAuthorizingSession(sql, newCode, at, signedInSince(deps, request, session)),
    consumed: handleHash && consumeRequest(sql, handleHash, sql`and (select count(*) from ${acting}) >= 0`),
    // A user who sees no consent page grants no consent: otherwise a consent just withdrawn would be restored.
    granted:
      asked || client.firstParty
        ? allowGrant(sql, grant, handleHash ? sql`from ${acting}, ${consumed}` : sql`from ${acting}`)
        : organizationBound
          ? coveringGrantWithin(sql, { ...grant, organizationId }, preceding)
          : coveringGrant(sql, grant, preceding),
    issued: insertCode(sql, newCode, granted, acting),
    audit: insertAudit(sql, event, sql`from ${issued}`),
  });
  const rows = await sql`${statement} select 1 from ${issued}`;
  return rows.length > 0;
}

/** A code that neither a challenge nor a nonce binds to the browser lives for a shorter time. */
function codeLifetimeMs({ codeChallenge, nonce }: AuthorizationParameters): number {
  return codeChallenge === null && nonce === null ? OAUTH_UNBOUND_CODE_LIFETIME_MS : OAUTH_CODE_LIFETIME_MS;
}
