import type { ClientFacts } from "../../base/client-facts.ts";
import { BAD_CREDENTIALS, problem } from "../../base/problem.ts";
import { type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { needsRehash, normalizePassword } from "../../models/password/password.ts";
import { passwordAttemptScopes } from "../../models/sign-in-attempt/sign-in-attempt.ts";
import { hashTrustToken } from "../../models/trusted-browser/trusted-browser.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import {
  type AdmissibleCandidate,
  findSignInCandidate,
  replacePasswordHash,
  type SignInCandidate,
} from "../../models/user/user.ts";
import { hashPassword, verifyPassword, withHashingPlace } from "../steps/check-password.ts";
import { countGuess } from "../steps/count-guess.ts";
import { type FirstFactorNeeds, passFirstFactor, type SignInOutcome } from "../steps/pass-first-factor.ts";
import { recordRefusedSignIn } from "../steps/refuse-sign-in.ts";

export type LoginNeeds = FirstFactorNeeds & Pick<Deps, "state" | "hashing" | "dummyHash" | "telemetry">;

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string | undefined;
  /** The cookie `service_trust`, if the browser has one. */
  readonly trustToken: string | undefined;
  readonly client: ClientFacts;
}

/** Why a sign-in was refused: for the audit trail and the metric, never for the client. */
type Refusal = "unknown_account" | "no_password" | "wrong_password" | "account_disabled" | "no_membership";

/**
 * POST /v1/auth/login (decisions, section 4). One answer and one duration for unknown address, wrong password, no password,
 * disabled account and suspended organization. Refuses with `invalid_input`, `authentication_required`, `rate_limited`.
 */
export async function login(needs: LoginNeeds, input: LoginInput): Promise<Result<SignInOutcome>> {
  const email = normalizeEmail(input.email);
  if (!email) return refuse(problem("invalid_input", "email: not an e-mail address"));
  return await withHashingPlace(needs, input.client.network, () => enter(needs, input, email));
}

async function enter(needs: LoginNeeds, input: LoginInput, email: string): Promise<Result<SignInOutcome>> {
  const question = {
    organizationId: input.organizationId,
    trustTokenHash: hashTrustToken(input.trustToken),
    at: new Date(needs.clock.now()),
  };
  const candidate = await needs.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { email }, question),
  );
  const trusted = typeof candidate?.trustedBrowserId === "string";
  const scopes = passwordAttemptScopes(email, input.client.network, needs.config.limits, trusted);
  return await countGuess(needs, scopes, () => enterWithPassword(needs, input, candidate));
}

async function enterWithPassword(
  needs: LoginNeeds,
  input: LoginInput,
  candidate: SignInCandidate | undefined,
): Promise<Result<SignInOutcome>> {
  const { client } = input;
  const matches = await verifyPassword(needs, input.password, candidate?.passwordHash ?? null, client.network);
  if (!matches.ok) return matches;
  const admitted = judge(candidate, matches.value);
  if (typeof admitted === "string") {
    await recordRefusedSignIn(needs, { method: "password", reason: admitted, candidate, client });
    return refuse(BAD_CREDENTIALS);
  }
  await renewHash(needs, admitted, normalizePassword(input.password), client.network);
  needs.telemetry.metrics.signInAttempt("password", "success");
  return await passFirstFactor(needs, { candidate: admitted, authMethod: "password", client });
}

function judge(candidate: SignInCandidate | undefined, matches: boolean): AdmissibleCandidate | Refusal {
  if (!candidate) return "unknown_account";
  if (candidate.passwordHash === null) return "no_password";
  if (!matches) return "wrong_password";
  if (candidate.disabled) return "account_disabled";
  const { organizationId } = candidate;
  return organizationId === null ? "no_membership" : { ...candidate, organizationId };
}

/** Brings a hash of another cost to the configured one (decisions, section 2). A full pool leaves that to the next sign-in. */
async function renewHash(
  needs: LoginNeeds,
  candidate: SignInCandidate,
  password: string,
  payer: string,
): Promise<void> {
  const { userId, passwordHash } = candidate;
  if (passwordHash === null || !needsRehash(passwordHash, needs.config.hashing.cost)) return;
  const fresh = await hashPassword(needs, password, payer);
  if (!fresh.ok) return;
  await needs.database.run("user.replace_password_hash", (sql) =>
    replacePasswordHash(sql, userId, passwordHash, fresh.value),
  );
}
