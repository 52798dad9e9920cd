import type { Deps } from "../../deps.ts";
import type { HeldConnection } from "../../models/sso-connection/held-connection.ts";
import { isSsoRequired } from "../../models/sso-policy/sso-policy.ts";

export type RoutingDeps = Pick<Deps, "clock" | "domainDirectory" | "ssoDirectory">;

/** The sign-in through the identity providers of an organization. */
export interface SsoRoute {
  readonly organizationId: string;
  /** The active connections, oldest first; at least one. */
  readonly connections: readonly HeldConnection[];
  /** Whether the organization requires single sign-on at present. */
  readonly required: boolean;
}

/**
 * Routes a normalised e-mail address by its domain, from memory (docs/contract.md, section 29.20). The account is never
 * read: every address of a domain has one result. Undefined: no organization holds the domain, or no connection of the
 * organization signs users in.
 */
export function routeAddress(deps: RoutingDeps, email: string): SsoRoute | undefined {
  const domain = deps.domainDirectory.index().findByAddress(email);
  if (!domain) return undefined;
  const route = routeOrganization(deps, domain.organizationId);
  if (!route || domain.connectionId === null) return route;
  const connections = route.connections.filter(({ id }) => id === domain.connectionId);
  return connections.length === 0 ? undefined : { ...route, connections };
}

/** The route of an organization; undefined without an active connection, and while the policy is `off`. */
export function routeOrganization(
  { clock, ssoDirectory }: Pick<RoutingDeps, "clock" | "ssoDirectory">,
  organizationId: string,
): SsoRoute | undefined {
  const connections = ssoDirectory.ofOrganization(organizationId);
  const policy = ssoDirectory.policyOf(organizationId);
  if (connections.length === 0 || policy.mode === "off") return undefined;
  return { organizationId, connections, required: isSsoRequired(policy, clock.now()) };
}
