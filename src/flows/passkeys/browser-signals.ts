import type { StoreDeps } from "../../deps.ts";
import { type BrowserSignals, browserSignals, relyingParty } from "../../models/passkey/ceremony.ts";
import { findRegistrant } from "../../models/passkey/passkey.ts";
import type { SessionView } from "../../models/session/session.ts";

/**
 * The accepted passkeys and the names of the caller, for the password manager of the browser. The source is the primary
 * database: a browser hides a passkey that a delayed read replica omits. Undefined for a user who was erased meanwhile.
 */
export async function readBrowserSignals(
  deps: StoreDeps,
  { userId: id }: SessionView,
): Promise<BrowserSignals | undefined> {
  const registrant = await deps.database.run("passkey.find_registrant", (sql) => findRegistrant(sql, id));
  if (!registrant) return undefined;
  const { email, displayName, credentials } = registrant;
  return browserSignals(relyingParty(deps.config.urls.publicBaseUrl), { id, email, displayName }, credentials);
}
