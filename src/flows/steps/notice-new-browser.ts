import type { FirstFactor } from "../../base/assurance.ts";
import type { ClientFacts } from "../../base/client-facts.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import type { Deps } from "../../deps.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { fromUnseenBrowser } from "../../models/session/session.ts";
import type { Correspondent } from "../../models/user/user.ts";
import { circumstances, writeLetter } from "./write-letter.ts";

/**
 * A piece of a sign-in statement, for `EntranceParts.also`: whoever enters by an e-mailed code, in a browser that none of the user's
 * sessions knows, has the owner of the mailbox told. `undefined` for every other way in.
 */
export function noticeNewBrowser(
  needs: Pick<Deps, "sealing" | "random">,
  user: Correspondent & { readonly userId: string },
  entry: { readonly authMethod: FirstFactor; readonly client: ClientFacts; readonly at: Date },
): ((sql: Sql) => Fragment) | undefined {
  const { authMethod, client, at } = entry;
  if (authMethod !== "email_otp") return undefined;
  const letter = writeLetter(needs, user, client, { kind: "new_browser", values: circumstances(client, at) }, at);
  return (sql) => insertLetter(sql, letter, sql`from person ${fromUnseenBrowser(sql, user.userId, client.userAgent)}`);
}
