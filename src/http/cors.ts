import type { Config } from "../config/config.ts";
import { emptyReply, type Reply } from "./reply.ts";

const METHODS = "GET, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = "Authorization, Content-Type, X-Request-Id, X-Service-CSRF";
const EXPOSED_HEADERS = "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate";
const PREFLIGHT_MAX_AGE_SECONDS = 600;
const NONE: Readonly<Record<string, string>> = {};

/**
 * CORS headers for a configured origin; no headers for any further origin (docs/contract.md, section 2.10; Fetch
 * standard).
 */
export function crossOriginHeaders(config: Config, request: Request): Readonly<Record<string, string>> {
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
  if (!("access-control-allow-origin" in crossOriginHeaders(config, request))) return undefined;
  return emptyReply(204, {
    headers: {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": REQUEST_HEADERS,
      "access-control-max-age": String(PREFLIGHT_MAX_AGE_SECONDS),
    },
  });
}
