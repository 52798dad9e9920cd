import type { FirstFactor } from "../../base/assurance.ts";
import type { ClientFacts } from "../../base/client-facts.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import type { Deps } from "../../deps.ts";
import { insertEmail } from "../../models/email/email.ts";
import { fromUnseenBrowser } from "../../models/session/session.ts";
import type { Recipient } from "../../models/user/user.ts";
import { composeEmail, requestContext } from "./compose-email.ts";

/**
 * A piece of a sign-in statement, for `EntranceParts.also`: whoever enters by an e-mailed code, in a browser that none of the user's
 * sessions knows, has the owner of the mailbox told. `undefined` for every other way in.
 */
export function notifyNewBrowser(
  deps: Pick<Deps, "sealing" | "random">,
  user: Recipient & { readonly userId: string },
  entry: { readonly authMethod: FirstFactor; readonly client: ClientFacts; readonly at: Date },
): ((sql: Sql) => Fragment) | undefined {
  const { authMethod, client, at } = entry;
  if (authMethod !== "email_otp") return undefined;
  const mail = composeEmail(deps, user, client, { kind: "new_browser", values: requestContext(client, at) }, at);
  return (sql) => insertEmail(sql, mail, sql`from person ${fromUnseenBrowser(sql, user.userId, client.userAgent)}`);
}
