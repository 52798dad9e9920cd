import type { Deps } from "../../deps.ts";
import { findOwnPendingChange, listOwnEmails } from "../../flows/user-emails/list.ts";
import { USER_EMAILS_MAX } from "../../limits/user-email-limits.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { UserEmail } from "../../models/user-email/user-email.ts";

/** The page with the form of an action on an address. */
export const EMAILS = "/account/email";

export interface OwnEmails {
  readonly items: readonly UserEmail[];
  /** The requested primary address that awaits confirmation. */
  readonly pending: string | undefined;
}

export async function readOwnEmails(deps: Pick<Deps, "clock" | "reads">, caller: SessionView): Promise<OwnEmails> {
  const page = { page: 1, pageSize: USER_EMAILS_MAX };
  const [{ items }, pending] = await Promise.all([
    listOwnEmails(deps, { caller, page }),
    findOwnPendingChange(deps, caller),
  ]);
  return { items, pending };
}
