/**
 * 1,000 generated filters and 1,000 generated PATCH requests, compared with scimmy, an independent implementation of
 * SCIM. Every difference has an entry with the clause of the service.
 */
import { beforeAll, expect, test } from "bun:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { applyCommands } from "../../../src/models/directory/protocol/apply-commands.ts";
import { parseCondition } from "../../../src/models/directory/protocol/condition.ts";
import { fulfils } from "../../../src/models/directory/protocol/evaluate-condition.ts";
import { USER_TYPE } from "../../../src/models/directory/protocol/schemas.ts";
import { translateUserPatch } from "../../../src/models/directory/protocol/user-command.ts";
import type { UserDocument } from "../../../src/models/directory/protocol/user-document.ts";
import { importPackage } from "../../support/npm-package.ts";
import { USER_ID } from "../../support/scim-requests.ts";

interface Scimmy {
  readonly default: {
    readonly Types: { readonly Filter: new (expression: string) => { match(values: unknown[]): unknown[] } };
    readonly Messages: {
      readonly PatchOp: new (request: unknown) => { apply(resource: unknown): Promise<object | undefined> };
    };
    readonly Schemas: { readonly User: ScimmySchema; readonly EnterpriseUser: { readonly definition: unknown } };
  };
}
type ScimmySchema = (new (
  resource: unknown,
) => object) & {
  readonly definition: { extend(definition: unknown, required: boolean): unknown };
};

const RUNS = 1_000;
const SEED = 2026_11_23;
let scimmy: Scimmy["default"];

beforeAll(async () => {
  ({ default: scimmy } = await importPackage<Scimmy>("scimmy", "1.3.5"));
  scimmy.Schemas.User.definition.extend(scimmy.Schemas.EnterpriseUser.definition, false);
}, 60_000);

/** scimmy throws for an absent complex attribute and compares letters by case: the users have both, in lower case. */
const USERS = [
  {
    userName: "bjensen",
    displayName: "babs jensen",
    active: true,
    name: { familyName: "jensen", givenName: "barbara" },
    emails: [
      { value: "bjensen@example.com", type: "work", primary: true },
      { value: "babs@jensen.org", type: "home" },
    ],
  },
  {
    userName: "jsmith",
    active: false,
    name: { givenName: "james" },
    emails: [{ value: "j@example.com", type: "home" }],
  },
];

const text = fc.constantFrom("bjensen", "jen", "j", "work", "home", "@example.com", "research", "james", "zz");
const path = fc.constantFrom(
  "userName",
  "displayName",
  "name.familyName",
  "name.givenName",
  "emails.value",
  "emails.type",
);
const operator = fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le");
const simple = fc.oneof(
  fc.tuple(path, operator, text).map(([name, compare, value]) => `${name} ${compare} "${value}"`),
  path.map((name) => `${name} pr`),
  fc.tuple(fc.constantFrom("eq", "ne"), fc.boolean()).map(([compare, value]) => `active ${compare} ${value}`),
);
const within = fc
  .tuple(fc.constantFrom("value", "type"), fc.constantFrom("eq", "co", "sw"), text)
  .map(([name, compare, value]) => `${name} ${compare} "${value}"`);
const valuePath = fc
  .tuple(within, fc.option(fc.tuple(fc.constantFrom("and", "or"), within)))
  .map(([first, more]) => `emails[${more ? `${first} ${more[0]} ${more[1]}` : first}]`);
const term = fc.oneof({ weight: 3, arbitrary: simple }, { weight: 1, arbitrary: valuePath });
const filters = fc
  .tuple(term, fc.array(fc.tuple(fc.constantFrom("and", "or"), term), { maxLength: 3 }), fc.boolean())
  .map(([first, rest, negated]) => {
    const joined = rest.reduce((sum, [word, next]) => `${sum} ${word} ${next}`, first);
    return negated ? `not (${joined})` : joined;
  });

function ownFilter(filter: string): unknown[] | "refused" {
  const condition = parseCondition(filter, USER_TYPE);
  return condition.ok ? USERS.filter((each) => fulfils(condition.value, each)) : "refused";
}

function scimmyFilter(filter: string): unknown[] | "refused" {
  try {
    return new scimmy.Types.Filter(filter).match(USERS);
  } catch {
    return "refused";
  }
}

interface Difference {
  readonly clause: string;
  readonly concerns: (request: string) => boolean;
}

