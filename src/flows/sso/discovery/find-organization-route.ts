import { isUuid } from "../../../base/random.ts";
import { type RoutingDeps, routeOrganization, type SsoRoute } from "./route-address.ts";

/**
 * The route of an organization by slug or id: `/sso/:slug`, and the parameter `organization` of an application. A text
 * in the form of an id is never a slug: an organization with such a slug would receive the users of another.
 */
export function findOrganizationRoute(
  deps: Pick<RoutingDeps, "clock" | "ssoDirectory">,
  slugOrId: string,
): SsoRoute | undefined {
  if (isUuid(slugOrId)) return routeOrganization(deps, slugOrId.toLowerCase());
  const [connection] = deps.ssoDirectory.ofSlug(slugOrId);
  return connection && routeOrganization(deps, connection.organizationId);
}
