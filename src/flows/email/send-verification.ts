import type { RequestContext } from "../../base/request-context.ts";
import type { EmailDeps } from "../../deps.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findRecipient } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { issueByEmail } from "../steps/email/issue-by-email.ts";
import { issueVerification } from "../steps/email/issue-mailed-link.ts";

/**
 * POST /v1/auth/email/send-verification (docs/contract.md, section 12.1): emails a link of 24 hours and replaces the
 * previous link. Sends no email to a verified address or beyond the limit of emails.
 */
export async function sendVerification(deps: EmailDeps, caller: SessionView, client: RequestContext): Promise<void> {
  const user = await deps.database.run("user.find_recipient", (sql) => findRecipient(sql, caller.userId));
  if (!user || user.emailVerified) return;
  const at = new Date(deps.clock.now());
  const tenants = { organizationId: caller.organizationId };
  const { token, mail } = issueVerification(deps, { userId: caller.userId, to: user, tenants, client, at });
  const entry = userAuditEvent(deps, caller, client, { action: "auth.email.verification_requested", at });
  await issueByEmail(deps, "mailed_token.issue", { mail, entry }, (sql, queued) =>
    replaceMailedToken(sql, token, queued),
  );
  deps.outbox.wake();
}
