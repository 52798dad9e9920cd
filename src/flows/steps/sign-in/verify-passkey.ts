import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import {
  type Assertion,
  type Credential,
  challengeOf,
  counterRegressed,
  credentialIdOf,
  relyingParty,
  userHandleOf,
  verifyAssertion,
} from "../../../models/passkey/ceremony.ts";
import {
  type ChallengeSubject,
  consumeChallenge,
  findCredential,
  type StoredCredential,
} from "../../../models/passkey/passkey.ts";
import { UNCONFIRMED } from "./admit-candidate.ts";

export interface PresentedPasskey {
  readonly stored: StoredCredential;
  readonly assertion: Assertion;
}

/** The reason of a refused passkey: for the audit trail, never for the client. */
export type PasskeyFailure =
  | "no_pending_challenge"
  | "unknown_credential"
  | "another_user"
  | "ceremony_failed"
  | typeof UNCONFIRMED
  | "counter_regressed";

/** `stored`: the passkey that the credential names, if the failure was found afterwards. */
export interface PasskeyProblem {
  readonly reason: PasskeyFailure;
  readonly stored?: StoredCredential;
}

/**
 * The ceremony of WebAuthn level 3, section 7.2. Consumes the challenge, whatever the outcome. `subject`: the user of a
 * step-up; undefined at a sign-in, where the user handle must name the owner of the passkey.
 */
export async function verifyPasskey(
  deps: StoreDeps,
  credential: Credential,
  subject: Pick<ChallengeSubject, "userId" | "sessionId"> | undefined,
): Promise<Result<PresentedPasskey, PasskeyProblem>> {
  const bytes = challengeOf(credential);
  const at = new Date(deps.clock.now());
  const ceremony = subject ? "step_up" : "sign_in";
  const { userId = null, sessionId = null } = subject ?? {};
  const consumed =
    bytes &&
    (await deps.database.run("passkey.consume_challenge", (sql) =>
      consumeChallenge(sql, { bytes, ceremony, userId, sessionId, at }),
    ));
  if (!bytes || !consumed) return err({ reason: "no_pending_challenge" });
  const credentialId = credentialIdOf(credential);
  const stored =
    credentialId && (await deps.database.run("passkey.find_credential", (sql) => findCredential(sql, credentialId)));
  if (!stored) return err({ reason: "unknown_credential" });
  if (!isOwner(stored.userId, userHandleOf(credential), userId)) return err({ reason: "another_user" });
  const party = relyingParty(deps.config.urls.publicBaseUrl);
  const verified = await verifyAssertion(party, credential, bytes, stored);
  if (!verified.ok) return err({ reason: "ceremony_failed" });
  if (stored.held) return err({ reason: UNCONFIRMED, stored });
  const assertion = verified.value;
  if (counterRegressed(stored.signCount, assertion.signCount)) return err({ reason: "counter_regressed", stored });
  return ok({ stored, assertion });
}

/**
 * WebAuthn level 3, section 7.2, step 6: with a list of credentials an authenticator may omit the user handle, so at a
 * step-up an absent handle is valid.
 */
function isOwner(ownerId: string, handle: string | undefined, expected: string | null): boolean {
  if (expected === null) return handle === ownerId;
  return ownerId === expected && (handle === undefined || handle === ownerId);
}
