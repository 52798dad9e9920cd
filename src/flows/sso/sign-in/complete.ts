import { err, type Result } from "../../../base/result.ts";
import type { SessionBinding } from "../../../models/session/session.ts";
import { hashName, sealSessionName } from "../../../models/session/session-name.ts";
import { hashSubject, useSsoIdentity } from "../../../models/sso-identity/sso-identity.ts";
import { findSignInCandidate } from "../../../models/user/sign-in-candidate.ts";
import { lockAndRecordSignIn } from "../../../models/user/user.ts";
import { admitCandidate } from "../../steps/sign-in/admit-candidate.ts";
import {
  CHANGED_MEANWHILE,
  completeSignIn,
  type SignInFailure,
  type SignInResult,
} from "../../steps/sign-in/complete-sign-in.ts";
import { notifyNewBrowser } from "../../steps/sign-in/notify-new-browser.ts";
import { existingUserConditions, ownAssurance, type SignInParts } from "../../steps/sign-in/sign-in-conditions.ts";
import type { SsoDeps } from "./connection.ts";
import { signInTime } from "./map-claims.ts";
import type { ProvisionedMember } from "./provision.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/** The NameID for a sign-out at the identity provider, sealed; its hash where the subject is an attribute. */
function sessionNameOf(
  deps: SsoDeps,
  { id: connectionId }: ProvisioningInput["connection"],
  { name, subject }: ProvisioningInput["asserted"],
): Pick<SessionBinding, "nameHash" | "sealedName"> {
  if (!name) return { nameHash: null, sealedName: null };
  const sealedName = sealSessionName(deps, { connectionId, subjectHash: hashSubject(subject) }, name);
  return { nameHash: name.value === subject ? null : hashName(name.value), sealedName };
}

/**
 * Inserts the bound session of a provisioned member. `CHANGED_MEANWHILE`: the membership, the identity, the connection
 * or the organization changed since the decision.
 */
export async function completeSsoSession(
  deps: SsoDeps,
  { connection, asserted, client, at }: ProvisioningInput,
  { userId, warning, isAboveChannel }: ProvisionedMember,
): Promise<Result<SignInResult, SignInFailure>> {
  const { id: connectionId, organizationId, revision } = connection;
  const { subject, authTime } = asserted;
  // The session has one factor until the member verifies the factor of the organization (section 29.18). The person
  // behind the connection vouches for no second factor of a member with more power.
  const isVouched = asserted.isMultiFactor && !isAboveChannel;
  const isMultiFactor = isVouched && !deps.ssoDirectory.policyOf(organizationId).requireOwnFactor;
  const found = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(
      sql,
      { userId },
      { organizationId, isBound: true, method: "sso", address: client.ipAddress, at },
    ),
  );
  const admitted = admitCandidate(found);
  if (!admitted.ok) return err(CHANGED_MEANWHILE);
  const candidate = admitted.value;
  const parts: SignInParts = {
    consume: (sql, allowed) =>
      useSsoIdentity(sql, { connectionId, revision, subject, userId, at }, sql`from ${allowed}`),
    allow: (sql, membership) => sql`select 1 from ${membership}`,
    newBrowser: sendsNotices(deps, organizationId, at)
      ? notifyNewBrowser(deps, candidate, { organizationId, client, at })
      : undefined,
  };
  const aal = isMultiFactor ? "aal2" : "aal1";
  const assurance = { ...ownAssurance({ method: "sso", aal, at, address: client.ipAddress }), isBound: true };
  return await completeSignIn(deps, {
    userId,
    organizationId,
    email: candidate.email,
    authMethod: "sso",
    aal,
    client,
    bound: {
      connectionId,
      subjectHash: hashSubject(subject),
      sessionIndex: asserted.sessionIndex ?? null,
      ...sessionNameOf(deps, connection, asserted),
      mfaVerifiedAt: isMultiFactor && authTime !== undefined ? signInTime(authTime, at.getTime()) : null,
      endsAt: asserted.sessionEndsAt,
    },
    audit: {
      action: "auth.sso.login",
      metadata: { connection_id: connectionId, ...(warning === null ? {} : { warning }) },
    },
    conditions: (sql) =>
      existingUserConditions(sql, candidate, assurance, parts, (from) => lockAndRecordSignIn(sql, candidate, at, from)),
  });
}

/** Whether the policy of the organization permits notices of new browsers (docs/contract.md, section 33.2). */
function sendsNotices({ ssoDirectory }: SsoDeps, organizationId: string, at: Date): boolean {
  return ssoDirectory.rulesOf(organizationId, at)?.signInNotices !== false;
}
