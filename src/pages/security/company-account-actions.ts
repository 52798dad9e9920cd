/** The user's own company accounts in the session's organization, whatever the role of the user. */
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps, SessionDeps, StoreDeps } from "../../deps.ts";
import { authorizeIdentityReader, authorizeIdentityRemoval } from "../../flows/sso/identities/authorize-identities.ts";
import { listOrganizationIdentities } from "../../flows/sso/identities/list.ts";
import { unlinkSsoIdentity } from "../../flows/sso/identities/unlink.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { IdentityListItem } from "../../models/sso-identity/identity-list.ts";

/** A user has at most one identity of each connection. */
const LIST_SIZE = 100;

export async function listCompanyAccounts(
  deps: StoreDeps & Pick<Deps, "reads">,
  session: SessionView,
): Promise<readonly IdentityListItem[]> {
  const { organizationId, userId } = session;
  const reader = await authorizeIdentityReader(deps, { session }, organizationId);
  if (!reader.ok) return [];
  const caller = { caller: reader.value.caller, scope: { organizationId, userId } };
  const found = await listOrganizationIdentities(deps, { caller, page: clampPage(1, LIST_SIZE) });
  return found.ok ? found.value.items : [];
}

export async function unlinkCompanyAccount(
  deps: SessionDeps & EmailDeps,
  session: SessionView,
  { id, client }: { readonly id: string; readonly client: RequestContext },
): Promise<Result<void, Refusal>> {
  const { organizationId, userId } = session;
  const authorized = await authorizeIdentityRemoval(deps, { session }, organizationId);
  if (!authorized.ok) return authorized;
  const caller = { caller: authorized.value.caller, scope: { organizationId, userId } };
  return await unlinkSsoIdentity(deps, { caller, id, client });
}
