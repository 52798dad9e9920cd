import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listLiveSessions, reachOf, type SessionListItem, type SessionView } from "../../models/session/session.ts";
import { type Origin, withOrigin } from "../steps/sessions/describe-origin.ts";

export type SessionOfCaller = SessionListItem & Origin & { readonly current: boolean };

/** GET /v1/auth/sessions (docs/contract.md, section 7.6). */
export async function listSessions(
  deps: Pick<Deps, "reads" | "clock" | "geolocation">,
  input: { readonly caller: SessionView; readonly page: Page },
): Promise<Listing<SessionOfCaller>> {
  const { caller, page } = input;
  const at = new Date(deps.clock.now());
  const { items, total } = await deps.reads.run("session.list_live", caller, (sql) =>
    listLiveSessions(sql, reachOf(caller), at, pageBounds(page)),
  );
  return {
    ...page,
    total,
    items: items.map((item) => ({ ...withOrigin(deps, item), current: item.id === caller.id })),
  };
}
