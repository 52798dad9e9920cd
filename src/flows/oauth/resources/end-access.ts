import { OAUTH_FAMILIES_ENDED_AT_ONCE } from "../../../limits/oauth-limits.ts";
import { endAccessTokensFor } from "../../../models/oauth-grant/api-access.ts";
import { endFamilies } from "../../steps/tokens/token-family-events.ts";
import type { EndFamiliesDeps } from "../clients/end-families.ts";

/**
 * Ends the access tokens of users for APIs, in bounded statements. Refresh tokens remain valid: an API that is enabled
 * again receives new tokens. Each batch is committed separately; a repeated call ends the remaining tokens.
 */
export async function endAccessTo(
  deps: EndFamiliesDeps,
  identifiers: readonly string[],
  limit = OAUTH_FAMILIES_ENDED_AT_ONCE,
): Promise<void> {
  let found = identifiers.length === 0 ? 0 : limit;
  while (found === limit) {
    const at = new Date(deps.clock.now());
    const { ended, events } = await deps.database.run("oauth_family.end_access", (sql) =>
      endFamilies(sql, endAccessTokensFor(sql, { identifiers, at, limit }), "resource_disabled", at),
    );
    await deps.revocations.announce(events);
    found = ended;
  }
}
