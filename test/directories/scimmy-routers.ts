/**
 * `npm run test:directories`: 400 generated requests sent by HTTP to this service and to scimmy-routers, an independent
 * SCIM server. Status and body agree, or the difference is listed with the clause or the directory that requires it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { directoryOf, groupBody, type ScimClient, userBody } from "../support/directories.ts";
import { cycleDeployment } from "../support/directory-cycles.ts";
import { type ScimmyServer, startScimmy } from "../support/scimmy-server.ts";
import { type Exchange, type Outcome, REQUEST_DIFFERENCES } from "./scimmy-differences.ts";

const REQUESTS = 400;
const SEED = 2026_11_28;
const NAMES = ["ada", "grace", "joan", "unknown"] as const;
const GROUPS = ["Guides", "Pilots", "Nobody"] as const;
type Name = (typeof NAMES)[number] | (typeof GROUPS)[number];

let peer: ScimmyServer;
let own: ScimClient;
beforeAll(async () => {
  const at = await cycleDeployment();
  [peer, own] = [await startScimmy(), (await directoryOf(at)).scim];
}, 300_000);
afterAll(() => peer.close());

/** A request in terms of names; each side has its own ids. */
interface Request {
  readonly method: string;
  readonly path: (idOf: (name: Name) => string) => string;
  readonly body?: ((idOf: (name: Name) => string) => unknown) | undefined;
  /** The name of a created resource. */
  readonly creates?: Name;
}

const user = fc.constantFrom(...NAMES);
const group = fc.constantFrom(...GROUPS);
const text = fc.constantFrom("guide", "pilot", "Ada Lovelace", "é", "a b");
const fields = fc.record(
  {
    displayName: text,
    title: text,
    active: fc.boolean(),
    externalId: fc.constantFrom("e-1", "e-2"),
    name: fc.record({ givenName: text, familyName: text }, { requiredKeys: [] }),
    emails: fc.constantFrom([{ value: "ada@work.test", type: "work", primary: true }], [{ value: "a@home.test" }]),
    unknown: fc.constant("ignored"),
  },
  { requiredKeys: ["active"] },
);
const operation = fc.oneof(
  fc
    .tuple(fc.constantFrom("add", "replace"), fc.constantFrom("title", "displayName", "name.givenName"), text)
    .map(([op, path, value]) => ({ op, path, value })),
  fc.constantFrom("title", "name", "emails", "userName").map((path) => ({ op: "remove", path })),
  fc.boolean().map((value) => ({ op: "replace", path: "active", value })),
  fc.record({ title: text, active: fc.boolean() }).map((value) => ({ op: "replace", value })),
  fc
    .constantFrom("ada@work.test", "b@work.test")
    .map((value) => ({ op: "replace", path: 'emails[type eq "work"].value', value })),
  fc.constantFrom({ op: "move", path: "title" }, { op: "replace", path: "colour", value: "red" }),
);
const filter = fc.constantFrom(
  'userName eq "ada"',
  'userName eq "ADA"',
  'userName eq "unknown"',
  'userName sw "a" and active eq true',
  "title pr",
  'title eq "guide" or title eq "pilot"',
  "not (active eq true)",
  'name.familyName eq "pilot"',
  "userName eq",
  'colour eq "red"',
  "(userName pr",
);
const patchOf = (Operations: readonly unknown[]) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations,
});

const ofUser =
  (method: string, query = "") =>
  (name: Name, body?: Request["body"]): Request => ({ method, path: (idOf) => `/Users/${idOf(name)}${query}`, body });
const ofGroup =
  (method: string) =>
  (name: Name, body?: Request["body"]): Request => ({ method, path: (idOf) => `/Groups/${idOf(name)}`, body });
const fixed = (method: string, path: string, body?: unknown): Request => ({
  method,
  path: () => path,
  body: body === undefined ? undefined : () => body,
});

