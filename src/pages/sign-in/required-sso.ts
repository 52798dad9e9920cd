import type { Refusal } from "../../base/problem.ts";
import { continuePath } from "../../flows/sso/discovery/continue-path.ts";
import type { RoutingDeps } from "../../flows/sso/discovery/route-address.ts";
import type { Reply } from "../../http/reply.ts";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import type { SiteDeps, View } from "../view.tsx";

/**
 * The continuation of a form at the single sign-on that an organization requires; undefined for other refusals, and for
 * an organization without an active connection.
 */
export function requiredSsoReply(
  deps: SiteDeps & Pick<RoutingDeps, "clock" | "ssoDirectory">,
  view: View,
  { ssoOrganizationId }: Refusal,
  to: string,
  cookies: readonly string[] = [],
): Reply | undefined {
  const url = ssoOrganizationId === undefined ? undefined : continuePath(deps, ssoOrganizationId, to);
  const { companySignIn, problems, signOut } = view.t;
  const texts = { title: companySignIn.action, lead: problems.sso_required, action: signOut.go };
  return url === undefined ? undefined : continueElsewhere(view, { ...texts, url, cookies });
}
