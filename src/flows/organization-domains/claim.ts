import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { NIL_UUID } from "../../base/random.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { DOMAINS_MAX } from "../../limits/sso-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { type DomainRules, validateDomain } from "../../models/organization-domain/domain-name.ts";
import { makeDomainToken } from "../../models/organization-domain/domain-token.ts";
import {
  countDomains,
  findDomain,
  insertDomain,
  type OrganizationDomain,
} from "../../models/organization-domain/organization-domain.ts";
import { findPlatformRoleOf } from "../../models/user/platform-role.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { authorizeJoiningRole, isOpenToDomains } from "../steps/authorization/authorize-joining-role.ts";
import { isSetupLink, type ResponsibleCaller } from "../steps/authorization/authorize-member.ts";
import { lockCredential } from "../steps/credentials/lock-credential.ts";

export interface ClaimInput {
  readonly caller: ResponsibleCaller;
  readonly domain: string;
  readonly client: RequestContext;
}

type ClaimProblem = Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input">;

const CLAIMED = refusal("conflict", "The organization has this domain already.");
const TOO_MANY = refusal("conflict", `The organization has ${DOMAINS_MAX} domains already.`);

/**
 * POST /v1/orgs/:org_id/domains (docs/contract.md, section 29.2). A domain of another organization can be claimed too:
 * the claim stays pending while the holder's record exists.
 */
export async function claimDomain(
  deps: StoreDeps,
  { caller, domain: text, client }: ClaimInput,
): Promise<Result<OrganizationDomain, ClaimProblem>> {
  const valid = validateDomain(text, await rulesFor(deps, caller));
  if (!valid.ok) return err(invalidInput("domain", valid.error.rule, valid.error.text));
  const at = new Date(deps.clock.now());
  const { organizationId } = caller;
  const id = deps.random.uuid();
  const token = makeDomainToken(deps.random);
  const maker = { claimedBy: caller.responsibleId, setupLinkId: isSetupLink(caller) ? caller.credential.id : null };
  const claim = { id, organizationId, domain: valid.value, token, ...maker, createdAt: at };
  const resource = { type: "organization_domain", id } as const;
  const event = { action: "sso.domain.claimed", at, resource, metadata: { domain: valid.value } } as const;
  const entry = userAuditEvent(deps, caller.actor, client, event);
  return await deps.database.transaction<Result<OrganizationDomain, ClaimProblem>>("domain.claim", async (sql) => {
    // Memberships are locked before sessions, as by a removal.
    const isOpen = await isOpenToDomains(sql, organizationId);
    const permitted = isOpen ? await authorizeJoiningRole(sql, caller, "sso.manage") : ok(undefined);
    if (!permitted.ok) return permitted;
    const locked = await lockCredential(sql, caller.credential, at);
    if (!locked.ok) return locked;
    await lockName(sql, `domains of ${organizationId}`);
    if ((await countDomains(sql, organizationId)) >= DOMAINS_MAX) return err(TOO_MANY);
    await sql`
      with claimed as (${insertDomain(sql, claim)})
      ${insertAudit(sql, entry, sql`from claimed`)}`;
    const inserted = await findDomain(sql, id);
    return inserted ? ok(inserted) : err(CLAIMED);
  });
}

/** The host of the service belongs to the platform, whose administrators claim the host in person. */
async function rulesFor(
  { config, database }: Pick<Deps, "config" | "database">,
  { credential }: ResponsibleCaller,
): Promise<DomainRules> {
  const userId = credential.kind === "session" ? credential.userId : NIL_UUID;
  const role = await database.run("user.find_platform_role", (sql) => findPlatformRoleOf(sql, userId));
  const { hostname } = new URL(config.urls.publicBaseUrl);
  return { blocklist: config.sso.domainBlocklist, reservedHost: role === null ? hostname : undefined };
}
