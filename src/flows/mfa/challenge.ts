import type { ClientFacts } from "../../base/client-facts.ts";
import { violatedConstraint } from "../../base/database.ts";
import { problem, rateLimited } from "../../base/problem.ts";
import { type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { challengeComparison } from "../../models/second-factor/attempts.ts";
import type { Challenged } from "../../models/second-factor/second-factor.ts";
import type { MfaClaims } from "../../models/token/claims.ts";
import { type Admission, admit } from "../steps/admission.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { type Compared, type CompareNeeds, compareSecondFactor, shownFactor } from "../steps/compare-second-factor.ts";
import { type FinishNeeds, finishSignIn, knownUser, type SignedIn } from "../steps/finish-sign-in.ts";
import { noticeNewBrowser } from "../steps/notice-new-browser.ts";
import { openToken } from "../steps/open-token.ts";

export type ChallengeNeeds = FinishNeeds &
  CompareNeeds &
  Pick<Deps, "state" | "telemetry" | "verifiedTokens" | "outbox">;

export interface ChallengeInput {
  readonly admission: Admission | undefined;
  readonly mfaToken: string;
  readonly code: string | undefined;
  readonly recoveryCode: string | undefined;
  readonly client: ClientFacts;
}

/** Why a challenge failed: for the audit trail, never for the client. */
type Failure =
  | "token_invalid"
  | "token_used"
  | "token_outdated"
  | "account_disabled"
  | "mfa_not_enabled"
  | "wrong_code";

/** One answer for a token that is invalid, expired or used and for a code that is wrong or used (contract, section 4.3). */
const REFUSED = problem("authentication_required", "The code is not right, or the sign-in has expired.");

/**
 * POST /v1/auth/mfa/challenge (contract, section 4.3): an mfa_token and a code become one session of aal2. Beside the signing it
 * costs two statements and one call of the state port. Refuses with `invalid_input`, `authentication_required` and, beyond five
 * misses of the token or thirty of the user in an hour, `rate_limited`, the right code included.
 */
export async function challenge(needs: ChallengeNeeds, input: ChallengeInput): Promise<Result<SignedIn>> {
  const factor = shownFactor(input.code, input.recoveryCode);
  if (!factor.ok) return factor;
  const claims = await openToken(needs, input.mfaToken, "mfa");
  const compared = claims && (await compareSecondFactor(needs, claims.sub, factor.value));
  const challenged = compared?.challenged;
  const obstacle = findObstacle(claims, challenged);
  if (!claims || !challenged || obstacle) {
    const admitted = await admit(needs, input.admission);
    return admitted.ok ? await fail(needs, input, claims, obstacle ?? "token_invalid") : admitted;
  }
  return await judge(needs, input, claims, { ...compared, challenged });
}

async function judge(
  needs: ChallengeNeeds,
  input: ChallengeInput,
  claims: MfaClaims,
  compared: Comparable,
): Promise<Result<SignedIn>> {
  const matched = compared.take !== undefined;
  const verdict = await needs.state.judge(challengeComparison(claims.sub, claims.jti, matched, input.admission?.scope));
  const admitted = verdict.admission && input.admission?.counted(verdict.admission);
  if (admitted && !admitted.ok) return admitted;
  switch (verdict.outcome) {
    case "matched":
      return await enter(needs, input, claims, compared);
    case "locked":
      await record(needs, input, claims, "auth.mfa.challenge.locked", "too_many_misses");
      return refuse(rateLimited(verdict.retryAfterMs / 1000, "too many wrong codes"));
    case "burned":
      return await fail(needs, input, claims, "token_used");
    default:
      return await fail(needs, input, claims, "wrong_code");
  }
}

/** A code that was compared with what a known user has. */
type Comparable = Compared & { readonly challenged: Challenged };

function findObstacle(claims: MfaClaims | undefined, challenged: Challenged | undefined): Failure | undefined {
  if (!claims) return "token_invalid";
  if (!challenged || challenged.disabled) return "account_disabled";
  if (!challenged.sealedSecret) return "mfa_not_enabled";
  return challenged.credentialsEpoch === claims.credentials_epoch ? undefined : "token_outdated";
}

async function enter(
  needs: ChallengeNeeds,
  input: ChallengeInput,
  claims: MfaClaims,
  { challenged, take }: Comparable,
): Promise<Result<SignedIn>> {
  const entry = {
    userId: claims.sub,
    organizationId: claims.org,
    credentialsEpoch: claims.credentials_epoch,
    // The claim has whole seconds: a token of the second in which a suspension ended counts as made after it.
    shownAt: new Date((claims.iat + 1) * 1000),
  };
  const { client } = input;
  const at = new Date(needs.clock.now());
  const authMethod = claims.auth_method;
  const signedIn = await finishSignIn(needs, {
    ...entry,
    email: challenged.email,
    authMethod,
    aal: "aal2",
    client,
    audit: { action: "auth.mfa.challenge.succeeded", metadata: { factor: factorOf(input) } },
    mfaTokenJti: claims.jti,
    conditions: knownUser(entry, at, { take, notice: noticeNewBrowser(needs, challenged, { authMethod, client, at }) }),
  }).catch((error) => {
    // Redis had forgotten that the token was used; the unique column has not.
    if (violatedConstraint(error) === "sessions_mfa_token_jti_key") return refuse(REFUSED);
    throw error;
  });
  if (!signedIn.ok && signedIn.error.code === "authentication_required") {
    return await fail(needs, input, claims, "token_used");
  }
  if (signedIn.ok) needs.telemetry.metrics.secondFactor(factorOf(input), "success");
  if (authMethod === "email_otp") needs.outbox.wake();
  return signedIn;
}

async function fail(
  needs: ChallengeNeeds,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  reason: Failure,
): Promise<Result<never>> {
  await record(needs, input, claims, "auth.mfa.challenge.failed", reason);
  return refuse({ ...REFUSED, cause: reason });
}

async function record(
  needs: ChallengeNeeds,
  input: ChallengeInput,
  claims: MfaClaims | undefined,
  action: "auth.mfa.challenge.failed" | "auth.mfa.challenge.locked",
  reason: string,
): Promise<void> {
  needs.telemetry.metrics.secondFactor(factorOf(input), "failure");
  await needs.database.run("audit.record", (sql) =>
    recordAudit(
      sql,
      entryBy(needs, claims && { userId: claims.sub, organizationId: claims.org }, input.client, {
        action,
        at: new Date(needs.clock.now()),
        outcome: "failure",
        metadata: { factor: factorOf(input), reason },
      }),
    ),
  );
}

function factorOf(input: ChallengeInput): "totp" | "recovery_code" {
  return input.code === undefined ? "recovery_code" : "totp";
}
