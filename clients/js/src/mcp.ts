/** MCP servers and other resource servers: metadata, authentication of requests, tokens for the next API. */
import { provenRequestOf } from "./auth-of.ts";
import { refusedWith } from "./fetch-response.ts";
import { PROOF_ALGORITHMS } from "./verifier/proof-key.ts";
import { metadataPath, ROOT_METADATA_PATH } from "./verifier/resource-metadata.ts";
import type { ResourceClaims, ResourceRequirements, ResourceVerifier } from "./verifier.ts";

export interface ProtectedResourceOptions {
  /** The registered identifier of the API. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Displayed to users. */
  readonly name: string;
  /** `required`: clients must use tokens that are bound to a key (RFC 9449). Default: `allowed`. */
  readonly dpop?: "allowed" | "required";
}

export interface ProtectedResource {
  /** RFC 9728, section 2. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The well-known locations: of the resource, and at the root. A new array, as the types of Express require. */
  readonly paths: string[];
  /** The response to a request for the metadata; undefined for every other request. */
  respond(request: Request): Response | undefined;
}

/** The metadata of this resource server, for clients that receive a 401. */
export function protectedResource(options: ProtectedResourceOptions): ProtectedResource {
  const { resource, issuer, scopes, name, dpop } = options;
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_name: name,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    ...(dpop === "required" ? { dpop_bound_access_tokens_required: true } : {}),
  };
  const paths = [...new Set([metadataPath(resource), ROOT_METADATA_PATH])];
  // Clients in browsers read the metadata from every origin.
  const headers = { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" };
  return {
    metadata,
    paths: [...paths],
    respond({ method, url }) {
      const { pathname, search } = new URL(url);
      if (method !== "GET" || !paths.some((path) => path === pathname || path === pathname + search)) return undefined;
      return Response.json(metadata, { headers });
    },
  };
}

/** The shape of `extra.authInfo` in tools of `@modelcontextprotocol/sdk`. */
export interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly expiresAt: number;
  readonly resource: URL;
  /** The claims of the token. */
  readonly extra: Record<string, unknown>;
}

export function authInfoOf(token: string, claims: ResourceClaims, resource: string): AuthInfo {
  return {
    token,
    clientId: claims.client_id,
    scopes: claims.scope.split(" ").filter(Boolean),
    expiresAt: claims.exp,
    resource: new URL(resource),
    extra: { ...claims },
  };
}

/** Requirements of an operation that needs all of these scopes. */
export function requireScopes(...scopes: readonly string[]): ResourceRequirements {
  return { scopes };
}

export interface McpAuthOptions extends ResourceRequirements {
  readonly verifier: ResourceVerifier;
  readonly resource: string;
}

/**
 * Authenticates a request of the Fetch standard (Hono, Elysia, Bun, Deno, Next.js): `authInfo` for the transport of the
 * SDK, or the response with the challenge.
 */
export async function authenticate(
  request: Request,
  { verifier, resource, ...requirements }: McpAuthOptions,
): Promise<{ readonly authInfo: AuthInfo } | { readonly response: Response }> {
  const header = request.headers.get("authorization");
  const verification = await verifier.verifyHeader(header, requirements, provenRequestOf(request));
  if (!verification.ok) return { response: refusedWith(verification.refusal) };
  return { authInfo: authInfoOf(tokenIn(header), verification.claims, resource) };
}

function tokenIn(header: string | null | undefined): string {
  return header?.split(" ").filter(Boolean)[1] ?? "";
}

export interface ExchangeOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly baseUrl?: string | undefined;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface ExchangedToken {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** Seconds. */
  readonly expiresIn: number;
}

const EXCHANGE_TIMEOUT_MS = 5_000;
const TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

/**
 * Calls of the next API for the user of a received token (RFC 8693): the received token itself must never be passed on.
 * Throws where the service refuses or does not respond.
 */
export function createExchange(options: ExchangeOptions) {
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const endpoint = `${(options.baseUrl ?? options.issuer).replace(/\/$/, "")}/oauth2/token`;
  return async (
    token: string,
    { resource, scopes }: { readonly resource: string; readonly scopes?: readonly string[] },
  ): Promise<ExchangedToken> => {
    const body = new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      client_id: options.clientId,
      client_secret: options.clientSecret,
      subject_token: token,
      subject_token_type: TOKEN_TYPE,
      resource,
      ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
    });
    const signal = AbortSignal.timeout(EXCHANGE_TIMEOUT_MS);
    const response = await send(endpoint, { method: "POST", body, redirect: "manual", signal });
    const issued = (await response.json()) as Record<string, unknown>;
    if (response.status !== 200) throw new Error(`token exchange: ${response.status} ${String(issued.error)}`);
    return {
      accessToken: String(issued.access_token),
      scopes: String(issued.scope).split(" "),
      expiresIn: Number(issued.expires_in),
    };
  };
}
