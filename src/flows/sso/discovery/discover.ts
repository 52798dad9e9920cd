import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { malformedEmail, normalizeEmail } from "../../../models/user/email-address.ts";
import { signInPath } from "../connections/urls.ts";
import { type RoutingDeps, routeAddress } from "./route-address.ts";

export type DiscoverDeps = RoutingDeps & Pick<Deps, "config">;

export interface DiscoveredSso {
  readonly startUrl: string;
  readonly required: boolean;
}

/** POST /v1/auth/sso/discover (docs/contract.md, section 29.20). */
export function discoverSso(deps: DiscoverDeps, text: string): Result<DiscoveredSso | null, Refusal<"invalid_input">> {
  // A typed domain may end in the dot of the DNS root.
  const email = normalizeEmail(text.trim().replace(/\.$/, ""));
  if (email === undefined) return err(malformedEmail("email", text));
  const route = routeAddress(deps, email);
  if (!route) return ok(null);
  return ok({ startUrl: `${deps.config.urls.publicBaseUrl}${signInPath(deps, route)}`, required: route.required });
}
