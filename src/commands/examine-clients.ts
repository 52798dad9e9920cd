import type { Foundation } from "../foundation.ts";
import { listUnboundClients } from "../models/oauth-client/list-clients.ts";
import { type Finding, finding } from "./finding.ts";

/** Named clients; of further clients only the existence is reported. */
const NAMED_MAX = 20;

/** The applications whose authorization codes are not bound to the browser (docs/contract.md, section 23.3). */
export async function examineClients({ database }: Pick<Foundation, "database">): Promise<Finding> {
  const check = "authorization codes";
  const found = await database.run("oauth_client.list_unbound", (sql) => listUnboundClients(sql, NAMED_MAX + 1));
  if (found.length === 0) return finding(check, "ok", "bound to the browser by PKCE or a nonce");
  const names = found.slice(0, NAMED_MAX).map(({ id, name }) => `${name} (${id})`);
  const more = found.length > NAMED_MAX ? ", and more" : "";
  const remedy = "set require_nonce_or_pkce to true as soon as the product sends PKCE or a nonce";
  return finding(check, "warning", `not bound to the browser for ${names.join(", ")}${more}`, remedy);
}
