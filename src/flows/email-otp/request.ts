import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_CODE_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { hashEmailCode, replaceEmailCode } from "../../models/email-code/email-code.ts";
import type { SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import { issueByEmail } from "../steps/email/issue-by-email.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { emailIfActive } from "../steps/sign-in/email-if-active.ts";
import { issueSignUp } from "./issue-sign-up.ts";
import { makeIssuedCode, type RequestInput } from "./issued-code.ts";
import { admitSignUp } from "./limit-sign-ups.ts";

/**
 * POST /v1/auth/email-otp/request (docs/contract.md, sections 11.1 and 37.3): emails a code of six digits to an active
 * account and replaces the previous code; with `signUp`, an address without an account gets a code to sign up. Every
 * address gets an identical response after an equal time. `rate_limited`: the limits of sign-ups, for every address.
 */
export async function requestEmailCode(
  deps: SignInDeps,
  input: RequestInput,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const admitted = input.signUp ? await admitSignUp(deps, input) : ok(undefined);
  if (!admitted.ok) return err(admitted.error);
  await emailIfActive(
    deps,
    "email_code",
    input.email,
    (candidate) => admitForCode(deps, candidate),
    (candidate, at) => issue(deps, input, candidate, at),
    input.signUp ? (email, at) => issueSignUp(deps, input, email, at) : undefined,
  );
  return ok(undefined);
}

/**
 * Admits a user whose organizations refuse the sign-in too: the response to the right code names the reason, and the
 * response to the request stays equal for all addresses.
 */
function admitForCode(deps: SignInDeps, candidate: SignInCandidate | undefined): Result<SignInCandidate, NotAdmitted> {
  const admitted = admitOwnMethod(deps, candidate);
  return candidate && !admitted.ok && closedRefusal(candidate, admitted.error) ? ok(candidate) : admitted;
}

async function issue(deps: SignInDeps, input: RequestInput, candidate: SignInCandidate, at: Date): Promise<void> {
  const { userId, emailId } = candidate;
  const { tenants, client, redirectTo = null } = input;
  const id = deps.random.uuid();
  const { code, linkHash, browserHash, values } = makeIssuedCode(deps, input);
  const expiresAt = new Date(at.getTime() + EMAIL_CODE_LIFETIME_MS);
  const codeHash = hashEmailCode(deps.codeKey, id, code);
  const newCode = { id, userId, emailId, codeHash, linkHash, browserHash, redirectTo, at, expiresAt };
  const mail = composeEmail(deps, { to: candidate, mail: { kind: "email_code", values }, tenants, client, at });
  const entry = userAuditEvent(deps, candidate, client, { action: "auth.email_otp.requested", at });
  await issueByEmail(deps, "email_code.issue", { mail, entry }, (sql, queued) =>
    replaceEmailCode(sql, newCode, queued),
  );
}
