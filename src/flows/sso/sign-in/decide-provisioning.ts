/** The result of a verified identity for the accounts of the service, without I/O (docs/contract.md, section 29.12). */
import { err, ok, type Result } from "../../../base/result.ts";
import type { OpenInvitation } from "../../../models/invitation/invitation.ts";
import type { SsoPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { type MemberPower, type MemberRole, mayChange } from "../../../vocabulary/member-power.ts";
import { isBuiltInRole, type MappedRole } from "../../../vocabulary/sso/sso-policy-settings.ts";

/** Reasons of a refusal after the verification of the response. */
export const PROVISIONING_REASONS = [
  "domain",
  "email_not_verified",
  "disabled",
  "not_a_member",
  "identity_conflict",
  "link_required",
  "not_invited",
] as const;
export type ProvisioningReason = (typeof PROVISIONING_REASONS)[number];

/** A user as far as the organization of the connection is concerned. */
export interface KnownUser {
  readonly userId: string;
  readonly disabled: boolean;
  /** Null: not a member. */
  readonly role: MemberRole | null;
  /** The permissions of additional roles. */
  readonly granted: MemberPower["granted"];
  /** An administrator or a directory ended the membership. */
  readonly removed: boolean;
  /** The user has an identity of this connection. */
  readonly hasIdentity: boolean;
  /** The power behind the connection at an earlier time lets the member sign in (docs/contract.md, section 29.12). */
  readonly isKept?: boolean;
}

export interface ProvisioningContext {
  /** Whether the asserted address is in a domain of the organization that accepts this connection. */
  readonly inDomain: boolean;
  /** False: the identity provider denies the verification of the address. */
  readonly emailVerified: boolean;
  /** The identity of the subject. */
  readonly identity: { readonly linkedBy: "domain" | "user" | "directory"; readonly user: KnownUser } | undefined;
  /** The user of the asserted address; read only for an address in a domain of the organization. */
  readonly userOfAddress: KnownUser | undefined;
  /** A former user of the asserted address may take the address back. */
  readonly addressReserved: boolean;
  /** The directory of the organization has deactivated the record of the asserted address, or a member was removed. */
  readonly deactivated: boolean;
  /** The open invitation of the asserted address, from a member who may still grant the role. */
  readonly invitation: OpenInvitation | undefined;
  readonly jit: SsoPolicy["jit"];
  /** The power of the user who activated the connection; undefined: no active member any more. */
  readonly activator: MemberPower | undefined;
  /** The power behind the connection now: what the connection may grant (docs/contract.md, section 32.9). */
  readonly channelPower: MemberPower;
  /** The power that the invitation gives. */
  readonly invitedPower: MemberPower;
}

/** How a user becomes a member. */
export type Joining = { readonly by: "jit" } | { readonly by: "invitation"; readonly invitation: OpenInvitation };

export type Provisioning =
  | { readonly kind: "sign_in"; readonly userId: string; readonly links: boolean; readonly joining?: Joining }
  | { readonly kind: "create"; readonly joining: Joining };

type Decision = Result<Provisioning, ProvisioningReason>;

/** The provisioning table. Accounts outside of the verified domains are never read, linked, created or changed. */
export function decideProvisioning(context: ProvisioningContext): Decision {
  const { identity, inDomain, emailVerified, userOfAddress } = context;
  if (identity?.linkedBy === "user") return signInKnown(identity.user, context, "in_person");
  if (!inDomain) return err("domain");
  if (!emailVerified) return err("email_not_verified");
  if (identity) return signInKnown(identity.user, context, "by_domain");
  return userOfAddress ? linkKnown(userOfAddress, context) : createUser(context);
}

/**
 * A known identity. A former member returns by an invitation only. A member with a permission that the person behind
 * the connection lacks signs in by a link that the member made in person, and by no other link.
 */
function signInKnown(user: KnownUser, context: ProvisioningContext, link: "by_domain" | "in_person"): Decision {
  const { userId } = user;
  if (user.disabled) return err("disabled");
  if (user.role !== null) {
    const mayEnter = link === "in_person" || !isAboveChannel(user, context);
    return mayEnter ? ok({ kind: "sign_in", userId, links: false }) : err("link_required");
  }
  const joining = userId === context.userOfAddress?.userId ? byInvitation(context) : undefined;
  return joining ? ok({ kind: "sign_in", userId, links: false, joining }) : err("not_a_member");
}

/** The user of the asserted address, with a subject that is new to the connection. */
function linkKnown(user: KnownUser, context: ProvisioningContext): Decision {
  const { userId } = user;
  if (user.disabled) return err("disabled");
  const invited = byInvitation(context);
  if (user.role === null && (user.removed || context.deactivated) && !invited) return err("not_a_member");
  if (user.hasIdentity) return err("identity_conflict");
  if (user.role !== null) {
    return mayLink({ ...user, role: user.role }, context)
      ? ok({ kind: "sign_in", userId, links: true })
      : err("link_required");
  }
  const joining = invited ?? byJit(context);
  return joining ? ok({ kind: "sign_in", userId, links: true, joining }) : err("not_invited");
}

function createUser(context: ProvisioningContext): Decision {
  if (context.addressReserved) return err("not_invited");
  const invited = byInvitation(context);
  if (context.deactivated && !invited) return err("not_a_member");
  const joining = invited ?? byJit(context);
  return joining ? ok({ kind: "create", joining }) : err("not_invited");
}

/** A domain links no owner, and no member with a permission that the user who activated the connection lacks. */
function mayLink(member: MemberPower, { activator }: ProvisioningContext): boolean {
  return member.role !== "owner" && activator !== undefined && mayChange(activator, member);
}

/** Whether a member has a permission that the person behind the connection lacks. */
export function isAboveChannel(
  { role, granted, isKept }: Pick<KnownUser, "granted" | "isKept" | "role">,
  { channelPower }: Pick<ProvisioningContext, "channelPower">,
): boolean {
  return role !== null && isKept !== true && !mayChange(channelPower, { role, granted });
}

/** An invitation as owner, and an invitation beyond the power behind the connection, need the invited user. */
function byInvitation({ invitation, jit, channelPower, invitedPower }: ProvisioningContext): Joining | undefined {
  if (!invitation || invitation.role === "owner" || jit === "off") return undefined;
  if (!mayChange(channelPower, invitedPower)) return undefined;
  return { by: "invitation", invitation };
}

function byJit({ jit }: ProvisioningContext): Joining | undefined {
  return jit === "on" ? { by: "jit" } : undefined;
}

/** The values to which the rules of a policy apply. */
export interface MappedValues {
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

type RolePolicy = Pick<SsoPolicy, "roleRules" | "defaultRole" | "sync">;

/** The role of a new member, as far as the person behind the connection has the power. */
export function roleOfNewMember(policy: RolePolicy, values: MappedValues, channelPower: MemberPower): MappedRole {
  const role = ruledRole(policy, values);
  return mayChange(channelPower, { role, granted: [] }) ? role : "member";
}

/** Whether the rules give a built-in role beyond the power of the person behind the connection. */
export function leavesRoleOut(policy: RolePolicy, values: MappedValues, channelPower: MemberPower): boolean {
  return !mayChange(channelPower, { role: ruledRole(policy, values), granted: [] });
}

function ruledRole(policy: RolePolicy, values: MappedValues): MappedRole {
  const matching = matchingRoles(policy, values).filter(isBuiltInRole);
  if (matching.length === 0) return policy.defaultRole;
  return matching.includes("admin") ? "admin" : "member";
}

/** The keys of the additional roles of a member. */
export function additionalRolesOf(policy: RolePolicy, values: MappedValues): readonly string[] {
  return matchingRoles(policy, values).filter((role) => !isBuiltInRole(role));
}

function matchingRoles({ roleRules }: RolePolicy, values: MappedValues): readonly string[] {
  return roleRules.filter(({ from, value }) => valuesOf(values, from).includes(value)).map(({ role }) => role);
}

/** A member before the rules of a sign-in. */
export interface RuledMember {
  readonly role: MemberRole;
  /** An active directory decides the roles of its users. */
  readonly isProvisioned: boolean;
}

/** The role of a member after a sign-in. Without rules, roles stay; the mapping never changes an owner. */
export function roleOfMember(
  policy: RolePolicy,
  values: MappedValues,
  member: RuledMember,
  channelPower: MemberPower,
): MemberRole {
  if (!followsRules(policy, member)) return member.role;
  const role = ruledRole(policy, values);
  return role === member.role ? role : roleOfNewMember(policy, values, channelPower);
}

/** Whether the rules of a sign-in decide about the built-in role of a member. */
export function followsRules({ roleRules, sync }: RolePolicy, { isProvisioned, role }: RuledMember): boolean {
  return !isProvisioned && role !== "owner" && sync !== "first" && roleRules.some((rule) => isBuiltInRole(rule.role));
}

function valuesOf({ groups, attributes }: MappedValues, from: string): readonly string[] {
  if (from === "groups") return groups;
  const value = Object.hasOwn(attributes, from) ? attributes[from] : undefined;
  return value === undefined ? [] : [value];
}
