import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { findConnectionHolder, type HolderRow } from "../../../models/channel/channel-holder.ts";
import { isDeactivated, isProvisioned } from "../../../models/directory/directory.ts";
import { findOpenInvitation, type OpenInvitation } from "../../../models/invitation/invitation.ts";
import { lockInviter, lockMembership } from "../../../models/member/members.ts";
import { findProvisionedUser, lockUsers, type ProvisionedUser } from "../../../models/member/provisioned-user.ts";
import { isRemoved } from "../../../models/member/removal.ts";
import { acceptsConnection } from "../../../models/organization-domain/organization-domain.ts";
import { findRoles } from "../../../models/organization-role/organization-role.ts";
import { findSsoIdentity, keepSsoIdentity } from "../../../models/sso-identity/sso-identity.ts";
import { findPolicy, type SsoPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { findSignInCandidate } from "../../../models/user/sign-in-candidate.ts";
import { isReserved } from "../../../models/user-email/user-email.ts";
import type { MemberPower } from "../../../vocabulary/member-power.ts";
import { findUserWithAddresses, isRemovedAddress, removalsSince } from "../../steps/accounts/member-removal.ts";
import { permitsAddress } from "../../steps/authorization/joining-rules.ts";
import { coversSignIn, grantingPower, NO_POWER, presentPower } from "../../steps/power/holder-power.ts";
import type { ProvisioningContext } from "./decide-provisioning.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/** A concurrent request changed a row of the context: the decision is made again. */
export class Overtaken extends Error {}

export interface StoredContext extends ProvisioningContext {
  readonly policy: SsoPolicy;
  /** An active directory decides the roles of the user. */
  readonly isProvisioned: boolean;
  /** The identity, or without an identity the asserted address, awaits a confirmation of its user after a reset. */
  readonly held: boolean;
}

/**
 * Reads the context of a decision from PostgreSQL under locks: a removal, a lost domain or a policy of another replica
 * counts. No account of an address outside of the domains of the organization is read. Independent statements
 * are sent together: writes to the socket are a third of the main thread of a sign-in.
 */
export async function readProvisioningContext(
  deps: Pick<Deps, "addressKey">,
  sql: Sql,
  input: ProvisioningInput,
): Promise<StoredContext> {
  const { connection, asserted, at } = input;
  const { organizationId, activatedBy } = connection;
  const [policy, email] = await Promise.all([findPolicy(sql, organizationId), acceptedAddress(sql, input)]);
  const { linked, holderId, addressHeld } = await lockParties(sql, input, email);
  const knownId = linked?.userId ?? holderId;
  const [linkedUser, userOfAddress, addressReserved, deactivated, holder, provisioned] = await Promise.all([
    linked && readUser(sql, input, linked.userId),
    holderId === undefined ? undefined : readHolder(deps, sql, input, holderId),
    email !== undefined && holderId === undefined && isReserved(sql, email, at),
    email !== undefined && isKeptOut(deps, sql, input, { email, isLinked: linked !== undefined }),
    findConnectionHolder(sql, { id: connection.id, organizationId, activatedBy }),
    knownId !== undefined && isProvisioned(sql, organizationId, knownId),
  ]);
  const invitation = email === undefined ? undefined : await readInvitation(sql, organizationId, email, at);
  return {
    policy,
    isProvisioned: provisioned,
    jit: policy.jit,
    inDomain: email !== undefined,
    emailVerified: asserted.emailVerified,
    held: linked ? linked.held : addressHeld,
    identity: linked && linkedUser && { linkedBy: linked.linkedBy, user: keptUser(linkedUser, holder) },
    userOfAddress,
    addressReserved,
    deactivated,
    invitation,
    invitedPower: await invitedPowerOf(sql, organizationId, invitation),
    activator: memberPowerOf(holder),
    channelPower: holder ? grantingPower(holder) : NO_POWER,
  };
}

interface Parties {
  readonly linked: Awaited<ReturnType<typeof findSsoIdentity>>;
  readonly holderId: string | undefined;
  readonly addressHeld: boolean;
}

/** A linked user, with whether the connection goes on signing the user in. */
function keptUser(user: ProvisionedUser, holder: HolderRow | undefined) {
  const { role, granted, keptPower } = user;
  const isKept = holder !== undefined && role !== null && coversSignIn(holder, { role, granted }, keptPower);
  return { ...user, isKept };
}

/** The power behind a connection whose person is an active member. */
function memberPowerOf(holder: HolderRow | undefined): MemberPower | undefined {
  return holder && holder.role !== null ? presentPower({ ...holder, isPlatformAdministrator: false }) : undefined;
}

/** The power that an invitation gives: its role, and the permissions of its additional roles. */
async function invitedPowerOf(
  sql: Sql,
  organizationId: string,
  invitation: OpenInvitation | undefined,
): Promise<MemberPower> {
  if (!invitation) return NO_POWER;
  const { role, roleIds } = invitation;
  const roles = roleIds.length === 0 ? [] : await findRoles(sql, organizationId, roleIds);
  return { role, granted: roles.flatMap(({ permissions }) => permissions) };
}

/** The identity of the subject, and the user of the address, under the locks of these users. */
async function lockParties(
  sql: Sql,
  { connection, asserted, at }: ProvisioningInput,
  email: string | undefined,
): Promise<Parties> {
  const find = async (identityOf: typeof findSsoIdentity) => {
    const [linked, holder] = await Promise.all([
      identityOf(sql, connection.id, asserted.subject),
      email === undefined ? undefined : findSignInCandidate(sql, { email }, { at }),
    ]);
    return { linked, holderId: holder?.userId, addressHeld: holder?.addressHeld ?? false };
  };
  const before = await find(findSsoIdentity);
  const userIds = [before.linked?.userId, before.holderId].filter((id) => id !== undefined);
  // In the order of a sign-in, memberships before users. A promotion under way is waited for: the rules of roles would
  // undo a promotion to owner.
  for (const userId of userIds.toSorted()) await lockMembership(sql, connection.organizationId, userId);
  await lockUsers(sql, userIds);
  // A removal of the identity waits, and then withdraws the roles that this sign-in grants.
  const locked = await find(keepSsoIdentity);
  if (locked.linked?.userId !== before.linked?.userId || locked.holderId !== before.holderId) throw new Overtaken();
  return locked;
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
  const removedSince = removalsSince(at);
  return await findProvisionedUser(sql, { userId, organizationId, connectionId, removedSince });
}

/** The user of the asserted address, who may have been removed under another account. */
async function readHolder(deps: Pick<Deps, "addressKey">, sql: Sql, input: ProvisioningInput, userId: string) {
  const user = await readUser(sql, input, userId);
  if (!user || user.role !== null || user.removed) return user;
  const { organizationId } = input.connection;
  const person = await findUserWithAddresses(deps, sql, userId);
  return { ...user, removed: await isRemoved(sql, organizationId, person, removalsSince(input.at)) };
}

/** The removal of a linked user is a removal of the account. */
async function isKeptOut(
  deps: Pick<Deps, "addressKey">,
  sql: Sql,
  { connection: { organizationId }, at }: ProvisioningInput,
  { email, isLinked }: { readonly email: string; readonly isLinked: boolean },
): Promise<boolean> {
  if (await isDeactivated(sql, organizationId, email)) return true;
  return !isLinked && (await isRemovedAddress(deps, sql, organizationId, email, at));
}

/** The open invitation of an address, if the policy permits the domain and the sender may still grant the role. */
async function readInvitation(
  sql: Sql,
  organizationId: string,
  email: string,
  at: Date,
): Promise<OpenInvitation | undefined> {
  const invitation = await findOpenInvitation(sql, organizationId, email, at);
  if (!invitation || !(await permitsAddress(sql, organizationId, email, at))) return undefined;
  const senders = await lockInviter(sql, organizationId, invitation.invitedBy, invitation.role);
  return senders.length > 0 ? invitation : undefined;
}
