/** A leading `-`: descending. Every order has an index; an index on the last sign-in would slow each sign-in down. */
export const USER_SORTS = ["-created_at", "created_at", "email", "-email"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** A leading `-`: descending. Every order has an index. */
export const ORGANIZATION_SORTS = ["-created_at", "created_at", "name", "-name"] as const;
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number];
