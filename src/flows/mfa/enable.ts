import type { ClientFacts } from "../../base/client-facts.ts";
import { unixSeconds } from "../../base/clock.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  deleteRecoveryCodes,
  hashRecoveryCode,
  insertRecoveryCodes,
  makeRecoveryCodes,
} from "../../models/recovery-code/recovery-code.ts";
import { changeEvent, logChange } from "../../models/session/revocation.ts";
import { type SessionView, stepUpSession } from "../../models/session/session.ts";
import { confirmTotpFactor, findTotpFactor, matchingStep, openSecret } from "../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { renewCredentialsEpoch } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { composeEmailTo, requestContext } from "../steps/compose-email.ts";
import { tokensDeadAt } from "../steps/end-sessions.ts";
import { STEPPED_UP } from "../steps/step-up.ts";
import { MFA_ENABLED } from "./setup.ts";

export type EnableDeps = Pick<
  Deps,
  "config" | "clock" | "random" | "database" | "sealing" | "codeKey" | "revocations" | "outbox"
>;

export interface EnableInput {
  readonly caller: SessionView;
  readonly code: string;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/mfa/enable (decisions, section 5): a code of the secret that was set up proves that the app has it; the answer is
 * ten recovery codes, the one time that anybody sees them. This session counts as stepped up, trusted browsers and mfa_tokens
 * end. Refuses with `invalid_input` for a wrong code or without a set-up, `conflict` when enabled.
 */
export async function enableMfa(deps: EnableDeps, input: EnableInput): Promise<Result<readonly string[]>> {
  const { userId } = input.caller;
  const factor = await deps.database.run("mfa.find_factor", (sql) => findTotpFactor(sql, userId));
  if (!factor) return err(refusal("invalid_input", "code: set up multi-factor authentication first"));
  if (factor.confirmedAt) return err(MFA_ENABLED);
  const secret = openSecret(deps.sealing, userId, factor.sealedSecret);
  const step = matchingStep(secret, input.code, unixSeconds(deps.clock.now()), factor.lastStep);
  if (step === undefined) return err(refusal("invalid_input", "code: not right; check the clock of the device"));
  const codes = makeRecoveryCodes(deps.random);
  const enabled = await confirm(deps, input, { sealedSecret: factor.sealedSecret, step }, codes);
  return enabled ? ok(codes) : err(MFA_ENABLED);
}

/** One statement. False when another request confirmed or replaced the secret meanwhile. */
async function confirm(
  deps: EnableDeps,
  { caller, client }: EnableInput,
  shown: { readonly sealedSecret: Buffer; readonly step: number },
  codes: readonly string[],
): Promise<boolean> {
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const hashes = codes.map((code) => hashRecoveryCode(deps.codeKey, userId, code));
  const expiresAt = tokensDeadAt(deps, at);
  const notice = { kind: "mfa_enabled" as const, values: requestContext(client, at) };
  const mail = await composeEmailTo(deps, userId, client, notice, at);
  const [row] = await deps.database.run("mfa.enable", (sql) => {
    const from = sql`from confirmed`;
    const audit = insertAudit(sql, userAuditEvent(deps, caller, client, { action: "mfa.enabled", at }), from);
    return sql<{ xid: string | null }[]>`
      with confirmed as (${confirmTotpFactor(sql, { userId, at, ...shown })}),
      person as (${renewCredentialsEpoch(sql, userId, at, from)}),
      old_codes as (${deleteRecoveryCodes(sql, userId, from)}),
      codes as (${insertRecoveryCodes(sql, userId, hashes, from)}),
      browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
      changed as (${stepUpSession(sql, caller.id, at, from)}),
      events as (${logChange(sql, STEPPED_UP, at, expiresAt)}),
      letter as (${insertEmail(sql, mail, from)}),
      audit as (${audit})
      select events.xid::text as xid from confirmed left join events on true`;
  });
  deps.outbox.wake();
  if (row?.xid) {
    await deps.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, row.xid)]);
  }
  return row !== undefined;
}
