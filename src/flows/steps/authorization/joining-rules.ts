/** The policies of an organization about new members (docs/contract.md, section 33.3). */
import { isInNetworks } from "../../../base/ip-ranges.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { Sql } from "../../../database/database.ts";
import { domainOfAddress } from "../../../models/organization-domain/domain-name.ts";
import { findPolicies, policyInForce } from "../../../models/organization-policy/organization-policy.ts";
import type { PolicySettings } from "../../../vocabulary/policy-settings.ts";
import { entryRefusalOf } from "../sessions/organization-rules.ts";

export const DOMAIN_NOT_PERMITTED = refusal("forbidden", "This organization does not permit addresses of this domain.");

/** Whether an organization permits an address to be invited or provisioned. */
export async function permitsAddress(sql: Sql, organizationId: string, email: string, at: Date): Promise<boolean> {
  return (await findPermittedAddresses(sql, organizationId, at))(email);
}

/** The condition of `permitsAddress` for any number of addresses. */
export async function findPermittedAddresses(
  sql: Sql,
  organizationId: string,
  at: Date,
): Promise<(email: string) => boolean> {
  const policy = policyInForce(await findPolicies(sql, organizationId), at);
  return (email) => permitsDomain(policy, email);
}

function permitsDomain(policy: PolicySettings | null, email: string): boolean {
  if (policy === null || policy.inviteDomains.length === 0) return true;
  const domain = domainOfAddress(email);
  return domain !== undefined && policy.inviteDomains.includes(domain);
}

export interface Joining {
  readonly organizationId: string;
  readonly email: string;
  /** Set for a new user, whose session begins with a password from this address. */
  readonly newUserFrom?: { readonly address: string | null } | undefined;
}

/** The problem of an acceptance that the policies do not permit. */
export async function joiningRefusal(
  sql: Sql,
  { organizationId, email, newUserFrom }: Joining,
  at: Date,
): Promise<Refusal<"forbidden" | "sso_required"> | undefined> {
  const policy = policyInForce(await findPolicies(sql, organizationId), at);
  if (!permitsDomain(policy, email)) return DOMAIN_NOT_PERMITTED;
  if (policy === null || !newUserFrom) return undefined;
  const { allowedIps, methods } = policy;
  if (allowedIps.length > 0 && !isInNetworks(allowedIps, newUserFrom.address)) {
    return entryRefusalOf("address", organizationId);
  }
  return methods && !methods.includes("password") ? entryRefusalOf("method", organizationId) : undefined;
}
