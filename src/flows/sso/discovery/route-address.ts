import type { Deps } from "../../../deps.ts";
import type { HeldConnection } from "../../../models/sso-connection/held-connection.ts";
import { isSsoRequired } from "../../../models/sso-policy/sso-policy.ts";

export type RoutingDeps = Pick<Deps, "clock" | "domainDirectory" | "ssoDirectory">;

/** The sign-in through the identity providers of an organization. */
export interface SsoRoute {
  readonly organizationId: string;
  /** The active connections, oldest first; at least one. */
  readonly connections: readonly HeldConnection[];
  /** Whether the organization requires single sign-on at present. */
  readonly required: boolean;
}

/** The route of an address. */
export interface AddressRoute extends SsoRoute {
  /** The verified domain of the address. */
  readonly domain: string;
}

/**
 * Routes a normalised email address by the domain of the address, from memory (docs/contract.md, section 29.20). The
 * account is never read: every address of a domain has one result. Undefined: no organization holds the domain, or no
 * connection of the organization signs users in.
 */
export function routeAddress(deps: RoutingDeps, email: string): AddressRoute | undefined {
  const held = deps.domainDirectory.index().findByAddress(email);
  const route = held && routeOrganization(deps, held.organizationId);
  if (!route) return undefined;
  const { domain, connectionId } = held;
  const connections = route.connections.filter(({ id }) => connectionId === null || id === connectionId);
  return connections.length === 0 ? undefined : { ...route, domain, connections };
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
