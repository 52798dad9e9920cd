/** Attacks on directories: foreign records, hostile filters, paths, bodies, versions and keys (G174, G178). */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import {
  directoryOf,
  groupBody,
  type ScimClient,
  scimClient,
  searchBody,
  userBody,
  verifyDomainOf,
} from "../support/directories.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
const patch = (...operations: readonly unknown[]) => ({ Operations: operations });
const renaming = patch({ op: "replace", path: "displayName", value: "Mallory" });

/** An organization with a user, a member of a group. */
async function attackedDirectory() {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const { scim, address, organizationId } = directory;
  const fields = { displayName: "Ada", externalId: "secret-id", emails: [{ value: address("ada"), type: "work" }] };
  const user: string = (await scim("POST", "/Users", userBody(address("ada"), fields))).body.id;
  const group: string = (await scim("POST", "/Groups", groupBody("Secret", [user]))).body.id;
  const stateOf = async () => [
    ...(await at.sql`
      select r.document, r.version, r.updated_at, g.display_name, g.version as group_version, m.role
      from directories d join directory_users r on r.directory_id = d.id
      join members m on m.user_id = r.user_id and m.organization_id = d.organization_id
      join directory_group_members gm on gm.record_id = r.id join directory_groups g on g.id = gm.group_id
      where d.organization_id = ${organizationId}`),
  ];
  return { ...directory, user, group, stateOf };
}

const outcome = async (response: ReturnType<ScimClient>) => {
  const { status, body } = await response;
  return { status, scimType: body?.scimType, detail: body?.detail };
};

describe("a key of another organization", () => {
  test("receives the response of an unknown id for every method, condition, reference and filter", async () => {
    const victim = await attackedDirectory();
    const before = await victim.stateOf();
    const { scim, client, place } = await directoryOf(at);
    const [absent, own] = [randomUUID(), (await scim("POST", "/Users", userBody("own"))).body.id];
    const team = (await scim("POST", "/Groups", groupBody("Team", [own]))).body.id;
    for (const [type, foreign, body] of [
      ["Users", victim.user, userBody("mallory")],
      ["Groups", victim.group, groupBody("Mallory")],
    ] as const) {
      for (const [method, sent] of [["GET"], ["PUT", body], ["PATCH", renaming], ["DELETE"]] as const)
        for (const headers of [{}, { "if-match": 'W/"1"' }, { "if-none-match": 'W/"1"' }, { "if-match": "*" }]) {
          const [real, random] = await Promise.all(
            [foreign, absent].map((id) => outcome(scim(method, `/${type}/${id}`, sent, headers))),
          );
          expect([method, type, headers, real]).toEqual([method, type, headers, random]);
          expect(real?.status).toBe(404);
        }
    }
    const withMember = (id: string) => [
      outcome(scim("POST", "/Groups", groupBody(`Spies ${randomUUID()}`, [id]))),
      outcome(scim("PUT", `/Groups/${team}`, groupBody("Team", [id]))),
      outcome(scim("PATCH", `/Groups/${team}`, patch({ op: "add", path: "members", value: [{ value: id }] }))),
      outcome(scim("PATCH", `/Groups/${team}`, patch({ op: "add", path: `members[value eq "${id}"]`, value: {} }))),
    ];
    const real = await Promise.all(withMember(victim.user));
    const random = await Promise.all(withMember(absent));
    expect(real.map(({ detail, ...rest }) => ({ ...rest, detail: detail?.replace(victim.user, absent) }))).toEqual(
      random,
    );
    expect(new Set(real.map(({ status }) => status))).toEqual(new Set([400]));
    for (const filter of [
      `id eq "${victim.user}"`,
      'externalId eq "secret-id"',
      `userName eq "${victim.address("ada")}"`,
      `emails.value eq "${victim.address("ada")}"`,
      `not (id eq "${absent}") and displayName eq "Ada"`,
    ]) {
      for (const path of [`/Users?filter=${encodeURIComponent(filter)}`, "/Users/.search"]) {
        const { body } = await scim(
          path.includes("?") ? "GET" : "POST",
          path,
          path.includes("?") ? undefined : searchBody({ filter }),
        );
        expect([filter, body.totalResults, body.Resources]).toEqual([filter, 0, []]);
      }
    }
    const members = encodeURIComponent(`members.value eq "${victim.user}"`);
    expect((await scim("GET", `/Groups?filter=${members}`)).body.totalResults).toBe(0);
    await victim.scim("POST", "/Users", userBody("second"));
    const { nextCursor } = (await victim.scim("GET", "/Users?cursor=&count=1")).body;
    const listed = await scim("GET", `/Users?count=200&cursor=${nextCursor}`);
    expect(JSON.stringify(listed.body)).not.toContain("second");
    expect((await client.patch(`${place}/groups/${victim.group}`, { role: "admin" })).status).toBe(404);
    for (const resource of ["users", "groups", "requests"])
      expect((await client.get(`${victim.place}/${resource}`)).status).toBe(404);
    expect(await victim.stateOf()).toEqual(before);
    expect((await scim("POST", "/Users", userBody(victim.address("ada"), { externalId: "secret-id" }))).status).toBe(
      201,
    );
  });
});

