/** The organizations of a client that serves named organizations (docs/contract.md, section 23.33). */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import type { Deps } from "../../../deps.ts";
import { type OAuthClient, servesOrganization } from "../../../models/oauth-client/oauth-client.ts";
import type { PendingRequest } from "../../../models/oauth-request/oauth-request.ts";
import { listMemberships } from "../../../models/organization/organization.ts";
import type { SessionView } from "../../../models/session/session.ts";

/** The text names no organization: a user learns neither the list of the client nor memberships of others. */
export const NOT_SERVED = oauthRefusal("access_denied", "The application is not available to your organization.");

/** The organizations of a user to which a session may move for the client. */
export function organizationsOffered<Organization extends { readonly id: string }>(
  client: Pick<OAuthClient, "organizations">,
  organizations: readonly Organization[],
): readonly Organization[] {
  return organizations.filter(({ id }) => servesOrganization(client, id));
}

/**
 * The organizations of the user that the client serves, by name; undefined: the session is in such an organization. A
 * session that is bound to an organization never moves to another organization, so the session has none.
 */
export async function listServedOrganizations(
  { database }: Pick<Deps, "database">,
  client: Pick<OAuthClient, "organizations">,
  { userId, organizationId, organizationBound }: SessionView,
): Promise<readonly string[] | undefined> {
  if (servesOrganization(client, organizationId)) return undefined;
  const ids = client.organizations ?? [];
  return organizationBound
    ? []
    : await database.run("organization.list_served", (sql) => listMemberships(sql, userId, ids));
}

export type ServedOrganizationStep =
  | { readonly kind: "refuse"; readonly refusal: OAuthRefusal<"access_denied"> }
  | { readonly kind: "sign_in"; readonly again: true }
  /** At least one id. */
  | { readonly kind: "select_organization"; readonly organizationIds: readonly string[] };

/**
 * The step towards an organization that the client serves; undefined: the session is in such an organization. A bound
 * session counts as no session until the user has signed in for the request, as with the parameter `organization`.
 */
export async function servedOrganizationStep(
  deps: Pick<Deps, "database">,
  client: OAuthClient,
  { parameters, createdAt }: PendingRequest,
  session: SessionView,
): Promise<ServedOrganizationStep | undefined> {
  const organizationIds = await listServedOrganizations(deps, client, session);
  if (organizationIds === undefined) return undefined;
  const refused = { kind: "refuse", refusal: NOT_SERVED } as const;
  // The application names the organization: no other organization is offered.
  if (parameters.organization !== undefined) return refused;
  const isFresh = session.authTime >= createdAt.getTime();
  if (session.organizationBound) return isFresh ? refused : { kind: "sign_in", again: true };
  return organizationIds.length > 0 ? { kind: "select_organization", organizationIds } : refused;
}
