import type { Deps } from "../../../deps.ts";
import type { TokenLifetimes } from "../../../models/oauth-grant/token-family.ts";
import { registeredApis } from "./role-scopes.ts";

type LifetimeDeps = Pick<Deps, "config" | "oauthResources">;

/**
 * The lifetimes of sessions, and of access tokens the longest lifetime of the resource servers: the family records the
 * end of the last access token, and each token has the lifetime of its own APIs.
 */
export function tokenLifetimes(deps: LifetimeDeps, resources: readonly string[]): TokenLifetimes {
  const { accessExpirySeconds, refreshMaxAgeSeconds, sessionMaxAgeSeconds } = deps.config.tokens;
  const longest = Math.max(accessExpirySeconds, ...apiLifetimes(deps, resources));
  return {
    accessMs: longest * 1000,
    refreshMs: refreshMaxAgeSeconds * 1000,
    familyMs: sessionMaxAgeSeconds * 1000,
  };
}

/** Seconds; the shortest lifetime of the APIs, for a token without an API the lifetime for sessions. */
export function accessTokenSeconds(deps: LifetimeDeps, resources: readonly string[]): number {
  const lifetimes = apiLifetimes(deps, resources);
  return lifetimes.length > 0 ? Math.min(...lifetimes) : deps.config.tokens.accessExpirySeconds;
}

function apiLifetimes(deps: LifetimeDeps, resources: readonly string[]): readonly number[] {
  const { accessExpirySeconds } = deps.config.tokens;
  return registeredApis(deps, resources).map((api) => api.tokenLifetimeSeconds ?? accessExpirySeconds);
}
