/** Signed authorization requests (JAR, RFC 9101; docs/contract.md, section 23.19). */
import type { JWTPayload } from "jose";
import { unixSeconds } from "../../../base/clock.ts";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import {
  OAUTH_CLIENT_CLOCK_SKEW_SECONDS,
  OAUTH_CLIENT_FUTURE_MAX_SECONDS,
  REQUEST_OBJECT_LIFETIME_MAX_SECONDS,
} from "../../../limits/oauth-limits.ts";
import { consumeAssertion } from "../../../models/oauth-client/client-assertion.ts";
import { sha256 } from "../../../models/oauth-client/client-secret.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { type ClientJwtDeps, hasKeys, verifyClientJwt } from "../request/verify-client-jwt.ts";
import type { ConsumeReference } from "./consume-reference.ts";

export type RequestObjectDeps = ClientJwtDeps & Pick<Deps, "clock" | "config" | "database">;

/** The parameters of a request, and the object that had the parameters. */
export interface ReadRequest {
  readonly parameters: URLSearchParams;
  /** Undefined for parameters of a form or query, and for an object without `jti`. */
  readonly single?: SingleObject;
}

/** The identifier of an object that works once. */
interface SingleObject {
  readonly jti: string;
  readonly expiresAt: Date;
}

export interface RequestOfClient {
  readonly client: OAuthClient;
  readonly search: URLSearchParams;
  /** The network of the caller. */
  readonly network: string;
}

/** Public keys, and no PKCS #1 v1.5, for every client. */
export const REQUEST_OBJECT_ALGORITHMS = ["ES256", "PS256", "EdDSA"] as const;

/** Claims about the object itself, which are no parameters of the request. */
const OWN_CLAIMS: ReadonlySet<string> = new Set(["iss", "aud", "exp", "nbf", "iat", "jti", "sub"]);

const NOT_SIGNED = oauthRefusal("invalid_request", "The application must send a signed request object.");

/**
 * The parameters in the signed request object of a client. Parameters beside the object do not count (RFC 9101, section
 * 6.3). A request without an object is returned as sent, unless the client requires an object. The object of a client
 * without keys is left to the validation of the request.
 */
export async function readRequestObject(
  deps: RequestObjectDeps,
  { client, search, network }: RequestOfClient,
): Promise<
  Result<ReadRequest, OAuthRefusal<"invalid_request" | "invalid_request_object" | "temporarily_unavailable">>
> {
  const [object, second] = search.getAll("request");
  if (!object || !hasKeys(client))
    return client.requireSignedRequestObject ? err(NOT_SIGNED) : ok({ parameters: search });
  if (second !== undefined) return err(oauthRefusal("invalid_request", "A parameter is included more than once."));
  const signed = { client, jwt: object, network };
  const verified = await verifyClientJwt(deps, signed, {
    type: "oauth-authz-req+jwt",
    algorithms: [...REQUEST_OBJECT_ALGORITHMS],
    issuer: clientIdOf(client),
    audience: deps.config.urls.publicBaseUrl,
    requiredClaims: ["exp", "nbf"],
    clockTolerance: OAUTH_CLIENT_FUTURE_MAX_SECONDS,
    currentDate: new Date(deps.clock.now()),
  });
  if (!verified.ok) return verified;
  const claims = verified.value?.payload;
  if (!claims) return err(invalid("signature, iss, aud, exp or nbf"));
  const { jti, exp = 0 } = claims;
  // The tolerance above is for `nbf`.
  if (exp + OAUTH_CLIENT_CLOCK_SKEW_SECONDS <= unixSeconds(deps.clock.now())) return err(invalid("exp"));
  const flaw = claimsFlaw(client, claims);
  if (flaw) return err(flaw);
  const expiresAt = new Date((exp + OAUTH_CLIENT_CLOCK_SKEW_SECONDS) * 1000);
  const parameters = parametersIn(claims, client);
  return ok(typeof jti === "string" && jti !== "" ? { parameters, single: { jti, expiresAt } } : { parameters });
}

/** Consumes an object with a `jti`, in PostgreSQL: the loss of Redis data permits no repetition. */
export function consumeObject(client: OAuthClient, { jti, expiresAt }: SingleObject): ConsumeReference {
  // The prefix separates objects from assertions of the same client.
  const used = { clientId: client.id, jtiHash: sha256(`request object\n${jti}`), expiresAt };
  return async (sql) => ((await consumeAssertion(sql, used)) ? ok(undefined) : err(invalid("jti was used before")));
}

function invalid(what: string): OAuthRefusal<"invalid_request_object"> {
  return oauthRefusal("invalid_request_object", `The request object is invalid: ${what}.`);
}

/**
 * An assertion for authentication has the client as `sub`, and is no request object (RFC 9101, section 10.8). The
 * lifetime bounds the use of a stolen object.
 */
function claimsFlaw(
  client: OAuthClient,
  { exp = 0, nbf = 0, sub, ...claims }: JWTPayload,
): OAuthRefusal<"invalid_request_object"> | undefined {
  if (exp - nbf > REQUEST_OBJECT_LIFETIME_MAX_SECONDS) return invalid("exp must be at most 60 minutes after nbf");
  if (sub === clientIdOf(client)) return invalid("sub is the client");
  if (claims.client_id !== clientIdOf(client)) return invalid("client_id must be the client");
  return "request" in claims || "request_uri" in claims ? invalid("request and request_uri are inside") : undefined;
}

function parametersIn(claims: JWTPayload, client: OAuthClient): URLSearchParams {
  const parameters = Object.entries(claims).filter(([name]) => !OWN_CLAIMS.has(name));
  const pairs = parameters.flatMap(([name, value]) => textsOf(value).map((text) => [name, text]));
  return new URLSearchParams([...pairs.filter(([name]) => name !== "client_id"), ["client_id", client.id]]);
}

/** A list repeats the parameter, as `resource` needs; an object is JSON, as `claims` needs. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === "string") return [value];
  return [typeof value === "object" ? JSON.stringify(value) : String(value)];
}
