import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findPendingChange } from "../../models/user-email/email-change.ts";
import { listUserEmails, type UserEmail } from "../../models/user-email/user-email.ts";

/** GET /v1/users/me/emails (docs/contract.md, section 12.14). */
export async function listOwnEmails(
  deps: Pick<Deps, "reads">,
  { caller, page }: { readonly caller: SessionView; readonly page: Page },
): Promise<Listing<UserEmail>> {
  const listed = await deps.reads.run("user_email.list", caller, (sql) =>
    listUserEmails(sql, caller.userId, pageBounds(page)),
  );
  return { ...page, ...listed };
}

/** The requested primary address that awaits confirmation, for the account page. */
export async function findOwnPendingChange(
  deps: Pick<Deps, "reads" | "clock">,
  caller: SessionView,
): Promise<string | undefined> {
  const at = new Date(deps.clock.now());
  return await deps.reads.run("email_change.find_pending", caller, (sql) => findPendingChange(sql, caller.userId, at));
}