describe("a key", () => {
  test("that is revoked, or of a suspended organization, is 401 in the form of SCIM on both replicas", async () => {
    const directory = await attackedDirectory();
    const { client, organizationId, user } = directory;
    const { accountId, id, key } = await keyOf(client, accountsOf(organizationId), ["scim.write"]);
    const refused = async (what: string, credential: string, end: () => Promise<{ readonly status: number }>) => {
      const replicas = [at.one, at.other].map(({ url }) => scimClient(url, credential));
      for (const scim of replicas) expect((await scim("GET", `/Users/${user}`)).status).toBe(200);
      expect((await end()).status).toBeLessThan(300);
      for (const scim of replicas) {
        await eventually(what, 1_000, async () => (await scim("GET", `/Users/${user}`)).status === 401);
        for (const [method, path] of [
          ["GET", "/ServiceProviderConfig"],
          ["DELETE", `/Users/${user}`],
        ] as const) {
          const { status, headers, body } = await scim(method, path);
          expect([status, headers.get("www-authenticate"), body.schemas]).toEqual([401, "Bearer", [ERROR]]);
        }
      }
    };
    const revoked = `${accountsOf(organizationId)}/${accountId}/keys/${id}`;
    await refused("the revoked key is refused", key, () => client.delete(revoked));
    const platform = (await steppedUpAdmin(at, "owner")).client;
    await refused("the key of the suspended organization is refused", directory.key, () =>
      platform.patch(`/v1/admin/orgs/${organizationId}`, { suspended: true }),
    );
    expect(await directory.stateOf()).toHaveLength(1);
  });

  test("of the platform is refused on every path, also with the scope of directories", async () => {
    const { user, group, stateOf } = await attackedDirectory();
    const before = await stateOf();
    const admin = (await steppedUpAdmin(at, "owner")).client;
    const account = await admin.post("/v1/admin/service-accounts", { name: "SIEM" });
    const keys = `/v1/admin/service-accounts/${account.body.id}/keys`;
    expect((await admin.post(keys, { scopes: ["scim.write", "audit.read"] })).status).toBe(400);
    const made = await admin.post(keys, { scopes: ["audit.read"] });
    // A key of a former release could hold the scope.
    await at.sql`update api_keys set scopes = '{scim.write,audit.read}' where id = ${made.body.id}`;
    const platform = scimClient(at.one.url, made.body.key);
    for (const [method, path, body] of [
      ["GET", "/ServiceProviderConfig"],
      ["GET", "/Users"],
      ["GET", `/Users/${user}`],
      ["POST", "/Users/.search", searchBody()],
      ["POST", "/Users", userBody("mallory")],
      ["PATCH", `/Users/${user}`, renaming],
      ["PUT", `/Groups/${group}`, groupBody("Mallory")],
      ["DELETE", `/Groups/${group}`],
    ] as const) {
      const refused = await platform(method, path, body);
      expect([method, path, refused.status, refused.body.schemas]).toEqual([method, path, 403, [ERROR]]);
    }
    expect(await stateOf()).toEqual(before);
  });

  test("counts in the header Authorization only, and opens no other endpoint of an organization", async () => {
    const { key, place } = await attackedDirectory();
    const anonymous = scimClient(at.one.url, undefined);
    for (const [path, headers] of [
      [`/Users?access_token=${key}`, {}],
      [`/Users?key=${key}`, {}],
      ["/Users", { authorization: `Basic ${Buffer.from(`key:${key}`).toString("base64")}` }],
      ["/Users", { authorization: String(key) }],
      ["/Users", { cookie: `service_at=${key}` }],
      ["/Users", { authorization: `Bearer ${String(key).slice(0, -1)}` }],
    ] as const)
      expect([path, (await anonymous("GET", path, undefined, headers)).status]).toEqual([path, 401]);
    for (const path of [place, `${place}/users`, `${place}/groups`, "/v1/users/me"]) {
      const { status } = await fetch(`${at.one.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
      expect([path, status >= 401 && status <= 404]).toEqual([path, true]);
    }
  });
});

describe("a hostile filter", () => {
  const HOSTILE = [
    'userName eq "\' or 1=1 --"',
    'userName eq "\'; drop table directory_users; --"',
    'userName eq "\\"; select pg_sleep(9); --"',
    'userName sw "%"',
    'userName co "_" and userName co "%"',
    'userName eq "$1"',
    "userName eq ' or true",
    'id eq "\' or true --"',
    'externalId co "\\\\\' or true --"',
    "emails[value eq \"x') or ('1'='1\"]",
    'meta.created gt "\' or true --"',
    "active eq \"true' or '1\"",
    "constructor pr",
    '__proto__ eq "x"',
    "userName.constructor pr",
    "emails[constructor pr]",
    'emails[__proto__ eq "x"].value eq "y"',
    "urn:ietf:params:scim:schemas:core:2.0:User:toString pr",
    'userName eq "a" or true',
    'userName eq "a") or (userName pr',
    "(((((userName pr",
    'userName eq "\\ud800"',
  ] as const;

  test("selects nothing or is refused as invalidFilter, by GET and by .search; the records remain", async () => {
    const { scim, stateOf } = await attackedDirectory();
    const before = await stateOf();
    for (const filter of HOSTILE) {
      for (const response of [
        await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`),
        await scim("POST", "/Users/.search", searchBody({ filter })),
        await scim("POST", "/.search", searchBody({ filter })),
      ]) {
        const { status, body } = response;
        const isHarmless = status === 200 ? body.totalResults === 0 : body.status === "400";
        expect([filter, status, body, isHarmless]).toEqual([filter, status, body, true]);
      }
    }
    const names = "attributes=constructor,__proto__,userName'--&excludedAttributes=prototype,x')";
    expect((await scim("GET", `/Users?${names}`)).body.totalResults).toBe(1);
    for (const query of ["cursor=' or true", "count=1e999", "startIndex=99999999999999999999", "count=0x10"])
      expect([query, (await scim("GET", `/Users?${encodeURI(query)}`)).status]).toEqual([query, 400]);
    expect((await scim("GET", "/Users?count=-1")).body.Resources).toEqual([]);
    expect(await stateOf()).toEqual(before);
  });
});

