/**
 * Microsoft's reference suite for SCIM servers: folders and names of the requests in PostmanCollection.json of
 * https://github.com/AzureAD/SCIMReferenceCode. Names in braces are ids of earlier responses. A comment names each
 * expectation that differs from the suite.
 */
export interface SuiteStep {
  readonly title: string;
  readonly request: readonly [method: string, path: string, body?: unknown];
  readonly status: number;
  /** The name of the id in the response. */
  readonly saves?: string;
  readonly expected?: Readonly<Record<string, unknown>>;
}

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const patch = (...Operations: readonly unknown[]) => ({ schemas: [PATCH], Operations });

type Details = Pick<SuiteStep, "saves" | "expected">;
const step = (title: string, status: number, request: SuiteStep["request"], details: Details = {}): SuiteStep => ({
  title,
  request,
  status,
  ...details,
});

/** The suite writes `Primary`, `Department` and `Manager` with a capital. */
const named = (userName: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  userName,
  active: true,
  displayName: "lennay",
  schemas: [USER],
  externalId: "11250",
  name: { formatted: "Andrew Ryan", familyName: "Ryan", givenName: "Andrew" },
  emails: [
    { Primary: true, type: "work", value: `${userName}@bob.test` },
    { Primary: false, type: "home", value: `home-${userName}@bob.test` },
  ],
  ...fields,
});
const enterprise = { Department: "bob", Manager: { Value: "SuzzyQ" } };
const enterpriseUser = (userName: string) => named(userName, { schemas: [ENTERPRISE, USER], [ENTERPRISE]: enterprise });

/** A user of the folder with garbage: nulls, read-only attributes, an empty list, and addresses of two types. */
const garbage = (userName: string | undefined, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...(userName === undefined ? {} : { userName }),
  active: true,
  addresses: [
    {
      country: "Bermuda",
      formatted: "9132 Jennifer Way\nSouth Nancy",
      region: "Montana",
      type: "work",
      primary: false,
    },
    { country: null, formatted: "18522 Lisa Unions", locality: null, postalCode: null, type: "other", primary: false },
  ],
  displayName: "Kimberly Baker",
  emails: [
    { type: "work", primary: true, value: "anna33@example.com" },
    { type: "other", primary: false, value: "anna33@example.org" },
  ],
  meta: { created: "2019-09-18T18:15:26.5788954+00:00", resourceType: "User" },
  name: { formatted: "Daniel Mcgee", familyName: "Employee", givenName: "Darl", honorificPrefix: null },
  phoneNumbers: [
    { type: "fax", primary: false, value: "312-320-0500" },
    { type: "work", primary: true, value: "312-320-0932" },
  ],
  preferredLanguage: "xh",
  roles: [],
  title: "Site engineer",
  externalId: "22fbc523-6032-4c5f-939d-5d4850cf3e52",
  schemas: [USER],
  ...fields,
});
const moved = [{ country: "Germany", formatted: "1923 Jennifer Way", type: "work", primary: false }];
const filter = (text: string) => `/Users?filter=${encodeURIComponent(text)}`;

