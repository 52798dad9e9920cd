/** Decisions of an organization about applications, and the end of their access (docs/contract.md, section 23.31). */
import { changedMeanwhile, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { DisplayedVersion } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { ENDED_FAMILIES_BATCH } from "../../limits/policy-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { ClientIdentity } from "../../models/conditions/client-identity.ts";
import { findClientIdentities } from "../../models/oauth-client/displayed-client.ts";
import { deleteCodesOfClientIn, endFamiliesOfClientIn } from "../../models/oauth-grant/bound-grant.ts";
import {
  type ApplicationDecision,
  decideApplication,
  isIdentityDisplayed,
  listApplicationDecisions,
  withdrawApproval,
} from "../../models/organization-application/organization-application.ts";
import type { EndFamiliesDeps } from "../oauth/clients/end-families.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller, ResponsibleCaller } from "../steps/authorization/authorize-member.ts";
import { endFamilies } from "../steps/tokens/token-family-events.ts";

export interface ApplicationInput {
  /** Holds `applications.manage`. */
  readonly caller: ResponsibleCaller;
  readonly clientId: string;
  readonly client: RequestContext;
}

const CHANGED_MEANWHILE = changedMeanwhile("The application has changed meanwhile.");
const NO_SUCH_APPLICATION = refusal("not_found", "There is no such application.");

/** The requests of members, or the decisions. `caller`: holds `applications.manage`. */
export async function listDecisions(
  { reads }: Pick<Deps, "reads">,
  { caller, isOpen, page }: { readonly caller: OrganizationCaller; readonly isOpen: boolean; readonly page: Page },
): Promise<Listing<ApplicationDecision>> {
  const { organizationId, reader } = caller;
  const found = await reads.run("organization_application.list", reader, (sql) =>
    listApplicationDecisions(sql, { organizationId, isOpen }, pageBounds(page)),
  );
  return { ...page, ...found };
}

/** An application, for the confirmation; undefined for an unknown application. */
export async function findApplication(
  { database }: Pick<Deps, "database">,
  _caller: OrganizationCaller,
  clientId: string,
): Promise<ClientIdentity | undefined> {
  const found = await database.run("oauth_client.find_identities", (sql) => findClientIdentities(sql, [clientId]));
  return found.get(clientId);
}

interface DecisionInput extends ApplicationInput {
  readonly status: "approved" | "denied";
  /** The version of the identity that a page displayed; undefined: no comparison. */
  readonly displayed?: DisplayedVersion | undefined;
}

/** Approves or denies an application. An equal decision, or another identity, changes nothing. */
export async function decideAboutApplication(
  deps: StoreDeps,
  { caller, clientId, status, displayed, client }: DecisionInput,
): Promise<Result<void, Refusal<"not_found">>> {
  if ((await findApplication(deps, caller, clientId)) === undefined) return err(NO_SUCH_APPLICATION);
  const at = new Date(deps.clock.now());
  const action = `organization.application_${status}` as const;
  const audit = auditOf(deps, { caller, clientId, client }, { action, at });
  const { organizationId, responsibleId: userId } = caller;
  await deps.database.run(
    "organization_application.decide",
    (sql) => sql`
      with decided as (${decideApplication(sql, { organizationId, clientId, status, displayed, userId, at })})
      ${insertAudit(sql, audit, sql`from decided`)}`,
  );
  return ok(undefined);
}

/** Approves the application that a page displayed. `conflict`: the application has changed since the display. */
export async function approveDisplayedApplication(
  deps: StoreDeps,
  input: ApplicationInput,
  displayed: DisplayedVersion,
): Promise<Result<void, Refusal<"conflict" | "not_found">>> {
  const approved = await decideAboutApplication(deps, { ...input, status: "approved", displayed });
  if (!approved.ok) return approved;
  const isDisplayed = await deps.database.run("organization_application.compare", (sql) =>
    isIdentityDisplayed(sql, input.clientId, displayed),
  );
  return isDisplayed ? approved : err(CHANGED_MEANWHILE);
}

/**
 * Ends every token of an application for members of the organization, and withdraws the approval. The number of
 * families is unbounded, so the families end in batches.
 */
export async function endApplicationAccess(
  deps: EndFamiliesDeps,
  { caller, clientId, client }: ApplicationInput,
): Promise<Result<void, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const { organizationId, responsibleId: userId } = caller;
  const of = { organizationId, clientId };
  const withdrawn = await deps.database.run(
    "organization_application.withdraw",
    (sql) => sql`${withdrawApproval(sql, { ...of, userId, at })}`,
  );
  await deps.database.run("oauth_code.delete_of_client_in", (sql) => deleteCodesOfClientIn(sql, of));
  let families = 0;
  for (;;) {
    const { ended, events } = await deps.database.run("oauth_family.end_of_client_in", (sql) =>
      endFamilies(sql, endFamiliesOfClientIn(sql, of, { at, limit: ENDED_FAMILIES_BATCH }), "grant_revoked", at),
    );
    await deps.revocations.announce(events);
    families += ended;
    if (ended < ENDED_FAMILIES_BATCH) break;
  }
  if (families === 0 && withdrawn.length === 0) return err(NO_SUCH_APPLICATION);
  const action = "organization.application_revoked";
  const audit = auditOf(deps, { caller, clientId, client }, { action, at, metadata: { families } });
  await deps.database.run("organization_application.record_end", (sql) => insertAudit(sql, audit, sql``));
  return ok(undefined);
}

function auditOf(
  deps: Pick<Deps, "random">,
  { caller, clientId, client }: ApplicationInput,
  event: Pick<Parameters<typeof userAuditEvent>[3], "action" | "at" | "metadata">,
) {
  const resource = { type: "oauth_client", id: clientId } as const;
  return userAuditEvent(deps, caller.actor, client, { ...event, resource });
}
