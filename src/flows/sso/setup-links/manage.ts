/** The set-up links of an organization, for its administrators (docs/contract.md, section 29.50). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../../database/listing.ts";
import type { SessionDeps, StoreDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { endSetupLink, findSetupLink, listSetupLinks, type SetupLink } from "../../../models/setup-link/setup-link.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { SETUP_INTENTS, type SetupIntent } from "../../../vocabulary/setup-intent.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { type OrganizationCaller, SETUP_PERMISSIONS } from "../../steps/authorization/authorize-member.ts";
import { endKeysOfSetupLink } from "../../steps/sessions/end-keys-of-setup-link.ts";

const NO_SUCH_LINK = refusal("not_found", "There is no such set-up link.");

/** The tasks that a caller may pass on by a link. */
export function tasksOf(caller: OrganizationCaller): readonly SetupIntent[] {
  return SETUP_INTENTS.filter((intent) => holds(caller, SETUP_PERMISSIONS[intent]));
}

/** GET /v1/orgs/:org_id/sso/setup-links. */
export async function listOrganizationSetupLinks(
  deps: StoreDeps,
  { caller, page }: { readonly caller: OrganizationCaller; readonly page: Page },
): Promise<Result<Listing<SetupLink>, never>> {
  const at = new Date(deps.clock.now());
  const found = await deps.database.run("setup_link.list", (sql) =>
    listSetupLinks(sql, caller.organizationId, at, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

export interface EndSetupLinkInput {
  /** An administrator, or the link that completes the set-up. */
  readonly caller: OrganizationCaller;
  readonly linkId: string;
  readonly reason: "revoked" | "completed";
  readonly client: RequestContext;
}

/**
 * DELETE /v1/orgs/:org_id/sso/setup-links/:id, and the completion by the link: ends the link at once. Idempotent. The
 * key of a directory that the link created ends with a revocation, and remains after a completion.
 */
export async function finishSetupLink(
  deps: StoreDeps & Pick<SessionDeps, "config" | "revocations">,
  { caller, linkId: id, reason, client }: EndSetupLinkInput,
): Promise<Result<void, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const resource = { type: "setup_link", id } as const;
  const event = { action: "sso.setup_link.revoked", at, resource, metadata: { reason } } as const;
  const entry = userAuditEvent(deps, caller.actor, client, event);
  const outcome = await deps.database.transaction("setup_link.end", async (sql) => {
    const link = await findSetupLink(sql, caller.organizationId, id, at);
    if (!link) return err(NO_SUCH_LINK);
    await sql`
      with ended as (${endSetupLink(sql, { id, reason, at })}) ${insertAudit(sql, entry, sql`from ended`)}`;
    if (reason === "completed" || link.status === "completed") return ok([]);
    return ok(await endKeysOfSetupLink(deps, sql, id, { actor: caller.actor, client, at }));
  });
  if (!outcome.ok) return outcome;
  await deps.revocations.announce(outcome.value);
  return ok(undefined);
}
