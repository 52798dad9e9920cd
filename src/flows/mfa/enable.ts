import { unixSeconds } from "../../base/clock.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { clearFailedAttempts } from "../../models/failed-attempt/failed-attempt.ts";
import {
  deleteRecoveryCodes,
  hashRecoveryCode,
  insertRecoveryCodes,
  makeRecoveryCodes,
} from "../../models/recovery-code/recovery-code.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import { changeEvent, logChange } from "../../models/session/revocation.ts";
import { type SessionView, stepUpSession } from "../../models/session/session.ts";
import { confirmTotpFactor, findTotpFactor, matchingStep, type TotpFactor } from "../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { renewCredentialsEpoch } from "../../models/user/user.ts";
import type { FactorOwner } from "../../vocabulary/factor-owner.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmPassword } from "../steps/authorization/confirm-password.ts";
import { asActingSession, authorizeLiveSession, changeCredentials } from "../steps/credentials/change-credentials.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";
import { openTotpSecret } from "../steps/second-factor/totp-factor.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { isNewSession, STEPPED_UP } from "../steps/sessions/step-up.ts";
import { MFA_ENABLED } from "./setup.ts";

export interface EnableInput {
  readonly caller: SessionView;
  readonly code: string;
  /** The password makes enabling count as step-up in a session that is not new. */
  readonly password: string | undefined;
  readonly client: RequestContext;
}

const NOT_SET_UP = invalidInput("code", "conflicting", "set up multi-factor authentication first");
const WRONG_CODE = invalidInput("code", "incorrect", "not right; check the clock of the device");

/**
 * POST /v1/auth/mfa/enable (docs/contract.md, section 8.4): a code proves that the authenticator app has the secret of
 * the setup. Returns ten recovery codes, which are displayed only once. Trusted browsers and mfa_tokens end. The
 * session counts as stepped up only for a new session or with the password: otherwise an attacker with an open session
 * could enrol the attacker's own app and pass every step-up. `invalid_input` means a wrong code or a missing setup,
 * `conflict` an enabled factor, or a password from a user without a password.
 */
export async function enableMfa(
  deps: SignInDeps,
  input: EnableInput,
): Promise<
  Result<readonly string[], Refusal<"authentication_required" | "conflict" | "invalid_input" | "rate_limited">>
> {
  return await changeCredentials(deps, input.caller, authorizeLiveSession, async (acting) => {
    if (acting.mfaEnabled) return err(MFA_ENABLED);
    const confirmed = await confirmOwner(deps, input, acting);
    if (!confirmed.ok) return confirmed;
    const found = await findEnrolmentStep(deps, acting.userId, input.code);
    if (!found.ok) return found;
    const codes = makeRecoveryCodes(deps.random);
    const enabled = await confirm(deps, input, { acting, codes, stepUp: confirmed.value, ...found.value });
    return enabled ? ok(codes) : undefined;
  });
}

/** Returns whether enabling counts as step-up: the session is new, or the password was verified. */
async function confirmOwner(
  deps: SignInDeps,
  input: EnableInput,
  acting: ActingSession,
): Promise<Result<boolean, Refusal<"authentication_required" | "conflict" | "rate_limited">>> {
  const { caller, password, client } = input;
  if (password === undefined) return ok(isNewSession(deps, acting));
  const confirmed = await confirmPassword(deps, { caller, password, client });
  return confirmed.ok ? ok(true) : confirmed;
}

export interface EnrolmentStep {
  readonly sealedSecret: Buffer;
  readonly step: number;
}

async function findEnrolmentStep(
  deps: SignInDeps,
  userId: string,
  code: string,
): Promise<Result<EnrolmentStep, Refusal<"conflict" | "invalid_input">>> {
  const factor = await deps.database.run("mfa.find_factor", (sql) => findTotpFactor(sql, userId));
  return matchEnrolment(deps, { userId, organizationId: null }, factor, code);
}

/** Compares a code with the unconfirmed secret of `owner`. */
export function matchEnrolment(
  deps: Pick<SignInDeps, "clock" | "log" | "sealing">,
  owner: FactorOwner,
  factor: TotpFactor | undefined,
  code: string,
): Result<EnrolmentStep, Refusal<"conflict" | "invalid_input">> {
  if (!factor) return err(NOT_SET_UP);
  if (factor.confirmedAt) return err(MFA_ENABLED);
  const { sealedSecret, lastStep } = factor;
  const secret = openTotpSecret(deps, owner, sealedSecret);
  const step = secret && matchingStep(secret, code, unixSeconds(deps.clock.now()), lastStep);
  return typeof step === "number" ? ok({ sealedSecret, step }) : err(WRONG_CODE);
}

interface Enrolment extends EnrolmentStep {
  readonly acting: ActingSession;
  readonly codes: readonly string[];
  readonly stepUp: boolean;
}

/**
 * Runs in a transaction that sees every trusted browser inserted before the lock, so that all trusted browsers end.
 * False after a concurrent change of the credentials, the session or the secret.
 */
async function confirm(
  deps: SignInDeps,
  { caller, client }: EnableInput,
  { acting, codes, stepUp, ...enrolment }: Enrolment,
): Promise<boolean> {
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const hashes = codes.map((code) => hashRecoveryCode(deps.codeKey, { userId, organizationId: null }, code));
  const expiresAt = tokensDeadAt(deps, at);
  const notice = { kind: "mfa_enabled" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const session = { sessionId: caller.id, at, isOwnFactor: false };
  const row = await asActingSession(deps, "mfa.enable", acting, async (sql) => {
    const from = sql`from confirmed`;
    const audit = insertAudit(sql, userAuditEvent(deps, caller, client, { action: "mfa.enabled", at }), from);
    const [confirmed] = await sql<{ xid: string | null }[]>`
      with confirmed as (${confirmTotpFactor(sql, { userId, at, ...enrolment })}),
      account as (${renewCredentialsEpoch(sql, userId, at, from)}),
      old_codes as (${deleteRecoveryCodes(sql, userId, from)}),
      codes as (${insertRecoveryCodes(sql, userId, hashes, from)}),
      browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
      misses as (${clearFailedAttempts(sql, userId, "second_factor", from)}),
      changed as (${stepUpSession(sql, session, stepUp ? from : sql`from (select 1 where false) never`)}),
      events as (${logChange(sql, cte(sql, "changed"), STEPPED_UP, at, expiresAt)}),
      email as (${insertEmail(sql, mail, from)}),
      audit as (${audit})
      select events.xid::text as xid from confirmed left join events on true`;
    return confirmed;
  });
  if (!row) return false;
  deps.outbox.wake();
  if (row.xid) await deps.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, row.xid)]);
  return true;
}
