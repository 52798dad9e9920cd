import { hashOpaqueToken } from "../../base/opaque-token.ts";
import { BAD_CREDENTIALS, type Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { determinesPassword, needsRehash, normalizePassword } from "../../models/password/password.ts";
import { passwordAttemptScopes } from "../../models/sign-in-attempt/sign-in-attempt.ts";
import { hashGuessedAccount, malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import {
  type AdmissibleCandidate,
  findSignInCandidate,
  type SignInCandidate,
} from "../../models/user/sign-in-candidate.ts";
import { replacePasswordHash } from "../../models/user/user.ts";
import { type Admission, admit } from "../steps/sign-in/admission.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { completeFirstFactor, type SignInOutcome } from "../steps/sign-in/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/sign-in/complete-sign-in.ts";
import { type FailureDelay, failureDelay } from "../steps/sign-in/failure-delay.ts";
import { claimPasswordGuess } from "../steps/sign-in/limit-password-guesses.ts";
import { recordRefusedSignIn } from "../steps/sign-in/record-refused-sign-in.ts";
import { acquireHashSlot, comparePassword, hashPassword } from "../steps/sign-in/verify-password.ts";

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string | undefined;
  /** The cookie `service_trust`, if the browser has one. */
  readonly trustToken: string | undefined;
  /** The limit of the client's address. */
  readonly admission: Admission | undefined;
  readonly client: RequestContext;
}

/** The reason of a refused password sign-in: for the audit trail, never for the client. */
type FailureReason = NotAdmitted | "no_password" | "wrong_password";
type LoginFailure = FailureReason | typeof CHANGED_MEANWHILE | Refusal<"forbidden" | "rate_limited" | "sso_required">;
type LoginRefusal = Refusal<
  "invalid_input" | "authentication_required" | "forbidden" | "rate_limited" | "sso_required"
>;

/**
 * POST /v1/auth/login (docs/contract.md, section 7.2): one response and one duration for an unknown address, a wrong
 * password, no password, a disabled account and a suspended organization. `sso_required` and `forbidden` follow a right
 * password of a user whose organizations all refuse the sign-in.
 */
export async function login(deps: SignInDeps, input: LoginInput): Promise<Result<SignInOutcome, LoginRefusal>> {
  const email = normalizeEmail(input.email);
  if (!email) return await refuseAddress(deps, input);
  const delay = failureDelay(deps);
  const outcome = await signInWithPassword(deps, input, email, delay);
  if (outcome.ok) return outcome;
  if (typeof outcome.error !== "string") return err(outcome.error);
  await delay.wait();
  return err(BAD_CREDENTIALS);
}

/** No account is named, so only the limit of the client's address is counted. */
async function refuseAddress(deps: SignInDeps, { admission, email }: LoginInput): Promise<Result<never, LoginRefusal>> {
  const admitted = await admit(deps, admission);
  return admitted.ok ? err(malformedEmail("email", email)) : admitted;
}

async function signInWithPassword(
  deps: SignInDeps,
  input: LoginInput,
  email: string,
  delay: FailureDelay,
): Promise<Result<SignInOutcome, LoginFailure>> {
  const { client, password } = input;
  const slot = acquireHashSlot(deps, client.network);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const candidate = await findCandidate(deps, input, email);
  // Guesses count by user once the address is resolved: additional addresses permit no additional guesses.
  const account = candidate?.email ?? email;
  const guessed = hashGuessedAccount(deps.addressKey, account, candidate?.guessesClearedAt ?? null);
  const trusted = typeof candidate?.trustedBrowserId === "string";
  const claimed = await claimPasswordGuess(
    deps,
    passwordAttemptScopes(guessed, client.network, deps.config.limits, trusted),
    input.admission,
  );
  if (!claimed.ok) return claimed;
  await using guess = claimed.value;
  const compared = await comparePassword(deps, password, candidate?.passwordHash ?? null, client.network);
  if (!compared.ok) return compared;
  delay.compared(compared.value);
  const admitted = admitWithPassword(deps, input, candidate, compared.value.matches);
  if (!admitted.ok) {
    const closed = closedRefusal(candidate, admitted.error);
    // A right password is no failed guess.
    if (!closed) guess.reportWrong();
    await recordRefusedSignIn(deps, { method: "password", reason: admitted.error, candidate, client });
    return closed ? err(closed) : admitted;
  }
  await renewHash(deps, admitted.value, password, client.network);
  const completed = await completeFirstFactor(deps, { candidate: admitted.value, authMethod: "password", client });
  if (!completed.ok && completed.error === CHANGED_MEANWHILE) {
    // The password was right: release the claimed guess, because only wrong passwords count.
    await recordRefusedSignIn(deps, { method: "password", reason: CHANGED_MEANWHILE, candidate, client });
  }
  return completed;
}

function findCandidate(deps: SignInDeps, input: LoginInput, email: string): Promise<SignInCandidate | undefined> {
  const question = {
    organizationId: input.organizationId,
    trustTokenHash: hashOpaqueToken(input.trustToken),
    userAgent: input.client.userAgent,
    method: "password",
    address: input.client.ipAddress,
    at: new Date(deps.clock.now()),
  } as const;
  return deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, { email }, question));
}

/** The password is checked first: the reason "account_disabled" in the audit trail implies a right password. */
function admitWithPassword(
  deps: SignInDeps,
  { organizationId }: LoginInput,
  candidate: SignInCandidate | undefined,
  matches: boolean,
): Result<AdmissibleCandidate, FailureReason> {
  if (candidate?.passwordHash === null) return err("no_password");
  if (candidate && !matches) return err("wrong_password");
  return admitOwnMethod(deps, candidate, organizationId);
}

/**
 * Replaces a hash of a different cost by a hash of the configured cost. A full pool defers the replacement to the next
 * sign-in.
 */
async function renewHash(
  deps: SignInDeps,
  candidate: SignInCandidate,
  typed: string,
  fairnessKey: string,
): Promise<void> {
  const { userId, passwordHash } = candidate;
  if (passwordHash === null || !needsRehash(passwordHash, deps.config.hashing.cost)) return;
  if (!determinesPassword(passwordHash, typed)) return;
  const renewed = await hashPassword(deps, normalizePassword(typed), fairnessKey);
  if (!renewed.ok) return;
  await deps.database.run("user.replace_password_hash", (sql) =>
    replacePasswordHash(sql, userId, passwordHash, renewed.value),
  );
}