describe("names of prototypes", () => {
  const NAMES = ["__proto__", "constructor"];

  test("in paths, keys and filters of PATCH change no resource and no later resource", async () => {
    const { scim, user, group } = await attackedDirectory();
    const [before, groupBefore] = [
      (await scim("GET", `/Users/${user}`)).body,
      (await scim("GET", `/Groups/${group}`)).body,
    ];
    for (const name of NAMES) {
      const paths = [name, `${name}.polluted`, `name.${name}`, `emails[type eq "work"].${name}`];
      const all = [
        ...paths,
        `emails[${name} eq "x"].value`,
        `${ENTERPRISE}:${name}`,
        `urn:${name}:x`,
        `members.${name}`,
      ];
      const operations = [
        ...all.map((path) => ({ op: "add", path, value: "polluted" })),
        ...all.map((key) => ({ op: "replace", value: { [key]: { polluted: true } } })),
        { op: "replace", value: { [name]: "polluted" } },
        { op: "add", path: "members", value: [{ [name]: "polluted" }] },
      ];
      for (const operation of operations) {
        for (const path of [`/Users/${user}`, `/Groups/${group}`]) {
          const { status } = await scim("PATCH", path, patch(operation));
          expect([path, operation, [200, 204, 400].includes(status)]).toEqual([path, operation, true]);
        }
      }
      const text = `{"schemas":["${before.schemas[0]}"],"userName":"x","${name}":{"a":1}}`;
      expect((await scim("POST", "/Users", text)).body.scimType).toBe("invalidSyntax");
    }
    expect((await scim("GET", `/Users/${user}`)).body).toEqual(before);
    expect((await scim("GET", `/Groups/${group}`)).body).toEqual(groupBefore);
    expect(JSON.stringify((await scim("POST", "/Users", userBody("later"))).body)).not.toContain("polluted");
  });
});

