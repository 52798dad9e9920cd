/** The end of tokens of organizations that a client no longer serves (docs/contract.md, section 23.33). */
import { findClient, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { endTokensOutside } from "./end-client.ts";
import type { EndFamiliesDeps } from "./end-families.ts";

type Organizations = OAuthClient["organizations"];

/** Whether the change excludes an organization that the client serves. */
export function excludesOrganizations(before: Organizations, after: Organizations | undefined): boolean {
  if (!after) return false;
  return before === null || !before.every((id) => after.includes(id));
}

/**
 * Runs before a client serves a further organization: the replica that excluded the organization may have stopped
 * before the last token was ended, and the token would be valid again.
 */
export async function endTokensOfExcluded(
  deps: EndFamiliesDeps,
  clientId: string,
  after: Organizations | undefined,
): Promise<void> {
  if (after === undefined) return;
  const client = await deps.database.run("oauth_client.find", (sql) => findClient(sql, clientId));
  const before = client?.organizations ?? null;
  if (before !== null && excludesOrganizations(after, before)) await endTokensOutside(deps, clientId, before);
}
