import type { Sql } from "../../database/database.ts";
import { MEMBER_REMOVAL_LIFETIME_MS } from "../../limits/sso-sign-in-limits.ts";
import { findOpenInvitation, type OpenInvitation } from "../../models/invitation/invitation.ts";
import { lockGrantors } from "../../models/member/members.ts";
import { findActiveRole, lockProvisionedUser } from "../../models/member/provisioning.ts";
import { acceptsConnection } from "../../models/organization-domain/organization-domain.ts";
import { findSsoIdentity } from "../../models/sso-identity/sso-identity.ts";
import { findPolicy, type SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import { findSignInCandidate } from "../../models/user/user.ts";
import type { ProvisioningContext } from "./decide-provisioning.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

export interface StoredContext extends ProvisioningContext {
  readonly policy: SsoPolicy;
  readonly invitation: OpenInvitation | undefined;
}

/**
 * Reads the context of a decision from PostgreSQL under locks: a removal, a lost domain or a policy of another replica
 * counts. No account of an address outside of the domains of the organization is read.
 */
export async function readProvisioningContext(sql: Sql, input: ProvisioningInput): Promise<StoredContext> {
  const { connection, asserted, at } = input;
  const { organizationId, id: connectionId, activatedBy } = connection;
  const policy = await findPolicy(sql, organizationId);
  const email = await acceptedAddress(sql, input);
  const linked = await findSsoIdentity(sql, connectionId, asserted.subject);
  const linkedUser = linked && (await readUser(sql, input, linked.userId));
  const holder = email === undefined ? undefined : await findSignInCandidate(sql, { email }, { at });
  return {
    policy,
    jit: policy.jit,
    inDomain: email !== undefined,
    emailVerified: asserted.emailVerified,
    identity: linked && linkedUser && { linkedBy: linked.linkedBy, user: linkedUser },
    userOfAddress: holder && (await readUser(sql, input, holder.userId)),
    invitation: email === undefined ? undefined : await readInvitation(sql, organizationId, email, at),
    activatorRole: activatedBy === null ? undefined : await findActiveRole(sql, organizationId, activatedBy),
  };
}

/** The asserted address, if a verified domain of the organization accepts the connection. */
async function acceptedAddress(sql: Sql, { connection, asserted }: ProvisioningInput): Promise<string | undefined> {
  const { organizationId, id: connectionId } = connection;
  const { email } = asserted;
  if (email === undefined) return undefined;
  return (await acceptsConnection(sql, { organizationId, connectionId, email })) ? email : undefined;
}

async function readUser(sql: Sql, { connection, at }: ProvisioningInput, userId: string) {
  const { organizationId, id: connectionId } = connection;
  const removedSince = new Date(at.getTime() - MEMBER_REMOVAL_LIFETIME_MS);
  return await lockProvisionedUser(sql, { userId, organizationId, connectionId, removedSince });
}

/** The open invitation of an address, if the sender may still grant the role. */
async function readInvitation(
  sql: Sql,
  organizationId: string,
  email: string,
  at: Date,
): Promise<OpenInvitation | undefined> {
  const invitation = await findOpenInvitation(sql, organizationId, email, at);
  if (!invitation) return undefined;
  const senders = await lockGrantors(sql, organizationId, [invitation.invitedBy], invitation.role);
  return senders.length > 0 ? invitation : undefined;
}
