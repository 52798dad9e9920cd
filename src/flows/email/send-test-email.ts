import type { BrandTenants } from "../../base/brand-values.ts";
import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { EmailDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { asTest, type EmailContent, insertEmail } from "../../models/email/email.ts";
import { findRecipient } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformUser } from "../steps/authorization/authorize-platform-role.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import type { EmailKind } from "./preview-email.ts";
import { sampleEmail } from "./sample-emails.ts";

export interface SendTestInput {
  readonly caller: PlatformUser;
  readonly kind: EmailKind;
  readonly language: string;
  /** The tenants of the displayed brand. */
  readonly tenants: BrandTenants | undefined;
  readonly client: RequestContext;
}

const NOT_CONFIRMED = refusal("conflict", "Confirm your email address first.");

/**
 * Sends an email with sample values to the primary address of the caller, if the caller has proven control of the
 * address (docs/guarantees.md, G140). Tests have the limits of requested emails.
 */
export async function sendTestEmail(
  deps: EmailDeps,
  { caller, kind, language, tenants, client }: SendTestInput,
): Promise<Result<void, Refusal<"conflict" | "rate_limited">>> {
  const { userId } = caller.session;
  const recipient = await deps.database.run("user.find_recipient", (sql) => findRecipient(sql, userId));
  if (!recipient?.isMailboxOwner || !recipient.emailVerified) return err(NOT_CONFIRMED);
  const at = new Date(deps.clock.now());
  const { config } = deps;
  const sample = sampleEmail(deps.clock, config.urls.publicBaseUrl, kind) as EmailContent;
  const to = { ...recipient, locale: language };
  const composed = composeEmail(deps, { to, mail: sample, tenants, client, at });
  const mail = asTest(composed, config.limits);
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "email.tested",
    at,
    metadata: { kind, language },
  });
  const [row] = await deps.database.run(
    "email.test",
    (sql) => sql<{ queued: boolean }[]>`
      with email as (${insertEmail(sql, mail)} returning id),
      audit as (${insertAudit(sql, entry, sql`from email`)})
      select exists (select 1 from email) as queued`,
  );
  if (!row?.queued) return err(rateLimited("limit_mail", config.limits.mail.seconds, "too many tests of emails"));
  deps.outbox.wake();
  return ok(undefined);
}
