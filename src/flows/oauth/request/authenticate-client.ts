import { decodeJwt, type JWTPayload } from "jose";
import { unixSeconds } from "../../../base/clock.ts";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { TOKEN_MAX_CHARACTERS } from "../../../limits/limits.ts";
import {
  OAUTH_ASSERTION_LIFETIME_SECONDS,
  OAUTH_CLIENT_CLOCK_SKEW_SECONDS,
  OAUTH_CLIENT_FUTURE_MAX_SECONDS,
  OAUTH_DYNAMIC_USE_INTERVAL_MS,
} from "../../../limits/oauth-limits.ts";
import { consumeAssertion } from "../../../models/oauth-client/client-assertion.ts";
import { secretFits, sha256 } from "../../../models/oauth-client/client-secret.ts";
import { recordClientUse } from "../../../models/oauth-client/dynamic-client.ts";
import {
  type AuthenticationKind,
  assertionAlgorithmsOf,
  authenticationKind,
  clientIdOf,
  type OAuthClient,
} from "../../../models/oauth-client/oauth-client.ts";
import { type FindClientDeps, findOrFetchClient } from "../documents/find-client.ts";
import type { Parameters } from "./parameters.ts";
import { type ClientJwtDeps, type JwtOfClient, verifyClientJwt } from "./verify-client-jwt.ts";

export type AuthenticateClientDeps = ClientJwtDeps & FindClientDeps & Pick<Deps, "telemetry">;

/** The credentials presented by a client: the Authorization header and the parameters of the request. */
export interface ClientCredentials {
  readonly authorization: string | null;
  readonly parameters: Parameters;
  readonly requestContext: RequestContext;
  /** The path of the endpoint, which an assertion may have as its audience. Absent: no HTTP request. */
  readonly endpointPath?: string;
}

interface PresentedAssertion extends JwtOfClient {
  readonly endpointPath: string | undefined;
}

interface Credentials {
  readonly kind: AuthenticationKind;
  readonly clientId: string;
  /** The secret or the assertion; empty for `none`. */
  readonly secret: string;
}

export type ClientProblem = OAuthRefusal<"invalid_client" | "invalid_request" | "temporarily_unavailable">;

/** The response is identical for unknown clients, wrong secrets and wrong assertions. */
const NOT_AUTHENTICATED = oauthRefusal("invalid_client", "Client authentication failed.");
const SEVERAL_METHODS = oauthRefusal("invalid_request", "Use one method of client authentication.");
/** A `client_id` is public, so the response may name the method of an existing client. */
const EXPECTED: Record<AuthenticationKind, string> = {
  none: "This is a public client: send client_id without a secret.",
  secret: "This client authenticates with client_secret_basic or client_secret_post.",
  private_key_jwt: "This client authenticates with private_key_jwt.",
};

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The token endpoint, as in the metadata and as in the audience of client assertions (RFC 7523, section 3). */
export function tokenEndpointOf(issuer: string): string {
  return `${issuer}/oauth2/token`;
}

/**
 * Authenticates a client by its registered method only (RFC 6749, section 2.3; RFC 7523): a secret, in the header or in
 * the form, or an assertion. A public client only sends its id.
 */
export async function authenticateClient(
  deps: AuthenticateClientDeps,
  presented: ClientCredentials,
): Promise<Result<OAuthClient, ClientProblem>> {
  const credentials = readCredentials(presented);
  const client = credentials.ok ? await verify(deps, credentials.value, presented) : credentials;
  if (client.ok && client.value.kind === "dynamic") await recordUse(deps, client.value);
  deps.telemetry.metrics.oauthClient(client.ok ? "success" : "failure");
  return client;
}

/** A client that registered itself ends without use. */
async function recordUse({ clock, database }: AuthenticateClientDeps, client: OAuthClient): Promise<void> {
  const at = new Date(clock.now());
  const notSince = new Date(at.getTime() - OAUTH_DYNAMIC_USE_INTERVAL_MS);
  if (client.lastUsedAt !== null && client.lastUsedAt >= notSince) return;
  await database.run("oauth_client.record_use", (sql) => recordClientUse(sql, { id: client.id, at, notSince }));
}

