/** The documents of discovery (RFC 7644, section 4; RFC 7643, sections 5 to 7). `baseUrl` ends in `/scim/v2`. */
import { SCIM_CURSOR_LIFETIME_MS, SCIM_PAGE_DEFAULT, SCIM_PAGE_MAX } from "../../../limits/directory-limits.ts";
import type { Attribute } from "./attribute.ts";
import { CONFIG_SCHEMA, DISCOVERY_SCHEMAS, RESOURCE_TYPE_SCHEMA, SCHEMA_SCHEMA } from "./discovery-schemas.ts";
import { RESOURCE_TYPES, type ResourceType, SCHEMAS, type Schema } from "./schemas.ts";
import type { JsonRecord } from "./scim-json.ts";

/** The schemas of users, groups and discovery. */
const LISTED: readonly Schema[] = [...SCHEMAS, ...DISCOVERY_SCHEMAS];

export function serviceProviderConfig(baseUrl: string): JsonRecord {
  return {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: SCIM_PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: "index",
      defaultPageSize: SCIM_PAGE_DEFAULT,
      maxPageSize: SCIM_PAGE_MAX,
      cursorTimeout: SCIM_CURSOR_LIFETIME_MS / 1000,
    },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "API key",
        description: "An API key of the organization with the scope scim.write or scim.read, as a bearer token.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
  };
}

export function listResourceTypes(baseUrl: string): JsonRecord[] {
  return RESOURCE_TYPES.map((type) => resourceTypeDocument(type, baseUrl));
}

/** Undefined for an unknown id. */
export function findResourceType(id: string, baseUrl: string): JsonRecord | undefined {
  const type = RESOURCE_TYPES.find(({ name }) => name === id);
  return type && resourceTypeDocument(type, baseUrl);
}

function resourceTypeDocument({ name, endpoint, description, core, extension }: ResourceType, baseUrl: string) {
  return {
    schemas: [RESOURCE_TYPE_SCHEMA],
    id: name,
    name,
    endpoint,
    description,
    schema: core.id,
    schemaExtensions: extension ? [{ schema: extension.id, required: false }] : [],
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${name}` },
  };
}

export function listSchemas(baseUrl: string): JsonRecord[] {
  return LISTED.map((schema) => schemaDocument(schema, baseUrl));
}

/** Undefined for an unknown URN. */
export function findSchema(id: string, baseUrl: string): JsonRecord | undefined {
  const schema = LISTED.find((each) => each.id.toLowerCase() === id.toLowerCase());
  return schema && schemaDocument(schema, baseUrl);
}

function schemaDocument({ id, name, description, attributes }: Schema, baseUrl: string): JsonRecord {
  return {
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description,
    attributes: attributes.map(attributeDocument),
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${id}` },
  };
}

function attributeDocument(attribute: Attribute): JsonRecord {
  const { subAttributes, canonicalValues, referenceTypes, ...rest } = attribute;
  return {
    ...rest,
    ...(canonicalValues ? { canonicalValues } : {}),
    ...(referenceTypes ? { referenceTypes } : {}),
    ...(subAttributes ? { subAttributes: subAttributes.map(attributeDocument) } : {}),
  };
}
