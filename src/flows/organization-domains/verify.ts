import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { DOMAIN_CHECKS_MAX, DOMAIN_CHECKS_WINDOW_MS } from "../../limits/sso-limits.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { isSetupLink } from "../steps/authorization/authorize-member.ts";
import { authorizeVerification } from "../steps/channels/domain-powers.ts";
import { type CheckDeps, type CheckedDomain, checkDomain, type DomainAuditEntry } from "./check-domain.ts";
import { type DomainInput, findOrganizationDomain, NO_SUCH_DOMAIN } from "./manage.ts";

/** POST /v1/orgs/:org_id/domains/:id/verify (docs/contract.md, section 29.3): checks the record now. */
export async function verifyDomain(
  deps: CheckDeps & Pick<Deps, "state">,
  input: DomainInput,
): Promise<Result<CheckedDomain, Refusal<"forbidden" | "not_found" | "rate_limited">>> {
  const found = await findOrganizationDomain(deps, input);
  if (!found.ok) return found;
  const { caller } = input;
  // A set-up link acts with the power of the claim, and not with the present power of its creator.
  const requestedBy = isSetupLink(caller) ? null : caller.responsibleId;
  const permitted = await deps.database.transaction("domain.authorize_check", (sql) =>
    authorizeVerification(sql, found.value, requestedBy),
  );
  if (!permitted.ok) return permitted;
  const counted = await countCheck(deps, input.domainId);
  if (!counted.ok) return counted;
  const entry: DomainAuditEntry = ({ id, domain }, action, at) => {
    const resource = { type: "organization_domain", id } as const;
    return userAuditEvent(deps, caller.actor, input.client, { action, at, resource, metadata: { domain } });
  };
  const checked = await checkDomain(deps, found.value, entry, requestedBy);
  return checked ? ok(checked) : err(NO_SUCH_DOMAIN);
}

/**
 * Redis key `service:domain-checks:<domain id>`; after a loss of the key the count starts at zero. The limit holds with
 * `SERVICE_RATE_LIMITS=off` too: each check sends questions to servers of third parties.
 */
async function countCheck(
  { state }: Pick<Deps, "state">,
  domainId: string,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const { count, resetMs } = await state.count(`service:domain-checks:${domainId}`, DOMAIN_CHECKS_WINDOW_MS);
  if (count <= DOMAIN_CHECKS_MAX) return ok(undefined);
  return err(
    rateLimited("domain_checks", resetMs / 1000, "too many checks of a domain", {
      counters: { count, limit: DOMAIN_CHECKS_MAX, window_seconds: DOMAIN_CHECKS_WINDOW_MS / 1000 },
    }),
  );
}
