/** Requests in the forms of directories and programs: nothing that is only stored refuses a change (G392, G393). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, groupBody, userBody, verifyDomainOf } from "../support/directories.ts";

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const HEX = "283405f51b7e4a2e9d3c8f0a6b5d4c21";
let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const patch = (...operations: readonly unknown[]) => ({ Operations: operations });
const replace = (path: string, value: unknown) => ({ op: "Replace", path, value });

async function verifiedDirectory() {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const { scim, address, organizationId, client, place } = directory;
  const provision = async (name: string, fields = {}) => {
    const created = await scim("POST", "/Users", userBody(address(name), fields));
    if (created.status !== 201) throw new Error(`provisioning returned ${created.status}`);
    return created.body.id as string;
  };
  const isMember = async (name: string) => {
    const rows = await at.sql`
      select 1 from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${address(name)}`;
    return rows.length === 1;
  };
  const requests = async () =>
    ((await client.get(`${place}/requests`)).body.items as { status: number; detail: string }[]).map(
      ({ status, detail }) => [status, detail],
    );
  return { ...directory, provision, isMember, requests };
}

describe("a leaver", () => {
  test.each<[string, unknown]>([
    ["a street of two lines", replace('addresses[type eq "work"].streetAddress', "1 Main Street\r\nFloor 2")],
    ["a telephone number with direction marks", replace('phoneNumbers[type eq "mobile"].value', "\u202a+49 30\u202c")],
    ["an attribute of the extension without its URN", replace("department", "x")],
    ["an unknown attribute", replace("extensionAttribute1", "x")],
    ["an empty user name", replace("userName", "")],
    ["a filter that selects nothing", replace('emails[type ne "work"].value', "x@y.test")],
    ["a text of 20 KiB", replace("title", "x".repeat(20_000))],
    ["an object as text", replace("title", { a: 1 })],
  ])("is deactivated whatever else the PATCH contains: %s (G392).", async (_title, operation) => {
    const { scim, provision, isMember } = await verifiedDirectory();
    const id = await provision("ada");
    for (const operations of [[operation, replace("active", "False")]]) {
      const { status, body } = await scim("PATCH", `/Users/${id}`, patch(...operations));
      expect([status, body.active, await isMember("ada")]).toEqual([200, false, false]);
    }
  });

  test("is deactivated by a PUT whose other values cannot be read; the request names the omission.", async () => {
    const { scim, provision, isMember, requests, address } = await verifiedDirectory();
    const id = await provision("ada", { title: "Countess" });
    const body = { ...userBody(address("ada")), userName: {}, active: false };
    const put = await scim("PUT", `/Users/${id}`, body);
    expect([put.status, put.body.active, put.body.title, await isMember("ada")]).toEqual([
      200,
      false,
      "Countess",
      false,
    ]);
    expect(await requests()).toEqual([
      [200, "Accepted, and left out: all attributes but active: The value of userName must be a string."],
    ]);
  });

  test("whose deactivation is refused is reported to the owners, once (G392).", async () => {
    const { scim, provision, isMember, email } = await verifiedDirectory();
    const id = await provision("ada");
    const invalid = { Operations: [replace("active", false), { op: "rename", path: "title" }] };
    for (const _ of [1, 2]) expect((await scim("PATCH", `/Users/${id}`, invalid)).status).toBe(400);
    expect(await isMember("ada")).toBe(true);
    expect(await at.mail.mailsTo(email, /deactivation/i)).toHaveLength(1);
  });

  test("is deactivated at the bound of a record, where false is a byte longer than true (G392).", async () => {
    const { scim, provision, isMember } = await verifiedDirectory();
    const id = await provision("ada", { title: "x" });
    await at.sql`
      update directory_users
      set document = jsonb_set(document, '{title}', to_jsonb(repeat('x', ${16 * 1024}::int + 1 - octet_length(
        replace(replace(document::text, ': ', ':'), ', ', ',')))))
      where id = ${id}`;
    const [stored] = await at.sql`select document from directory_users where id = ${id}`;
    expect(Buffer.byteLength(JSON.stringify(stored?.document))).toBe(16 * 1024);
    const { status, body } = await scim("PATCH", `/Users/${id}`, patch(replace("active", false)));
    expect([status, body.active, await isMember("ada")]).toEqual([200, false, false]);
  });

  test.each(["PUT", "PATCH"])("is deactivated by %s beside a user name that is taken (G392).", async (method) => {
    const { scim, provision, isMember, address, requests } = await verifiedDirectory();
    await provision("eve");
    const id = await provision("ada");
    const deactivation =
      method === "PUT"
        ? { ...userBody(address("eve")), active: false }
        : patch(replace("userName", address("eve")), replace("active", false));
    const { status, body } = await scim(method, `/Users/${id}`, deactivation);
    expect([status, body.active, body.userName, await isMember("ada")]).toEqual([200, false, address("ada"), false]);
    const omission = "Accepted, and left out: userName: Another user of the directory has this userName.";
    expect(await requests()).toEqual([[200, omission]]);
    expect((await scim("PATCH", `/Users/${id}`, patch(replace("userName", address("eve"))))).status).toBe(409);
  });

  test("who stays is reported although another change of the user was refused before (G392).", async () => {
    const { scim, provision, email, requests } = await verifiedDirectory();
    const id = await provision("ada");
    const broken = { op: "rename", path: "title" };
    expect((await scim("PATCH", `/Users/${id}`, patch(broken))).status).toBe(400);
    const path = "urn:ietf:params:scim:schemas:core:2.0:User:active";
    const unreadable = patch({ op: "Replace", path, value: [{ value: "False" }] }, broken);
    for (const _ of [1, 2]) expect((await scim("PATCH", `/Users/${id}`, unreadable)).status).toBe(400);
    expect(await at.mail.mailsTo(email, /deactivation/i)).toHaveLength(1);
    const details = (await requests()).map(([, detail]) => String(detail).startsWith("Deactivation refused. "));
    expect(details).toEqual([true, true, false]);
  });

  test("who stays because the record has another version is reported (G392).", async () => {
    const { scim, provision, email } = await verifiedDirectory();
    const id = await provision("ada");
    const headers = { "if-match": 'W/"0"' };
    expect((await scim("PATCH", `/Users/${id}`, patch(replace("active", false)), headers)).status).toBe(412);
    expect(await at.mail.mailsTo(email, /deactivation/i)).toHaveLength(1);
  });
});

describe("a user whom the directory creates again (G393)", () => {
  test("has access: an inactive record holds no account.", async () => {
    const { scim, provision, isMember, address } = await verifiedDirectory();
    const former = await provision("ada", { externalId: "object-1" });
    const rename = replace("userName", `${HEX}${address("ada")}`);
    await scim("PATCH", `/Users/${former}`, patch(rename, replace("active", "False")));
    expect(await isMember("ada")).toBe(false);
    await provision("ada", { externalId: "object-2" });
    expect(await isMember("ada")).toBe(true);
    expect((await scim("DELETE", `/Users/${former}`)).status).toBe(204);
    expect(await isMember("ada")).toBe(true);
  });

  test("does not take the account outside of the domains: the inactive record keeps the link.", async () => {
    const { scim, provision, address, organizationId } = await verifiedDirectory();
    const [former, later] = [await provision("ada"), await provision("eve", { active: false })];
    await scim("PATCH", `/Users/${former}`, patch(replace("active", false)));
    const linked = () => at.sql`select user_id from directory_users where id = ${former} and user_id is not null`;
    expect(await linked()).toHaveLength(1);
    await at.sql`update directories set outside_domains = 'refuse' where organization_id = ${organizationId}`;
    await at.sql`delete from organization_domains where organization_id = ${organizationId}`;
    const emails = [{ value: address("ada"), primary: true }];
    const moved = await scim("PATCH", `/Users/${later}`, patch(replace("emails", emails), replace("active", true)));
    expect([moved.status, moved.body.active]).toEqual([200, true]);
    expect(await linked()).toHaveLength(1);
  });

  test("waits while an active record has the address, and takes the account after its deletion.", async () => {
    const { scim, provision, isMember, address, requests } = await verifiedDirectory();
    const first = await provision("ada");
    const emails = [{ value: address("ada"), primary: true }];
    await scim("POST", "/Users", { ...userBody(address("ada2")), emails });
    expect(await requests()).toEqual([
      [201, "Accepted, and left out: access: Another active user of the directory has the address."],
    ]);
    await scim("PATCH", `/Users/${first}`, patch(replace("active", false)));
    expect(await isMember("ada")).toBe(false);
    await scim("DELETE", `/Users/${first}`);
    expect(await isMember("ada")).toBe(true);
  });
});

describe("values", () => {
  test("Text is cleaned and never refused: line breaks, tabs, control and direction characters.", async () => {
    const { scim, address } = await verifiedDirectory();
    const fields = {
      title: "Head of\tSales\r\n",
      displayName: "\u05d0\u05d1\u200f Cohen",
      addresses: [{ type: "work", streetAddress: "1 Main Street\r\nFloor 2", locality: "Ber\u0007lin" }],
      phoneNumbers: [{ type: "work", value: "\u202a+49 30 123456\u202c" }],
      [ENTERPRISE]: { department: "Sales\n", employeeNumber: 4711 },
      schemas: [ENTERPRISE, "urn:ietf:params:scim:schemas:core:2.0:User"],
    };
    const { status, body } = await scim("POST", "/Users", { ...userBody(` ${address("ada")} `), ...fields });
    expect([status, body.userName, body.title, body.displayName]).toEqual([
      201,
      address("ada"),
      "Head of Sales",
      "\u05d0\u05d1 Cohen",
    ]);
    expect(body.addresses).toEqual([{ type: "work", streetAddress: "1 Main Street\nFloor 2", locality: "Berlin" }]);
    expect(body.phoneNumbers[0].value).toBe("+49 30 123456");
    expect(body[ENTERPRISE]).toEqual({ department: "Sales", employeeNumber: "4711" });
  });

  test("An unusable value of a list is left out and named; an empty email counts as absent.", async () => {
    const { scim, address, isMember, requests } = await verifiedDirectory();
    const emails = [
      { value: " ", type: "home", primary: true },
      [],
      { value: `mailto:${address("ada")}`, type: "work" },
    ];
    const { status, body } = await scim("POST", "/Users", { ...userBody("ada"), emails });
    expect([status, body.emails.length, await isMember("ada")]).toEqual([201, 2, true]);
    expect(await requests()).toEqual([]);
    const mixed = { ...userBody("grace"), addresses: [7, { locality: "Berlin" }] };
    expect((await scim("POST", "/Users", mixed)).body.addresses).toEqual([{ locality: "Berlin" }]);
    expect(await requests()).toEqual([
      [201, "Accepted, and left out: addresses: The value of addresses must be an object."],
    ]);
  });

  test.each<[string, unknown, unknown]>([
    [
      "Entra ID: a list of one object",
      { op: "Replace", path: "displayName", value: [{ $ref: null, value: "X" }] },
      "X",
    ],
    ["Entra ID: a list of one text", { op: "replace", path: "displayName", value: ["X"] }, "X"],
    ["Okta: an object without a path", { op: "replace", value: { displayName: "X" } }, "X"],
    ["OneLogin: a path that is null", { op: "replace", path: null, value: { displayName: "X" } }, "X"],
    ["JumpCloud: a number", { op: "replace", path: "displayName", value: 7 }, "7"],
    [
      "Keycloak: an attribute with its URN",
      { op: "replace", path: "urn:ietf:params:scim:schemas:core:2.0:User:displayName", value: "X" },
      "X",
    ],
  ])("A PATCH in the form of a directory is read: %s.", async (_title, operation, wanted) => {
    const { scim, provision } = await verifiedDirectory();
    const id = await provision("ada");
    for (const Operations of [[operation], operation]) {
      const { status, body } = await scim("PATCH", `/Users/${id}`, { schemas: ["urn:x"], Operations });
      expect([status, body?.displayName]).toEqual([200, wanted]);
    }
  });

  test("A manager is set, found and removed in the forms of Entra ID.", async () => {
    const { scim, provision } = await verifiedDirectory();
    const [id, boss] = [await provision("ada"), await provision("boss")];
    const managerOf = async () => (await scim("GET", `/Users/${id}`)).body[ENTERPRISE]?.manager?.value;
    for (const path of ["manager", `${ENTERPRISE}:manager`]) {
      const value = [{ $ref: `https://x.example/Users/${boss}`, value: boss }];
      await scim("PATCH", `/Users/${id}`, patch({ op: "Add", path, value }));
      expect(await managerOf()).toBe(boss);
      const found = await scim("GET", `/Users?filter=${encodeURIComponent(`id eq "${id}" and manager eq "${boss}"`)}`);
      expect(found.body.totalResults).toBe(1);
      await scim("PATCH", `/Users/${id}`, patch({ op: "Remove", path: `${path}[value eq "other"]` }));
      expect(await managerOf()).toBe(boss);
      await scim("PATCH", `/Users/${id}`, patch({ op: "Remove", path: `${path}[value eq "${boss}"]` }));
      expect(await managerOf()).toBeUndefined();
    }
  });
});

describe("groups", () => {
  test("Unknown users and groups are left out; unknown users alone empty no group (G393).", async () => {
    const { scim, provision, requests } = await verifiedDirectory();
    const [a, b, gone] = [await provision("a"), await provision("b"), await provision("gone")];
    await scim("DELETE", `/Users/${gone}`);
    const group = await scim("POST", "/Groups", groupBody("Team", [a, gone]));
    const path = `/Groups/${group.body.id}`;
    const ids = async () => ((await scim("GET", path)).body.members ?? []).map(({ value }: { value: string }) => value);
    expect([group.status, await ids()]).toEqual([201, [a]]);
    const members = [{ value: b }, { value: gone }, { value: group.body.id, type: "Group" }];
    expect((await scim("PATCH", path, patch({ op: "add", path: "members", value: members }))).status).toBe(204);
    expect((await ids()).sort()).toEqual([a, b].sort());
    const emptying = await scim("PATCH", path, patch(replace("members", [{ value: gone }])));
    expect([emptying.status, (await ids()).length]).toEqual([400, 2]);
    expect((await requests()).map(([status]) => status)).toEqual([400, 204, 201]);
  });
});

describe("addresses of requests", () => {
  test("Slashes, the case of a name and of an id, empty parameters and a plus sign are read.", async () => {
    const { scim, provision, address } = await verifiedDirectory();
    const id = await provision("ada+work");
    const filter = `userName%20eq%20%22${address("ada+work")}%22`;
    for (const path of [
      `//Users?filter=${filter}`,
      `/users/?filter=${filter}`,
      "/Users?startIndex=&filter=",
      "",
      "/",
    ]) {
      expect([path, (await scim("GET", path)).body.totalResults]).toEqual([path, 1]);
    }
    expect((await scim("GET", `/Users/${id.toUpperCase()}`)).body.id).toBe(id);
    expect((await scim("GET", "/serviceproviderconfig")).status).toBe(200);
  });

  test("An unknown path is a refused request: the base URL of the client is wrong.", async () => {
    const { scim, requests } = await verifiedDirectory();
    expect((await scim("GET", "/v2/Users")).status).toBe(404);
    const detail = "There is no such path. The base URL of the service ends in /scim/v2.";
    expect(await requests()).toEqual([[404, detail]]);
  });
});