const requests: readonly (readonly [weight: number, fc.Arbitrary<Request>])[] = [
  [3, fc.tuple(user, fields).map(([name, given]) => createUser(name, given))],
  [1, user.map((name) => createUser(name, {}))],
  [3, user.map((name) => ofUser("GET")(name))],
  [1, user.map((name) => ofUser("GET", "?attributes=userName,title")(name))],
  [1, user.map((name) => ofUser("GET", "?excludedAttributes=emails,name")(name))],
  [3, fc.tuple(user, fields).map(([name, given]) => ofUser("PUT")(name, () => userBody(name, given)))],
  [
    6,
    fc
      .tuple(user, fc.array(operation, { minLength: 1, maxLength: 3 }))
      .map(([name, operations]) => ofUser("PATCH")(name, () => patchOf(operations))),
  ],
  [1, user.map((name) => ofUser("PUT")(name, () => userBody(name, { nickName: 5 })))],
  [1, user.map((name) => ofUser("DELETE")(name))],
  [4, filter.map((each) => fixed("GET", `/Users?filter=${encodeURIComponent(each)}`))],
  [2, fc.tuple(group, fc.constantFrom<Name>("ada", "grace", "unknown")).map((given) => createGroup(...given))],
  [2, group.map((name) => ofGroup("GET")(name))],
  [
    3,
    fc
      .tuple(group, fc.constantFrom("add", "remove"), user)
      .map(([name, op, member]) => ofGroup("PATCH")(name, (idOf) => patchOf([memberOperation(op, idOf(member))]))),
  ],
  [1, group.map((name) => ofGroup("DELETE")(name))],
  [
    2,
    fc.constantFrom(
      fixed("POST", "/Users", { userName: "ada" }),
      fixed("POST", "/Users", userBody("")),
      fixed("POST", "/Users", "{"),
      fixed("GET", "/Nothing"),
      fixed("GET", "/Me"),
      fixed("GET", "/Users?count=0"),
      fixed("GET", "/Schemas/urn:ietf:params:scim:schemas:core:2.0:Nothing"),
    ),
  ],
];
/** The resources at the start, and after every difference. */
const PRESENT: readonly Request[] = [
  createUser("ada", {
    active: true,
    title: "guide",
    emails: [{ value: "ada@work.test", type: "work", primary: true }],
  }),
  createUser("grace", { active: true, name: { givenName: "Grace" } }),
  createGroup("Guides", "ada"),
];
const anyRequest = fc.oneof(...requests.map(([weight, arbitrary]) => ({ weight, arbitrary })));

function createUser(name: Name, given: object): Request {
  return { method: "POST", path: () => "/Users", body: () => userBody(name, { ...given }), creates: name };
}

function createGroup(name: Name, member: Name): Request {
  return { method: "POST", path: () => "/Groups", body: (idOf) => groupBody(name, [idOf(member)]), creates: name };
}

function memberOperation(op: string, id: string) {
  return op === "add" ? { op, path: "members", value: [{ value: id }] } : { op, path: `members[value eq "${id}"]` };
}

/** Sends requests to one side, and describes the responses without ids, times and texts of problems. */
function sideOf(scim: ScimClient) {
  const ids = new Map<Name, string>();
  const absent = randomUUID();
  const idOf = (name: Name) => ids.get(name) ?? absent;
  /** RFC 7644, section 3.5.2: the response to PATCH is 200 with the resource, or 204. */
  const current = (response: Awaited<ReturnType<ScimClient>>, method: string, path: string) =>
    method === "PATCH" && response.status === 204 ? scim("GET", path) : response;
  const send = async ({ method, path, body, creates }: Request): Promise<Outcome> => {
    const { status, body: found } = await current(await scim(method, path(idOf), body?.(idOf)), method, path(idOf));
    if (creates && status === 201) ids.set(creates, found.id);
    if (status >= 300) return found?.scimType ? { status, scimType: found.scimType } : { status };
    return { status, body: plain(found, new Map([...ids].map(([name, id]) => [id, name]))) };
  };
  return {
    send,
    async reset(): Promise<void> {
      for (const type of ["Users", "Groups"]) {
        const { body } = await scim("GET", `/${type}`);
        for (const { id } of body.Resources ?? []) await scim("DELETE", `/${type}/${id}`);
      }
      ids.clear();
      for (const request of PRESENT) await send(request);
    },
  };
}

/** The attributes that both sides choose themselves are left out. */
function plain(value: unknown, names: ReadonlyMap<string, Name>): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each, names)).sort(byText);
  if (typeof value === "string") return names.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  const own = new Set(["meta", "schemas", "groups", "itemsPerPage", "startIndex", "nextCursor", "$ref", "display"]);
  const kept = Object.entries(value).filter(([name]) => !own.has(name));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, plain(name === "members" ? valuesOf(each) : each, names)]),
  );
}

const valuesOf = (members: unknown) => (members as readonly { readonly value: string }[]).map(({ value }) => value);
const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));

test("400 generated requests have equal responses of scimmy-routers, except for the listed differences", async () => {
  const [ours, theirs] = [sideOf(own), sideOf(peer.scim)];
  await Promise.all([ours.reset(), theirs.reset()]);
  const differing: Exchange[] = [];
  for (const request of fc.sample(anyRequest, { numRuns: REQUESTS, seed: SEED })) {
    const [mine, other] = [await ours.send(request), await theirs.send(request)];
    if (isDeepStrictEqual(mine, other)) continue;
    const shown = { method: request.method, path: request.path((name) => name), body: request.body?.((name) => name) };
    differing.push({ ...shown, own: mine, peer: other });
    // Both sides have equal resources again.
    if (request.method !== "GET") await Promise.all([ours.reset(), theirs.reset()]);
  }
  const unexplained = differing.filter((each) => !REQUEST_DIFFERENCES.some(({ concerns }) => concerns(each)));
  expect(unexplained).toEqual([]);
  for (const { clause, concerns } of REQUEST_DIFFERENCES) {
    expect([clause, differing.some(concerns)]).toEqual([clause, true]);
  }
  expect(differing.length).toBeLessThan(REQUESTS / 2);
}, 300_000);
