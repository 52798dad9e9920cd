/**
 * The sources of claim mappings (docs/contract.md, section 23.34): the control over the value, the data that the
 * consent page names, the part of a reading that has the value, and the value. A further source is a row.
 */
import type { JsonValue } from "./claim-mapping.ts";
import { userNames } from "./user-names.ts";

/** Who can change a value: the platform, an organization, or the user. */
export type SourceControl = "platform" | "organization" | "user";

/** Data of a user as the consent page names the data, and as a consent records the data. */
export const DISCLOSED_DATA = [
  "identifier",
  "account",
  "account_details",
  "name",
  "email",
  "profile",
  "organization",
  "roles",
  "groups",
  "details",
  "sign_in",
] as const;
export type DisclosedData = (typeof DISCLOSED_DATA)[number];

/** The parts of a reading beside the rows of user, membership and organization. */
export const SOURCE_PARTS = ["account_metadata", "metadata", "roles", "groups", "connection"] as const;
export type SourcePart = (typeof SOURCE_PARTS)[number];

/** The values behind the sources. Times are milliseconds; null and an empty text count as absent. */
export interface SourceValues {
  readonly user: {
    readonly id: string;
    readonly number: number | null;
    readonly externalId: string | null;
    readonly email: string;
    readonly emailVerified: boolean;
    readonly displayName: string | null;
    readonly picture: string | null;
    readonly locale: string | null;
    readonly timeZone: string | null;
    readonly createdAt: number;
    readonly managed: boolean;
  };
  /** Whether the granted scopes contain `email`: names may come from the address. */
  readonly hasEmail: boolean;
  /** Absent for a user without a team. */
  readonly organization?: { readonly id: string; readonly slug: string; readonly name: string };
  readonly role?: string;
  readonly accountMetadata?: JsonValue;
  readonly organizationMetadata?: JsonValue;
  readonly memberMetadata?: JsonValue;
  readonly roleKeys?: readonly string[];
  readonly permissions?: readonly string[];
  /** Sorted, at most `CLAIM_GROUPS_MAX`. */
  readonly groups?: readonly string[];
  /** The connection of single sign-on behind the session, with the attributes that the connection asserted. */
  readonly connection?: { readonly id: string; readonly protocol: string; readonly attributes: JsonValue } | null;
  /** Absent where no sign-in is known. */
  readonly session?: {
    readonly acr: string;
    readonly amr: readonly string[];
    readonly authTime: number;
    readonly method: string;
  };
  readonly clientId: string;
}

export interface ClaimSource {
  readonly control: SourceControl;
  /** Null: the source discloses nothing of the user. */
  readonly data: DisclosedData | null;
  readonly part?: SourcePart;
  /** An object, of which a mapping may read a member by its path. */
  readonly hasMembers?: true;
  /** Identifies the user at every application, which pairwise subjects prevent. */
  readonly isGlobalIdentifier?: true;
  readonly read: (values: SourceValues) => JsonValue | undefined;
}

const platform = { control: "platform" } as const;
const organization = { control: "organization" } as const;
const ofUser = { control: "user" } as const;
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
const orAbsent = (text: string | null) => text || undefined;

