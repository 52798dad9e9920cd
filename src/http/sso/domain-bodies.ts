/** Domains of organizations as JSON (docs/contract.md, section 29.2). */
import type { CheckedDomain } from "../../flows/organization-domains/check-domain.ts";
import type { OrganizationDomain } from "../../models/organization-domain/organization-domain.ts";
import { recordName, recordValue } from "../../vocabulary/domain-record.ts";

export function domainBody(domain: OrganizationDomain) {
  return {
    id: domain.id,
    organization_id: domain.organizationId,
    domain: domain.domain,
    status: domain.status,
    conflict: domain.conflict,
    record_name: recordName(domain.domain),
    record_value: recordValue(domain.token),
    connection_id: domain.connectionId,
    claimed_by: domain.claimedBy,
    verified_at: domain.verifiedAt?.toISOString() ?? null,
    checked_at: domain.checkedAt?.toISOString() ?? null,
    missing_since: domain.missingSince?.toISOString() ?? null,
    created_at: domain.createdAt.toISOString(),
  };
}

export function checkedBody({ domain, found, sighting }: CheckedDomain) {
  return { ...domainBody(domain), found, dns_responded: sighting !== "unknown" };
}
