/** The beginning of a set-up link in a browser (docs/contract.md, section 29.51). */
import { emailName } from "../../../base/display-name.ts";
import { isOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import { beginSetupLink, findWaitingSetupLink, type SetupLink } from "../../../models/setup-link/setup-link.ts";
import { findRecipient } from "../../../models/user/user.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { setupLinkCallerOf } from "../../steps/authorization/authorize-member.ts";
import { NO_SETUP_LINK, readCreator } from "../../steps/authorization/authorize-setup-link.ts";
import { inviterName } from "../../steps/email/invitation-email.ts";

/** What a person sees before and after "Begin". */
export interface SetupLinkView {
  readonly link: SetupLink;
  readonly organizationName: string;
  /** Null: a creator without a name and without a verified address. */
  readonly inviterName: string | null;
}

type NoLink = Refusal<"authentication_required">;

/** The link of a token. Consumes nothing: mail scanners follow links. */
export async function previewSetupLink(deps: StoreDeps, token: string): Promise<Result<SetupLinkView, NoLink>> {
  const link = await findWaiting(deps, token);
  return link ? ok(await describeSetupLink(deps, link)) : err(NO_SETUP_LINK);
}

/** The names of a link: the organization and the inviting administrator. */
export async function describeSetupLink(deps: StoreDeps, link: SetupLink): Promise<SetupLinkView> {
  const [organization, creator] = await Promise.all([
    deps.database.run("organization.find", (sql) => findOrganization(sql, link.organizationId)),
    deps.database.run("user.find_recipient", (sql) => findRecipient(sql, link.createdBy)),
  ]);
  const organizationName = emailName(organization?.name ?? "") ?? organization?.slug ?? "";
  return { link, organizationName, inviterName: (creator && inviterName(creator)) ?? null };
}

/** Binds the link to the calling browser for good; returns the secret of the browser. */
export async function beginSetup(
  deps: StoreDeps,
  { token, client }: { readonly token: string; readonly client: RequestContext },
): Promise<Result<string, NoLink>> {
  const link = await findWaiting(deps, token);
  if (!link) return err(NO_SETUP_LINK);
  const browserToken = makeOpaqueToken(deps.random);
  const at = new Date(deps.clock.now());
  const resource = { type: "setup_link", id: link.id } as const;
  const event = { action: "sso.setup_link.begun", at, resource } as const;
  const entry = userAuditEvent(deps, setupLinkCallerOf(link).actor, client, event);
  const begun = await deps.database.run(
    "setup_link.begin",
    (sql) => sql`
      with begun as (${beginSetupLink(sql, link.id, browserToken, at)}),
      audit as (${insertAudit(sql, entry, sql`from begun`)})
      select id from begun`,
  );
  return begun.length > 0 ? ok(browserToken) : err(NO_SETUP_LINK);
}

/** A live link that waits, and whose creator still has the permissions. */
async function findWaiting(deps: StoreDeps, token: string): Promise<SetupLink | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const at = new Date(deps.clock.now());
  const link = await deps.database.run("setup_link.find_waiting", (sql) => findWaitingSetupLink(sql, token, at));
  return link && (await readCreator(deps, link)) ? link : undefined;
}