export const CLAIM_SOURCES = {
  "user.id": { ...platform, data: "identifier", isGlobalIdentifier: true, read: ({ user }) => user.id },
  "user.number": {
    ...platform,
    data: "identifier",
    isGlobalIdentifier: true,
    read: ({ user }) => user.number ?? undefined,
  },
  "user.external_id": {
    ...platform,
    data: "identifier",
    isGlobalIdentifier: true,
    read: ({ user }) => orAbsent(user.externalId),
  },
  "user.email": {
    ...platform,
    data: "email",
    read: ({ user }) => (user.emailVerified ? user.email : undefined),
  },
  "user.email_verified": { ...platform, data: "email", read: ({ user }) => user.emailVerified },
  "user.created_at": { ...platform, data: "account", read: ({ user }) => seconds(user.createdAt) },
  "user.managed": { ...platform, data: "account", read: ({ user }) => user.managed },
  "user.public_metadata": {
    ...platform,
    data: "account_details",
    part: "account_metadata",
    hasMembers: true,
    read: ({ accountMetadata }) => accountMetadata,
  },
  "user.name": { ...ofUser, data: "name", read: ({ user, hasEmail }) => userNames(user, hasEmail).name },
  "user.display_name": { ...ofUser, data: "name", read: ({ user }) => orAbsent(user.displayName) },
  "user.login": { ...ofUser, data: "email", read: ({ user, hasEmail }) => userNames(user, hasEmail).login },
  "user.locale": { ...ofUser, data: "profile", read: ({ user }) => orAbsent(user.locale) },
  "user.time_zone": { ...ofUser, data: "profile", read: ({ user }) => orAbsent(user.timeZone) },
  "user.picture": { ...ofUser, data: "profile", read: ({ user }) => orAbsent(user.picture) },
  "organization.id": { ...platform, data: "organization", read: (values) => values.organization?.id },
  "organization.slug": { ...organization, data: "organization", read: (values) => values.organization?.slug },
  "organization.name": { ...organization, data: "organization", read: (values) => values.organization?.name },
  "organization.public_metadata": {
    ...organization,
    data: "details",
    part: "metadata",
    hasMembers: true,
    read: ({ organizationMetadata }) => organizationMetadata,
  },
  "member.role": { ...organization, data: "roles", read: ({ role }) => role },
  "member.public_metadata": {
    ...organization,
    data: "details",
    part: "metadata",
    hasMembers: true,
    read: ({ memberMetadata }) => memberMetadata,
  },
  roles: {
    ...organization,
    data: "roles",
    part: "roles",
    read: ({ role, roleKeys }) => (role === undefined ? undefined : roleKeys && [role, ...roleKeys]),
  },
  groups: { ...organization, data: "groups", part: "groups", read: ({ groups }) => groups },
  // The owner of any organization holds every permission there.
  permissions: { ...organization, data: "roles", part: "roles", read: ({ permissions }) => permissions },
  "session.acr": { ...platform, data: "sign_in", read: ({ session }) => session?.acr },
  "session.amr": { ...platform, data: "sign_in", read: ({ session }) => session?.amr },
  "session.auth_time": {
    ...platform,
    data: "sign_in",
    read: ({ session }) => session && seconds(session.authTime),
  },
  "session.method": { ...platform, data: "sign_in", read: ({ session }) => session?.method },
  "connection.id": {
    ...organization,
    data: "sign_in",
    part: "connection",
    read: ({ connection }) => connection?.id,
  },
  "connection.protocol": {
    ...organization,
    data: "sign_in",
    part: "connection",
    read: ({ connection }) => connection?.protocol,
  },
  "connection.attributes": {
    ...organization,
    data: "details",
    part: "connection",
    hasMembers: true,
    read: ({ connection }) => connection?.attributes,
  },
  "client.id": { ...platform, data: null, read: ({ clientId }) => clientId },
} as const satisfies Record<string, ClaimSource>;

export type ClaimSourceName = keyof typeof CLAIM_SOURCES;

export const CLAIM_SOURCE_NAMES = Object.keys(CLAIM_SOURCES) as readonly ClaimSourceName[];

export function sourceOf(name: ClaimSourceName): ClaimSource {
  return CLAIM_SOURCES[name];
}

export function isClaimSource(name: string): name is ClaimSourceName {
  return Object.hasOwn(CLAIM_SOURCES, name);
}

/** The variables of expressions: objects with the sources as members, and lists. */
export const SOURCE_VARIABLES: ReadonlyMap<string, readonly ClaimSourceName[]> = Map.groupBy(
  CLAIM_SOURCE_NAMES,
  (name) => name.split(".", 1)[0] ?? name,
);

/** Sources with values that name a role or group, which a mapping may qualify. */
export const QUALIFIABLE_SOURCES: ReadonlySet<string> = new Set(["groups", "roles", "member.role"]);

/** Sources for claims that name an account. */
export const LOGIN_SOURCES: ReadonlySet<string> = new Set(["user.login", "user.email", "user.id", "user.number"]);
