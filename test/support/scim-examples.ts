/**
 * The examples of RFC 7644 and of RFC 7643, section 8, in the order of the sections. `{user}`, `{other}` and `{group}`
 * are the ids of earlier responses, in place of the ids of the RFC. PATCH and filters: scim-requests.ts.
 */
import type { CycleStep } from "./scim-cycles.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

const NAME = { formatted: "Ms. Barbara J Jensen III", familyName: "Jensen", givenName: "Barbara" };
const ADDRESSES = [
  {
    type: "work",
    streetAddress: "100 Universal City Plaza",
    locality: "Hollywood",
    region: "CA",
    postalCode: "91608",
    country: "USA",
    formatted: "100 Universal City Plaza\nHollywood, CA 91608 USA",
    primary: true,
  },
  {
    type: "home",
    streetAddress: "456 Hollywood Blvd",
    locality: "Hollywood",
    region: "CA",
    postalCode: "91608",
    country: "USA",
    formatted: "456 Hollywood Blvd\nHollywood, CA 91608 USA",
  },
];

/** The attributes of RFC 7643, section 8.2, that the service stores. */
const STORED = {
  externalId: "701984",
  userName: "bjensen@example.com",
  name: {
    formatted: "Ms. Barbara J Jensen, III",
    familyName: "Jensen",
    givenName: "Barbara",
    middleName: "Jane",
    honorificPrefix: "Ms.",
    honorificSuffix: "III",
  },
  displayName: "Babs Jensen",
  nickName: "Babs",
  profileUrl: "https://login.example.com/bjensen",
  emails: [
    { value: "bjensen@example.com", type: "work", primary: true },
    { value: "babs@jensen.org", type: "home" },
  ],
  addresses: ADDRESSES,
  phoneNumbers: [
    { value: "555-555-5555", type: "work" },
    { value: "555-555-4444", type: "mobile" },
  ],
  photos: [
    { value: "https://photos.example.com/profilephoto/72930000000Ccne/F", type: "photo" },
    { value: "https://photos.example.com/profilephoto/72930000000Ccne/T", type: "thumbnail" },
  ],
  userType: "Employee",
  title: "Tour Guide",
  preferredLanguage: "en-US",
  locale: "en-US",
  timezone: "America/Los_Angeles",
  active: true,
};
const EMPLOYEE = {
  employeeNumber: "701984",
  costCenter: "4130",
  organization: "Universal Studios",
  division: "Theme Park",
  department: "Tour Operations",
};
const MANAGER = {
  value: "26118915-6090-4610-87e4-49d8ca9f808d",
  $ref: "../Users/26118915-6090-4610-87e4-49d8ca9f808d",
};

export function rfcExamples(): readonly CycleStep[] {
  return [...rfc7644(), ...rfc7643()];
}

