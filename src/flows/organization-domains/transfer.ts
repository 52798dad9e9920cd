import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { type EmailContent, noticeTime } from "../../models/email/email.ts";
import { verifiedState } from "../../models/organization-domain/domain-state.ts";
import {
  findDomain,
  findHolder,
  lockDomain,
  type OrganizationDomain,
  updateDomainState,
} from "../../models/organization-domain/organization-domain.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { authorizeVerification } from "../steps/channels/domain-powers.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import { singleSignOnPageUrl } from "../steps/email/single-sign-on-page-url.ts";
import type { CheckDeps } from "./check-domain.ts";
import { announceDomains, NO_SUCH_DOMAIN } from "./manage.ts";

export interface TransferInput {
  /** An Admin or higher with a step-up. */
  readonly caller: PlatformCaller;
  /** The claim that becomes the holder. */
  readonly domainId: string;
  readonly reason: string;
  readonly client: RequestContext;
}

const NO_CONFLICT = refusal("conflict", "No other organization holds this domain.");

const NOT_COVERED = {
  ...refusal(
    "conflict",
    "Users of the domain would get a role with a permission that the claimant lacks: an owner claims the domain.",
  ),
  reason: "domain_not_covered",
} as const;

/**
 * POST /v1/admin/domains/:id/transfer (docs/contract.md, section 29.5): the claimant becomes the holder without a
 * record, and the former holder loses the domain at once. The daily check applies to the new holder too.
 */
export async function transferDomain(
  deps: CheckDeps,
  input: TransferInput,
): Promise<Result<OrganizationDomain, Refusal<"conflict" | "not_found">>> {
  const transferred = await deps.database.transaction<Result<Transferred, Refusal<"conflict" | "not_found">>>(
    "domain.transfer",
    async (sql) => {
      const named = await findDomain(sql, input.domainId);
      if (!named) return err(NO_SUCH_DOMAIN);
      await lockDomain(sql, named.domain);
      // Read again: a check may have changed the status before the lock.
      const claim = await findDomain(sql, input.domainId);
      if (!claim) return err(NO_SUCH_DOMAIN);
      const holder = await findHolder(sql, claim.domain);
      if (!holder || holder.id === claim.id) return err(NO_CONFLICT);
      if (!(await authorizeVerification(sql, claim, null)).ok) return err(NOT_COVERED);
      await persistTransfer(deps, sql, input, { claim, holder });
      const domain = { ...claim, ...verifiedState(claim, new Date(deps.clock.now())), conflict: false };
      return ok({ domain, organizationIds: [holder.organizationId, claim.organizationId] });
    },
  );
  if (!transferred.ok) return transferred;
  deps.outbox.wake();
  await announceDomains(deps, transferred.value.organizationIds);
  return ok(transferred.value.domain);
}

interface Transferred {
  readonly domain: OrganizationDomain;
  /** The former holder and the new holder. */
  readonly organizationIds: readonly string[];
}

interface Parties {
  readonly claim: OrganizationDomain;
  readonly holder: OrganizationDomain;
}

async function persistTransfer(deps: CheckDeps, sql: Sql, input: TransferInput, { claim, holder }: Parties) {
  const at = new Date(deps.clock.now());
  // The former holder first: the unique index permits one holder at any moment.
  await updateDomainState(sql, holder.id, { ...holder, status: "lost" });
  await updateDomainState(sql, claim.id, verifiedState(claim, at));
  await recordTransfer(deps, sql, input, { claim, holder }, at);
  await mailOwners(deps, sql, claim.organizationId, contentOf(deps, claim.domain, true, at), { at });
  await mailOwners(deps, sql, holder.organizationId, contentOf(deps, holder.domain, false, at), { at });
}

/**
 * One record for the platform, with the reason, and one for each organization: an organization reads neither the
 * reason nor the id of the other organization.
 */
async function recordTransfer(
  deps: CheckDeps,
  sql: Sql,
  { caller, client, reason }: TransferInput,
  { claim, holder }: Parties,
  at: Date,
): Promise<void> {
  const { domain } = claim;
  const from = holder.organizationId;
  const to = claim.organizationId;
  const records = [
    {
      organizationId: null,
      row: claim,
      metadata: { domain, reason, from_organization_id: from, to_organization_id: to },
    },
    { organizationId: to, row: claim, metadata: { domain, direction: "gained" } },
    { organizationId: from, row: holder, metadata: { domain, direction: "given_up" } },
  ];
  for (const { organizationId, row, metadata } of records) {
    const resource = { type: "organization_domain", id: row.id } as const;
    const actor = { ...caller.actor, organizationId };
    const event = { action: "sso.domain.transferred", at, resource, metadata } as const;
    await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  }
}

function contentOf(deps: CheckDeps, domain: string, isGained: boolean, at: Date): EmailContent {
  const values = {
    domain,
    time: noticeTime(at),
    link: singleSignOnPageUrl(deps.config.urls.publicBaseUrl),
    is_gained: isGained,
    is_given_up: !isGained,
  };
  return { kind: "domain_transferred", values };
}
