/** Groups of members of one organization. */
export const MEMBER_GROUPS_MAX = 500;
export const MEMBERS_PER_GROUP_MAX = 5_000;
