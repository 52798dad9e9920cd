import { inertName } from "../../../base/display-name.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { SignInDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { clearFailedAttempts, secondFactorKind } from "../../../models/failed-attempt/failed-attempt.ts";
import {
  confirmOrganizationFactor,
  findOrganizationFactor,
} from "../../../models/organization-factor/organization-factor.ts";
import { hashRecoveryCode, makeRecoveryCodes } from "../../../models/recovery-code/recovery-code.ts";
import { memberFactorOwner } from "../../../models/session/own-factor.ts";
import { changeEvent, logChange } from "../../../models/session/revocation.ts";
import { lockLiveSession, stepUpSession } from "../../../models/session/session.ts";
import type { MemberFactorOwner } from "../../../vocabulary/factor-owner.ts";
import { type EnableInput, type EnrolmentStep, enableMfa, matchEnrolment } from "../../mfa/enable.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { composeEmailTo, noticeDetails } from "../../steps/email/compose-email.ts";
import { tokensDeadAt } from "../../steps/sessions/end-sessions.ts";
import { isNewSession, STEPPED_UP } from "../../steps/sessions/step-up.ts";

// The response for a user without a password: an identity provider learns nothing about the password of a member.
const NO_PASSWORD = refusal("conflict", "A session of single sign-on has no password to confirm.");

type EnableProblem = Refusal<"authentication_required" | "conflict" | "invalid_input" | "rate_limited">;

/**
 * POST /v1/auth/mfa/enable (docs/contract.md, sections 8.4 and 29.18): a session of single sign-on enables the factor
 * of the member for the sessions of the organization. Credentials and sessions of the user stay as before.
 */
export async function enableFactor(
  deps: SignInDeps,
  input: EnableInput,
): Promise<Result<readonly string[], EnableProblem>> {
  const owner = memberFactorOwner(input.caller);
  if (!owner) return await enableMfa(deps, input);
  if (input.password !== undefined) return err(NO_PASSWORD);
  const found = await deps.database.run("organization_factor.find", (sql) => findOrganizationFactor(sql, owner));
  const matched = matchEnrolment(deps, owner, found, input.code);
  if (!found || !matched.ok) return matched.ok ? err(NOT_SIGNED_IN) : matched;
  const codes = makeRecoveryCodes(deps.random);
  const enabled = await confirm(deps, input, {
    ...matched.value,
    owner,
    codes,
    organizationName: found.organizationName,
  });
  return enabled ? ok(codes) : err(NOT_SIGNED_IN);
}

interface MemberEnrolment extends EnrolmentStep {
  readonly owner: MemberFactorOwner;
  readonly codes: readonly string[];
  readonly organizationName: string;
}

/** False after the end of the session, or after a concurrent change of the secret. */
async function confirm(
  deps: SignInDeps,
  { caller, client }: EnableInput,
  { owner, codes, sealedSecret, step, organizationName }: MemberEnrolment,
): Promise<boolean> {
  const at = new Date(deps.clock.now());
  const recoveryCodes = codes.map((code) => hashRecoveryCode(deps.codeKey, owner, code));
  const expiresAt = tokensDeadAt(deps, at);
  const values = { ...noticeDetails(client, at), organization_name: inertName(organizationName) };
  const notice = { kind: "organization_factor_enabled" as const, values };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const audit = userAuditEvent(deps, caller, client, {
    action: "sso.factor.enabled",
    at,
    resource: { type: "user", id: caller.userId },
  });
  const steps = isNewSession(deps, caller);
  const [row] = await deps.database.run("organization_factor.enable", (sql) => {
    const [live, confirmed] = [cte(sql, "live"), cte(sql, "confirmed")];
    const [changed, events] = [cte(sql, "changed"), cte(sql, "events")];
    const session = { sessionId: caller.id, at, isOwnFactor: true };
    const factor = { sealedSecret, step, recoveryCodes, at };
    const statement = withParts(sql, {
      live: lockLiveSession(sql, caller.id, at, sql`from (select 1) caller`),
      confirmed: confirmOrganizationFactor(sql, owner, factor, sql`from ${live}`),
      misses: clearFailedAttempts(sql, owner.userId, secondFactorKind(owner), sql`from ${confirmed}`),
      changed: stepUpSession(sql, session, sql`from (select 1 from ${confirmed} where ${steps}::boolean) fresh`),
      events: logChange(sql, changed, STEPPED_UP, at, expiresAt),
      email: insertEmail(sql, mail, sql`from ${confirmed}`),
      audit: insertAudit(sql, audit, sql`from ${confirmed}`),
    });
    return sql<{ xid: string | null }[]>`
      ${statement} select ${events}.xid::text as xid from ${confirmed} left join ${events} on true`;
  });
  if (!row) return false;
  deps.outbox.wake();
  if (row.xid) await deps.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, row.xid)]);
  return true;
}
