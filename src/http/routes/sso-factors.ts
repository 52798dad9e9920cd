import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { resetOrganizationFactor } from "../../flows/sso/factor/reset.ts";
import { authorizeSsoManager } from "../../flows/steps/authorization/authorize-sso.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply } from "../reply.ts";

/** docs/contract.md, section 29.19. */
export function ssoFactorRoutes(deps: StoreDeps): Endpoint[] {
  return [
    endpoint({
      method: "DELETE",
      path: "/orgs/:org_id/members/:user_id/factor",
      operationId: "resetMemberFactor",
      docs: { clientMethod: "members.resetFactor", section: "29.19", access: "caller, step-up" },
      tag: "Single sign-on",
      summary: "Reset the factor of a member for single sign-on",
      description: "The member sets a new factor up after the next single sign-on. Live sessions continue.",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 204: { description: "The member has no factor, now or before" } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required"],
      authorize: (caller, params) => authorizeSsoManager(deps, caller, params.org_id),
      async handle({ authorized: caller, params, client }) {
        const reset = await resetOrganizationFactor(deps, { caller, userId: params.user_id, client });
        return reset.ok ? ok(emptyReply(204)) : reset;
      },
    }),
  ];
}
