/** PATCH of users and groups: the forms of directory products, RFC 7644, and arbitrary input. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { applyCommands } from "../../../src/models/directory/protocol/apply-commands.ts";
import { readGroup, translateGroupPatch } from "../../../src/models/directory/protocol/group-document.ts";
import { translateUserPatch } from "../../../src/models/directory/protocol/user-command.ts";
import { readUser, type UserDocument } from "../../../src/models/directory/protocol/user-document.ts";
import { ENTERPRISE, GROUP_ID, GROUP_PATCHES, MEMBER_A, USER_ID, USER_PATCHES } from "../../support/scim-requests.ts";

const USER: UserDocument = {
  userName: "bjensen",
  active: true,
  emails: [{ value: "bjensen@example.com", type: "work", primary: true }],
};
const ADDRESS = { type: "work", streetAddress: "100 Universal City Plaza" };

function patchUser(body: unknown, document: UserDocument = USER) {
  const commands = translateUserPatch(body);
  return commands.ok ? applyCommands(document, commands.value, USER_ID) : commands;
}

const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
const operations = (...list: readonly unknown[]) => ({ Operations: list });
const typeOf = (result: ReturnType<typeof patchUser>) => (result.ok ? "none" : result.error.scimType);

describe("PATCH of a user", () => {
  test.each(USER_PATCHES.map((each) => [`${each.client}: ${each.form}`, each] as const))(
    "%s has the documented effect.",
    (_title, { client, body, expected }) => {
      const hasAddress = client === "RFC 7644" && JSON.stringify(body).includes("addresses[");
      const patched = patchUser(body, hasAddress ? { ...USER, addresses: [ADDRESS] } : USER);
      if (!patched.ok) throw new Error(patched.error.detail);
      const value: Readonly<Record<string, unknown>> = patched.value;
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, value[name]]))).toEqual({ ...expected });
    },
  );

  test.each([
    ["an unknown attribute as path", { op: "add", path: "shoeSize", value: "9" }, "invalidPath"],
    ["a malformed path", { op: "add", path: "emails[type eq", value: "x" }, "invalidPath"],
    [
      "a filter that selects no value and implies none",
      { op: "replace", path: 'photos[type sw "photo"].value', value: "x" },
      "noTarget",
    ],
    ["remove without path", { op: "remove" }, "noTarget"],
    ["remove of a required attribute", { op: "remove", path: "userName" }, "mutability"],
    ["a different id", { op: "replace", value: { id: "other" } }, "mutability"],
    ["a number as a name", { op: "replace", path: "displayName", value: 7 }, "invalidValue"],
    ["a word as a boolean", { op: "replace", path: "active", value: "maybe" }, "invalidValue"],
    ["an empty user name", { op: "replace", path: "userName", value: " " }, "invalidValue"],
    ["a bidirectional character", { op: "replace", path: "title", value: "a\u202eb" }, "invalidValue"],
    ["a missing value", { op: "add", path: "title" }, "invalidValue"],
    ["an unknown operation", { op: "move", path: "title", value: "x" }, "invalidSyntax"],
  ])("%s is refused with the documented type.", (_title, operation, scimType) => {
    const valid = { op: "replace", path: "title", value: "Tour Guide" };
    expect(typeOf(patchUser(operations(valid, operation)))).toBe(scimType as never);
  });

  test("Attributes of unknown schemas and read-only attributes are ignored, and the document stays.", () => {
    const patched = patchUser(
      operations(
        { op: "add", path: "urn:example:2.0:User:shoeSize", value: "9" },
        { op: "replace", path: "groups", value: [{ value: "x" }] },
        { op: "replace", value: { meta: { version: "1" }, password: "secret", unknown: 1 } },
        { op: "replace", value: { id: USER_ID } },
        { op: "remove", path: "nickName" },
        { op: "add", path: "emails", value: [{ value: "bjensen@example.com", type: "work" }] },
      ),
    );
    expect(patched).toEqual({ ok: true, value: USER });
    expect(patched.ok && patched.value).toBe(USER);
  });

  test("A value path as a key of the value is the path of a command, and texts select booleans.", () => {
    const value = { 'emails[primary eq "True"].value': "keyed@example.com" };
    const patched = patchUser(operations({ op: "replace", value }));
    expect(patched.ok && patched.value.emails).toEqual([{ value: "keyed@example.com", type: "work", primary: true }]);
  });

  test("A new primary address ends the old one.", () => {
    const value = [{ value: "new@example.com", type: "home", primary: true }];
    const patched = patchUser(operations({ op: "add", path: "emails", value }));
    expect(patched.ok && patched.value.emails).toEqual([
      { value: "bjensen@example.com", type: "work", primary: false },
      { value: "new@example.com", type: "home", primary: true },
    ]);
  });

  test("The removal of active does not activate a user.", () => {
    const patched = patchUser(operations({ op: "remove", path: "active" }), { ...USER, active: false });
    expect(patched.ok && patched.value.active).toBe(false);
  });

  test("A record above 16 KiB and a request of more than 100 operations are refused with 413.", () => {
    const large = patchUser(operations({ op: "add", path: "title", value: "x".repeat(17_000) }));
    expect(large).toMatchObject({ ok: false, error: { status: 413 } });
    const many = Array.from({ length: 101 }, () => ({ op: "replace", path: "title", value: "x" }));
    expect(patchUser(operations(...many))).toMatchObject({ ok: false, error: { status: 413 } });
  });
});

describe("PATCH of a group", () => {
  test.each(GROUP_PATCHES.map((each) => [`${each.client}: ${each.form}`, each] as const))(
    "%s has the documented effect.",
    (_title, { body, expected }) => {
      const change = translateGroupPatch(body, GROUP_ID);
      if (!change.ok) throw new Error(change.error.detail);
      const { displayName, members } = change.value;
      const { replaces = false, added = [], removed = [] } = expected;
      expect(displayName).toBe(expected.displayName as never);
      expect({ ...members, added: [...members.added], removed: [...members.removed] }).toEqual({
        replaces,
        added: [...added],
        removed: [...removed],
      });
    },
  );

  test.each([
    [
      "a group as a member",
      { op: "add", path: "members", value: [{ type: "Group", value: MEMBER_A }] },
      "invalidValue",
    ],
    ["an id that is no UUID", { op: "add", path: "members", value: [{ value: "u1091" }] }, "invalidValue"],
    ["a different id", { op: "replace", value: { id: MEMBER_A } }, "mutability"],
    ["remove of the name", { op: "remove", path: "displayName" }, "mutability"],
    ["an unknown attribute", { op: "add", path: "shoeSize", value: 9 }, "invalidPath"],
    ["a selection by an operator other than eq", { op: "remove", path: 'members[value sw "0"]' }, "invalidPath"],
  ])("%s is refused with the documented type.", (_title, operation, scimType) => {
    const change = translateGroupPatch(operations(operation), GROUP_ID);
    expect(change).toMatchObject({ ok: false, error: { scimType } });
  });

  test("The removal of a user that the directory does not know changes nothing.", () => {
    const change = translateGroupPatch(operations({ op: "Remove", path: "members", value: [{ value: "u1091" }] }), "x");
    expect(change.ok && change.value.members).toEqual({ replaces: false, added: new Set(), removed: new Set() });
  });
});

describe("the body of POST and PUT", () => {
  test("Names in any case, text booleans, a single value of a list and a manager as text are accepted.", () => {
    const body = {
      schemas: [USER_SCHEMA, ENTERPRISE, "urn:unknown"],
      USERNAME: "bjensen",
      active: "True",
      password: "dropped",
      emails: { value: "bjensen@example.com" },
      phoneNumbers: [],
      title: null,
      shoeSize: 9,
      groups: [{ value: "ignored" }],
      [ENTERPRISE]: { manager: "26118915", costCenter: null },
    };
    expect(readUser(body, false)).toEqual({
      ok: true,
      value: {
        userName: "bjensen",
        active: true,
        emails: [{ value: "bjensen@example.com" }],
        [ENTERPRISE]: { manager: { value: "26118915" } },
      },
    });
  });

  test.each([
    ["no object", [], "invalidSyntax"],
    ["no schema", { userName: "x" }, "invalidSyntax"],
    ["a wrong type", { schemas: [USER_SCHEMA], userName: 7 }, "invalidSyntax"],
    ["an attribute twice", { schemas: [USER_SCHEMA], userName: "x", username: "y" }, "invalidSyntax"],
    ["no user name", { schemas: [USER_SCHEMA] }, "invalidValue"],
    [
      "two primary addresses",
      { schemas: [USER_SCHEMA], userName: "x", emails: [1, 2].map((each) => ({ value: `${each}`, primary: true })) },
      "invalidValue",
    ],
    [
      "65 addresses",
      {
        schemas: [USER_SCHEMA],
        userName: "x",
        emails: Array.from({ length: 65 }, (_, each) => ({ value: `${each}` })),
      },
      "invalidValue",
    ],
  ])("A body with %s is refused.", (_title, body, scimType) => {
    expect(readUser(body, true)).toMatchObject({ ok: false, error: { scimType } });
  });
});

describe("names of prototypes", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "__defineGetter__", "valueOf"];
  const pathsOf = (name: string) => [
    ...[name, `${name}.polluted`, `name.${name}`, `emails[type eq "work"].${name}`, `emails[${name} eq "x"].value`],
    ...[`${ENTERPRISE}:${name}`, `${ENTERPRISE}.${name}`, `urn:${name}:x`, `members.${name}`],
  ];

  test.each(NAMES)("%s in a path, a key or a body changes no document, group or prototype.", (name) => {
    const values = ["polluted", { polluted: true }, { [name]: { polluted: true } }];
    const list = pathsOf(name).flatMap((path) =>
      values.flatMap((value) => [
        ...["add", "replace", "remove"].map((op) => ({ op, path, value })),
        { op: "replace", value: { [path]: value } },
      ]),
    );
    for (const operation of list) {
      const patched = patchUser(operations(operation));
      if (patched.ok) expect([operation, patched.value]).toEqual([operation, USER]);
      const change = translateGroupPatch(operations(operation), GROUP_ID);
      if (change.ok) expect(Object.keys(change.value)).toEqual(["members"]);
    }
    const read = readUser({ schemas: [USER_SCHEMA], userName: "x", [name]: "polluted" }, true);
    expect(read).toEqual({ ok: true, value: { userName: "x", active: true } });
    expect(Object.keys(read.ok ? read.value : {}).sort()).toEqual(["active", "userName"]);
    expect((Object.prototype as unknown as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("arbitrary input", () => {
  const name = fc.constantFrom("userName", "emails", "name", "members", "id", "path", "value", "op", ENTERPRISE);
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, "True", "x", 7, "work", MEMBER_A),
      fc.string(),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(name, fc.string()), tie("value"), { maxKeys: 4 }),
    ),
  })).value;
  const path = fc.oneof(
    fc.string(),
    fc.constantFrom("emails", "name.givenName", 'emails[type eq "work"].value', "members", `${ENTERPRISE}:manager`),
  );
  const operation = fc.record(
    { op: fc.constantFrom("add", "Replace", "remove"), path, value: json },
    { requiredKeys: ["op"] },
  );
  const body = fc.oneof(json, fc.record({ Operations: fc.array(operation, { maxLength: 5 }) }));

  test("No body throws, and every refusal has a status and a sentence.", () => {
    const read = [
      (each: unknown) => patchUser(each),
      (each: unknown) => translateGroupPatch(each, GROUP_ID),
      (each: unknown) => readUser(each, true),
      (each: unknown) => readGroup(each),
    ];
    fc.assert(
      fc.property(body, (each) => {
        for (const attempt of read) {
          const outcome = attempt(each);
          if (!outcome.ok) expect(outcome.error.detail).toMatch(/^[A-Za-z].*\.$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
