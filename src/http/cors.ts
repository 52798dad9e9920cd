import type { Config } from "../config/config.ts";
import type { Endpoint } from "./endpoint.ts";
import { emptyReply, type Reply } from "./reply.ts";

const METHODS = "GET, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = "Authorization, Content-Type, X-Request-Id, X-Service-CSRF";
const EXPOSED_HEADERS = "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate";
const PREFLIGHT_MAX_AGE_SECONDS = 600;
const NONE: Readonly<Record<string, string>> = {};

/** Identical for every origin, so that a shared cache may hold the response; browsers send and store no cookies. */
const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, DPoP-Nonce, Retry-After, X-Request-Id",
} as const;
const ANY_ORIGIN_REQUEST_HEADERS = "Authorization, Content-Type, DPoP, MCP-Protocol-Version";

/**
 * CORS headers of an endpoint for pages of every origin; else headers for a configured origin, and no headers for any
 * further origin (docs/contract.md, section 2.10; Fetch standard).
 */
export function crossOriginHeaders(
  config: Config,
  request: Request,
  crossOrigin: Endpoint["crossOrigin"],
): Readonly<Record<string, string>> {
  if (crossOrigin === "any") return ANY_ORIGIN;
  if (config.cors.origins.size === 0) return NONE;
  const origin = request.headers.get("origin");
  if (origin === null || !config.cors.origins.has(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": EXPOSED_HEADERS,
  };
}

/** The response to a preflight from a configured origin; `undefined` for every further request. */
export function preflightReply(config: Config, request: Request): Reply | undefined {
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
  if (!("access-control-allow-origin" in crossOriginHeaders(config, request, undefined))) return undefined;
  return emptyReply(204, { headers: preflightHeaders(METHODS, REQUEST_HEADERS) });
}

/** Headers of a preflight from any origin, for a path with the given methods. */
export function anyOriginPreflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return preflightHeaders(methods.join(", "), ANY_ORIGIN_REQUEST_HEADERS);
}

function preflightHeaders(methods: string, requestHeaders: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": requestHeaders,
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_SECONDS),
  };
}
