import { type OAuthErrorCode, type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { EMAIL_MAX_CHARACTERS } from "../../../limits/account-limits.ts";
import {
  OAUTH_NONCE_MAX_BYTES,
  OAUTH_PARAMETERS_MAX_CHARACTERS,
  OAUTH_STATE_MAX_CHARACTERS,
  ORGANIZATION_HINT_MAX_CHARACTERS,
} from "../../../limits/oauth-limits.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { isRegisteredUri } from "../../../models/oauth-client/redirect-uri.ts";
import type { AuthorizationParameters } from "../../../models/oauth-request/oauth-request.ts";
import { isThumbprint } from "../../../models/token/dpop-proof.ts";
import { type Parameters, parametersOf, readParameters } from "../request/parameters.ts";
import { availableResources, requestedResources, requestedScopes } from "../request/requested.ts";
import { readRequestedClaims, withClaimScopes } from "../request/requested-claims.ts";
import { readAcr } from "../request/required-assurance.ts";
import { verifyIdTokenHint } from "../request/verify-token.ts";

/** The target of the response to a request, once client and redirect URI are known to belong together. */
export type ResponseTarget = Pick<
  AuthorizationParameters,
  "clientId" | "isSigned" | "redirectUri" | "responseMode" | "state"
>;

/** Without a target the problem is displayed here and redirected nowhere (RFC 6749, section 4.1.2.1). */
export interface AuthorizationProblem {
  readonly refusal: OAuthRefusal;
  readonly target?: ResponseTarget;
}

type RequestProblem = OAuthRefusal<OAuthErrorCode>;
type Prompt = AuthorizationParameters["prompt"];

/** RFC 7636, section 4.2: the base64url of SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const QUOTES_BYTES = 2;
const PROMPTS = new Set(["none", "login", "consent", "select_account"]);
const MAX_AGE = /^\d{1,9}$/;
type Delivery = Pick<AuthorizationParameters, "isSigned" | "responseMode">;
const DEFAULT_MODE = { responseMode: "query" } as const;
/** OAuth 2.0 Form Post Response Mode; JARM, section 2.3. With the code flow, `jwt` is `query.jwt`. */
const RESPONSE_MODES: Readonly<Record<string, Delivery | undefined>> = {
  query: DEFAULT_MODE,
  form_post: { responseMode: "form_post" },
  jwt: { responseMode: "query", isSigned: true },
  "query.jwt": { responseMode: "query", isSigned: true },
  "form_post.jwt": { responseMode: "form_post", isSigned: true },
};
/** A form is posted to a web server, and not to a scheme of an application. */
const HTTP = /^https?:/;

/**
 * Validates an authorization request (docs/contract.md, section 23.4): client and redirect URI first, compared exactly;
 * only then does any error go to the client.
 */
export async function validateAuthorization(
  deps: Pick<Deps, "config" | "keyRing" | "oauthClients" | "oauthResources">,
  search: URLSearchParams,
): Promise<Result<AuthorizationParameters, AuthorizationProblem>> {
  const trusted = trustedTarget(deps, search);
  if (!trusted.ok) return err({ refusal: trusted.error });
  const { client, target } = trusted.value;
  const request = await validateRest(deps, client, target, search);
  return request.ok ? request : err({ refusal: request.error, target });
}

function trustedTarget(
  { oauthClients }: Pick<Deps, "oauthClients">,
  search: URLSearchParams,
): Result<{ readonly client: OAuthClient; readonly target: ResponseTarget }, RequestProblem> {
  const [clientIds, redirectUris] = [search.getAll("client_id"), search.getAll("redirect_uri")];
  if (clientIds.length > 1 || redirectUris.length > 1) {
    return err(oauthRefusal("invalid_request", "client_id or redirect_uri is included more than once."));
  }
  const [clientId, redirectUri] = [clientIds[0], redirectUris[0]];
  const client = clientId ? oauthClients.find(clientId) : undefined;
  if (!client) return err(oauthRefusal("invalid_client", "client_id names no application."));
  if (!redirectUri || !isRegisteredUri(redirectUri, client.redirectUris, client)) {
    return err(oauthRefusal("invalid_request", "redirect_uri is not one that the application registered."));
  }
  const first = parametersOf(search);
  const state = first.one("state") ?? null;
  const mode = RESPONSE_MODES[first.one("response_mode") ?? "query"] ?? DEFAULT_MODE;
  const delivery = mode.responseMode === "form_post" && !HTTP.test(redirectUri) ? DEFAULT_MODE : mode;
  // Also an error about a long `state` carries it: the application finds its request by the text.
  const bounded = state !== null && state.length <= OAUTH_PARAMETERS_MAX_CHARACTERS ? state : null;
  return ok({ client, target: { clientId: client.id, redirectUri, ...delivery, state: bounded } });
}

async function validateRest(
  deps: Pick<Deps, "config" | "keyRing" | "oauthResources">,
  client: OAuthClient,
  target: ResponseTarget,
  search: URLSearchParams,
): Promise<Result<AuthorizationParameters, RequestProblem>> {
  const read = readParameters(search);
  if (!read.ok) return read;
  const parameters = read.value;
  const flaw = shapeFlaw(client, parameters, target) ?? challengeFlaw(client, parameters) ?? boundFlaw(parameters);
  if (flaw) return err(flaw);
  const prompt = readPrompt(parameters.one("prompt"));
  if (!prompt.ok) return prompt;
  const scopes = requestedScopes(deps, client, parameters, "user");
  if (!scopes.ok) return scopes;
  const unprotected = client.requireNonceOrPkce ? nonceFlaw(parameters, scopes.value) : undefined;
  if (unprotected) return err(unprotected);
  const resources = requestedResources(availableResources(deps, client), parameters);
  if (!resources.ok) return resources;
  const claims = readRequestedClaims(parameters.one("claims"));
  if (!claims.ok) return claims;
  const acr = readAcr(parameters, claims.value.acr);
  if (!acr.ok) return acr;
  const hintedSubject = await subjectOfHint(deps, client, parameters.one("id_token_hint"));
  if (!hintedSubject.ok) return hintedSubject;
  const [maxAge, organization] = [parameters.one("max_age"), parameters.one("organization")];
  const dpopJkt = parameters.one("dpop_jkt");
  return ok({
    ...target,
    nonce: parameters.one("nonce") ?? null,
    codeChallenge: parameters.one("code_challenge") ?? null,
    scopes: withClaimScopes(client, scopes.value, claims.value),
    resources: resources.value ?? [],
    prompt: prompt.value,
    maxAge: maxAge === undefined ? null : Number(maxAge),
    loginHint: parameters.one("login_hint") ?? null,
    ...(organization === undefined ? {} : { organization }),
    ...(dpopJkt === undefined ? {} : { dpopJkt }),
    secondFactor: parameters.one("acr_values")?.split(" ").includes("aal2") ?? false,
    ...(acr.value ? { acr: acr.value } : {}),
    hintedSubject: hintedSubject.value,
  });
}

/** Parameters that request unsupported functions. */
function shapeFlaw(client: OAuthClient, parameters: Parameters, target: ResponseTarget): RequestProblem | undefined {
  if (parameters.one("request")) return oauthRefusal("request_not_supported", "request is not supported.");
  if (parameters.one("request_uri")) return oauthRefusal("request_uri_not_supported", "request_uri is not supported.");
  if (parameters.one("registration")) {
    return oauthRefusal("registration_not_supported", "registration is not supported.");
  }
  const responseType = parameters.one("response_type");
  if (!responseType) return oauthRefusal("invalid_request", "response_type is missing.");
  if (responseType !== "code") {
    return oauthRefusal("unsupported_response_type", "response_type must be code.");
  }
  if (!client.grantTypes.includes("authorization_code")) {
    return oauthRefusal("unauthorized_client", "The client may not ask for a code.");
  }
  const mode = RESPONSE_MODES[parameters.one("response_mode") ?? "query"];
  return mode?.responseMode === target.responseMode && mode.isSigned === target.isSigned
    ? undefined
    : oauthRefusal("invalid_request", "response_mode must be query or jwt, or form_post or form_post.jwt to a server.");
}

/**
 * A challenge is mandatory unless the client is registered with `require_pkce: false`. A method without a challenge is
 * refused: an attacker may have removed the challenge (RFC 9700, section 4.8.2).
 */
function challengeFlaw({ requirePkce }: OAuthClient, parameters: Parameters): RequestProblem | undefined {
  const [challenge, method] = [parameters.one("code_challenge"), parameters.one("code_challenge_method")];
  if (challenge === undefined && method === undefined && !requirePkce) return undefined;
  if (challenge !== undefined && CHALLENGE.test(challenge) && method === "S256") return undefined;
  return oauthRefusal(
    "invalid_request",
    requirePkce
      ? "PKCE is required: code_challenge, and code_challenge_method S256."
      : "code_challenge must be the base64url of SHA-256, with code_challenge_method S256.",
  );
}

/** Without a challenge only the nonce in the ID token reveals an injected code (RFC 9700, section 2.1.1). */
function nonceFlaw(parameters: Parameters, scopes: readonly string[]): RequestProblem | undefined {
  if (parameters.one("code_challenge") !== undefined) return undefined;
  if (parameters.one("nonce") !== undefined && scopes.includes("openid")) return undefined;
  return oauthRefusal("invalid_request", "A request without code_challenge needs nonce and the scope openid.");
}

function boundFlaw(parameters: Parameters): RequestProblem | undefined {
  const bounds: readonly [string, number][] = [
    ["state", OAUTH_STATE_MAX_CHARACTERS],
    ["login_hint", EMAIL_MAX_CHARACTERS],
    ["organization", ORGANIZATION_HINT_MAX_CHARACTERS],
  ];
  const long = bounds.find(([name, max]) => (parameters.one(name)?.length ?? 0) > max);
  if (long) return oauthRefusal("invalid_request", `${long[0]} has more than ${long[1]} characters.`);
  if (jsonBytes(parameters.one("nonce") ?? "") > OAUTH_NONCE_MAX_BYTES) {
    return oauthRefusal("invalid_request", `nonce has more than ${OAUTH_NONCE_MAX_BYTES} bytes in JSON.`);
  }
  // PostgreSQL refuses NUL in text.
  const texts = ["nonce", "login_hint", "state", "organization"].map((name) => parameters.one(name) ?? "");
  if (texts.some((text) => text.includes("\0"))) return oauthRefusal("invalid_request", "A parameter has a NUL.");
  const dpopJkt = parameters.one("dpop_jkt");
  if (dpopJkt !== undefined && !isThumbprint(dpopJkt)) {
    return oauthRefusal("invalid_request", "dpop_jkt must be the base64url of a SHA-256 thumbprint.");
  }
  const maxAge = parameters.one("max_age");
  if (maxAge !== undefined && !MAX_AGE.test(maxAge)) {
    return oauthRefusal("invalid_request", "max_age must be a number of seconds.");
  }
  return undefined;
}

/** The length of a text as a claim, where a control character takes 6 bytes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - QUOTES_BYTES;
}

/** OpenID Connect Core, section 3.1.2.1: `none` is never combined. */
function readPrompt(text: string | undefined): Result<Prompt, RequestProblem> {
  const prompts = text?.split(" ").filter(Boolean) ?? [];
  const valid = prompts.every((prompt) => PROMPTS.has(prompt)) && !(prompts.includes("none") && prompts.length > 1);
  return valid ? ok(prompts as unknown as Prompt) : err(oauthRefusal("invalid_request", "prompt is invalid."));
}

async function subjectOfHint(
  deps: Pick<Deps, "config" | "keyRing">,
  client: OAuthClient,
  hint: string | undefined,
): Promise<Result<string | null, RequestProblem>> {
  if (hint === undefined) return ok(null);
  const claims = await verifyIdTokenHint(deps, hint);
  if (claims?.aud !== clientIdOf(client))
    return err(oauthRefusal("invalid_request", "id_token_hint is not one of the client."));
  return ok(claims.sub);
}
