import type { RequestContext } from "../../base/request-context.ts";
import type { EmailDeps } from "../../deps.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { issueByEmail } from "../steps/email/issue-by-email.ts";
import { issuePasswordReset } from "../steps/email/issue-mailed-link.ts";
import { admitEnabled } from "../steps/sign-in/admit-candidate.ts";
import { emailIfActive } from "../steps/sign-in/email-if-active.ts";

export interface ForgotInput {
  /** The unvalidated member of the body. */
  readonly email: unknown;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/password/forgot (docs/contract.md, section 12.3): emails a link with a token of one hour to an enabled
 * account and replaces the previous token. The account needs no organization: the user may want a new password before
 * an invitation arrives. Any other address gets an identical response and no email.
 */
export async function forgotPassword(deps: EmailDeps, { email, client }: ForgotInput): Promise<void> {
  await emailIfActive(deps, "password_reset", email, admitEnabled, (candidate, at) =>
    issue(deps, client, candidate, at),
  );
}

async function issue(deps: EmailDeps, client: RequestContext, candidate: SignInCandidate, at: Date): Promise<void> {
  const { token, mail } = issuePasswordReset(deps, {
    userId: candidate.userId,
    to: candidate,
    tenants: undefined,
    client,
    at,
  });
  const entry = userAuditEvent(deps, candidate, client, { action: "auth.password_reset.requested", at });
  await issueByEmail(deps, "mailed_token.issue", { mail, entry }, (sql, queued) =>
    replaceMailedToken(sql, { ...token, emailId: candidate.emailId }, queued),
  );
}
