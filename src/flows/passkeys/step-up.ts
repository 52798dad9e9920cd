import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps, StoreDeps } from "../../deps.ts";
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { type AuditEntry, recordAudit } from "../../models/audit/audit.ts";
import {
  assertionOptions,
  type CeremonyOptions,
  type Credential,
  relyingParty,
} from "../../models/passkey/ceremony.ts";
import { consumeAssertion, findRegistrant, insertChallenge } from "../../models/passkey/passkey.ts";
import type { SessionView } from "../../models/session/session.ts";
import { lockUser } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { persistStepUp, type StepUpResult } from "../steps/sign-in/persist-step-up.ts";
import { type PasskeyFailure, type PresentedPasskey, verifyPasskey } from "../steps/sign-in/verify-passkey.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";

const NO_PASSKEY = refusal("conflict", "This account has no passkey.");
/** One response for every reason (docs/contract.md, section 9.8). */
const REFUSED = refusal("authentication_required", "The passkey was not accepted.");

/**
 * POST /v1/auth/passkey/step-up/begin: `publicKey` of navigator.credentials.get() with the passkeys of the caller.
 * `conflict` means a user without a passkey.
 */
export async function beginPasskeyStepUp(
  deps: StoreDeps,
  caller: SessionView,
): Promise<Result<CeremonyOptions, Refusal<"authentication_required" | "conflict">>> {
  const { userId, id: sessionId } = caller;
  const registrant = await deps.database.run("passkey.find_registrant", (sql) => findRegistrant(sql, userId));
  if (!registrant) return err(NOT_SIGNED_IN);
  if (registrant.credentials.length === 0) return err(NO_PASSKEY);
  const bytes = deps.random.bytes(PASSKEY_CHALLENGE_BYTES);
  const expiresAt = new Date(deps.clock.now() + PASSKEY_CHALLENGE_LIFETIME_MS);
  const subject = { userId, sessionId, credentialsEpoch: null };
  await deps.database.run("passkey.insert_challenge", (sql) =>
    insertChallenge(sql, { ...subject, bytes, ceremony: "step_up", expiresAt }),
  );
  return ok(await assertionOptions(relyingParty(deps.config.urls.publicBaseUrl), bytes, registrant.credentials));
}

export interface PasskeyStepUpInput {
  readonly caller: SessionView;
  readonly credential: Credential;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/passkey/step-up/complete (docs/contract.md, section 9.8): a passkey of the caller steps only this
 * session up for five minutes. Consumes the challenge, also in a failed ceremony, unless the signing pool is full.
 */
export async function completePasskeyStepUp(
  deps: SignInDeps,
  input: PasskeyStepUpInput,
): Promise<Result<StepUpResult, Refusal<"authentication_required" | "rate_limited">>> {
  const { caller } = input;
  // Acquire the slot before the challenge is consumed.
  const slot = acquireSigningSlot(deps, caller.userId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const verified = await verifyPasskey(deps, input.credential, { userId: caller.userId, sessionId: caller.id });
  if (!verified.ok) return await fail(deps, input, verified.error.reason);
  const steppedUp = await stepUp(deps, input, verified.value);
  if (!steppedUp.ok) return await fail(deps, input, steppedUp.error);
  deps.telemetry.metrics.secondFactor("passkey", "success");
  return steppedUp;
}

function stepUp(
  deps: SignInDeps,
  input: PasskeyStepUpInput,
  { stored, assertion }: PresentedPasskey,
): Promise<Result<StepUpResult, "session_ended" | "used_meanwhile">> {
  const { caller } = input;
  const at = new Date(deps.clock.now());
  const use = { id: stored.id, seenSignCount: stored.signCount, at, ...assertion };
  const metadata = { passkey_id: stored.id, previous_aal: caller.aal };
  return persistStepUp(deps, {
    caller,
    at,
    byPasskey: true,
    allow: (sql) => lockUser(sql, caller.userId),
    consume: (sql, live) => consumeAssertion(sql, use, sql`from ${live}`),
    entry: auditEntry(deps, input, { at, outcome: "success", metadata }),
  });
}

async function fail(
  deps: SignInDeps,
  input: PasskeyStepUpInput,
  reason: PasskeyFailure | "session_ended" | "used_meanwhile",
): Promise<Result<never, Refusal<"authentication_required">>> {
  deps.telemetry.metrics.secondFactor("passkey", "failure");
  const at = new Date(deps.clock.now());
  const entry = auditEntry(deps, input, { at, outcome: "failure", metadata: { reason } });
  const action = reason === "counter_regressed" ? "auth.passkey.counter_regressed" : entry.action;
  await deps.database.run("audit.record", (sql) => recordAudit(sql, { ...entry, action }));
  return err({ ...REFUSED, cause: reason });
}

function auditEntry(
  deps: SignInDeps,
  { caller, client }: PasskeyStepUpInput,
  { at, outcome, metadata }: Pick<AuditEntry, "at" | "outcome" | "metadata">,
): AuditEntry {
  return userAuditEvent(deps, caller, client, {
    action: "auth.mfa.step_up",
    at,
    outcome,
    resource: { type: "session", id: caller.id },
    metadata: { factor: "passkey", ...metadata },
  });
}
