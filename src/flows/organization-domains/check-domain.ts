import { recordName, recordValue } from "../../vocabulary/domain-record.ts";
/** The check of a domain by DNS, requested or daily (docs/contract.md, section 29.4). */

import { DAY_MS } from "../../base/time-units.ts";
import type { Sql } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { DOMAIN_LOST_AFTER_MS } from "../../limits/sso-limits.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { type EmailContent, noticeTime } from "../../models/email/email.ts";
import {
  type DomainTransition,
  nextDomainState,
  type RecordSighting,
  sightingOf,
} from "../../models/organization-domain/domain-state.ts";
import {
  findDomain,
  findHolder,
  lockDomain,
  type OrganizationDomain,
  updateDomainState,
} from "../../models/organization-domain/organization-domain.ts";
import { authorizeVerification } from "../steps/channels/domain-powers.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import { singleSignOnPageUrl } from "../steps/email/single-sign-on-page-url.ts";
import { announceDomains, type DomainDeps } from "./manage.ts";

export type CheckDeps = DomainDeps & ComposeDeps & Pick<EmailDeps, "outbox"> & Pick<Deps, "txtResolver">;

/** The audit record of a changed status: by the user of the request, or by the service. */
export type DomainAuditEntry = (
  domain: OrganizationDomain,
  action: "sso.domain.verified" | "sso.domain.failing" | "sso.domain.lost",
  at: Date,
) => AuditEntry;

export interface CheckedDomain {
  readonly domain: OrganizationDomain;
  /** The values of the record in DNS, at any server. */
  readonly found: readonly string[];
  readonly sighting: RecordSighting;
}

/**
 * Reads DNS and stores the result; undefined for a domain that was deleted meanwhile. `requestedBy`: the member who
 * requested the check in person.
 */
export async function checkDomain(
  deps: CheckDeps,
  { id, domain, token }: Pick<OrganizationDomain, "id" | "domain" | "token">,
  auditEntry: DomainAuditEntry,
  requestedBy: string | null = null,
): Promise<CheckedDomain | undefined> {
  const responses = await deps.txtResolver.findTxt(recordName(domain));
  const sighting = sightingOf(responses, recordValue(token));
  const stored = await deps.database.transaction("domain.store_check", (sql) =>
    storeCheck(deps, sql, { id, domain, sighting, requestedBy }, auditEntry),
  );
  if (!stored) return undefined;
  if (stored.transition.mail) deps.outbox.wake();
  if (stored.transition.event) await announceDomains(deps, [stored.domain.organizationId]);
  const found = [...new Set(responses.flatMap((values) => values ?? []))];
  return { domain: stored.domain, found, sighting };
}

interface Check extends Pick<OrganizationDomain, "id" | "domain"> {
  readonly sighting: RecordSighting;
  readonly requestedBy: string | null;
}

interface StoredCheck {
  readonly domain: OrganizationDomain;
  readonly transition: DomainTransition;
}

/** Decides under the lock of the domain, so that two claimants with a record never both become the holder. */
async function storeCheck(
  deps: CheckDeps,
  sql: Sql,
  { id, domain: name, sighting, requestedBy }: Check,
  auditEntry: DomainAuditEntry,
): Promise<StoredCheck | undefined> {
  await lockDomain(sql, name);
  const before = await findDomain(sql, id);
  if (!before) return undefined;
  const at = new Date(deps.clock.now());
  const holder = await findHolder(sql, name);
  const isHeld = holder !== undefined && holder.id !== id;
  const authorized = await authorizeVerification(sql, before, requestedBy);
  const mustWait = isHeld || !authorized.ok;
  const transition = nextDomainState(before, { sighting, mustWait, at });
  const { event, mail, state } = transition;
  const responsible = authorized.ok && event === "verified" ? authorized.value : null;
  const isUnchanged = responsible === before.claimedBy && responsible !== requestedBy;
  const update = updateDomainState(sql, id, state, isUnchanged ? null : responsible);
  await (event
    ? sql`
        with changed as (${update})
        ${insertAudit(sql, auditEntry(before, `sso.domain.${event}`, at), sql`from ${cte(sql, "changed")}`)}`
    : update);
  const after = await findDomain(sql, id);
  if (!after) return undefined;
  if (mail) await mailOwners(deps, sql, after.organizationId, lossContent(deps, mail, after, at), { at });
  return { domain: after, transition };
}

function lossContent(
  deps: Pick<Deps, "config">,
  kind: "domain_failing" | "domain_lost",
  { domain, token, missingSince }: OrganizationDomain,
  at: Date,
): EmailContent {
  const since = missingSince ?? at;
  const values = { domain, time: noticeTime(since), link: singleSignOnPageUrl(deps.config.urls.publicBaseUrl) };
  if (kind === "domain_lost") return { kind, values };
  const record = { record_name: recordName(domain), record_value: recordValue(token) };
  const remainingMs = since.getTime() + DOMAIN_LOST_AFTER_MS - at.getTime();
  return { kind, values: { ...values, ...record, days: Math.ceil(remainingMs / DAY_MS) } };
}

/** The result of a requested check, for pages. */
export function checkResultOf({ domain, sighting }: CheckedDomain): "verified" | "waiting" | "missing" | "noResponse" {
  if (domain.status === "verified" && sighting === "found") return "verified";
  if (sighting === "found") return "waiting";
  return sighting === "unknown" ? "noResponse" : "missing";
}
