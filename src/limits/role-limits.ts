/** Roles of one organization. */
export const ORGANIZATION_ROLES_MAX = 50;
/** Templates of the platform. */
export const ROLE_TEMPLATES_MAX = 50;
/** Additional roles of one member, and of one invitation. */
export const ROLES_PER_MEMBER_MAX = 10;
export const PERMISSIONS_PER_ROLE_MAX = 200;
/** As in the form of a name (`vocabulary/permissions.ts`). */
export const PERMISSION_NAME_MAX_CHARACTERS = 100;
/** Permissions of one request to check permissions. */
export const CHECKED_PERMISSIONS_MAX = 200;
export const ROLE_KEY_MAX_CHARACTERS = 40;
/** Channels that a notice or an audit record names. */
export const CHANNELS_NAMED_MAX = 10;
/** Roles by single sign-on that one transaction withdraws. */
export const ROLE_WITHDRAWAL_BATCH = 500;
