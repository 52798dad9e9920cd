/**
 * Provisioning cycles of the directory products, each with the address of its documentation. Every request of the
 * documents of Microsoft and Okta is quoted, with names and addresses of the test's domain; `{user}`, `{other}` and
 * `{group}` are the ids of earlier responses.
 */
export interface CycleStep {
  /** The section of the specification with the request. */
  readonly section?: string;
  readonly request: readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];
  readonly status: number;
  /** The name of the id in the response. */
  readonly saves?: "user" | "other" | "group";
  /** Members of the response. */
  readonly expected?: Readonly<Record<string, unknown>>;
}

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const patch = (...Operations: readonly unknown[]) => ({ schemas: [PATCH], Operations });

function entraUser(name: string, domain: string) {
  return {
    schemas: [USER, ENTERPRISE],
    externalId: `0a21f0f2-8d2a-4f8e-bf98-${name}`,
    userName: `${name}@${domain}`,
    active: true,
    emails: [{ primary: true, type: "work", value: `${name}@${domain}` }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
  };
}

/**
 * Microsoft, "Tutorial: Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID"
 * (https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups, "SCIM protocol
 * requests and responses"), and `Add` of an enterprise attribute.
 */
export function entraCycle(domain: string): readonly CycleStep[] {
  const group = (displayName: string) => ({
    schemas: [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
    externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
    displayName,
    meta: { resourceType: "Group" },
  });
  return [
    {
      request: ["GET", '/Users?filter=userName%20eq%20"non-existent-user"'],
      status: 200,
      expected: { totalResults: 0, Resources: [] },
    },
    { request: ["POST", "/Users", entraUser("entra-1", domain)], status: 201, saves: "user" },
    { request: ["POST", "/Users", entraUser("entra-2", domain)], status: 201, saves: "other" },
    { request: ["GET", "/Users/{user}"], status: 200, expected: { userName: `entra-1@${domain}`, active: true } },
    { request: ["GET", "/Users/5171a35d82074e068ce2"], status: 404, expected: { status: "404" } },
    { request: ["GET", "/Schemas"], status: 200 },
    {
      request: ["GET", `/Users?filter=userName%20eq%20"entra-1@${domain}"`],
      status: 200,
      expected: { totalResults: 1 },
    },
    {
      request: [
        "PATCH",
        "/Users/{user}",
        patch(
          { op: "Replace", path: 'emails[type eq "work"].value', value: `entra-1@${domain}` },
          { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
          { op: "Add", path: `${ENTERPRISE}:department`, value: "Research" },
        ),
      ],
      status: 200,
      expected: {
        name: { formatted: "givenName familyName", familyName: "updatedFamilyName", givenName: "givenName" },
      },
    },
    {
      request: [
        "PATCH",
        "/Users/{other}",
        patch({ op: "Replace", path: "userName", value: `5b50642d-79fc-4410-9e90-4c077cdd1a59@${domain}` }),
      ],
      status: 200,
      expected: { userName: `5b50642d-79fc-4410-9e90-4c077cdd1a59@${domain}` },
    },
    { request: ["POST", "/Groups", group("Entra")], status: 201, saves: "group" },
    { request: ["GET", "/Groups/{group}?excludedAttributes=members"], status: 200, expected: { displayName: "Entra" } },
    {
      request: ["GET", '/Groups?excludedAttributes=members&filter=displayName%20eq%20"Entra"'],
      status: 200,
      expected: { totalResults: 1 },
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "Replace", path: "displayName", value: "Entra renamed" })],
      status: 204,
    },
    {
      request: [
        "PATCH",
        "/Groups/{group}",
        patch({
          op: "Add",
          path: "members",
          value: [
            { $ref: null, value: "{user}" },
            { $ref: null, value: "{other}" },
          ],
        }),
      ],
      status: 204,
    },
    {
      request: [
        "PATCH",
        "/Groups/{group}",
        patch({ op: "Remove", path: "members", value: [{ $ref: null, value: "{other}" }] }),
      ],
      status: 204,
    },
    {
      request: ["PATCH", "/Users/{other}", patch({ op: "Replace", path: "active", value: "False" })],
      status: 200,
      expected: { active: false },
    },
    {
      request: ["PATCH", "/Users/{other}", patch({ op: "Replace", path: "active", value: false })],
      status: 200,
      expected: { active: false },
    },
    { request: ["DELETE", "/Users/{other}"], status: 204 },
    { request: ["POST", "/Groups", group("Entra 2")], status: 201, saves: "other" },
    { request: ["DELETE", "/Groups/{other}"], status: 204 },
  ];
}

