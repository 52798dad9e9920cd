import type { FirstFactor } from "../../../base/assurance.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { EmailDeps } from "../../../deps.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { fromUnseenBrowser } from "../../../models/session/session.ts";
import type { Recipient } from "../../../models/user/user.ts";
import { composeEmail, noticeDetails } from "../email/compose-email.ts";
import type { SignInParts } from "./complete-sign-in.ts";

/**
 * Returns the notice of a sign-in by e-mailed code from a browser without an earlier session of the user
 * (docs/contract.md, section 11.2). Returns undefined for every other sign-in method.
 */
export function notifyNewBrowser(
  deps: EmailDeps,
  user: Recipient & { readonly userId: string },
  entry: { readonly authMethod: FirstFactor; readonly client: RequestContext; readonly at: Date },
): SignInParts["notice"] {
  const { authMethod, client, at } = entry;
  if (authMethod !== "email_otp") return undefined;
  const mail = composeEmail(deps, user, client, { kind: "new_browser", values: noticeDetails(client, at) }, at);
  return (sql, account) =>
    insertEmail(sql, mail, sql`from ${account} ${fromUnseenBrowser(sql, user.userId, client.userAgent)}`);
}
