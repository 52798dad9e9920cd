import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  assignDomain,
  deleteDomain,
  findDomain,
  listDomains,
  type OrganizationDomain,
} from "../../models/organization-domain/organization-domain.ts";
import { lockConnection } from "../../models/sso-connection/sso-connection.ts";
import { ssoPolicyLock } from "../../models/sso-policy/policy-lock.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller, ResponsibleCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeLifting, type LiftingDeps, noticeLifted } from "../steps/authorization/lifted-requirement.ts";

export type DomainDeps = StoreDeps &
  Pick<Deps, "domainDirectory"> & { readonly ssoDirectory: Pick<Deps["ssoDirectory"], "changed"> };

/**
 * Tells the replicas about changed domains of organizations. A trigger gives the policy of an organization that
 * requires single sign-on a new revision: the members whom the requirement concerns have changed too.
 */
export async function announceDomains(
  { domainDirectory, ssoDirectory }: DomainDeps,
  organizationIds: readonly string[],
): Promise<void> {
  await Promise.all([...organizationIds.map((id) => domainDirectory.changedRow(id)), ssoDirectory.changed()]);
}

export interface DomainInput {
  readonly caller: ResponsibleCaller;
  readonly domainId: string;
  readonly client: RequestContext;
}

export const NO_SUCH_DOMAIN = refusal("not_found", "There is no such domain.");
const INACTIVE = {
  ...refusal("conflict", "The organization requires single sign-on: the domain needs an active connection."),
  reason: "connection_inactive",
} as const;
const NO_SUCH_CONNECTION = refusal("not_found", "There is no such connection.");

/** GET /v1/orgs/:org_id/domains (docs/contract.md, section 29.2). */
export async function listOrganizationDomains(
  deps: Pick<Deps, "reads">,
  { caller, page }: { readonly caller: OrganizationCaller; readonly page: Page },
): Promise<Result<Listing<OrganizationDomain>, never>> {
  const found = await deps.reads.run("domain.list", caller.reader, (sql) =>
    listDomains(sql, caller.organizationId, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** A domain of the caller's organization. */
export async function findOrganizationDomain(
  deps: Pick<Deps, "database">,
  { caller, domainId }: { readonly caller: OrganizationCaller; readonly domainId: string },
): Promise<Result<OrganizationDomain, Refusal<"not_found">>> {
  const domain = await deps.database.run("domain.find", (sql) => findDomain(sql, domainId, caller.organizationId));
  return domain ? ok(domain) : err(NO_SUCH_DOMAIN);
}

/**
 * PATCH /v1/orgs/:org_id/domains/:id (docs/contract.md, section 29.2). The connection is locked: a concurrent deletion
 * leaves no domain with an absent connection.
 */
export async function assignConnection(
  deps: DomainDeps,
  input: DomainInput & { readonly connectionId: string | null },
): Promise<Result<OrganizationDomain, Refusal<"conflict" | "not_found">>> {
  const { caller, client, domainId, connectionId } = input;
  const assigned = await deps.database.transaction<Result<OrganizationDomain, Refusal<"conflict" | "not_found">>>(
    "domain.assign",
    async (sql) => {
      const domain = await findDomain(sql, domainId, caller.organizationId);
      if (!domain) return err(NO_SUCH_DOMAIN);
      if (domain.connectionId === connectionId) return ok(domain);
      if (connectionId !== null) {
        await lockName(sql, ssoPolicyLock(caller.organizationId));
        const connection = await lockConnection(sql, caller.organizationId, connectionId);
        if (!connection) return err(NO_SUCH_CONNECTION);
        const isLockOut = connection.status !== "active" && (await requiresSso(sql, caller.organizationId));
        if (isLockOut) return err(INACTIVE);
      }
      const resource = { type: "sso_connection", id: connectionId ?? domain.connectionId } as const;
      const metadata = { fields: "domains", domain: domain.domain };
      const event = { action: "sso.connection.updated", at: new Date(deps.clock.now()), resource, metadata } as const;
      const entry = userAuditEvent(deps, caller.actor, client, event);
      await sql`
        with assigned as (${assignDomain(sql, domainId, connectionId)}) ${insertAudit(sql, entry, sql`from assigned`)}`;
      return ok({ ...domain, connectionId });
    },
  );
  if (assigned.ok) await announceDomains(deps, [caller.organizationId]);
  return assigned;
}

/** Whether the organization requires single sign-on, now or from a later time. */
async function requiresSso(sql: Sql, organizationId: string): Promise<boolean> {
  return (await findPolicy(sql, organizationId)).mode === "required";
}

/** DELETE /v1/orgs/:org_id/domains/:id (docs/contract.md, section 29.2). The effects of the domain end at once. */
export async function removeDomain(
  deps: DomainDeps & LiftingDeps,
  input: DomainInput,
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const found = await findOrganizationDomain(deps, input);
  if (!found.ok) return found;
  const { caller, client, domainId } = input;
  const resource = { type: "organization_domain", id: domainId } as const;
  const metadata = { domain: found.value.domain };
  const at = new Date(deps.clock.now());
  const event = { action: "sso.domain.deleted", at, resource, metadata } as const;
  const entry = userAuditEvent(deps, caller.actor, client, event);
  const deleted = await deps.database.transaction("domain.delete", async (sql) => {
    const lifting = await authorizeLifting(sql, caller, "single_sign_on", at);
    if (!lifting.ok) return lifting;
    await sql`
      with deleted as (${deleteDomain(sql, domainId)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
    const { domain: setting } = found.value;
    if (lifting.value) await noticeLifted(deps, sql, caller.organizationId, { setting, client, at });
    return ok(undefined);
  });
  if (!deleted.ok) return deleted;
  deps.outbox.wake();
  await announceDomains(deps, [caller.organizationId]);
  return ok(undefined);
}
