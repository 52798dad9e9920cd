import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import type { SignInDeps, StoreDeps } from "../../deps.ts";
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFETIME_MS } from "../../limits/credential-limits.ts";
import {
  assertionOptions,
  type CeremonyOptions,
  type Credential,
  relyingParty,
} from "../../models/passkey/ceremony.ts";
import { ANONYMOUS, consumeAssertion, insertChallenge } from "../../models/passkey/passkey.ts";
import {
  type AdmissibleCandidate,
  findSignInCandidate,
  type SignInCandidate,
} from "../../models/user/sign-in-candidate.ts";
import { lockAndRecordSignIn } from "../../models/user/user.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import {
  type CHANGED_MEANWHILE,
  completeSignInWithSlot,
  type SignInResult,
} from "../steps/sign-in/complete-sign-in.ts";
import { notifyNewBrowser } from "../steps/sign-in/notify-new-browser.ts";
import { recordRefusedSignIn } from "../steps/sign-in/record-refused-sign-in.ts";
import { existingUserConditions, ownAssurance, type SignInParts } from "../steps/sign-in/sign-in-conditions.ts";
import { type PasskeyFailure, type PresentedPasskey, verifyPasskey } from "../steps/sign-in/verify-passkey.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";

/** One response for every reason (docs/contract.md, section 9.6). */
const REFUSED = refusal("authentication_required", "The passkey was not accepted.");

/**
 * POST /v1/auth/passkey/login/begin: `publicKey` of navigator.credentials.get(), without a list of credentials, so that
 * the response reveals no account.
 */
export async function beginPasskeySignIn(deps: StoreDeps): Promise<CeremonyOptions> {
  const challenge = deps.random.bytes(PASSKEY_CHALLENGE_BYTES);
  const expiresAt = new Date(deps.clock.now() + PASSKEY_CHALLENGE_LIFETIME_MS);
  await deps.database.run("passkey.insert_challenge", (sql) =>
    insertChallenge(sql, { ...ANONYMOUS, bytes: challenge, ceremony: "sign_in", expiresAt }),
  );
  return await assertionOptions(relyingParty(deps.config.urls.publicBaseUrl), challenge);
}

export interface PasskeySignInInput {
  readonly credential: Credential;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/passkey/login/complete (docs/contract.md, section 9.6): consumes the challenge, also in a failed
 * ceremony, unless the signing pool is full. A passkey replaces both factors, so the session is aal2.
 */
export async function completePasskeySignIn(
  deps: SignInDeps,
  input: PasskeySignInInput,
): Promise<Result<SignInResult, Refusal<"authentication_required" | "forbidden" | "rate_limited" | "sso_required">>> {
  const at = new Date(deps.clock.now());
  // Acquire the slot before the challenge is consumed; the owner of the passkey is not known yet.
  const slot = acquireSigningSlot(deps, input.client.network);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const verified = await verifyPasskey(deps, input.credential, undefined);
  const stored = verified.ok ? verified.value.stored : verified.error.stored;
  const candidate = stored && (await findOwner(deps, input, stored.userId, at));
  if (!verified.ok) return await fail(deps, input, verified.error.reason, candidate);
  const admitted = admitOwnMethod(deps, candidate);
  if (!admitted.ok) {
    const refused = await fail(deps, input, admitted.error, candidate);
    const closed = closedRefusal(candidate, admitted.error);
    return closed ? err(closed) : refused;
  }
  const signedIn = await signInWithPasskey(deps, input, { ...verified.value, candidate: admitted.value, at });
  if (!signedIn.ok) return await fail(deps, input, "used_meanwhile", candidate);
  deps.telemetry.metrics.signInAttempt("passkey", "success");
  return signedIn;
}

function findOwner(
  deps: SignInDeps,
  { client }: PasskeySignInInput,
  userId: string,
  at: Date,
): Promise<SignInCandidate | undefined> {
  const question = { method: "passkey", address: client.ipAddress, at } as const;
  return deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, { userId }, question));
}

function signInWithPasskey(
  deps: SignInDeps,
  { client }: PasskeySignInInput,
  {
    stored,
    assertion,
    candidate,
    at,
  }: PresentedPasskey & { readonly candidate: AdmissibleCandidate; readonly at: Date },
): Promise<Result<SignInResult, typeof CHANGED_MEANWHILE>> {
  const use = { id: stored.id, seenSignCount: stored.signCount, at, ...assertion };
  const { userId, organizationId, email } = candidate;
  const newBrowser = notifyNewBrowser(deps, candidate, { organizationId, client, at });
  const parts: SignInParts = { consume: (sql) => consumeAssertion(sql, use), newBrowser };
  const assurance = ownAssurance({ method: "passkey", aal: "aal2", at, address: client.ipAddress });
  return completeSignInWithSlot(deps, {
    userId,
    organizationId,
    email,
    authMethod: "passkey",
    aal: "aal2",
    client,
    audit: { action: "auth.passkey.login", metadata: { passkey_id: stored.id } },
    conditions: (sql) =>
      existingUserConditions(sql, candidate, assurance, parts, (from) => lockAndRecordSignIn(sql, candidate, at, from)),
  });
}

/** The reason of a refused passkey: for the audit trail, never for the client. */
type FailureReason = PasskeyFailure | NotAdmitted | "used_meanwhile";

async function fail(
  deps: SignInDeps,
  { client }: PasskeySignInInput,
  reason: FailureReason,
  candidate: SignInCandidate | undefined,
): Promise<Result<never, Refusal<"authentication_required">>> {
  const action = reason === "counter_regressed" ? "auth.passkey.counter_regressed" : "auth.passkey.login";
  await recordRefusedSignIn(deps, { method: "passkey", reason, candidate, client, action });
  return err({ ...REFUSED, cause: reason });
}