export const MICROSOFT_SUITE: Readonly<Record<string, readonly SuiteStep[]>> = {
  "Endpoint tests": [
    step("Get empty Users", 200, ["GET", "/Users"], { expected: { totalResults: 0, Resources: [] } }),
    step("Get empty Groups", 200, ["GET", "/Groups"], { expected: { totalResults: 0, Resources: [] } }),
    step("Get ResourceTypes", 200, ["GET", "/ResourceTypes"], {
      expected: { Resources: [{ endpoint: "/Users" }, { endpoint: "/Groups" }] },
    }),
    // The suite requests /serviceConfiguration, which RFC 7644 does not have.
    step("Get ServiceProviderConfig", 200, ["GET", "/ServiceProviderConfig"], {
      expected: { patch: { supported: true } },
    }),
    step("Get Schemas", 200, ["GET", "/Schemas"]),
  ],
  "User tests": [
    step("Post User", 201, ["POST", "/Users", named("UserName123", { displayName: "BobIsAmazing" })], {
      saves: "id1",
    }),
    step("Post EnterpriseUser", 201, ["POST", "/Users", enterpriseUser("UserName222")], {
      saves: "id2",
      expected: { [ENTERPRISE]: { department: "bob", manager: { value: "SuzzyQ" } } },
    }),
    step("Get user1", 200, ["GET", "/Users/{id1}"], { expected: { id: "{id1}" } }),
    step("Get user2", 200, ["GET", "/Users/{id2}"], { expected: { id: "{id2}" } }),
    step("Get User Attributes", 200, ["GET", "/Users?attributes=userName,emails"], {
      expected: { Resources: [{ id: "{id1}" }, { id: "{id2}" }] },
    }),
    step("Get User Filters", 200, ["GET", "/Users/?filter=DisplayName+eq+%22BobIsAmazing%22"], {
      expected: { totalResults: 1, Resources: [{ id: "{id1}" }] },
    }),
    step("patch user1", 200, ["PATCH", "/Users/{id1}", patch({ op: "replace", path: "userName", value: "ryan3" })]),
    step("Get User1 Check Patch", 200, ["GET", "/Users/{id1}"], { expected: { id: "{id1}", userName: "ryan3" } }),
    step("User 2 replace test", 200, [
      "PUT",
      "/Users/{id2}",
      { ...enterpriseUser("UserNameReplace2"), id: "{id2}", name: { formatted: "NewName", familyName: "Leenay" } },
    ]),
    step("Get user2 Check replace", 200, ["GET", "/Users/{id2}"], { expected: { name: { formatted: "NewName" } } }),
    step("Delete user1", 204, ["DELETE", "/Users/{id1}"]),
    step("Delete user2", 204, ["DELETE", "/Users/{id2}"]),
  ],
  "Group tests": [
    step("Create empty group", 201, ["POST", "/Groups", { schemas: [GROUP], displayName: "Group1", members: [] }], {
      saves: "group1",
    }),
    step("create user for group 2", 201, ["POST", "/Users", enterpriseUser("UserName333")], { saves: "id3" }),
    step("Create user 4 for group 2", 201, ["POST", "/Users", enterpriseUser("UserName444")], { saves: "id4" }),
    step(
      "Create filled group 2",
      201,
      ["POST", "/Groups", { schemas: [GROUP], displayName: "Group2", members: [{ value: "{id3}", display: "VP" }] }],
      { saves: "group2", expected: { members: [{ value: "{id3}" }] } },
    ),
    step("Get Groups", 200, ["GET", "/Groups"], { expected: { totalResults: 2 } }),
    step("Create group 3", 201, ["POST", "/Groups", { schemas: [GROUP], displayName: "Group3", members: [] }], {
      saves: "group3",
    }),
    step("Put replace group3", 200, [
      "PUT",
      "/Groups/{group3}",
      {
        schemas: [GROUP],
        id: "{group3}",
        displayName: "putName",
        members: [
          { value: "{id3}", display: "VP" },
          { value: "{id4}", display: "SenorVP" },
        ],
      },
    ]),
    step("Validate group 3", 200, ["GET", "/Groups/{group3}"], {
      expected: { id: "{group3}", displayName: "putName", members: [{ value: "{id3}" }, { value: "{id4}" }] },
    }),
    step("Patch add user4 to group1", 204, [
      "PATCH",
      "/Groups/{group1}",
      patch({ name: "addMember", op: "add", path: "members", value: [{ displayName: "new User", value: "{id4}" }] }),
    ]),
    step("Patch remove user4 to group1", 204, [
      "PATCH",
      "/Groups/{group1}",
      patch({ op: "remove", path: 'members[value eq "{id4}"]' }),
    ]),
    step("Patch add user4 to group1, again", 204, [
      "PATCH",
      "/Groups/{group1}",
      patch({ name: "addMember", op: "add", path: "members", value: [{ displayName: "new User", value: "{id4}" }] }),
    ]),
    step("Get group by id", 200, ["GET", "/Groups/{group1}"], { expected: { members: [{ value: "{id4}" }] } }),
    step("Patch remove all users", 204, ["PATCH", "/Groups/{group1}", patch({ op: "remove", path: "members" })]),
    step("Get group by id, without members", 200, ["GET", "/Groups?filter=members%20pr"], {
      expected: { totalResults: 2 },
    }),
    step("Delete user id3", 204, ["DELETE", "/Users/{id3}"]),
    step("Delete user id4", 204, ["DELETE", "/Users/{id4}"]),
    step("Delete group 1", 204, ["DELETE", "/Groups/{group1}"]),
  ],
  "tests with garbage": [
    step(
      'Post user "OMalley"',
      201,
      ["POST", "/Users", garbage("OMalley", { name: { familyName: "OMalley", honorificSuffix: null } })],
      { saves: "first" },
    ),
    step('Post emp1 with string "True"', 201, ["POST", "/Users", garbage("emp1", { active: "True" })], {
      expected: { active: true },
    }),
    step("Get all users", 200, ["GET", "/Users"], { expected: { totalResults: 2 } }),
    step("Post emp2", 201, ["POST", "/Users", garbage("emp2")]),
    step("Post emp3", 201, ["POST", "/Users", garbage("emp3")]),
    step("Post no username", 400, ["POST", "/Users", garbage(undefined)]),
    step("Post junk", 400, ["POST", "/Users", '{ "acve": tre, "adadfdresses": [ { "coudftry": "Beruda" les": [] } }']),
    step("Post emp3 exists", 409, ["POST", "/Users", garbage("emp3")], { expected: { status: "409" } }),
    step("Post emp3 exists try again", 409, ["POST", "/Users", garbage("emp3")]),
    step("Put a user no username", 400, ["PUT", "/Users/{first}", { ...garbage(undefined), userame: "OMalley" }]),
    step("Put a user misspelled attribute", 200, [
      "PUT",
      "/Users/{first}",
      { ...garbage("OMalley", { addresses: undefined }), id: "{first}", adreses: moved },
    ]),
    step(
      "Post enterprise user",
      201,
      ["POST", "/Users", garbage("enterprise", { [ENTERPRISE]: { Department: "some department" } })],
      { expected: { [ENTERPRISE]: { department: "some department" } } },
    ),
    // The suite expects 204 for a PATCH of a user; the response here is 200 with the resource (RFC 7644, 3.5.2).
    step("Patch user omalley new username", 200, [
      "PATCH",
      "/Users/{first}",
      patch({ op: "Replace", path: "userName", value: "newusername" }),
    ]),
    step("patch user omalley active with boolean", 200, [
      "PATCH",
      "/Users/{first}",
      patch({ op: "Replace", path: "active", value: false }),
    ]),
    step("get user1", 200, ["GET", "/Users/{first}"], { expected: { userName: "newusername", active: false } }),
    step(
      "Put a user OMalley",
      200,
      ["PUT", "/Users/{first}", garbage("OMalley", { active: false, addresses: moved, id: "{first}" })],
      { expected: { userName: "OMalley", active: false, addresses: [{ country: "Germany" }] } },
    ),
    step("Paginate", 200, ["GET", "/Users?startIndex=1&count=2"], { expected: { totalResults: 5, itemsPerPage: 2 } }),
    step("get user attributes", 200, ["GET", "/Users?attributes=userName,emails"], { expected: { totalResults: 5 } }),
    // The names of OMalley are replaced by "Put a user OMalley", so that all five users have the family name.
    step(
      "filter eq and (val or val)",
      200,
      ["GET", filter("name.FamilyName eq Employee and (emails.Value co example.com or emails.Value co example.org)")],
      { expected: { totalResults: 5 } },
    ),
    step("filter starts with", 200, ["GET", filter("userName sw O")], { expected: { totalResults: 1 } }),
    step("filter greater than", 200, ["GET", filter("meta.Created gt 2015-10-10T14:38:21.8617979-07:00")], {
      expected: { totalResults: 5 },
    }),
    step("Post group", 201, ["POST", "/Groups", { displayName: "Group 1", externalId: "015489ea", schemas: [GROUP] }], {
      saves: "group",
    }),
    // The suite expects 204; a user that the directory does not have is refused (docs/contract.md, section 31.6).
    step("Group patch add member", 400, [
      "PATCH",
      "/Groups/{group}",
      { id: "{group}", ...patch({ op: "add", path: "members", value: "string id 1" }) },
    ]),
    step("Group patch add member2", 204, [
      "PATCH",
      "/Groups/{group}",
      { id: "{group}", ...patch({ op: "add", path: "members", value: "{first}" }) },
    ]),
    step("Get group", 200, ["GET", "/Groups/{group}"], { expected: { members: [{ value: "{first}" }] } }),
    step("Get group exclude members", 200, ["GET", "/Groups/{group}?excludedAttributes=members"]),
    step(
      "group put",
      200,
      ["PUT", "/Groups/{group}", { id: "{group}", displayName: "Tiffany Ortiz", schemas: [GROUP] }],
      { expected: { displayName: "Tiffany Ortiz" } },
    ),
    step("Delete user 1", 204, ["DELETE", "/Users/{first}"]),
    step("Delete group 1", 204, ["DELETE", "/Groups/{group}"]),
    step("Get all groups", 200, ["GET", "/Groups"], { expected: { Resources: [] } }),
  ],
};
