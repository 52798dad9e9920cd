import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { SignInDeps } from "../../../deps.ts";
import { MFA_TOKEN_LIFETIME_SECONDS } from "../../../limits/factor-limits.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import type { SessionAssurance } from "../../../models/conditions/organization-access.ts";
import { touchTrustedBrowser } from "../../../models/trusted-browser/trusted-browser.ts";
import type { AdmissibleCandidate } from "../../../models/user/sign-in-candidate.ts";
import { lockAndRecordSignIn, lockUnchangedUser, lockUser } from "../../../models/user/user.ts";
import type { AssuranceLevel, FirstFactor } from "../../../vocabulary/assurance.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import type { SignInProof } from "../../../vocabulary/control-proof.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import { issueMfaToken } from "../tokens/issue-session-tokens.ts";
import {
  CHANGED_MEANWHILE,
  completeSignIn,
  completeSignInWithSlot,
  type SignInFailure,
  type SignInResult,
} from "./complete-sign-in.ts";
import { notifyNewBrowser } from "./notify-new-browser.ts";
import { existingUserConditions, ownAssurance, type SignInParts } from "./sign-in-conditions.ts";

/** A session, or an mfa_token for the challenge (docs/contract.md, section 4.1). */
export type SignInOutcome =
  | { readonly status: "success"; readonly signedIn: SignInResult }
  | { readonly status: "mfa_required"; readonly mfaToken: string; readonly expiresInSeconds: number };

export interface PresentedFirstFactor extends Pick<SignInParts, "allow" | "consume" | "notice" | "record"> {
  readonly candidate: AdmissibleCandidate;
  readonly authMethod: FirstFactor;
  /** The provider of a social sign-in. */
  readonly identityProvider?: string;
  readonly client: RequestContext;
  /** Set for a first factor that shows control of the user's mailbox. Only the completed sign-in is a proof. */
  readonly proof?: SignInProof | undefined;
  /** Set by a caller that holds a signing slot. */
  readonly holdsSigningSlot?: boolean;
  /** Default: `auth.login` without further metadata. */
  readonly audit?: {
    readonly action: Extract<AuditAction, "auth.login" | "auth.oauth.login">;
    readonly metadata: AuditEntry["metadata"];
  };
}

const LOGIN_AUDIT = { action: "auth.login", metadata: {} } as const;

/**
 * Completes a first factor. A user with a second factor gets an mfa_token for the challenge, unless the candidate was
 * found with a trusted browser; every other user is signed in. `allow`, `consume`, `notice` and `record` run in either
 * case. Returns `CHANGED_MEANWHILE` if a condition has no row any more; `rate_limited` means a full signing queue.
 */
export async function completeFirstFactor(
  deps: SignInDeps,
  firstFactor: PresentedFirstFactor,
): Promise<Result<SignInOutcome, SignInFailure>> {
  const { mfaEnabled, trustedBrowserId } = firstFactor.candidate;
  if (mfaEnabled && trustedBrowserId === null) return await requireSecondFactor(deps, firstFactor);
  const signedIn = await signInWithFirstFactor(deps, firstFactor);
  if (!signedIn.ok) return signedIn;
  deps.telemetry.metrics.signInAttempt(firstFactor.authMethod, "success");
  return ok({ status: "success", signedIn: signedIn.value });
}

