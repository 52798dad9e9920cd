import type { AuthorizationParameters } from "../../../models/oauth-request/oauth-request.ts";
import { normalizeEmail } from "../../../models/user/email-address.ts";
import { findOrganizationRoute } from "./find-organization-route.ts";
import { type RoutingDeps, routeAddress, type SsoRoute } from "./route-address.ts";

/**
 * The single sign-on that starts without the sign-in page (docs/contract.md, section 29.21): the application names an
 * organization that requires single sign-on, or names no organization and an address in a domain of such an
 * organization. The organization decides before the address.
 */
export function findRequiredRoute(
  deps: RoutingDeps,
  { organization, loginHint }: Pick<AuthorizationParameters, "organization" | "loginHint">,
): SsoRoute | undefined {
  const address = loginHint === null ? undefined : normalizeEmail(loginHint);
  const hinted = address === undefined ? undefined : routeAddress(deps, address);
  const route = organization === undefined ? hinted : findOrganizationRoute(deps, organization);
  if (!route?.required) return undefined;
  // The domain of the address may be assigned to one of several connections.
  return hinted?.organizationId === route.organizationId ? hinted : route;
}
