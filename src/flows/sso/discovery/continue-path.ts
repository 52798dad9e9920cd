import type { Deps } from "../../../deps.ts";
import { signInPath } from "../connections/urls.ts";
import { type RoutingDeps, routeOrganization } from "./route-address.ts";

/**
 * The local path that continues a refused request by single sign-on (docs/contract.md, section 29.46); undefined
 * without an active connection.
 */
export function continuePath(
  deps: Pick<RoutingDeps, "clock" | "ssoDirectory"> & Pick<Deps, "config">,
  organizationId: string,
  returnTo?: string,
): string | undefined {
  const route = routeOrganization(deps, organizationId);
  return route && signInPath(deps, route, returnTo);
}
