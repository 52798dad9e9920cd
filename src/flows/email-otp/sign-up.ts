import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte } from "../../database/statement.ts";
import { type AddressAttempt, countFailedAddressAttempt } from "../../models/failed-attempt/failed-attempt.ts";
import {
  type ComparableSignUp,
  claimSignUpAttempt,
  consumeSignUp,
  hashSignUpCode,
  type PendingSignUp,
} from "../../models/sign-up/sign-up.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { admitOwnMethod, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { completeFirstFactor, type SignInOutcome } from "../steps/sign-in/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/sign-in/complete-sign-in.ts";
import {
  ACCOUNT_EXISTS,
  admitsSignUp,
  completeSignUp,
  type SignUpDeps,
  type SignUpDetails,
  settingsOfSignUp,
} from "./complete-sign-up.ts";

/** A sign-in by code or link; `created`: the credential created the account. */
export type CodeOutcome = SignInOutcome & { readonly created?: boolean };

/** The reason of a refused code: for the audit trail, never for the client. */
export type CodeFailure =
  | "no_live_code"
  | "code_locked"
  | "too_many_misses"
  | "wrong_code"
  | "used_meanwhile"
  | "sign_up_closed";

type Failure = CodeFailure | NotAdmitted | Refusal<"rate_limited">;

export interface PresentedSignUp extends SignUpDetails, AddressAttempt {
  readonly code: string;
  readonly pending: ComparableSignUp;
  /** The account that came to exist since the request, if any. */
  readonly candidate: SignInCandidate | undefined;
  readonly client: RequestContext;
}

/** Compares the code of a pending sign-up, counts the attempt in any case, and completes with the right code. */
export async function signUpWithCode(
  deps: SignUpDeps,
  presented: PresentedSignUp,
): Promise<Result<CodeOutcome, Failure>> {
  const { pending, code, at } = presented;
  if (pending.locked) return err("too_many_misses");
  const { id } = pending;
  const codeHash = hashSignUpCode(deps.codeKey, id, code);
  const matches = await deps.database.run("sign_up.claim_attempt", (sql) =>
    claimSignUpAttempt(sql, { id, codeHash, at }, (from) => ({
      counted: countFailedAddressAttempt(sql, presented, from),
    })),
  );
  if (matches === undefined) return err("code_locked");
  return matches ? await completePending(deps, presented) : err("wrong_code");
}

export interface CompletingSignUp extends SignUpDetails {
  readonly pending: PendingSignUp;
  readonly candidate: SignInCandidate | undefined;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Completes a proven sign-up: creates the account, or signs in to the account that came to exist meanwhile, as a
 * controlling proof. The caller holds a signing slot.
 */
export async function completePending(
  deps: SignUpDeps,
  presented: CompletingSignUp,
): Promise<Result<CodeOutcome, Failure>> {
  const { pending, candidate, client, at } = presented;
  if (candidate) return await signInInstead(deps, pending, candidate, client);
  if (!admitsSignUp(settingsOfSignUp(deps, pending), pending)) return err("sign_up_closed");
  const created = await completeSignUp(deps, presented);
  if (created.ok) {
    deps.telemetry.metrics.signInAttempt("email_otp", "success");
    return ok({ status: "success", signedIn: created.value, created: true });
  }
  if (created.error !== ACCOUNT_EXISTS) return err("used_meanwhile");
  const question = { method: "email_otp", address: client.ipAddress, at } as const;
  const registered = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { email: pending.email }, question),
  );
  return registered ? await signInInstead(deps, pending, registered, client) : err("used_meanwhile");
}

async function signInInstead(
  deps: SignUpDeps,
  pending: PendingSignUp,
  candidate: SignInCandidate,
  client: RequestContext,
): Promise<Result<CodeOutcome, Failure>> {
  const admitted = admitOwnMethod(deps, candidate);
  if (!admitted.ok) return admitted;
  const outcome = await completeFirstFactor(deps, {
    candidate: admitted.value,
    proof: { kind: "email_code" },
    authMethod: "email_otp",
    client,
    holdsSigningSlot: true,
    consume: (sql) => consumeSignUp(sql, pending.id, sql`from ${cte(sql, "membership")}`),
  });
  if (outcome.ok) return outcome;
  return err(outcome.error === CHANGED_MEANWHILE ? "used_meanwhile" : outcome.error);
}
