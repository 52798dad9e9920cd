import { NO_CLIENT, type RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { OWNER_MAIL_RECIPIENTS_MAX } from "../../../limits/email-limits.ts";
import { type EmailContent, insertEmail } from "../../../models/email/email.ts";
import { listResponsibleUsers } from "../../../models/user/user.ts";
import { type ComposeDeps, composeEmail } from "./compose-email.ts";

/** Queues an e-mail to the owners of an organization. `client`: the cause, if a request is the cause. */
export async function mailOwners(
  deps: ComposeDeps,
  sql: Sql,
  organizationId: string,
  mail: EmailContent,
  { client = NO_CLIENT, at }: { readonly client?: RequestContext; readonly at: Date },
): Promise<void> {
  for (const to of await listResponsibleUsers(sql, organizationId, OWNER_MAIL_RECIPIENTS_MAX)) {
    await insertEmail(sql, composeEmail(deps, { to, mail, tenants: { organizationId }, client, at }));
  }
}
