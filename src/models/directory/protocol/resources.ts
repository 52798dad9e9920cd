/** Resources as responses contain them (RFC 7643, section 3). */
import { entityTag } from "./entity-tag.ts";
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from "./schemas.ts";
import type { JsonRecord } from "./scim-json.ts";

export const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface StoredGroup extends Stored {
  readonly displayName: string;
  readonly externalId: string | null;
}

interface Reference {
  readonly id: string;
  readonly display: string;
}

export function userResource(
  user: Stored & { readonly document: JsonRecord },
  groups: readonly Reference[],
  baseUrl: string,
): JsonRecord {
  const { document } = user;
  const schemas = ENTERPRISE_SCHEMA in document ? [USER_SCHEMA, ENTERPRISE_SCHEMA] : [USER_SCHEMA];
  const references = groups.map(({ id, display }) => ({
    value: id,
    $ref: `${baseUrl}/Groups/${id}`,
    display,
    type: "direct",
  }));
  return {
    schemas,
    id: user.id,
    ...document,
    ...(references.length > 0 ? { groups: references } : {}),
    meta: metaOf(user, "User", `${baseUrl}/Users/${user.id}`),
  };
}

/** `members` undefined: the response omits the members. */
export function groupResource(
  group: StoredGroup,
  members: readonly Reference[] | undefined,
  baseUrl: string,
): JsonRecord {
  const references = members?.map(({ id, display }) => ({
    value: id,
    $ref: `${baseUrl}/Users/${id}`,
    display,
    type: "User",
  }));
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    displayName: group.displayName,
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    ...(references ? { members: references } : {}),
    meta: metaOf(group, "Group", `${baseUrl}/Groups/${group.id}`),
  };
}

function metaOf({ version, createdAt, updatedAt }: Stored, resourceType: string, location: string): JsonRecord {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location,
    version: entityTag(version),
  };
}