/**
 * Okta, "Okta and SCIM Version 2.0" (https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20): the catalog
 * application changes users and groups by PATCH, an application of the wizard by PUT.
 */
export function oktaCycle(domain: string): readonly CycleStep[] {
  const user = (fields: Readonly<Record<string, unknown>>) => ({
    schemas: [USER],
    userName: `okta-1@${domain}`,
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: `okta-1@${domain}`, type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    ...fields,
  });
  const changed = (active: boolean) => ({
    schemas: [USER],
    id: "{user}",
    userName: `okta-1@${domain}`,
    name: { givenName: "Another", middleName: "Excited", familyName: "User" },
    emails: [{ primary: true, value: `okta-1@${domain}`, type: "work", display: `okta-1@${domain}` }],
    active,
    groups: [],
    meta: { resourceType: "User" },
  });
  const member = { value: "{user}", display: `okta-1@${domain}` };
  return [
    { request: ["GET", "/Users?startIndex=1&count=2"], status: 200, expected: { startIndex: 1 } },
    {
      request: ["GET", `/Users?filter=userName%20eq%20"okta-1@${domain}"&startIndex=1&count=100`],
      status: 200,
      expected: { totalResults: 0, startIndex: 1 },
    },
    { request: ["POST", "/Users", user({ password: "1mz050nq", active: true })], status: 201, saves: "user" },
    { request: ["GET", "/Users/{user}"], status: 200, expected: { displayName: "Test User" } },
    {
      request: ["PUT", "/Users/{user}", changed(true)],
      status: 200,
      expected: { name: { givenName: "Another", middleName: "Excited", familyName: "User" }, active: true },
    },
    { request: ["PUT", "/Users/{user}", changed(false)], status: 200, expected: { active: false } },
    { request: ["PUT", "/Users/{user}", changed(true)], status: 200, expected: { active: true } },
    { request: ["GET", "/Users?startIndex=1&count=100"], status: 200, expected: { totalResults: 1, startIndex: 1 } },
    {
      request: ["PATCH", "/Users/{user}", patch({ op: "replace", value: { active: false } })],
      status: 200,
      expected: { active: false },
    },
    {
      request: ["PATCH", "/Users/{user}", patch({ op: "replace", value: { active: true } })],
      status: 200,
      expected: { active: true },
    },
    {
      request: ["POST", "/Groups", { schemas: [GROUP], displayName: "Okta", members: [] }],
      status: 201,
      saves: "group",
    },
    { request: ["GET", "/Groups?startIndex=1&count=100"], status: 200, expected: { totalResults: 1, startIndex: 1 } },
    { request: ["GET", "/Groups/{group}"], status: 200, expected: { displayName: "Okta" } },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "replace", value: { id: "{group}", displayName: "Okta 2" } })],
      status: 204,
    },
    {
      request: [
        "PUT",
        "/Groups/{group}",
        {
          schemas: [GROUP],
          id: "{group}",
          displayName: "Okta 2",
          members: [member],
        },
      ],
      status: 200,
      expected: { displayName: "Okta 2" },
    },
    {
      request: [
        "PATCH",
        "/Groups/{group}",
        patch({ op: "remove", path: 'members[value eq "{user}"]' }, { op: "add", path: "members", value: [member] }),
      ],
      status: 204,
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "replace", path: "members", value: [member] })],
      status: 204,
    },
    {
      request: ["POST", "/Groups", { schemas: [GROUP], displayName: "Test SCIMv2", members: [] }],
      status: 201,
      saves: "other",
    },
    { request: ["DELETE", "/Groups/{other}"], status: 204 },
  ];
}

/**
 * OneLogin, "Implement RESTful SCIM APIs for Your App" (https://developers.onelogin.com/scim/implement-scim-api), and
 * the example server of OneLogin (https://github.com/onelogin/onelogin-scim-node), whose README lists every request:
 * GET, POST, PUT and DELETE of users, GET, POST and PATCH of groups. The names are the names of the README; the server
 * reads `userName`, `name` and `active` of a PUT. Bodies are `application/json`. The first request seeks an unknown
 * user.
 */