function rfc7644(): readonly CycleStep[] {
  return [
    {
      section: "RFC 7644, section 3.3: creating resources",
      request: ["POST", "/Users", { schemas: [USER], userName: "bjensen", externalId: "bjensen", name: NAME }],
      status: 201,
      saves: "user",
      expected: { schemas: [USER], externalId: "bjensen", userName: "bjensen", name: NAME },
    },
    {
      section: "RFC 7644, section 3.4.1: retrieving a known resource",
      request: ["GET", "/Users/{user}"],
      status: 200,
      expected: { userName: "bjensen", externalId: "bjensen" },
    },
    {
      section: "RFC 7644, section 3.4.2: querying resources",
      request: ["GET", "/Users?attributes=userName"],
      status: 200,
      expected: { totalResults: 1, Resources: [{ userName: "bjensen" }] },
    },
    {
      section: "RFC 7644, section 3.4.2.4: pagination",
      request: ["GET", "/Users?startIndex=1&count=10"],
      status: 200,
      expected: { totalResults: 1, itemsPerPage: 1, startIndex: 1 },
    },
    {
      section: "RFC 7644, section 3.4.3: querying with POST",
      request: [
        "POST",
        "/.search",
        {
          schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"],
          attributes: ["displayName", "userName"],
          filter: 'displayName sw "smith"',
          startIndex: 1,
          count: 10,
        },
      ],
      status: 200,
      expected: { schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], totalResults: 0 },
    },
    {
      section: "RFC 7644, section 3.5.1: replacing with PUT",
      request: [
        "PUT",
        "/Users/{user}",
        {
          schemas: [USER],
          id: "{user}",
          userName: "bjensen",
          externalId: "bjensen",
          name: { ...NAME, middleName: "Jane" },
          roles: [],
          emails: [{ value: "bjensen@example.com" }, { value: "babs@jensen.org" }],
        },
      ],
      status: 200,
      expected: {
        id: "{user}",
        name: { ...NAME, middleName: "Jane" },
        emails: [{ value: "bjensen@example.com" }, { value: "babs@jensen.org" }],
      },
    },
    {
      section: "RFC 7644, section 3.7: bulk operations",
      request: [
        "POST",
        "/Bulk",
        { schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], failOnErrors: 1, Operations: [] },
      ],
      status: 501,
      expected: { schemas: [ERROR], status: "501" },
    },
    {
      section: "RFC 7644, section 3.9: additional operation response parameters",
      request: ["GET", "/Users/{user}?attributes=userName"],
      status: 200,
      expected: { id: "{user}", userName: "bjensen", name: undefined },
    },
    {
      section: 'RFC 7644, section 3.11: the alias "/Me"',
      request: ["GET", "/Me"],
      status: 501,
      expected: { schemas: [ERROR], status: "501" },
    },
    {
      section: "RFC 7644, section 3.12: a resource that does not exist",
      request: ["GET", "/Users/2819c223-7f76-453a-919d-413861904646"],
      status: 404,
      expected: { schemas: [ERROR], status: "404" },
    },
    {
      section: "RFC 7644, section 3.12: a read-only attribute",
      request: [
        "PATCH",
        "/Users/{user}",
        { schemas: [PATCH], Operations: [{ op: "replace", path: "id", value: "2819c223" }] },
      ],
      status: 400,
      expected: { schemas: [ERROR], scimType: "mutability", status: "400" },
    },
    {
      section: "RFC 7644, section 3.14: versioning resources",
      request: ["GET", "/Users/{user}?attributes=displayName", undefined, { "if-none-match": 'W/"2"' }],
      status: 304,
    },
    {
      section: "RFC 7644, section 3.5.1: a change of another version",
      request: [
        "PUT",
        "/Users/{user}",
        { schemas: [USER], userName: "bjensen" },
        { "if-match": 'W/"a330bc54f0671c9"' },
      ],
      status: 412,
      expected: { schemas: [ERROR], status: "412" },
    },
    { section: "RFC 7644, section 3.6: deleting resources", request: ["DELETE", "/Users/{user}"], status: 204 },
    {
      section: "RFC 7644, section 4: the configuration of the service",
      request: ["GET", "/ServiceProviderConfig"],
      status: 200,
      expected: {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        patch: { supported: true },
      },
    },
    {
      section: "RFC 7644, section 4: resource types",
      request: ["GET", "/ResourceTypes"],
      status: 200,
      expected: {
        Resources: [
          { id: "User", endpoint: "/Users", schema: USER },
          { id: "Group", endpoint: "/Groups" },
        ],
      },
    },
  ];
}

