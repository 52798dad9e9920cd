import { err, type Result } from "../../base/result.ts";
import { hashSubject, useSsoIdentity } from "../../models/sso-identity/sso-identity.ts";
import { findSignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { lockAndRecordSignIn } from "../../models/user/user.ts";
import { admitCandidate } from "../steps/sign-in/admit-candidate.ts";
import {
  CHANGED_MEANWHILE,
  completeSignIn,
  type SignInFailure,
  type SignInResult,
} from "../steps/sign-in/complete-sign-in.ts";
import { notifyNewBrowser } from "../steps/sign-in/notify-new-browser.ts";
import { existingUserConditions, type SignInParts } from "../steps/sign-in/sign-in-conditions.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisionedMember } from "./provision.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/**
 * Inserts the bound session of a provisioned member. `CHANGED_MEANWHILE`: the membership, the identity, the connection
 * or the organization changed since the decision.
 */
export async function completeSsoSession(
  deps: SsoDeps,
  { connection, asserted, client, at }: ProvisioningInput,
  { userId, warning }: ProvisionedMember,
): Promise<Result<SignInResult, SignInFailure>> {
  const { id: connectionId, organizationId, revision } = connection;
  const { subject, isMultiFactor, authTime } = asserted;
  const found = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { userId }, { organizationId, isBound: true, at }),
  );
  const admitted = admitCandidate(found);
  if (!admitted.ok) return err(CHANGED_MEANWHILE);
  const candidate = admitted.value;
  const parts: SignInParts = {
    consume: (sql, allowed) =>
      useSsoIdentity(sql, { connectionId, revision, subject, userId, at }, sql`from ${allowed}`),
    allow: (sql, membership) => sql`select 1 from ${membership}`,
    newBrowser: notifyNewBrowser(deps, candidate, { organizationId, client, at }),
  };
  return await completeSignIn(deps, {
    userId,
    organizationId,
    email: candidate.email,
    authMethod: "sso",
    aal: isMultiFactor ? "aal2" : "aal1",
    client,
    bound: {
      connectionId,
      subjectHash: hashSubject(subject),
      sessionIndex: asserted.sessionIndex ?? null,
      mfaVerifiedAt: isMultiFactor && authTime !== undefined ? Math.min(authTime, at.getTime()) : null,
      endsAt: asserted.sessionEndsAt,
    },
    audit: {
      action: "auth.sso.login",
      metadata: { connection_id: connectionId, ...(warning === null ? {} : { warning }) },
    },
    conditions: (sql) =>
      existingUserConditions(sql, candidate, { aal: "aal1", authTime: at, isBound: true }, parts, (from) =>
        lockAndRecordSignIn(sql, candidate, at, from),
      ),
  });
}