async function signInWithFirstFactor(
  deps: SignInDeps,
  firstFactor: PresentedFirstFactor,
): Promise<Result<SignInResult, SignInFailure>> {
  const { candidate, authMethod, client, proof, audit = LOGIN_AUDIT } = firstFactor;
  const { trustedBrowserId } = candidate;
  const presentedProof = effectiveProof(firstFactor);
  const at = new Date(deps.clock.now());
  const use = (id: string) => ({ id, at, ipAddress: client.ipAddress });
  const parts: SignInParts = {
    allow: firstFactor.allow,
    consume: firstFactor.consume,
    touch:
      trustedBrowserId === null
        ? undefined
        : (sql) => touchTrustedBrowser(sql, use(trustedBrowserId), lockUser(sql, candidate.userId)),
    notice: firstFactor.notice,
    newBrowser: candidate.hasRecentBrowser
      ? undefined
      : notifyNewBrowser(deps, candidate, { organizationId: candidate.organizationId, client, at }),
    record: firstFactor.record,
  };
  const complete = firstFactor.holdsSigningSlot ? completeSignInWithSlot : completeSignIn;
  return await complete(deps, {
    userId: candidate.userId,
    organizationId: candidate.organizationId,
    email: candidate.email,
    authMethod,
    identityProvider: firstFactor.identityProvider,
    aal: "aal1",
    client,
    control: presentedProof && { user: candidate, proof: presentedProof },
    provesControl: proof !== undefined,
    audit: {
      action: audit.action,
      metadata: { ...audit.metadata, ...(trustedBrowserId === null ? {} : { trusted_browser: true }) },
    },
    conditions: (sql) =>
      existingUserConditions(sql, candidate, assuranceOf(firstFactor, "aal1", at), parts, (from) =>
        lockAndRecordSignIn(sql, candidate, at, from),
      ),
  });
}

/** The proof that changes the account: the first proof, or the proof of a vouched address (section 5.7). */
function effectiveProof({ candidate, proof }: PresentedFirstFactor): SignInProof | undefined {
  const { isMailboxOwner, isVouched, emailId } = candidate;
  return proof && (!isMailboxOwner || isVouched) ? { ...proof, addressId: emailId } : undefined;
}

function assuranceOf(
  { authMethod: method, identityProvider: provider, client }: PresentedFirstFactor,
  aal: AssuranceLevel,
  at: Date,
): SessionAssurance {
  return ownAssurance({ method, provider, aal, at, address: client.ipAddress });
}

async function requireSecondFactor(
  deps: SignInDeps,
  firstFactor: PresentedFirstFactor,
): Promise<Result<SignInOutcome, SignInFailure>> {
  const { candidate, authMethod } = firstFactor;
  const controlProof = effectiveProof(firstFactor);
  const token = { jti: deps.random.uuid(), issuedAt: deps.clock.now() };
  const [recorded, mfaToken] = await Promise.all([
    recordFirstFactor(deps, firstFactor, new Date(token.issuedAt)),
    issueMfaToken(
      deps,
      { ...candidate, authMethod, identityProvider: firstFactor.identityProvider, controlProof },
      token,
    ),
  ]);
  if (!recorded) return err(CHANGED_MEANWHILE);
  deps.telemetry.metrics.signInAttempt(authMethod, "second_factor_required");
  return ok({ status: "mfa_required", mfaToken, expiresInSeconds: MFA_TOKEN_LIFETIME_SECONDS });
}

/** Checks the conditions of a sign-in under lock, and records the first factor. False if a condition has no row. */
async function recordFirstFactor(deps: SignInDeps, firstFactor: PresentedFirstFactor, at: Date): Promise<boolean> {
  const { candidate, client, authMethod, audit = LOGIN_AUDIT } = firstFactor;
  const { allow, consume, notice, record } = firstFactor;
  const event = userAuditEvent(deps, candidate, client, {
    action: audit.action,
    at,
    metadata: { method: authMethod, ...audit.metadata, reason: "mfa_required" },
  });
  const rows = await deps.database.run("sign_in.ask_for_second_factor", (sql) => {
    const account = cte(sql, "account");
    const statement = withParts(sql, {
      // The challenge leads to aal2.
      ...existingUserConditions(
        sql,
        candidate,
        assuranceOf(firstFactor, "aal2", at),
        { allow, consume, notice, record },
        (from) => lockUnchangedUser(sql, candidate, from),
      ),
      audit: insertAudit(sql, event, sql`from ${account}`),
    });
    return sql`${statement} select 1 from ${account}`;
  });
  return rows.length > 0;
}