/** What a request may contain and the service drops or ignores; the certificate is shortened. */
const DROPPED = {
  ims: [{ value: "someaimhandle", type: "aim" }],
  password: "t1meMa$heen",
  groups: [
    ["e9e30dba-f08f-4109-8486-d5c6a331660a", "Tour Guides"],
    ["fc348aa8-3835-40eb-a20b-c726e15c55b5", "Employees"],
    ["71ddacd2-a8e7-49b8-a5db-ae50d0a5bfd7", "US Employees"],
  ].map(([value, display]) => ({ value, $ref: `../Groups/${value}`, display })),
  x509Certificates: [{ value: "MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMCVVMx" }],
};
const ABSENT = { ims: undefined, password: undefined, groups: undefined, x509Certificates: undefined };
const ID = "2819c223-7f76-453a-919d-413861904646";
const meta = (version: string) => ({
  resourceType: "User",
  created: "2010-01-23T04:56:22Z",
  lastModified: "2011-05-13T04:42:34Z",
  version,
  location: `https://example.com/v2/Users/${ID}`,
});

function rfc7643(): readonly CycleStep[] {
  const user = { ...STORED, schemas: [USER, ENTERPRISE], [ENTERPRISE]: { ...EMPLOYEE, manager: MANAGER } };
  const userName = "bjensen@example.com";
  return [
    {
      section: "RFC 7643, section 8.1: minimal user",
      request: ["POST", "/Users", { schemas: [USER], id: ID, userName, meta: meta('W/"3694e05e9dff590"') }],
      status: 201,
      saves: "user",
      expected: { userName, active: true, meta: { resourceType: "User", version: 'W/"1"' } },
    },
    { section: "RFC 7643, section 8.1: its end", request: ["DELETE", "/Users/{user}"], status: 204 },
    {
      section: "RFC 7643, section 8.2: full user",
      request: [
        "POST",
        "/Users",
        { schemas: [USER], id: ID, ...STORED, ...DROPPED, meta: meta('W/"a330bc54f0671c9"') },
      ],
      status: 201,
      saves: "user",
      expected: { ...STORED, ...ABSENT, schemas: [USER] },
    },
    { section: "RFC 7643, section 8.2: its end", request: ["DELETE", "/Users/{user}"], status: 204 },
    {
      section: "RFC 7643, section 8.3: the enterprise extension",
      request: [
        "POST",
        "/Users",
        {
          ...user,
          id: ID,
          ...DROPPED,
          [ENTERPRISE]: { ...EMPLOYEE, manager: { ...MANAGER, displayName: "John Smith" } },
          meta: meta('W/"3694e05e9dff591"'),
        },
      ],
      status: 201,
      saves: "user",
      expected: { ...user, ...ABSENT },
    },
    {
      section: "RFC 7643, section 8.4: the second member of the group",
      request: ["POST", "/Users", { schemas: [USER], userName: "mpepperidge", displayName: "Mandy Pepperidge" }],
      status: 201,
      saves: "other",
    },
    {
      section: "RFC 7643, section 8.4: group",
      request: [
        "POST",
        "/Groups",
        {
          schemas: [GROUP],
          id: "e9e30dba-f08f-4109-8486-d5c6a331660a",
          displayName: "Tour Guides",
          members: [
            { value: "{user}", $ref: "https://example.com/v2/Users/{user}", display: "Babs Jensen" },
            { value: "{other}", $ref: "https://example.com/v2/Users/{other}", display: "Mandy Pepperidge" },
          ],
          meta: { resourceType: "Group", version: 'W/"3694e05e9dff592"' },
        },
      ],
      status: 201,
      saves: "group",
      expected: { displayName: "Tour Guides", meta: { resourceType: "Group" } },
    },
    {
      section: "RFC 7643, section 8.3: the groups of a user",
      request: ["GET", "/Users/{user}"],
      status: 200,
      expected: { groups: [{ value: "{group}", display: "Tour Guides", type: "direct" }] },
    },
    {
      section: "RFC 7643, section 8.7: schemas",
      request: ["GET", `/Schemas/${ENTERPRISE}`],
      status: 200,
      expected: { id: ENTERPRISE, name: "EnterpriseUser" },
    },
    {
      section: "RFC 7643, section 8.7.2: the schema of resource types",
      request: ["GET", "/Schemas/urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
      status: 200,
      expected: { name: "ResourceType" },
    },
  ];
}
