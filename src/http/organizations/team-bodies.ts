/** Bodies of members and invitations, for the routes of an organization and of the platform. */
import type { Config } from "../../config/config.ts";
import type { SentInvitation } from "../../flows/invitations/send.ts";
import { avatarUrl } from "../../models/avatar/avatar.ts";
import type { Invitation } from "../../models/invitation/invitation.ts";
import type { Member } from "../../models/member/members.ts";

export function memberBody(config: Config, member: Member) {
  return {
    user_id: member.userId,
    email: member.email,
    display_name: member.displayName,
    avatar_url: member.avatarHash === null ? null : avatarUrl(config, member.avatarHash),
    role: member.role,
    mfa_enabled: member.mfaEnabled,
    joined_at: member.joinedAt.toISOString(),
    ...(member.roles.length === 0 ? {} : { roles: member.roles.map((role) => ({ ...role })) }),
    ...(member.attributes === null ? {} : { attributes: { ...member.attributes } }),
    ...(member.active ? {} : { active: false as const }),
  };
}

/** The response to the sending, with the link for a program. */
export function sentInvitationBody(invitation: SentInvitation) {
  return { ...invitationBody(invitation), ...(invitation.url !== undefined && { url: invitation.url }) };
}

export function invitationBody(invitation: Invitation) {
  return {
    id: invitation.id,
    organization_id: invitation.organizationId,
    email: invitation.email,
    role: invitation.role,
    status: invitation.status,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
    ...(invitation.roleIds.length === 0 ? {} : { role_ids: [...invitation.roleIds] }),
  };
}
