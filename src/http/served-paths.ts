/** Responses to methods without an endpoint: 405 below `/oauth2`, OPTIONS (docs/contract.md, sections 2.10, 23.1). */
import type { Config } from "../config/config.ts";
import { anyOriginPreflightHeaders } from "./cors.ts";
import type { Endpoint } from "./endpoint.ts";
import { methodNotAllowedReply } from "./oauth-reply.ts";
import { mountedPath } from "./openapi/openapi.ts";
import { emptyReply, type Reply } from "./reply.ts";

const OAUTH_FOLDER = "/oauth2/";

export interface ServedPath {
  readonly methods: readonly string[];
  readonly crossOrigin: Endpoint["crossOrigin"];
  readonly isOAuth: boolean;
}

/** By path. A path is absent if each further method is 404. */
export type ServedPaths = ReadonlyMap<string, ServedPath>;

/** The methods with the handler of an endpoint. Scanners of mailed links send HEAD first (RFC 9110, section 9.3.2). */
export function methodsOf({ method, showRefusal, crossOrigin, probe }: Endpoint): readonly string[] {
  // `option httpchk` of HAProxy sends OPTIONS; the status must be the status of the check.
  if (probe) return [method, "OPTIONS"];
  return method === "GET" && (showRefusal || crossOrigin === "any") ? ["GET", "HEAD"] : [method];
}

export function servedPaths(config: Config, endpoints: readonly Endpoint[]): ServedPaths {
  const paths = new Map<string, ServedPath>();
  for (const endpoint of endpoints) {
    const path = mountedPath(config, endpoint);
    const isOAuth = path.startsWith(OAUTH_FOLDER);
    if (!isOAuth && endpoint.crossOrigin === undefined) continue;
    const methods = [...(paths.get(path)?.methods ?? []), ...methodsOf(endpoint)];
    paths.set(path, { methods, crossOrigin: endpoint.crossOrigin, isOAuth });
  }
  return paths;
}

/** The response to a method without an endpoint; `undefined` where the path has no rule, or serves the method. */
export function otherMethodReply(path: ServedPath | undefined, method: string): Reply | undefined {
  // A served method arrives here with a rewritten path, which matches no route.
  if (!path || path.methods.includes(method)) return undefined;
  const allow = [...path.methods, "OPTIONS"].join(", ");
  if (method !== "OPTIONS") return path.isOAuth ? methodNotAllowedReply(allow) : undefined;
  const preflight = path.crossOrigin === "any" ? anyOriginPreflightHeaders(path.methods) : {};
  return emptyReply(204, { headers: { allow, ...preflight } });
}
