/** Errors of the OAuth endpoints, in the form of RFC 6749, section 5.2, and RFC 6750, section 3. */
import { type OAuthErrorCode, type OAuthRefusal, oauthRefusal } from "../base/oauth-problem.ts";
import type { ProblemCode, Refusal } from "../base/problem.ts";
import type { Deps } from "../deps.ts";
import { DPOP_ALGORITHMS } from "../models/token/dpop-proof.ts";
import { isTemporaryFailure } from "./problem-status.ts";
import { type Reply, reply } from "./reply.ts";

const STATUS = { insufficient_scope: 403, invalid_client: 401, invalid_token: 401, server_error: 500 } as const;

/** Refusals of the guards as the codes of RFC 6749. A code without a row becomes `invalid_request`. */
const OAUTH_CODES: Partial<Record<ProblemCode, OAuthErrorCode>> = {
  internal_error: "server_error",
  rate_limited: "temporarily_unavailable",
};

export function asOAuthRefusal({ code, message, ...rest }: Refusal): OAuthRefusal {
  const { retryAfterSeconds, limit } = rest;
  const isUnavailable = isTemporaryFailure({ code, ...rest });
  const oauth = isUnavailable ? "temporarily_unavailable" : (OAUTH_CODES[code] ?? "invalid_request");
  return {
    ...oauthRefusal(oauth, describable(message)),
    ...(isUnavailable ? { isUnavailable } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(limit ? { limit } : {}),
  };
}

export function oauthStatusOf(code: ProblemCode): number {
  return statusOf(OAUTH_CODES[code] ?? "invalid_request");
}

/** `error_description` has no quotes, backslashes and characters beyond ASCII (RFC 6749, section 5.2). */
export function describable(message: string): string {
  return message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}

/** Refusals of proofs: 400 at the token endpoint, 401 at a resource (RFC 9449, sections 5 and 7.1). */
const PROOF_CODES: ReadonlySet<OAuthErrorCode> = new Set(["invalid_dpop_proof", "use_dpop_nonce"]);

function statusOf(code: OAuthErrorCode, isUnavailable = false): 400 | 401 | 403 | 429 | 500 | 503 {
  if (code === "temporarily_unavailable") return isUnavailable ? 503 : 429;
  return STATUS[code as keyof typeof STATUS] ?? 400;
}

const RECORDED_CODES = {
  400: "invalid_input",
  401: "authentication_required",
  403: "forbidden",
  429: "rate_limited",
  500: "internal_error",
  503: "internal_error",
} as const;

/**
 * The refusal as counted and recorded (`explain`): the problem code of the status, with the OAuth code and the rule as
 * the cause.
 */
export function recordedRefusal({ oauth, description, cause, isUnavailable, ...rest }: OAuthRefusal): Refusal {
  const code = RECORDED_CODES[statusOf(oauth, isUnavailable)];
  return { ...rest, code, message: description, cause: `${oauth}: ${cause ?? description}` };
}

type OAuthReply<Status extends number> = {
  [Each in Status]: Reply<Each, { readonly error: string; readonly error_description: string }>;
}[Status];

type Headers = Readonly<Record<string, string>>;

/** The response to a client. Only `respond` creates 500 and 503, for a failure; no handler declares them. */
export function oauthRefusalReply(refused: OAuthRefusal, headers: Headers = {}): OAuthReply<400 | 401 | 429> {
  return errorReply(refused, statusOf(refused.oauth, refused.isUnavailable), headers) as OAuthReply<400 | 401 | 429>;
}

/**
 * The response to a client with the credentials of a request. The challenge follows an `Authorization` header only (RFC
 * 6749, section 5.2): a browser opens a dialog for a password at a challenge to the script of a page.
 */
export function clientRefusalReply(
  request: Request,
  refused: OAuthRefusal,
  headers: Headers = {},
): OAuthReply<400 | 401 | 429> {
  const isChallenged = statusOf(refused.oauth) === 401 && request.headers.has("authorization");
  const challenge = isChallenged ? { "www-authenticate": 'Basic realm="oauth2", charset="UTF-8"' } : {};
  return oauthRefusalReply(refused, { ...challenge, ...headers });
}

/** The path of the protected resource metadata (RFC 9728, section 3.1). */
export const OWN_RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

type Issuer = Pick<Deps, "config">;

function metadataParameter({ config }: Issuer): string {
  return `resource_metadata="${config.urls.publicBaseUrl}${OWN_RESOURCE_METADATA}"`;
}

/** The response to a presented access token (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728, section 5.1). */
export function tokenRefusalReply(
  deps: Issuer,
  refused: OAuthRefusal,
  scheme: "Bearer" | "DPoP",
  headers: Headers = {},
): OAuthReply<400 | 401 | 403 | 429> {
  const algorithms = scheme === "DPoP" ? `, algs="${DPOP_ALGORITHMS.join(" ")}"` : "";
  const error = `error="${refused.oauth}", error_description="${refused.description}"`;
  const challenge = `${scheme} ${error}${algorithms}, ${metadataParameter(deps)}`;
  const status = PROOF_CODES.has(refused.oauth) ? 401 : statusOf(refused.oauth);
  return errorReply(refused, status, { ...challengeAt(status, challenge, [400, 401, 403]), ...headers });
}

/** The response to a request without an access token: the challenge has no error code (RFC 6750, section 3.1). */
export function bearerMissingReply(deps: Issuer): OAuthReply<400 | 401 | 403 | 429> {
  const missing = oauthRefusal("invalid_token", "The access token is missing.");
  return errorReply(missing, 401, { "www-authenticate": `Bearer ${metadataParameter(deps)}` });
}

/** RFC 9110, section 15.5.6. `allow`: the methods of the path, separated by commas. */
export function methodNotAllowedReply(allow: string): Reply {
  const body = { error: "invalid_request", error_description: `This endpoint accepts only ${allow}.` };
  return reply(405, body, { headers: { allow } });
}

function challengeAt(status: number, challenge: string, statuses: readonly number[]): Headers {
  return statuses.includes(status) ? { "www-authenticate": challenge } : {};
}

function errorReply(refused: OAuthRefusal, status: number, given: Headers): OAuthReply<400 | 401 | 403 | 429> {
  const { oauth: error, description, retryAfterSeconds } = refused;
  const headers = {
    ...given,
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  };
  const body = { error, error_description: description };
  return reply(status as 400, body, { headers, refused: recordedRefusal(refused) });
}
