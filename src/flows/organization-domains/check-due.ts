/** The daily checks of all domains, on one replica (docs/contract.md, section 29.4). */
import { cte } from "../../database/statement.ts";
import {
  DOMAIN_CHECK_BATCH,
  DOMAIN_CHECK_INTERVAL_MS,
  DOMAIN_CHECKS_CONCURRENT_MAX,
  DOMAIN_CLAIM_LIFETIME_MS,
  DOMAIN_EXPIRY_BATCH,
  DOMAIN_SIGHTING_LIFETIME_MS,
} from "../../limits/sso-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  deleteExpiredClaims,
  listDueDomains,
  type OrganizationDomain,
} from "../../models/organization-domain/organization-domain.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import { type CheckDeps, checkDomain, type DomainAuditEntry } from "./check-domain.ts";

/** Deletes expired claims, then checks the domains that are due; returns how many were checked. */
export async function checkDueDomains(deps: CheckDeps, isStopped = () => false): Promise<number> {
  await endExpiredClaims(deps);
  const before = new Date(deps.clock.now() - DOMAIN_CHECK_INTERVAL_MS);
  const due = await deps.database.run("domain.list_due", (sql) => listDueDomains(sql, before, DOMAIN_CHECK_BATCH));
  const waiting: OrganizationDomain[] = [...due];
  const worker = async () => {
    for (let domain = waiting.shift(); domain && !isStopped(); domain = waiting.shift()) {
      await checkDomain(deps, domain, auditEntryOf(deps));
    }
  };
  await Promise.all(Array.from({ length: DOMAIN_CHECKS_CONCURRENT_MAX }, worker));
  return due.length;
}

function auditEntryOf(deps: CheckDeps): DomainAuditEntry {
  return ({ id, organizationId, domain }, action, at) =>
    systemAuditEvent(deps, {
      action,
      at,
      organizationId,
      resource: { type: "organization_domain", id },
      metadata: { domain },
    });
}

async function endExpiredClaims(deps: CheckDeps): Promise<void> {
  const now = deps.clock.now();
  const claimedBefore = new Date(now - DOMAIN_CLAIM_LIFETIME_MS);
  const seenBefore = new Date(now - DOMAIN_SIGHTING_LIFETIME_MS);
  await deps.database.run("domain.delete_expired", (sql) => {
    const expired = cte(sql, "expired");
    const entry = systemAuditEvent(deps, {
      action: "sso.domain.deleted",
      at: new Date(now),
      resource: { type: "organization_domain", id: sql`${expired}.id` },
      organizationId: sql`${expired}.organization_id`,
      metadata: { reason: "claim_expired" },
    });
    const perRow = {
      ...entry,
      eventId: sql`gen_random_uuid()`,
      metadataOfRow: sql`jsonb_build_object('domain', ${expired}.domain)`,
    };
    return sql`
      with expired as (${deleteExpiredClaims(sql, claimedBefore, seenBefore, DOMAIN_EXPIRY_BATCH)})
      ${insertAudit(sql, perRow, sql`from ${expired}`)}`;
  });
}
