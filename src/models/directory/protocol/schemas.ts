/** The schemas of users and groups (RFC 7643, sections 4 and 8.7.1). */
import { type Attribute, attribute, complex, values } from "./attribute.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const ENTERPRISE_SCHEMA = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A resource type: the core schema, and the extension if the type has one. */
export interface ResourceType {
  readonly name: "Group" | "User";
  readonly endpoint: "/Groups" | "/Users";
  readonly description: string;
  readonly core: Schema;
  readonly extension?: Schema;
}

/** Attributes of every resource, which no schema lists (RFC 7643, section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute("schemas", "The schemas of the resource.", {
    type: "reference",
    multiValued: true,
    mutability: "readOnly",
    returned: "always",
  }),
  attribute("id", "The identifier of the resource.", {
    caseExact: true,
    mutability: "readOnly",
    returned: "always",
    uniqueness: "server",
  }),
  attribute("externalId", "The identifier of the resource at the client.", { caseExact: true }),
  complex(
    "meta",
    "Metadata of the resource.",
    [
      attribute("resourceType", "The type of the resource.", { caseExact: true, mutability: "readOnly" }),
      attribute("created", "The time of the creation.", { type: "dateTime", mutability: "readOnly" }),
      attribute("lastModified", "The time of the last change.", { type: "dateTime", mutability: "readOnly" }),
      attribute("location", "The URI of the resource.", { type: "reference", mutability: "readOnly" }),
      attribute("version", "The version of the resource.", { caseExact: true, mutability: "readOnly" }),
    ],
    { mutability: "readOnly" },
  ),
];

const NAME = complex("name", "The components of the user's name.", [
  attribute("formatted", "The full name."),
  attribute("familyName", "The family name."),
  attribute("givenName", "The given name."),
  attribute("middleName", "The middle name."),
  attribute("honorificPrefix", "The title before the name."),
  attribute("honorificSuffix", "The suffix after the name."),
]);

const ADDRESSES = complex(
  "addresses",
  "Postal addresses of the user.",
  [
    attribute("formatted", "The full address, with line breaks."),
    attribute("streetAddress", "Street and house number."),
    attribute("locality", "The city."),
    attribute("region", "The state or region."),
    attribute("postalCode", "The postal code."),
    attribute("country", "The country."),
    attribute("type", "The function of the address.", { canonicalValues: ["work", "home", "other"] }),
    attribute("primary", "Whether the address is the preferred address.", { type: "boolean" }),
  ],
  { multiValued: true },
);

const GROUPS = complex(
  "groups",
  "The groups of the user.",
  [
    attribute("value", "The id of the group.", { caseExact: true, mutability: "readOnly" }),
    attribute("$ref", "The URI of the group.", {
      type: "reference",
      referenceTypes: ["Group"],
      mutability: "readOnly",
    }),
    attribute("display", "The name of the group.", { mutability: "readOnly" }),
    attribute("type", "The kind of membership.", { canonicalValues: ["direct"], mutability: "readOnly" }),
  ],
  { multiValued: true, mutability: "readOnly" },
);

const USER_NAME = attribute("userName", "The name of the user in the directory.", {
  required: true,
  uniqueness: "server",
});
const EMAILS = values("emails", "Email addresses of the user.", ["work", "home", "other"]);

/** Attributes whose value can be the address of an account. */
export const ADDRESS_ATTRIBUTES: ReadonlySet<Attribute> = new Set([
  USER_NAME,
  ...(EMAILS.subAttributes ?? []).filter(({ name }) => name === "value"),
]);

const USER: Schema = {
  id: USER_SCHEMA,
  name: "User",
  description: "User account",
  attributes: [
    USER_NAME,
    NAME,
    attribute("displayName", "The name of the user on pages."),
    attribute("nickName", "The casual name of the user."),
    attribute("profileUrl", "The page of the user's profile.", {
      type: "reference",
      referenceTypes: ["external"],
      caseExact: true,
    }),
    attribute("title", "The title of the user."),
    attribute("userType", "The relation of the user to the organization."),
    attribute("preferredLanguage", "The preferred language of the user."),
    attribute("locale", "The locale of the user."),
    attribute("timezone", "The time zone of the user."),
    attribute("active", "Whether the user has access to the organization.", { type: "boolean" }),
    attribute("password", "Accepted and dropped.", { caseExact: true, mutability: "writeOnly", returned: "never" }),
    EMAILS,
    values("phoneNumbers", "Telephone numbers of the user.", ["work", "home", "mobile", "fax", "pager", "other"]),
    values("photos", "URLs of pictures of the user.", ["photo", "thumbnail"], {
      type: "reference",
      referenceTypes: ["external"],
      caseExact: true,
    }),
    ADDRESSES,
    GROUPS,
    values("entitlements", "Entitlements of the user.", []),
    values("roles", "Roles of the user in the directory.", []),
  ],
};

const ENTERPRISE: Schema = {
  id: ENTERPRISE_SCHEMA,
  name: "EnterpriseUser",
  description: "Enterprise user",
  attributes: [
    attribute("employeeNumber", "The number of the employee."),
    attribute("costCenter", "The cost centre."),
    attribute("organization", "The organization."),
    attribute("division", "The division."),
    attribute("department", "The department."),
    complex("manager", "The manager of the user.", [
      attribute("value", "The id of the manager.", { caseExact: true }),
      attribute("$ref", "The URI of the manager.", { type: "reference", referenceTypes: ["User"] }),
      attribute("displayName", "The name of the manager.", { mutability: "readOnly" }),
    ]),
  ],
};

const GROUP: Schema = {
  id: GROUP_SCHEMA,
  name: "Group",
  description: "Group",
  attributes: [
    attribute("displayName", "The name of the group.", { required: true, uniqueness: "server" }),
    complex(
      "members",
      "The members of the group.",
      [
        attribute("value", "The id of the user.", { caseExact: true }),
        attribute("$ref", "The URI of the user.", { type: "reference", referenceTypes: ["User"] }),
        attribute("display", "The name of the user.", { mutability: "readOnly" }),
        attribute("type", "The type of the member.", { canonicalValues: ["User"] }),
      ],
      { multiValued: true },
    ),
  ],
};

export const SCHEMAS: readonly Schema[] = [USER, ENTERPRISE, GROUP];

export const USER_TYPE: ResourceType = {
  name: "User",
  endpoint: "/Users",
  description: "User account",
  core: USER,
  extension: ENTERPRISE,
};

export const GROUP_TYPE: ResourceType = { name: "Group", endpoint: "/Groups", description: "Group", core: GROUP };

export const RESOURCE_TYPES: readonly ResourceType[] = [USER_TYPE, GROUP_TYPE];

/** Attributes of RFC 7643 that requests may name and the service drops; lower case. */
export const DROPPED_ATTRIBUTES: ReadonlySet<string> = new Set(["password", "x509certificates", "ims"]);
