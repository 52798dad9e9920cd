import type { ClientFacts } from "../../base/client-facts.ts";
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFETIME_MS } from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  type Assertion,
  type CeremonyOptions,
  type Credential,
  challengeOf,
  counterRegressed,
  credentialIdOf,
  relyingParty,
  signInOptions,
  userHandleOf,
  verifyAssertion,
} from "../../models/passkey/ceremony.ts";
import {
  consumeAssertion,
  consumeChallenge,
  findCredential,
  insertChallenge,
  type StoredCredential,
} from "../../models/passkey/passkey.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/user.ts";
import {
  type CompleteSignInDeps,
  completeSignIn,
  existingUserParts,
  type SignedIn,
} from "../steps/complete-sign-in.ts";
import { recordRefusedSignIn } from "../steps/record-refused-sign-in.ts";

export type PasskeySignInDeps = CompleteSignInDeps & Pick<Deps, "telemetry">;

/** One answer for every way in which a passkey is not accepted (decisions, section 5). */
const REFUSED = refusal("authentication_required", "The passkey was not accepted.");

/** POST /v1/auth/passkey/login/begin: `publicKey` of navigator.credentials.get(), without a word about anybody's credentials. */
export async function beginPasskeySignIn(
  deps: Pick<Deps, "config" | "clock" | "random" | "database">,
): Promise<CeremonyOptions> {
  const challenge = deps.random.bytes(PASSKEY_CHALLENGE_BYTES);
  const expiresAt = new Date(deps.clock.now() + PASSKEY_CHALLENGE_LIFETIME_MS);
  await deps.database.run("passkey.insert_challenge", (sql) =>
    insertChallenge(sql, { bytes: challenge, ceremony: "sign_in", subject: null, expiresAt }),
  );
  return await signInOptions(relyingParty(deps.config.urls.publicBaseUrl), challenge);
}

export interface PasskeySignInInput {
  readonly credential: Credential;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/passkey/login/complete (contract, section 4.8): takes the challenge, whatever becomes of the ceremony; a passkey
 * is both factors, so the session is aal2. Refuses with `authentication_required`, one and the same for every flaw.
 */
export async function completePasskeySignIn(
  deps: PasskeySignInDeps,
  input: PasskeySignInInput,
): Promise<Result<SignedIn>> {
  const at = new Date(deps.clock.now());
  const shown = await verify(deps, input.credential, at);
  if (!shown.ok) return await fail(deps, input, shown.error, undefined);
  const { stored, assertion } = shown.value;
  const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { userId: stored.userId }, { at }),
  );
  if (counterRegressed(stored.signCount, assertion.signCount)) {
    return await fail(deps, input, "counter_regressed", candidate);
  }
  if (!candidate || candidate.disabled) return await fail(deps, input, "account_disabled", candidate);
  const { organizationId } = candidate;
  if (organizationId === null) return await fail(deps, input, "no_membership", candidate);
  const use = { id: stored.id, seenSignCount: stored.signCount, at, ...assertion };
  const signedIn = await completeSignIn(deps, {
    userId: candidate.userId,
    organizationId,
    email: candidate.email,
    authMethod: "passkey",
    aal: "aal2",
    client: input.client,
    audit: { action: "auth.passkey.login", metadata: { passkey_id: stored.id } },
    conditions: existingUserParts({ ...candidate, organizationId }, at, {
      consume: (sql) => consumeAssertion(sql, use),
    }),
  });
  if (!signedIn.ok && signedIn.error.code === "authentication_required") {
    return await fail(deps, input, "used_meanwhile", candidate);
  }
  if (signedIn.ok) deps.telemetry.metrics.signInAttempt("passkey", "success");
  return signedIn;
}

interface Shown {
  readonly stored: StoredCredential;
  readonly assertion: Assertion;
}

type FailureReason =
  | "no_pending_challenge"
  | "unknown_credential"
  | "another_user"
  | "ceremony_failed"
  | "counter_regressed"
  | "account_disabled"
  | "no_membership"
  | "used_meanwhile";

/** The ceremony of WebAuthn level 3, section 7.2, but for what the account says of it. */
async function verify(
  deps: Pick<Deps, "config" | "database">,
  credential: Credential,
  at: Date,
): Promise<Result<Shown, FailureReason>> {
  const bytes = challengeOf(credential);
  const consumed =
    bytes &&
    (await deps.database.run("passkey.take_challenge", (sql) =>
      consumeChallenge(sql, { bytes, ceremony: "sign_in", userId: null, at }),
    ));
  if (!bytes || !consumed) return { ok: false, error: "no_pending_challenge" };
  const credentialId = credentialIdOf(credential);
  const stored =
    credentialId && (await deps.database.run("passkey.find_credential", (sql) => findCredential(sql, credentialId)));
  if (!stored) return { ok: false, error: "unknown_credential" };
  if (userHandleOf(credential) !== stored.userId) return { ok: false, error: "another_user" };
  const party = relyingParty(deps.config.urls.publicBaseUrl);
  const verified = await verifyAssertion(party, credential, bytes, stored);
  return verified.ok ? ok({ stored, assertion: verified.value }) : { ok: false, error: "ceremony_failed" };
}

async function fail(
  deps: PasskeySignInDeps,
  { client }: PasskeySignInInput,
  reason: FailureReason,
  candidate: SignInCandidate | undefined,
): Promise<Result<never>> {
  const action = reason === "counter_regressed" ? "auth.passkey.counter_regressed" : "auth.passkey.login";
  await recordRefusedSignIn(deps, { method: "passkey", reason, candidate, client, action });
  return err({ ...REFUSED, cause: reason });
}
