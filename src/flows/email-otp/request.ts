import type { BrandTenants } from "../../base/brand-values.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_CODE_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { hashEmailCode, makeEmailCode, replaceEmailCode } from "../../models/email-code/email-code.ts";
import type { SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import { issueByEmail } from "../steps/email/issue-by-email.ts";
import { admitCandidate, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { emailIfActive } from "../steps/sign-in/email-if-active.ts";

export interface RequestInput {
  /** The unvalidated member of the body. */
  readonly email: unknown;
  /** The tenants that the page of the request concerns; absent: unknown. */
  readonly tenants?: BrandTenants | undefined;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/email-otp/request (docs/contract.md, section 11.1): emails a code of six digits to an active account
 * and replaces the previous code. Any other address gets an identical response and no email.
 */
export async function requestEmailCode(deps: SignInDeps, input: RequestInput): Promise<void> {
  await emailIfActive(deps, "email_code", input.email, admitForCode, (candidate, at) =>
    issue(deps, input, candidate, at),
  );
}

/**
 * Admits a user whose organizations refuse the sign-in too: the response to the right code names the reason, and the
 * response to the request stays equal for all addresses.
 */
function admitForCode(candidate: SignInCandidate | undefined): Result<SignInCandidate, NotAdmitted> {
  const admitted = admitCandidate(candidate);
  return candidate && !admitted.ok && closedRefusal(candidate, admitted.error) ? ok(candidate) : admitted;
}

async function issue(
  deps: SignInDeps,
  { tenants, client }: RequestInput,
  candidate: SignInCandidate,
  at: Date,
): Promise<void> {
  const { userId, emailId } = candidate;
  const id = deps.random.uuid();
  const code = makeEmailCode(deps.random);
  const expiresAt = new Date(at.getTime() + EMAIL_CODE_LIFETIME_MS);
  const newCode = { id, userId, emailId, codeHash: hashEmailCode(deps.codeKey, id, code), at, expiresAt };
  const values = { code, minutes: EMAIL_CODE_LIFETIME_MS / 60_000 };
  const mail = composeEmail(deps, { to: candidate, mail: { kind: "email_code", values }, tenants, client, at });
  const entry = userAuditEvent(deps, candidate, client, { action: "auth.email_otp.requested", at });
  await issueByEmail(deps, "email_code.issue", { mail, entry }, (sql, queued) =>
    replaceEmailCode(sql, newCode, queued),
  );
}
