import { hashOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  claimEmailCodeAttempt,
  consumeEmailCode,
  findEmailCode,
  hashEmailCode,
  lockEmailCode,
} from "../../models/email-code/email-code.ts";
import {
  type AddressAttempt,
  type Attempt,
  allowAttempt,
  countFailedAttempt,
  lockedUntil,
} from "../../models/failed-attempt/failed-attempt.ts";
import { type ComparableSignUp, findSignUp } from "../../models/sign-up/sign-up.ts";
import { hashAddress, malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { completeFirstFactor, type SignInOutcome } from "../steps/sign-in/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/sign-in/complete-sign-in.ts";
import {
  type RefusedSignIn,
  recordRefusedSignIn,
  refusedSignInEntry,
} from "../steps/sign-in/record-refused-sign-in.ts";
import { uniformResponseTime } from "../steps/sign-in/uniform-response-time.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";
import type { SignUpDeps, SignUpDetails } from "./complete-sign-up.ts";
import { type CodeFailure, type CodeOutcome, signUpWithCode } from "./sign-up.ts";

export interface VerifyInput extends SignUpDetails {
  readonly email: string;
  readonly code: string;
  readonly trustToken: string | undefined;
  readonly client: RequestContext;
}

/** One identical response for every reason (docs/contract.md, section 11.2). */
const REFUSED = refusal("authentication_required", "The code is not right, or has expired.");

/**
 * A known address costs four statements: look-up, code, attempt, audit record; an address with a pending sign-up costs
 * as many. Two of the four write, and a write counts as two look-ups. The sign-up is looked up beside the account.
 */
const STATEMENTS = 6;

/** The reason of a refused code: for the audit trail, never for the client. */
type FailureReason = NotAdmitted | CodeFailure;

/**
 * POST /v1/auth/email-otp/verify (docs/contract.md, section 11.2): an emailed code is a first factor. The comparing
 * statement also counts the attempt.
 */
export async function verifyEmailCode(
  deps: SignUpDeps,
  input: VerifyInput,
): Promise<
  Result<
    CodeOutcome,
    Refusal<"authentication_required" | "forbidden" | "invalid_input" | "rate_limited" | "sso_required">
  >
> {
  const response = uniformResponseTime(deps.clock);
  const email = normalizeEmail(input.email);
  if (!email) return err(malformedEmail("email", input.email));
  const at = new Date(deps.clock.now());
  const question = {
    trustTokenHash: hashOpaqueToken(input.trustToken),
    method: "email_otp",
    address: input.client.ipAddress,
    at,
  } as const;
  const addressHash = hashAddress(deps.addressKey, email);
  const [candidate, pending] = await Promise.all([
    deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, { email }, question)),
    deps.database.run("sign_up.find", (sql) =>
      findSignUp(sql, { email, addressHash }, at, lockedUntil(sql, "email_code", at)),
    ),
  ]);
  response.lookedUp(STATEMENTS);
  // Acquire the slot before the attempt is counted, for any address: a full pool must not consume the code or reveal a
  // right code.
  const slot = acquireSigningSlot(deps, candidate?.userId ?? email);
  if (!slot.ok) return slot;
  // Release the slot before the wait below: wrong codes of anonymous clients must not fill the pool while no token is
  // signed.
  const attempt = pending
    ? presentSignUpCode(deps, input, { pending, addressHash, candidate, at })
    : signInWithCode(deps, input, candidate, at);
  const outcome = await attempt.finally(() => slot.value[Symbol.dispose]());
  if (outcome.ok) return outcome;
  const reason = outcome.error;
  if (typeof reason !== "string") return err(reason);
  const closed = closedRefusal(candidate, reason);
  if (closed) {
    await recordRefusedSignIn(deps, refusalOf(input, candidate, reason));
    return err(closed);
  }
  // The comparing statement has inserted the audit record of a wrong code of an account.
  if (reason !== "wrong_code" || !candidate) await recordRefusedSignIn(deps, refusalOf(input, candidate, reason));
  await response.wait();
  const misses = reason === "too_many_misses" || reason === "code_locked";
  return err({ ...REFUSED, cause: reason, ...(misses ? { bound: "email_code_misses" } : {}) });
}

/** The code of a pending sign-up, or of the account that came to exist meanwhile. */
async function presentSignUpCode(
  deps: SignUpDeps,
  input: VerifyInput,
  presented: { readonly pending: ComparableSignUp; readonly candidate: SignInCandidate | undefined } & AddressAttempt,
): Promise<Result<CodeOutcome, FailureReason | Refusal<"rate_limited">>> {
  const { candidate, at } = presented;
  const outcome = await signUpWithCode(deps, { ...input, ...presented });
  // A code of the account was mailed after the code of the sign-up, and has attempts of its own.
  return outcome.ok || !candidate || !isMiss(outcome.error)
    ? outcome
    : await signInWithCode(deps, input, candidate, at);
}

/** Whether the code of the sign-up was wrong, or too many codes were. */
function isMiss(error: FailureReason | Refusal<"rate_limited">): boolean {
  return error === "wrong_code" || error === "code_locked" || error === "too_many_misses";
}

async function signInWithCode(
  deps: SignInDeps,
  input: VerifyInput,
  candidate: SignInCandidate | undefined,
  at: Date,
): Promise<Result<SignInOutcome, FailureReason | Refusal<"rate_limited">>> {
  if (!candidate) return err("unknown_account");
  const code = await verifyLatestCode(deps, input, candidate, at);
  if (!code.ok) return code;
  const { id } = code.value;
  const admitted = admitOwnMethod(deps, candidate);
  if (!admitted.ok) return admitted;
  const outcome = await completeFirstFactor(deps, {
    candidate: admitted.value,
    proof: { kind: "email_code" },
    authMethod: "email_otp",
    client: input.client,
    holdsSigningSlot: true,
    allow: (sql) => allowAttempt(sql, attemptOf(candidate, at), lockEmailCode(sql, id)),
    consume: (sql, allowed) => consumeEmailCode(sql, id, sql`from ${allowed}`),
  });
  if (outcome.ok) return outcome;
  return err(outcome.error === CHANGED_MEANWHILE ? "used_meanwhile" : outcome.error);
}

/**
 * Verifies the code against the user's live code. Counts the attempt in any case, and counts a wrong code as a failed
 * attempt of the user.
 */
async function verifyLatestCode(
  deps: SignInDeps,
  input: VerifyInput,
  candidate: SignInCandidate,
  at: Date,
): Promise<Result<{ readonly id: string }, FailureReason>> {
  const live = await deps.database.run("email_code.find", (sql) =>
    findEmailCode(sql, candidate, at, lockedUntil(sql, "email_code", at)),
  );
  if (!live) return err("no_live_code");
  if (live.locked) return err("too_many_misses");
  const { id } = live;
  const codeHash = hashEmailCode(deps.codeKey, id, input.code);
  const entry = refusedSignInEntry(deps, refusalOf(input, candidate, "wrong_code"));
  const matches = await deps.database.run("email_code.claim_attempt", (sql) =>
    claimEmailCodeAttempt(sql, { id, codeHash, at }, (from) => ({
      counted: countFailedAttempt(sql, attemptOf(candidate, at), from),
      audit: insertAudit(sql, entry, from),
    })),
  );
  if (matches === undefined) return err("code_locked");
  if (matches) return ok({ id });
  deps.telemetry.metrics.signInAttempt("email_otp", "failure");
  return err("wrong_code");
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
