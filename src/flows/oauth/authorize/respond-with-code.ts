/** The code of an authorization, with the consent of the user. */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_CODE_LIFETIME_MS, OAUTH_UNBOUND_CODE_LIFETIME_MS } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
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
  type PendingRequest,
} from "../../../models/oauth-request/oauth-request.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { disclosedDataOf } from "../claims/select-mappings.ts";
import { grantableScopes } from "../request/role-scopes.ts";
import {
  type AuthorizationResponse,
  type AuthorizationResponseDeps,
  errorResponse,
  responseOf,
} from "./authorization-response.ts";
import { type ConsumeReference, withReference } from "./consume-reference.ts";
import { type DecideDeps, LOGIN_REQUIRED, signedInSince } from "./decide-authorization.ts";

export type AuthorizeDeps = DecideDeps & AuthorizationResponseDeps & Pick<Deps, "oauthResources" | "random">;

export const NO_REQUEST = oauthRefusal("invalid_request", "This sign-in was completed, or began too long ago.");

/** A stored request and its client. */
export interface FoundRequest {
  readonly request: PendingRequest;
  readonly client: OAuthClient;
  readonly handleHash: Buffer;
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
  /** Consumes the reference of a request that no page has stored. */
  readonly consume?: ConsumeReference | undefined;
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
  const issued = await withReference(deps, "oauth_code.issue", authorized.consume, async (sql) =>
    (await persistCode(deps, sql, request, code)) ? code : undefined,
  );
  deps.telemetry.metrics.oauthAuthorization(issued.ok && issued.value ? "code" : "error");
  if (!issued.ok) return issued;
  if (issued.value) return ok(await responseOf(deps, authorized.request.parameters, { code }));
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
  const data = disclosedDataOf(deps, client, parameters);
  const { userId, organizationId, organizationBound } = session;
  // A consent in a bound session counts in its organization only: the token family is the record.
  const remembered = asked && !organizationBound;
  const grant = { id: deps.random.uuid(), userId, clientId: client.id, scopes, resources, data, at, asked: remembered };
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
    data,
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
