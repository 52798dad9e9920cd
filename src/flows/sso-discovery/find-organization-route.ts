import { isUuid } from "../../base/random.ts";
import { type RoutingDeps, routeOrganization, type SsoRoute } from "./route-address.ts";

/** The route of an organization by slug or id: `/sso/:slug`, and the parameter `organization` of an application. */
export function findOrganizationRoute(
  deps: Pick<RoutingDeps, "clock" | "ssoDirectory">,
  slugOrId: string,
): SsoRoute | undefined {
  const [connection] = deps.ssoDirectory.ofSlug(slugOrId);
  if (connection) return routeOrganization(deps, connection.organizationId);
  return isUuid(slugOrId) ? routeOrganization(deps, slugOrId.toLowerCase()) : undefined;
}