function readCredentials({ authorization, parameters }: ClientCredentials): Result<Credentials, ClientProblem> {
  const secret = parameters.one("client_secret");
  const assertion = parameters.one("client_assertion");
  const clientId = parameters.one("client_id");
  const presented = [authorization, secret, assertion].filter((each) => each !== null && each !== undefined);
  if (presented.length > 1) return err(SEVERAL_METHODS);
  if (authorization !== null) return readBasic(authorization, clientId);
  if (assertion !== undefined) return readAssertion(assertion, parameters, clientId);
  return clientId ? ok(readSecret(clientId, secret ?? "")) : err(NOT_AUTHENTICATED);
}

/** An empty secret is no secret: clients without a secret send `Basic <id>:` or an empty `client_secret`. */
function readSecret(clientId: string, secret: string): Credentials {
  return { kind: secret === "" ? "none" : "secret", clientId, secret };
}

/** Characters with a meaning in the encoding of forms. */
const ENCODED = /[%+]/;

/** RFC 6749, section 2.3.1: id and secret are form-encoded before the concatenation. */
export function readBasic(authorization: string, named: string | undefined): Result<Credentials, ClientProblem> {
  const encoded = /^basic +([A-Za-z0-9+/=_-]{1,1024})$/i.exec(authorization)?.[1];
  const text = encoded ? Buffer.from(encoded, "base64").toString() : "";
  const colon = text.indexOf(":");
  const clientId = colon === -1 ? undefined : formDecoded(text.slice(0, colon));
  const secret = formDecoded(text.slice(colon + 1));
  if (!clientId || secret === undefined || (named !== undefined && named !== clientId)) return err(NOT_AUTHENTICATED);
  return ok(readSecret(clientId, secret));
}

