import type { ClientFacts } from "../../base/client-facts.ts";
import { BAD_CREDENTIALS, refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { determinesPassword, needsRehash, normalizePassword } from "../../models/password/password.ts";
import { passwordAttemptScopes } from "../../models/sign-in-attempt/sign-in-attempt.ts";
import { hashTrustToken } from "../../models/trusted-browser/trusted-browser.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import {
  type AdmissibleCandidate,
  findSignInCandidate,
  replacePasswordHash,
  type SignInCandidate,
} from "../../models/user/user.ts";
import { completeFirstFactor, type FirstFactorDeps, type SignInOutcome } from "../steps/complete-first-factor.ts";
import { type FailureDelay, failureDelay } from "../steps/failure-delay.ts";
import { limitPasswordGuesses } from "../steps/limit-password-guesses.ts";
import { recordRefusedSignIn } from "../steps/record-refused-sign-in.ts";
import { acquireHashSlot, comparePassword, hashPassword } from "../steps/verify-password.ts";

export type LoginDeps = FirstFactorDeps & Pick<Deps, "state" | "hashing" | "dummyHash" | "passwordCosts" | "telemetry">;

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string | undefined;
  /** The cookie `service_trust`, if the browser has one. */
  readonly trustToken: string | undefined;
  readonly client: ClientFacts;
}

/** Why a sign-in was refused: for the audit trail and the metric, never for the client. */
type FailureReason = "unknown_account" | "no_password" | "wrong_password" | "account_disabled" | "no_membership";

/**
 * POST /v1/auth/login (decisions, section 4). One answer and one duration for unknown address, wrong password, no password,
 * disabled account and suspended organization. Refuses with `invalid_input`, `authentication_required`, `rate_limited`.
 */
export async function login(deps: LoginDeps, input: LoginInput): Promise<Result<SignInOutcome>> {
  const email = normalizeEmail(input.email);
  if (!email) return err(refusal("invalid_input", "email: not an e-mail address"));
  const delay = failureDelay(deps);
  const outcome = await acquireHashSlot(deps, input.client.network, () => findAndVerify(deps, input, email, delay));
  if (!outcome.ok && outcome.error.code === "authentication_required") await delay.wait();
  return outcome;
}

async function findAndVerify(
  deps: LoginDeps,
  input: LoginInput,
  email: string,
  delay: FailureDelay,
): Promise<Result<SignInOutcome>> {
  const question = {
    organizationId: input.organizationId,
    trustTokenHash: hashTrustToken(input.trustToken),
    at: new Date(deps.clock.now()),
  };
  const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { email }, question),
  );
  const trusted = typeof candidate?.trustedBrowserId === "string";
  const scopes = passwordAttemptScopes(email, input.client.network, deps.config.limits, trusted);
  return await limitPasswordGuesses(deps, scopes, () => signInWithPassword(deps, input, candidate, delay));
}

async function signInWithPassword(
  deps: LoginDeps,
  input: LoginInput,
  candidate: SignInCandidate | undefined,
  delay: FailureDelay,
): Promise<Result<SignInOutcome>> {
  const { client } = input;
  const compared = await comparePassword(deps, input.password, candidate?.passwordHash ?? null, client.network);
  if (!compared.ok) return compared;
  delay.compared(compared.value);
  const admitted = admitCandidate(candidate, compared.value.matches);
  if (typeof admitted === "string") {
    await recordRefusedSignIn(deps, { method: "password", reason: admitted, candidate, client });
    return err(BAD_CREDENTIALS);
  }
  await renewHash(deps, admitted, input.password, client.network);
  deps.telemetry.metrics.signInAttempt("password", "success");
  return await completeFirstFactor(deps, { candidate: admitted, authMethod: "password", client });
}

function admitCandidate(candidate: SignInCandidate | undefined, matches: boolean): AdmissibleCandidate | FailureReason {
  if (!candidate) return "unknown_account";
  if (candidate.passwordHash === null) return "no_password";
  if (!matches) return "wrong_password";
  if (candidate.disabled) return "account_disabled";
  const { organizationId } = candidate;
  return organizationId === null ? "no_membership" : { ...candidate, organizationId };
}

/** Brings a hash of another cost to the configured one (decisions, section 2). A full pool leaves that to the next sign-in. */
async function renewHash(
  deps: LoginDeps,
  candidate: SignInCandidate,
  typed: string,
  fairnessKey: string,
): Promise<void> {
  const { userId, passwordHash } = candidate;
  if (passwordHash === null || !needsRehash(passwordHash, deps.config.hashing.cost)) return;
  if (!determinesPassword(passwordHash, typed)) return;
  const fresh = await hashPassword(deps, normalizePassword(typed), fairnessKey);
  if (!fresh.ok) return;
  await deps.database.run("user.replace_password_hash", (sql) =>
    replacePasswordHash(sql, userId, passwordHash, fresh.value),
  );
}
