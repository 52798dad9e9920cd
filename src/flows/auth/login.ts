import type { ClientFacts } from "../../base/client-facts.ts";
import { BAD_CREDENTIALS, problem } from "../../base/problem.ts";
import { type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { enterableMembership } from "../../models/member/member.ts";
import { needsRehash, normalizePassword } from "../../models/password/password.ts";
import { passwordAttemptScopes } from "../../models/sign-in-attempt/sign-in-attempt.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { enterAsUser, findSignInCandidate, replacePasswordHash, type SignInCandidate } from "../../models/user/user.ts";
import { hashPassword, verifyPassword } from "../steps/check-password.ts";
import { claimAttempt } from "../steps/claim-attempt.ts";
import { type FinishNeeds, finishSignIn, type SignedIn } from "../steps/finish-sign-in.ts";

export type LoginNeeds = FinishNeeds & Pick<Deps, "state" | "hashing" | "dummyHash" | "log" | "telemetry">;

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string | undefined;
  /** The client's address as limits count it: IPv6 by /64. */
  readonly clientNetwork: string;
  readonly client: ClientFacts;
}

/** Why a sign-in was refused: for the audit trail and the metric, never for the client. */
type Refusal = "unknown_account" | "no_password" | "wrong_password" | "account_disabled" | "no_membership";

interface Admitted {
  readonly userId: string;
  readonly organizationId: string;
  readonly passwordHash: string;
}

/**
 * POST /v1/auth/login (decisions, section 4). One answer and one duration for unknown address, wrong password, no password,
 * disabled account and suspended organization. Refuses with `invalid_input`, `authentication_required`, `rate_limited`.
 */
export async function login(needs: LoginNeeds, input: LoginInput): Promise<Result<SignedIn>> {
  const email = normalizeEmail(input.email);
  if (!email) return refuse(problem("invalid_input", "email: not an e-mail address"));
  const { passwordPair, passwordAccount } = needs.config.limits;
  const limited = needs.config.limits.enabled;
  const scopes = passwordAttemptScopes(email, input.clientNetwork, { pair: passwordPair, account: passwordAccount });
  if (limited) {
    const claim = await claimAttempt(needs, scopes);
    if (!claim.ok) return claim;
  }
  let failed = false;
  try {
    const outcome = await enterWithPassword(needs, { ...input, email });
    failed = !outcome.ok && outcome.error === BAD_CREDENTIALS;
    return outcome;
  } finally {
    if (limited) await needs.state.settle(scopes, failed);
  }
}

async function enterWithPassword(needs: LoginNeeds, input: LoginInput): Promise<Result<SignedIn>> {
  const candidate = await needs.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, input.email, input.organizationId),
  );
  const password = normalizePassword(input.password);
  const matches = await verifyPassword(needs, password, candidate?.passwordHash ?? null);
  if (!matches.ok) return matches;
  const admitted = judge(candidate, matches.value);
  if (typeof admitted === "string") return await refuseSignIn(needs, input, candidate, admitted);
  const passwordHash = await renewHash(needs, admitted, password);
  needs.telemetry.metrics.signInAttempt("password", "success");
  return await finishSignIn(needs, {
    userId: admitted.userId,
    organizationId: admitted.organizationId,
    email: input.email,
    authMethod: "password",
    aal: "aal1",
    client: input.client,
    auditAction: "auth.login",
    conditions: (sql) => sql`
      home as (${enterableMembership(sql, admitted.userId, admitted.organizationId)}),
      person as (${enterAsUser(sql, { ...admitted, passwordHash, at: new Date(needs.clock.now()) })})`,
  });
}

function judge(candidate: SignInCandidate | undefined, matches: boolean): Admitted | Refusal {
  if (!candidate) return "unknown_account";
  if (candidate.passwordHash === null) return "no_password";
  if (!matches) return "wrong_password";
  if (candidate.disabled) return "account_disabled";
  if (candidate.organizationId === null) return "no_membership";
  return {
    userId: candidate.userId,
    organizationId: candidate.organizationId,
    passwordHash: candidate.passwordHash,
  };
}

async function refuseSignIn(
  needs: LoginNeeds,
  input: LoginInput,
  candidate: SignInCandidate | undefined,
  reason: Refusal,
): Promise<Result<never>> {
  needs.telemetry.metrics.signInAttempt("password", "failure");
  const eventId = needs.random.uuid();
  await needs.database.run("audit.record", (sql) =>
    recordAudit(sql, {
      eventId,
      at: new Date(needs.clock.now()),
      action: "auth.login",
      outcome: "failure",
      organizationId: candidate?.organizationId ?? null,
      actorId: candidate?.userId ?? null,
      actorType: "user",
      resourceType: "user",
      resourceId: candidate?.userId ?? null,
      metadata: { method: "password", reason },
      client: input.client,
    }),
  );
  return refuse(BAD_CREDENTIALS);
}

/** Brings a hash of another cost to the configured one (decisions, section 2). A full pool leaves that to the next sign-in. */
async function renewHash(needs: LoginNeeds, admitted: Admitted, password: string): Promise<string> {
  const { userId, passwordHash } = admitted;
  if (!needsRehash(passwordHash, needs.config.hashing.cost)) return passwordHash;
  const fresh = await hashPassword(needs, password);
  if (!fresh.ok) return passwordHash;
  await needs.database.run("user.replace_password_hash", (sql) =>
    replacePasswordHash(sql, userId, passwordHash, fresh.value),
  );
  return fresh.value;
}