function formDecoded(text: string): string | undefined {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** The assertion names the client; the keys of this client then verify the assertion. */
function readAssertion(
  assertion: string,
  parameters: Parameters,
  named: string | undefined,
): Result<Credentials, ClientProblem> {
  if (parameters.one("client_assertion_type") !== ASSERTION_TYPE || assertion.length > TOKEN_MAX_CHARACTERS) {
    return err(NOT_AUTHENTICATED);
  }
  const subject = subjectOfAssertion(assertion);
  if (subject === undefined || (named !== undefined && named !== subject)) return err(NOT_AUTHENTICATED);
  return ok({ kind: "private_key_jwt", clientId: subject, secret: assertion });
}

function subjectOfAssertion(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

async function verify(
  deps: AuthenticateClientDeps,
  { kind, clientId, secret }: Credentials,
  { parameters, requestContext, endpointPath }: ClientCredentials,
): Promise<Result<OAuthClient, ClientProblem>> {
  const permitsStale = usesIssuedToken(parameters);
  const found = await findOrFetchClient(deps, { clientId, permitsStale, requestContext });
  if (!found.ok)
    return err(found.error.oauth === "invalid_client" ? notAuthenticated(found.error.description) : found.error);
  const client = found.value;
  if (!client) return err(notAuthenticated("unknown client"));
  const expected = authenticationKind(client);
  if (kind !== expected) return err(oauthRefusal("invalid_client", EXPECTED[expected], "other method"));
  if (kind === "none") return ok(client);
  const { network } = requestContext;
  const fits =
    kind === "private_key_jwt"
      ? await assertionFits(deps, { client, jwt: secret, network, endpointPath })
      : ok(secretFits(client.secrets, secret));
  if (!fits.ok) return fits;
  return fits.value ? ok(client) : err(notAuthenticated("wrong credentials"));
}

function notAuthenticated(cause: string): OAuthRefusal<"invalid_client"> {
  return { ...NOT_AUTHENTICATED, cause };
}

/** A refresh, a revocation or an introspection: the user allowed the application before. */
function usesIssuedToken(parameters: Parameters): boolean {
  return parameters.one("grant_type") === "refresh_token" || parameters.one("token") !== undefined;
}

/**
 * RFC 7523, section 3: the assertion is for this service, issued by the client for itself, short-lived and single-use.
 * Every audience is one of `audiencesOf`: with a foreign audience, another server could have requested the assertion
 * and could present it here (draft-ietf-oauth-rfc7523bis).
 */
async function assertionFits(
  deps: AuthenticateClientDeps,
  assertion: PresentedAssertion,
): Promise<Result<boolean, OAuthRefusal<"temporarily_unavailable">>> {
  const verified = await verifiedAssertion(deps, assertion);
  if (!verified.ok) return verified;
  const claims = verified.value?.payload;
  if (!claims || !isForThisService(deps, assertion, claims)) return ok(false);
  return ok(await isFirstUse(deps, assertion.client, claims));
}

/** Libraries send a list of the issuer and the token endpoint (Nimbus); FAPI 2.0 requires a text. */
function isForThisService(
  { config }: AuthenticateClientDeps,
  { client, endpointPath }: PresentedAssertion,
  { aud }: JWTPayload,
): boolean {
  if (!Array.isArray(aud)) return true;
  const own = audiencesOf(client, config.urls.publicBaseUrl, endpointPath);
  return client.profile !== "fapi2" && aud.every((each) => own.has(each));
}

/** Consumes the assertion, unless its lifetime is wrong. */
async function isFirstUse(deps: AuthenticateClientDeps, client: OAuthClient, claims: JWTPayload): Promise<boolean> {
  const { exp = 0, iat = 0, nbf = 0, jti } = claims;
  const now = unixSeconds(deps.clock.now());
  const longestSeconds = OAUTH_ASSERTION_LIFETIME_SECONDS + OAUTH_CLIENT_CLOCK_SKEW_SECONDS;
  if (typeof jti !== "string" || exp > now + longestSeconds) return false;
  if (Math.max(iat, nbf) > now + OAUTH_CLIENT_FUTURE_MAX_SECONDS) return false;
  if (exp + OAUTH_CLIENT_CLOCK_SKEW_SECONDS <= now) return false;
  const expiresAt = new Date((exp + OAUTH_CLIENT_CLOCK_SKEW_SECONDS) * 1000);
  const used = { clientId: client.id, jtiHash: sha256(jti), expiresAt };
  return await deps.database.run("oauth_assertion.consume", (sql) => consumeAssertion(sql, used));
}

/**
 * The issuer, the token endpoint, the PAR endpoint (RFC 9126, section 2), and the endpoint of the request. In FAPI 2.0
 * the issuer is the only audience.
 */
function audiencesOf({ profile }: OAuthClient, issuer: string, endpointPath: string | undefined): ReadonlySet<string> {
  if (profile === "fapi2") return new Set([issuer]);
  // As URIs, an issuer without a path and the issuer with a slash are equal (RFC 3986, section 6.2.3).
  const names = [tokenEndpointOf(issuer), `${issuer}/oauth2/par`, new URL(issuer).href];
  return new Set([issuer, ...names, ...(endpointPath === undefined ? [] : [`${issuer}${endpointPath}`])]);
}

/** An assertion signed by a key of the client. */
async function verifiedAssertion(deps: AuthenticateClientDeps, assertion: PresentedAssertion) {
  const issuer = deps.config.urls.publicBaseUrl;
  const { client } = assertion;
  return await verifyClientJwt(deps, assertion, {
    type: "client-authentication+jwt",
    algorithms: [...assertionAlgorithmsOf(client)],
    issuer: clientIdOf(client),
    subject: clientIdOf(client),
    audience: [...audiencesOf(client, issuer, assertion.endpointPath)],
    requiredClaims: ["exp", "jti"],
    // `nbf`, `iat` and `exp` have their bounds in `isFirstUse`.
    clockTolerance: OAUTH_CLIENT_FUTURE_MAX_SECONDS,
    currentDate: new Date(deps.clock.now()),
  });
}
