import type { FirstFactor } from "../../base/assurance.ts";
import type { ClientFacts } from "../../base/client-facts.ts";
import type { SignInProof } from "../../base/control-proof.ts";
import { MFA_TOKEN_LIFETIME_SECONDS } from "../../base/limits.ts";
import { BAD_CREDENTIALS } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type AuditAction, type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { lockEnterableMembership } from "../../models/member/member.ts";
import { touchTrustedBrowser } from "../../models/trusted-browser/trusted-browser.ts";
import { type AdmissibleCandidate, lockUnchangedUser } from "../../models/user/user.ts";
import { userAuditEvent } from "./audit-event.ts";
import {
  type CompleteSignInDeps,
  completeSignIn,
  existingUserParts,
  type SignedIn,
  type SignInParts,
} from "./complete-sign-in.ts";
import { issueMfaToken, withSigningSlot } from "./issue-tokens.ts";
import { notifyNewBrowser } from "./notify-new-browser.ts";

export type FirstFactorDeps = CompleteSignInDeps;

/** Contract, section 2.1: a session, or the way to the challenge. */
export type SignInOutcome =
  | { readonly status: "success"; readonly signedIn: SignedIn }
  | { readonly status: "mfa_required"; readonly mfaToken: string; readonly expiresInSeconds: number };

export interface FirstFactorShown {
  readonly candidate: AdmissibleCandidate;
  readonly authMethod: FirstFactor;
  readonly client: ClientFacts;
  /** Set where this first factor shows control of the user's mailbox. Only the completed sign-in is a proof. */
  readonly proof?: SignInProof | undefined;
  /** What the audit trail calls it, and what it adds; default: `auth.login`. */
  readonly audit?: {
    readonly action: Extract<AuditAction, "auth.login" | "auth.oauth.login">;
    readonly metadata: AuditEntry["metadata"];
  };
  /** Whether the user may still guess, for a factor that can be guessed. */
  readonly allow?: SignInParts["allow"];
  /** Takes the single-use thing that was the factor, if it was one. */
  readonly consume?: SignInParts["consume"];
  /** What is written along, also when a second factor is still to come. */
  readonly notice?: SignInParts["notice"];
  readonly record?: SignInParts["record"];
}

/**
 * Goes on after a first factor: a user with a second one is sent to the challenge, unless the browser is one that
 * this very user trusts (decisions, section 5: asked for at password and e-mail code alone); anybody else is signed
 * in. Refuses with `authentication_required` when the account changed while it was being checked.
 */
export async function completeFirstFactor(
  deps: FirstFactorDeps,
  shown: FirstFactorShown,
): Promise<Result<SignInOutcome>> {
  const {
    candidate,
    authMethod,
    client,
    allow,
    consume,
    record,
    audit = { action: "auth.login", metadata: {} },
  } = shown;
  if (candidate.mfaEnabled && candidate.trustedBrowserId === null) return await requireSecondFactor(deps, shown);
  const at = new Date(deps.clock.now());
  const { trustedBrowserId } = candidate;
  const signedIn = await completeSignIn(deps, {
    userId: candidate.userId,
    organizationId: candidate.organizationId,
    email: candidate.email,
    authMethod,
    aal: "aal1",
    client,
    control: shown.proof && !candidate.controlled ? { user: candidate, proof: shown.proof } : undefined,
    audit: {
      action: audit.action,
      metadata: { ...audit.metadata, ...(trustedBrowserId === null ? {} : { trusted_browser: true }) },
    },
    conditions: existingUserParts(candidate, at, {
      allow,
      consume,
      touch: trustedBrowserId === null ? undefined : (sql) => touchTrustedBrowser(sql, trustedBrowserId, at),
      notice: shown.notice ?? notifyNewBrowser(deps, candidate, { authMethod, client, at }),
      record,
    }),
  });
  if (!signedIn.ok) return signedIn;
  if (authMethod === "email_otp") deps.outbox.wake();
  return ok({ status: "success", signedIn: signedIn.value });
}

async function requireSecondFactor(deps: FirstFactorDeps, shown: FirstFactorShown): Promise<Result<SignInOutcome>> {
  const { candidate, authMethod } = shown;
  const controlProof = candidate.controlled ? undefined : shown.proof;
  const token = { jti: deps.random.uuid(), issuedAt: deps.clock.now() };
  return await withSigningSlot(deps, candidate.userId, async () => {
    const [admitted, mfaToken] = await Promise.all([
      recordFirstFactor(deps, shown, new Date(token.issuedAt)),
      issueMfaToken(deps, { ...candidate, authMethod, controlProof }, token),
    ]);
    if (!admitted) return err(BAD_CREDENTIALS);
    return ok({ status: "mfa_required", mfaToken, expiresInSeconds: MFA_TOKEN_LIFETIME_SECONDS });
  });
}

/** The same look under lock that a session would need, and the audit row of the half that is done. */
async function recordFirstFactor(deps: FirstFactorDeps, shown: FirstFactorShown, at: Date): Promise<boolean> {
  const { candidate, allow, consume, notice, record } = shown;
  const rows = await deps.database.run("sign_in.ask_for_second_factor", (sql) => {
    const audit = insertAudit(
      sql,
      userAuditEvent(deps, candidate, shown.client, {
        action: shown.audit?.action ?? "auth.login",
        at,
        metadata: { method: shown.authMethod, ...shown.audit?.metadata, reason: "mfa_required" },
      }),
      sql`from person`,
    );
    return sql`
      with home as (${lockEnterableMembership(sql, candidate.userId, candidate.organizationId)}),
      ${allow ? sql`allowed as (${allow(sql)}),` : sql``}
      ${consume ? sql`consumed as (${consume(sql)}),` : sql``}
      person as (${lockUnchangedUser(sql, candidate, consume ? sql`from home, consumed` : sql`from home`)}),
      ${notice ? sql`noticed as (${notice(sql)}),` : sql``}
      ${record ? sql`recorded as (${record(sql)}),` : sql``}
      audit as (${audit})
      select 1 from person`;
  });
  return rows.length > 0;
}