/** Forms that scimmy evaluates differently. */
const FILTER_DIFFERENCES: readonly Difference[] = [
  {
    clause: "RFC 7644, section 3.4.2.2: `not` negates the whole expression; scimmy negates each condition",
    concerns: (filter) => /^not \(.* (?:and|or) /.test(filter),
  },
  {
    clause: "RFC 7644, section 3.4.2.2: the negation of a condition on several values; scimmy needs one value without",
    concerns: (filter) => filter.startsWith("not (emails"),
  },
  {
    clause: "RFC 7644, section 3.4.2.2: every value path is a condition; scimmy merges conditions on one attribute",
    concerns: (filter) => filter.includes("emails[") && filter.split("emails").length > 2,
  },
];

function expectExplained(
  requests: readonly string[],
  differs: (request: string) => boolean,
  list: readonly Difference[],
) {
  const differing = requests.filter(differs);
  expect(differing.filter((each) => !list.some(({ concerns }) => concerns(each)))).toEqual([]);
  for (const { clause, concerns } of list) expect([clause, differing.some(concerns)]).toEqual([clause, true]);
  expect(differing.length).toBeLessThan(requests.length / 2);
}

test("scimmy selects the same users by 1,000 filters, except for the listed differences.", () => {
  const requests = fc.sample(filters, { numRuns: RUNS, seed: SEED });
  expectExplained(requests, (each) => !isDeepStrictEqual(ownFilter(each), scimmyFilter(each)), FILTER_DIFFERENCES);
});

const DOCUMENT = {
  userName: "bjensen",
  active: true,
  title: "guide",
  name: { familyName: "jensen", givenName: "barbara" },
  emails: [
    { value: "bjensen@example.com", type: "work", primary: true },
    { value: "babs@jensen.org", type: "home" },
  ],
} satisfies UserDocument;

const scalar = fc
  .tuple(fc.constantFrom("title", "displayName", "userName", "name.givenName", "name.middleName"), text)
  .map(([path, value]) => ({ op: "replace", path, value }));
const element = fc.record({ value: text, type: fc.constantFrom("work", "home", "other") });
const valuePaths = fc.constantFrom('emails[type eq "work"]', 'emails[type eq "other"]', 'emails[value sw "babs"]');
const operation = fc.oneof(
  scalar,
  scalar.map((each) => ({ ...each, op: "add" })),
  fc.constantFrom("title", "displayName", "name.givenName", "name", "emails").map((path) => ({ op: "remove", path })),
  fc.constantFrom("userName", "active").map((path) => ({ op: "remove", path })),
  valuePaths.map((path) => ({ op: "remove", path })),
  fc.tuple(valuePaths, text).map(([path, value]) => ({ op: "replace", path: `${path}.value`, value })),
  fc.tuple(fc.constantFrom("add", "replace"), element).map(([op, value]) => ({ op, path: "emails", value: [value] })),
  fc.boolean().map((value) => ({ op: "replace", path: "active", value })),
  fc.tuple(text, text).map(([title, givenName]) => ({ op: "replace", value: { title, name: { givenName } } })),
);
const patches = fc.array(operation, { minLength: 1, maxLength: 4 }).map((Operations) => JSON.stringify(Operations));

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

function ownPatch(request: string): unknown {
  const commands = translateUserPatch({ Operations: JSON.parse(request) });
  const patched = commands.ok ? applyCommands(DOCUMENT, commands.value, USER_ID) : commands;
  return patched.ok ? plain(patched.value) : patched.error.scimType;
}

async function scimmyPatch(request: string): Promise<unknown> {
  const resource = new scimmy.Schemas.User(plain(DOCUMENT));
  try {
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
    const patched = await new scimmy.Messages.PatchOp({ schemas, Operations: JSON.parse(request) }).apply(resource);
    const { schemas: _, meta: __, ...rest } = plain(patched ?? resource);
    return rest;
  } catch (error) {
    return (error as { scimType?: string }).scimType ?? String(error);
  }
}

/** Forms of PATCH that scimmy treats differently. */
const PATCH_DIFFERENCES: readonly Difference[] = [
  {
    clause: "RFC 7644, section 3.5.2.2: the removal of a required attribute is `mutability`; scimmy: `invalidValue`",
    concerns: (patch) => patch.includes('{"op":"remove","path":"userName"}'),
  },
  {
    clause: "the removal of active does not activate a user; scimmy removes the attribute",
    concerns: (patch) => patch.includes('{"op":"remove","path":"active"}'),
  },
  {
    clause: "Entra ID replaces values that do not exist: the value is created; scimmy: `noTarget`",
    concerns: (patch) => patch.includes('"op":"replace","path":"emails['),
  },
];

test("scimmy applies 1,000 patches with the same result, except for the listed differences.", async () => {
  const requests = fc.sample(patches, { numRuns: RUNS, seed: SEED });
  const outcomes = await Promise.all(requests.map(scimmyPatch));
  const expected = new Map(requests.map((each, index) => [each, outcomes[index]]));
  expectExplained(requests, (each) => !isDeepStrictEqual(ownPatch(each), expected.get(each)), PATCH_DIFFERENCES);
});
