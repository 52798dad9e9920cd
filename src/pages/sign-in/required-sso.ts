import type { Refusal } from "../../base/problem.ts";
import { continuePath } from "../../flows/sso-discovery/continue-path.ts";
import type { RoutingDeps } from "../../flows/sso-discovery/route-address.ts";
import type { Reply } from "../../http/reply.ts";
import { seeOther } from "../page.ts";
import type { SiteDeps } from "../view.tsx";

/**
 * The redirect to the single sign-on that an organization requires; undefined for other refusals, and for an
 * organization without an active connection.
 */
export function requiredSsoReply(
  deps: SiteDeps & Pick<RoutingDeps, "clock" | "ssoDirectory">,
  { ssoOrganizationId }: Refusal,
  to: string,
  cookies: readonly string[] = [],
): Reply | undefined {
  const path = ssoOrganizationId === undefined ? undefined : continuePath(deps, ssoOrganizationId, to);
  return path === undefined ? undefined : seeOther(path, [...cookies]);
}
