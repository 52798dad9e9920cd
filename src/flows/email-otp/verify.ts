import type { ClientFacts } from "../../base/client-facts.ts";
import { refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  claimEmailCodeAttempt,
  consumeEmailCode,
  findEmailCode,
  hashEmailCode,
} from "../../models/email-code/email-code.ts";
import { hashTrustToken } from "../../models/trusted-browser/trusted-browser.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/user.ts";
import { completeFirstFactor, type FirstFactorDeps, type SignInOutcome } from "../steps/complete-first-factor.ts";
import { recordRefusedSignIn } from "../steps/record-refused-sign-in.ts";
import { uniformAnswer } from "../steps/uniform-answer.ts";

export type VerifyDeps = FirstFactorDeps & Pick<Deps, "telemetry" | "codeKey">;

export interface VerifyInput {
  readonly email: string;
  readonly code: string;
  readonly trustToken: string | undefined;
  readonly client: ClientFacts;
}

/** One identical response for every reason (contract, section 4.5). */
const REFUSED = refusal("authentication_required", "The code is not right, or has expired.");

/** A known address takes four: look-up, code, attempt, audit entry. Two of them write, so each counts for more than the look-up. */
const STATEMENTS = 6;

type FailureReason = "unknown_account" | "wrong_code" | "account_disabled" | "no_membership" | "used_meanwhile";

/**
 * POST /v1/auth/email-otp/verify (contract, section 4.5): an e-mailed code is a first factor. The attempt is counted in the
 * statement that compares, five of them for one code. Refuses with `invalid_input`, `authentication_required`.
 */
export async function verifyEmailCode(deps: VerifyDeps, input: VerifyInput): Promise<Result<SignInOutcome>> {
  const answer = uniformAnswer(deps.clock);
  const email = normalizeEmail(input.email);
  if (!email) return err(refusal("invalid_input", "email: not an e-mail address"));
  const at = new Date(deps.clock.now());
  const question = { trustTokenHash: hashTrustToken(input.trustToken), at };
  const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { email }, question),
  );
  answer.lookedUp(STATEMENTS);
  const outcome = await signInWithCode(deps, input, candidate, at);
  if (typeof outcome !== "string") return outcome;
  await recordRefusedSignIn(deps, { method: "email_otp", reason: outcome, candidate, client: input.client });
  await answer.wait();
  return err({ ...REFUSED, cause: outcome });
}

async function signInWithCode(
  deps: VerifyDeps,
  { code, client }: VerifyInput,
  candidate: SignInCandidate | undefined,
  at: Date,
): Promise<Result<SignInOutcome> | FailureReason> {
  if (!candidate) return "unknown_account";
  const codeId = await matchingCode(deps, candidate.userId, code, at);
  if (codeId === undefined) return "wrong_code";
  if (candidate.disabled) return "account_disabled";
  const { organizationId } = candidate;
  if (organizationId === null) return "no_membership";
  const outcome = await completeFirstFactor(deps, {
    candidate: { ...candidate, organizationId },
    authMethod: "email_otp",
    client,
    consume: (sql) => consumeEmailCode(sql, codeId),
  });
  if (!outcome.ok && outcome.error.code === "authentication_required") return "used_meanwhile";
  if (outcome.ok) deps.telemetry.metrics.signInAttempt("email_otp", "success");
  return outcome;
}

/** The user's latest live code, if it is this one and not locked. The attempt counts either way. */
async function matchingCode(deps: VerifyDeps, userId: string, code: string, at: Date): Promise<string | undefined> {
  const id = await deps.database.run("email_code.find", (sql) => findEmailCode(sql, userId, at));
  if (id === undefined) return undefined;
  const hash = hashEmailCode(deps.codeKey, id, code);
  const matches = await deps.database.run("email_code.claim_attempt", (sql) =>
    claimEmailCodeAttempt(sql, id, hash, at),
  );
  return matches ? id : undefined;
}
