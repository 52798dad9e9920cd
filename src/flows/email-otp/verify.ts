import type { ClientFacts } from "../../base/client-facts.ts";
import { refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  claimEmailCodeAttempt,
  consumeEmailCode,
  findEmailCode,
  hashEmailCode,
  lockEmailCode,
} from "../../models/email-code/email-code.ts";
import { type Attempt, allowAttempt, countMiss, lockedUntil } from "../../models/failed-attempt/failed-attempt.ts";
import { hashTrustToken } from "../../models/trusted-browser/trusted-browser.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/user.ts";
import { completeFirstFactor, type FirstFactorDeps, type SignInOutcome } from "../steps/complete-first-factor.ts";
import { type RefusedSignIn, recordRefusedSignIn, refusedSignInEntry } from "../steps/record-refused-sign-in.ts";
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

type FailureReason =
  | "unknown_account"
  | "no_live_code"
  | "code_locked"
  | "too_many_misses"
  | "wrong_code"
  | "account_disabled"
  | "no_membership"
  | "used_meanwhile";

/**
 * POST /v1/auth/email-otp/verify (contract, section 4.5): an e-mailed code is a first factor. The attempt is counted in
 * the statement that compares: five of them for one code, twenty misses an hour and sixty a day for the user over all
 * codes. Refuses with `invalid_input`, `authentication_required`.
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
  // The statement that compared has written what it found wrong.
  if (outcome !== "wrong_code") await recordRefusedSignIn(deps, refusalOf(input, candidate, outcome));
  await answer.wait();
  return err({ ...REFUSED, cause: outcome });
}

async function signInWithCode(
  deps: VerifyDeps,
  input: VerifyInput,
  candidate: SignInCandidate | undefined,
  at: Date,
): Promise<Result<SignInOutcome> | FailureReason> {
  if (!candidate) return "unknown_account";
  const code = await matchingCode(deps, input, candidate, at);
  if (typeof code === "string") return code;
  if (candidate.disabled) return "account_disabled";
  const { organizationId } = candidate;
  if (organizationId === null) return "no_membership";
  const outcome = await completeFirstFactor(deps, {
    candidate: { ...candidate, organizationId },
    proof: { kind: "email_code" },
    authMethod: "email_otp",
    client: input.client,
    allow: (sql) => allowAttempt(sql, attemptOf(candidate, at), lockEmailCode(sql, code.id)),
    consume: (sql) => consumeEmailCode(sql, code.id, sql`from allowed`),
  });
  if (!outcome.ok && outcome.error.code === "authentication_required") return "used_meanwhile";
  if (outcome.ok) deps.telemetry.metrics.signInAttempt("email_otp", "success");
  return outcome;
}

/** The user's latest live code, if it is this one and not locked. The attempt counts either way, and so does a miss. */
async function matchingCode(
  deps: VerifyDeps,
  input: VerifyInput,
  candidate: SignInCandidate,
  at: Date,
): Promise<{ readonly id: string } | FailureReason> {
  const live = await deps.database.run("email_code.find", (sql) =>
    findEmailCode(sql, candidate.userId, at, lockedUntil(sql, "email_code", at)),
  );
  if (!live) return "no_live_code";
  if (live.locked) return "too_many_misses";
  const { id } = live;
  const codeHash = hashEmailCode(deps.codeKey, id, input.code);
  const entry = refusedSignInEntry(deps, refusalOf(input, candidate, "wrong_code"));
  const matches = await deps.database.run("email_code.claim_attempt", (sql) =>
    claimEmailCodeAttempt(
      sql,
      { id, codeHash, at },
      (from) => sql`
        missed as (${countMiss(sql, attemptOf(candidate, at), from)}),
        audit as (${insertAudit(sql, entry, from)})`,
    ),
  );
  if (matches === undefined) return "code_locked";
  if (matches) return { id };
  deps.telemetry.metrics.signInAttempt("email_otp", "failure");
  return "wrong_code";
}

function attemptOf({ userId }: SignInCandidate, at: Date): Attempt {
  return { userId, kind: "email_code", at };
}

function refusalOf(
  { client }: VerifyInput,
  candidate: SignInCandidate | undefined,
  reason: FailureReason,
): RefusedSignIn {
  return { method: "email_otp", reason, candidate, client };
}
