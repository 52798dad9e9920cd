import { NO_CLIENT, type RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { OWNER_MAIL_RECIPIENTS_MAX } from "../../../limits/email-limits.ts";
import { type EmailContent, insertEmail } from "../../../models/email/email.ts";
import { aboutSubject } from "../../../models/email/email-allowance.ts";
import { listResponsibleUsers } from "../../../models/user/user.ts";
import { type ComposeDeps, composeEmail } from "./compose-email.ts";

interface OwnerMail {
  /** The cause, if a request is the cause. */
  readonly client?: RequestContext;
  readonly at: Date;
  /** Ids of the people whom the notice is about: held notices about other people are not merged. */
  readonly subject?: readonly string[];
}

/** Queues an email to the owners of an organization. */
export async function mailOwners(
  deps: ComposeDeps,
  sql: Sql,
  organizationId: string,
  mail: EmailContent,
  { client = NO_CLIENT, at, subject }: OwnerMail,
): Promise<void> {
  for (const to of await listResponsibleUsers(sql, organizationId, OWNER_MAIL_RECIPIENTS_MAX)) {
    const email = composeEmail(deps, { to, mail, tenants: { organizationId }, client, at });
    await insertEmail(sql, subject ? aboutSubject(email, [organizationId, ...subject]) : email);
  }
}
