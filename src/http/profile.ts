import type { Config } from "../config/config.ts";
import { avatarUrl } from "../models/avatar/avatar.ts";
import { logoPathOf } from "../models/brand/brand.ts";
import type { SessionView } from "../models/session/session.ts";
import type { Profile } from "../models/user/profile.ts";
import { organizationKindOf, personalOrganizationId } from "../vocabulary/personal-organization.ts";

/** Content-addressed, like a picture of a user. */
export function logoUrl({ urls }: Pick<Config, "urls">, hash: string): string {
  return `${urls.publicBaseUrl}${logoPathOf(hash)}`;
}

/** Only a bound session has the member (docs/contract.md, section 3.13). */
export function boundBody(organizationBound: boolean): { readonly organization_bound?: true } {
  return organizationBound ? { organization_bound: true } : {};
}

/** Absent without a zone, so that bodies of earlier releases stay equal. */
function timeZoneBody({ timeZone }: Profile): { readonly time_zone?: string } {
  return timeZone === null ? {} : { time_zone: timeZone };
}

/** docs/contract.md, section 4.4. */
export function meBody(
  config: Config,
  profile: Profile,
  { organizationId, organizationBound }: Pick<SessionView, "organizationId" | "organizationBound">,
) {
  return {
    user_id: profile.userId,
    email: profile.email,
    email_verified: profile.emailVerified,
    display_name: profile.displayName,
    avatar_url: profile.avatarHash === null ? null : avatarUrl(config, profile.avatarHash),
    ...timeZoneBody(profile),
    public_metadata: { ...profile.publicMetadata },
    organization_id: organizationId,
    organization_kind: organizationKindOf({ userId: profile.userId, organizationId }),
    personal_organization_id: profile.hasPersonalOrganization ? personalOrganizationId(profile.userId) : null,
    ...boundBody(organizationBound),
    organizations: profile.organizations,
    platform_role: profile.platformRole,
    has_password: profile.hasPassword,
    mfa_enabled: profile.mfaEnabled,
    created_at: profile.createdAt.toISOString(),
    updated_at: profile.updatedAt.toISOString(),
  };
}

/** docs/contract.md, section 4.5. */
export function userItemBody(profile: Profile) {
  return {
    user_id: profile.userId,
    email: profile.email,
    email_verified: profile.emailVerified,
    display_name: profile.displayName,
    platform_role: profile.platformRole,
    disabled: profile.disabled,
    mfa_enabled: profile.mfaEnabled,
    organizations: profile.organizations,
    created_at: profile.createdAt.toISOString(),
    last_login_at: profile.lastLoginAt?.toISOString() ?? null,
  };
}