describe("a hostile body", () => {
  test("is refused with the documented status, however it is sent, and changes nothing", async () => {
    const { scim, key, user, stateOf } = await attackedDirectory();
    const before = await stateOf();
    const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
    const body = (rest: string) => `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"x",${rest}}`;
    const operations = (list: string) => `{"Operations":[${list}]}`;
    const cases: readonly (readonly [string, string, number, string?])[] = [
      ["arrays", body(`"emails":${nested(100_000, "[", "]")}`), 400, "invalidSyntax"],
      ["objects", body(`"name":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`), 400, "invalidSyntax"],
      ["a patch", operations(`{"op":"add","value":${nested(60_000, "[", "]")}}`), 400, "invalidSyntax"],
      ["duplicate keys within", body('"name":{"givenName":"a","givenName":"b"}'), 400, "invalidSyntax"],
      ["a surrogate", body('"displayName":"\\ud800"'), 400, "invalidSyntax"],
      ["a number that is infinite", body('"active":1e999'), 400, "invalidSyntax"],
      ["a record above 16 KiB", body(`"title":"${"x".repeat(20_000)}"`), 413],
      ["65 addresses", body(`"emails":[${'{"value":"a"},'.repeat(64)}{"value":"a"}]`), 400, "invalidValue"],
      [
        "101 operations",
        operations(`${'{"op":"remove","path":"title"},'.repeat(100)}{"op":"remove","path":"title"}`),
        413,
      ],
      ["an empty body", "", 400, "invalidSyntax"],
      ["a list", "[]", 400, "invalidSyntax"],
    ];
    for (const [name, text, status, scimType] of cases) {
      const path = text.includes('"Operations"') ? `/Users/${user}` : "/Users";
      const refused = await scim(path === "/Users" ? "POST" : "PATCH", path, text);
      expect([name, refused.status, refused.body?.scimType]).toEqual([name, status, scimType]);
    }
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(0x20)),
    });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/scim+json" };
    const place = `${at.one.url}/v1/scim/v2/Users`;
    const streamed = await fetch(place, { method: "POST", headers, body: endless }).catch(() => undefined);
    // The connection of a body without an end may break before the response.
    expect([413, undefined]).toContain(streamed?.status);
    const bytes = new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]);
    expect((await fetch(place, { method: "POST", headers, body: bytes })).status).toBe(400);
    expect(await stateOf()).toEqual(before);
  });
});

describe("a version", () => {
  test("that is forged, foreign or malformed admits no write; the version of the resource does", async () => {
    const { scim, user, group } = await attackedDirectory();
    const forged = ['W/"2"', '"0"', 'W/"-1"', "W/", 'W/""', '"*"x', '"1.0"', 'W/"1e0"', '"01"', "constructor", '" 1"'];
    for (const [path, body] of [
      [`/Users/${user}`, userBody("mallory")],
      [`/Groups/${group}`, groupBody("Mallory")],
    ] as const) {
      const writes = [
        ...forged.map((tag) => [tag, "PATCH", renaming] as const),
        ...[["PUT", body] as const, ["DELETE", undefined] as const].map(
          (each) => [forged.join(", "), ...each] as const,
        ),
      ];
      for (const [tag, method, sent] of writes) {
        const { status } = await scim(method, path, sent, { "if-match": tag });
        expect([method, path, tag, status]).toEqual([method, path, tag, 412]);
      }
      const unchanged = await scim("GET", path);
      expect(unchanged.body.meta.version).toBe('W/"1"');
      for (const tag of ['W/"1"', "*", 'W/"7", W/"1"'])
        expect([tag, (await scim("GET", path, undefined, { "if-none-match": tag })).status]).toEqual([tag, 304]);
      for (const tag of ["*", 'W/"7", W/"2"']) {
        const value = `Renamed ${tag}`;
        const changed = await scim("PATCH", path, patch({ op: "replace", path: "displayName", value }), {
          "if-match": tag,
        });
        expect([tag, changed.status < 300]).toEqual([tag, true]);
      }
    }
  });
});

test("no value of a record is in the log or in a metric of a replica", async () => {
  const { scim, user } = await attackedDirectory();
  const value = `private-${randomUUID()}`;
  await scim("PATCH", `/Users/${user}`, patch({ op: "replace", path: "title", value }));
  await scim("POST", "/Users", userBody(value, { displayName: value, password: value, emails: [{ value }] }));
  await scim("GET", `/Users?filter=${encodeURIComponent(`userName eq "${value}"`)}`);
  await scim("GET", `/Users?filter=${encodeURIComponent(`title eq "${value}"`)}`);
  await scim("POST", "/Users", userBody(value));
  await scim("POST", "/Groups", groupBody(value, [randomUUID()]));
  await scim("PATCH", `/Users/${user}`, patch({ op: "replace", path: value, value }));
  const metrics = await (await fetch(`${at.one.url}/metrics`)).text();
  expect([at.one.output().includes(value), metrics.includes(value)]).toEqual([false, false]);
});