export function oneLoginCycle(domain: string): readonly CycleStep[] {
  const json = { "content-type": "application/json; charset=utf-8" };
  const user = (givenName: string, active: boolean, name = "onelogin-1") => ({
    schemas: [USER],
    userName: `${name}@${domain}`,
    name: { givenName, familyName: "Slater" },
    emails: [{ value: `${name}@${domain}`, type: "work", primary: true }],
    active,
  });
  const member = [{ value: "{user}" }];
  return [
    {
      request: ["GET", '/Users?filter=userName%20eq%20"onelogin-unknown"'],
      status: 200,
      expected: { totalResults: 0, Resources: [] },
    },
    { request: ["POST", "/Users", user("Kelly", true), json], status: 201, saves: "user" },
    { request: ["GET", "/Users/{user}"], status: 200, expected: { active: true } },
    { request: ["GET", "/Groups"], status: 200, expected: { totalResults: 0 } },
    {
      request: ["POST", "/Groups", { schemas: [GROUP], displayName: "Admin Role" }, json],
      status: 201,
      saves: "group",
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "add", path: "members", value: member }), json],
      status: 204,
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "replace", path: "members", value: [] }), json],
      status: 204,
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "replace", path: "members", value: member }), json],
      status: 204,
    },
    {
      request: ["PUT", "/Users/{user}", user("Kelly Robert", false), json],
      status: 200,
      expected: { active: false, name: { givenName: "Kelly Robert", familyName: "Slater" } },
    },
    { request: ["PUT", "/Users/{user}", user("Kelly", true), json], status: 200, expected: { active: true } },
    { request: ["POST", "/Users", user("Robin", true, "onelogin-2"), json], status: 201, saves: "other" },
    { request: ["DELETE", "/Users/{other}"], status: 204 },
    { request: ["GET", "/Users?startIndex=1&count=100"], status: 200, expected: { totalResults: 1 } },
  ];
}

/**
 * JumpCloud, "Identity Management using a Custom SCIM Integration"
 * (https://support.jumpcloud.com/s/article/Custom-SCIM-Identity-Management): a test user, here without `active`, and a
 * test group are created and deleted before the users. The document has no bodies; the bodies of PATCH are the bodies
 * of JumpCloud in https://github.com/Paul-E/scim-v2-rust/tree/main/src/test_data (`jumpcloud_add_member.json`,
 * `jumpcloud_remove_member_with_value.json`, `jumpcloud_replace_user_fields.json`: one operation for each attribute).
 */
export function jumpCloudCycle(domain: string): readonly CycleStep[] {
  const user = (name: string) => ({
    schemas: [USER],
    userName: `${name}@${domain}`,
    emails: [{ value: `${name}@${domain}`, type: "work", primary: true }],
    name: { givenName: "Test", familyName: "User" },
    externalId: name,
  });
  const group = (displayName: string) => ({ schemas: [GROUP], displayName, members: [] });
  return [
    {
      request: ["POST", "/Users", user("jumpcloud-test")],
      status: 201,
      saves: "other",
      expected: { active: true },
    },
    { request: ["POST", "/Groups", group("JumpCloud test")], status: 201, saves: "group" },
    { request: ["DELETE", "/Groups/{group}"], status: 204 },
    { request: ["DELETE", "/Users/{other}"], status: 204 },
    { request: ["POST", "/Users", user("jumpcloud-1")], status: 201, saves: "user", expected: { active: true } },
    { request: ["POST", "/Groups", group("JumpCloud")], status: 201, saves: "group" },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "add", path: "members", value: [{ value: "{user}" }] })],
      status: 204,
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "remove", path: "members", value: [{ value: "{user}" }] })],
      status: 204,
    },
    {
      request: ["PATCH", "/Groups/{group}", patch({ op: "replace", path: "members", value: [] })],
      status: 204,
    },
    {
      request: [
        "PATCH",
        "/Users/{user}",
        patch(
          { op: "replace", path: "name.givenName", value: "John" },
          { op: "replace", path: "name.familyName", value: "Doe" },
          { op: "replace", path: "active", value: false },
        ),
      ],
      status: 200,
      expected: { active: false, name: { givenName: "John", familyName: "Doe" } },
    },
  ];
}
