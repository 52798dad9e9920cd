import { hashOpaqueToken } from "../../base/opaque-token.ts";
import type { Deps } from "../../deps.ts";
import { findMailedLink, type MailedTokenPurpose } from "../../models/mailed-token/mailed-token.ts";

/** A live link has the address of its email. */
export type MailedLink = { readonly state: "live"; readonly email: string } | { readonly state: "verified" | "dead" };

/**
 * A link in an email, for its page before the user presses a button: `live`, `verified` for a used link whose address
 * is verified, and `dead` for every other used, expired or unknown link. Consumes nothing.
 */
export async function readMailedLink(
  deps: Pick<Deps, "clock" | "database">,
  purpose: MailedTokenPurpose,
  token: string,
): Promise<MailedLink> {
  const tokenHash = hashOpaqueToken(token);
  if (!tokenHash) return { state: "dead" };
  const at = new Date(deps.clock.now());
  const found = await deps.database.run("mailed_token.read", (sql) => findMailedLink(sql, purpose, tokenHash, at));
  if (found && !found.used) return { state: "live", email: found.email };
  return { state: found?.verified ? "verified" : "dead" };
}
