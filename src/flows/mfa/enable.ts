import type { ClientFacts } from "../../base/client-facts.ts";
import { unixSeconds } from "../../base/clock.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertLetter } from "../../models/letter/letter.ts";
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
import { entryBy } from "../steps/audit-entry.ts";
import { tokensDeadAt } from "../steps/end-sessions.ts";
import { STEPPED_UP } from "../steps/step-up.ts";
import { circumstances, writeLetterTo } from "../steps/write-letter.ts";
import { MFA_ENABLED } from "./setup.ts";

export type EnableNeeds = Pick<
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
export async function enableMfa(needs: EnableNeeds, input: EnableInput): Promise<Result<readonly string[]>> {
  const { userId } = input.caller;
  const factor = await needs.database.run("mfa.find_factor", (sql) => findTotpFactor(sql, userId));
  if (!factor) return refuse(problem("invalid_input", "code: set up multi-factor authentication first"));
  if (factor.confirmedAt) return refuse(MFA_ENABLED);
  const secret = openSecret(needs.sealing, userId, factor.sealedSecret);
  const step = matchingStep(secret, input.code, unixSeconds(needs.clock.now()), factor.lastStep);
  if (step === undefined) return refuse(problem("invalid_input", "code: not right; check the clock of the device"));
  const codes = makeRecoveryCodes(needs.random);
  const enabled = await confirm(needs, input, { sealedSecret: factor.sealedSecret, step }, codes);
  return enabled ? ok(codes) : refuse(MFA_ENABLED);
}

/** One statement. False when another request confirmed or replaced the secret meanwhile. */
async function confirm(
  needs: EnableNeeds,
  { caller, client }: EnableInput,
  shown: { readonly sealedSecret: Buffer; readonly step: number },
  codes: readonly string[],
): Promise<boolean> {
  const { userId } = caller;
  const at = new Date(needs.clock.now());
  const hashes = codes.map((code) => hashRecoveryCode(needs.codeKey, userId, code));
  const expiresAt = tokensDeadAt(needs, at);
  const notice = { kind: "mfa_enabled" as const, values: circumstances(client, at) };
  const letter = await writeLetterTo(needs, userId, client, notice, at);
  const [row] = await needs.database.run("mfa.enable", (sql) => {
    const from = sql`from confirmed`;
    const audit = insertAudit(sql, entryBy(needs, caller, client, { action: "mfa.enabled", at }), from);
    return sql<{ xid: string | null }[]>`
      with confirmed as (${confirmTotpFactor(sql, { userId, at, ...shown })}),
      person as (${renewCredentialsEpoch(sql, userId, at, from)}),
      old_codes as (${deleteRecoveryCodes(sql, userId, from)}),
      codes as (${insertRecoveryCodes(sql, userId, hashes, from)}),
      browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
      changed as (${stepUpSession(sql, caller.id, at, from)}),
      events as (${logChange(sql, STEPPED_UP, at, expiresAt)}),
      letter as (${insertLetter(sql, letter, from)}),
      audit as (${audit})
      select events.xid::text as xid from confirmed left join events on true`;
  });
  needs.outbox.wake();
  if (row?.xid) {
    await needs.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, row.xid)]);
  }
  return row !== undefined;
}
