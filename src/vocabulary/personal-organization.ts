/**
 * The organization of a user without a team (docs/contract.md, section 37.2). The id derives from the id of the user,
 * so a user has one at most, and no read tells the kind of an organization.
 */

/** The constant name of every personal organization. */
export const PERSONAL_ORGANIZATION_NAME = "Personal";

/**
 * The stored role of the user, which has no permission in any release. Responses display `owner`: no further user can
 * join.
 */
export const PERSONAL_MEMBER_ROLE = "member";

export const ORGANIZATION_KINDS = ["team", "personal"] as const;
export type OrganizationKind = (typeof ORGANIZATION_KINDS)[number];

/** The position of the version in the text form of a UUID (RFC 9562, section 4.2). */
const VERSION_AT = 14;
/** Custom forms (RFC 9562, section 5.8): no team has an id of this version. */
const VERSION = "8";

/** The id of the personal organization of a user, stored or not. */
export function personalOrganizationId(userId: string): string {
  return `${userId.slice(0, VERSION_AT)}${VERSION}${userId.slice(VERSION_AT + 1)}`;
}

/** Whether an id is of a personal organization, of any user: no team has an id of this version. */
export function isPersonalOrganizationId(organizationId: string): boolean {
  return organizationId[VERSION_AT] === VERSION;
}

/** The slug: the id without hyphens. */
export function personalOrganizationSlug(userId: string): string {
  return personalOrganizationId(userId).replaceAll("-", "");
}

/** Whether an organization is the personal organization of the user, in either case of the digits, as in PostgreSQL. */
export function isPersonalOrganization({
  userId,
  organizationId,
}: {
  readonly userId: string;
  readonly organizationId: string | null;
}): boolean {
  return organizationId?.toLowerCase() === personalOrganizationId(userId).toLowerCase();
}

export function organizationKindOf(of: {
  readonly userId: string;
  readonly organizationId: string | null;
}): OrganizationKind {
  return isPersonalOrganization(of) ? "personal" : "team";
}
