/** The wire form of users for administrators and programs (docs/contract.md, section 36.1). */
import type { Static } from "@sinclair/typebox";
import type { Config } from "../../config/config.ts";
import type { AccountFields } from "../../flows/users/account-fields.ts";
import { avatarUrl } from "../../models/avatar/avatar.ts";
import type { AdministeredUser } from "../../models/user/administered-user.ts";
import { userItemBody } from "../profile.ts";
import type { ChangeUserBody, UpsertUserBody } from "../schemas/management.ts";

export function adminUserBody(config: Config, user: AdministeredUser) {
  return {
    ...userItemBody(user),
    external_id: user.externalId,
    locale: user.locale,
    time_zone: user.timeZone,
    avatar_url: user.avatarHash === null ? null : avatarUrl(config, user.avatarHash),
    has_password: user.hasPassword,
    managed_by: user.managedBy,
    deletion_at: user.deletionAt?.toISOString() ?? null,
    updated_at: user.updatedAt.toISOString(),
    ...(user.publicMetadata ? { public_metadata: { ...user.publicMetadata } } : {}),
    ...(user.privateMetadata ? { private_metadata: { ...user.privateMetadata } } : {}),
  };
}

/** The members of a creation, an upsert or a row of a batch. */
export function accountFieldsOf(body: Static<typeof UpsertUserBody>): AccountFields {
  return {
    ...changedFieldsOf(body),
    email: body.email,
    emailVerified: body.email_verified,
    password: body.password,
    passwordHash: body.password_hash,
    createdAt: body.created_at,
    memberships: body.memberships?.map((each) => ({
      organizationId: each.organization_id,
      organizationSlug: each.organization_slug,
      role: each.role,
      roleIds: each.role_ids,
    })),
  };
}

/** The members of a change. */
export function changedFieldsOf(body: Static<typeof ChangeUserBody>): AccountFields {
  return {
    displayName: body.display_name,
    locale: body.locale,
    timeZone: body.time_zone,
    externalId: body.external_id,
    disabled: body.disabled,
    publicMetadata: body.public_metadata,
    privateMetadata: body.private_metadata,
  };
}
