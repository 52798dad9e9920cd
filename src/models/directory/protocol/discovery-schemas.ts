/** The schemas of the documents of discovery (RFC 7643, section 8.7.2), with `pagination` of RFC 9865. */
import { type Attribute, type AttributeOptions, type AttributeType, attribute, complex } from "./attribute.ts";
import type { Schema } from "./schemas.ts";

export const CONFIG_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
export const RESOURCE_TYPE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
export const SCHEMA_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema";

const readOnly = (name: string, description: string, type: AttributeType, options: AttributeOptions = {}) =>
  attribute(name, description, { type, mutability: "readOnly", ...options });
const needed = (name: string, description: string, type: AttributeType = "string") =>
  readOnly(name, description, type, { required: true });
const part = (name: string, description: string, parts: readonly Attribute[], options: AttributeOptions = {}) =>
  complex(name, description, parts, { mutability: "readOnly", required: true, ...options });

const supported = needed("supported", "Whether the service supports the feature.", "boolean");

const CONFIG: Schema = {
  id: CONFIG_SCHEMA,
  name: "ServiceProviderConfig",
  description: "The features of the service",
  attributes: [
    readOnly("documentationUri", "The URL of the documentation.", "reference", { referenceTypes: ["external"] }),
    part("patch", "Changes by PATCH.", [supported]),
    part("bulk", "Bulk operations.", [
      supported,
      needed("maxOperations", "The highest number of operations of a request.", "integer"),
      needed("maxPayloadSize", "The highest size of a request in bytes.", "integer"),
    ]),
    part("filter", "Filters of lists.", [
      supported,
      needed("maxResults", "The highest number of resources of a response.", "integer"),
    ]),
    part("changePassword", "Changes of passwords.", [supported]),
    part("sort", "Sorted lists.", [supported]),
    part("etag", "Versions of resources.", [supported]),
    part(
      "pagination",
      "Pages of lists.",
      [
        needed("cursor", "Whether pages by cursor are supported.", "boolean"),
        needed("index", "Whether pages by index are supported.", "boolean"),
        readOnly("defaultPaginationMethod", "The method of a request without cursor and index.", "string"),
        readOnly("defaultPageSize", "The number of resources of a page by default.", "integer"),
        readOnly("maxPageSize", "The highest number of resources of a page.", "integer"),
        readOnly("cursorTimeout", "The lifetime of a cursor in seconds.", "integer"),
      ],
      { required: false },
    ),
    part(
      "authenticationSchemes",
      "The accepted credentials.",
      [
        needed("type", "The scheme."),
        needed("name", "The name of the scheme."),
        needed("description", "The description of the scheme."),
        readOnly("specUri", "The URL of the specification.", "reference", { referenceTypes: ["external"] }),
        readOnly("documentationUri", "The URL of the documentation.", "reference", { referenceTypes: ["external"] }),
        readOnly("primary", "Whether the scheme is the preferred scheme.", "boolean"),
      ],
      { multiValued: true },
    ),
  ],
};

const RESOURCE_TYPE: Schema = {
  id: RESOURCE_TYPE_SCHEMA,
  name: "ResourceType",
  description: "A type of resources",
  attributes: [
    readOnly("id", "The identifier of the type.", "string"),
    needed("name", "The name of the type."),
    readOnly("description", "The description of the type.", "string"),
    readOnly("endpoint", "The path of the resources.", "reference", { required: true, referenceTypes: ["uri"] }),
    readOnly("schema", "The URN of the schema.", "reference", {
      required: true,
      caseExact: true,
      referenceTypes: ["uri"],
    }),
    part(
      "schemaExtensions",
      "The extensions of the type.",
      [
        readOnly("schema", "The URN of the extension.", "reference", {
          required: true,
          caseExact: true,
          referenceTypes: ["uri"],
        }),
        needed("required", "Whether every resource has the extension.", "boolean"),
      ],
      { multiValued: true },
    ),
  ],
};

const DEFINITION: readonly Attribute[] = [
  needed("name", "The name of the attribute."),
  readOnly("type", "The type of the attribute.", "string", {
    required: true,
    canonicalValues: ["string", "complex", "boolean", "integer", "dateTime", "reference"],
  }),
  needed("multiValued", "Whether the attribute is a list.", "boolean"),
  readOnly("description", "The description of the attribute.", "string"),
  readOnly("required", "Whether a resource must have the attribute.", "boolean"),
  readOnly("canonicalValues", "The usual values.", "string", { multiValued: true }),
  readOnly("caseExact", "Whether comparisons respect the case.", "boolean"),
  readOnly("mutability", "Whether requests may change the attribute.", "string"),
  readOnly("returned", "Whether responses contain the attribute.", "string"),
  readOnly("uniqueness", "Whether the value is unique.", "string"),
  readOnly("referenceTypes", "What a reference names.", "string", { multiValued: true }),
];

const SCHEMA: Schema = {
  id: SCHEMA_SCHEMA,
  name: "Schema",
  description: "A schema of resources",
  attributes: [
    needed("id", "The URN of the schema."),
    needed("name", "The name of the schema."),
    readOnly("description", "The description of the schema.", "string"),
    part(
      "attributes",
      "The attributes of the schema.",
      [
        ...DEFINITION,
        part("subAttributes", "The parts of the attribute.", DEFINITION, { required: false, multiValued: true }),
      ],
      { multiValued: true },
    ),
  ],
};

export const DISCOVERY_SCHEMAS: readonly Schema[] = [CONFIG, RESOURCE_TYPE, SCHEMA];
