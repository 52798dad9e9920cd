/** PATCH of users and groups: the forms of directory products, RFC 7644, and arbitrary input. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { applyCommands } from "../../../src/models/directory/protocol/apply-commands.ts";
import { readGroup, translateGroupPatch } from "../../../src/models/directory/protocol/group-document.ts";
import { Omissions } from "../../../src/models/directory/protocol/omissions.ts";
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
    ["remove of the id", { op: "remove", path: "id" }, "mutability"],
    ["a path to the groups", { op: "replace", path: "groups", value: [{ value: "x" }] }, "mutability"],
    ["a path to one of the groups", { op: "remove", path: 'groups[value eq "x"]' }, "mutability"],
    ["a path to metadata", { op: "add", path: "meta.created", value: "2026-01-01T00:00:00Z" }, "mutability"],
    [
      "a path to the name of the manager",
      { op: "replace", path: `${ENTERPRISE}:manager.displayName`, value: "Ada" },
      "mutability",
    ],
    [
      "a sub-attribute of an email that does not exist",
      { op: "replace", path: 'emails[value eq "nobody@example.com"].type', value: "home" },
      "noTarget",
    ],
    [
      "an email that does not exist, selected by value and type",
      { op: "add", path: 'emails[type eq "home" and value eq "nobody@example.com"].display', value: "x" },
      "noTarget",
    ],
    ["text as an address", { op: "add", path: "addresses", value: ["Berlin"] }, "invalidValue"],
    ["text as a name", { op: "replace", value: { name: "Ada" } }, "invalidValue"],
    ["an object as a name", { op: "replace", path: "displayName", value: { a: 1 } }, "invalidValue"],
    ["a word as a boolean", { op: "replace", path: "active", value: "maybe" }, "invalidValue"],
    ["an empty user name", { op: "replace", path: "userName", value: " " }, "invalidValue"],
    ["a direction character in an address", { op: "replace", path: "emails", value: "a\u202e@b" }, "invalidValue"],
    ["a control character in a user name", { op: "replace", path: "userName", value: "a\u0001b" }, "invalidValue"],
    ["a missing value", { op: "add", path: "title" }, "invalidValue"],
    ["an unknown operation", { op: "move", path: "title", value: "x" }, "invalidSyntax"],
  ])("%s is refused with the documented type.", (_title, operation, scimType) => {
    const valid = { op: "replace", path: "title", value: "Tour Guide" };
    expect(typeOf(patchUser(operations(valid, operation)))).toBe(scimType as never);
  });

  test("Attributes of unknown schemas, and read-only members of a value without path, are ignored.", () => {
    const patched = patchUser(
      operations(
        { op: "add", path: "urn:example:2.0:User:shoeSize", value: "9" },
        { op: "add", path: "schemas", value: [ENTERPRISE] },
        { op: "replace", value: { groups: [{ value: "x" }], schemas: [USER_SCHEMA] } },
        { op: "replace", value: { meta: { version: "1" }, password: "secret", unknown: 1 } },
        { op: "replace", value: { id: USER_ID } },
        { op: "remove", path: "nickName" },
        { op: "add", path: "emails", value: [{ value: "bjensen@example.com", type: "work" }] },
      ),
    );
    expect(patched).toEqual({ ok: true, value: USER });
    expect(patched.ok && patched.value).toBe(USER);
  });

  test.each([
    ["text as addresses", { op: "replace", path: "addresses", value: "x" }],
    ["a read-only attribute", { op: "replace", path: "groups", value: [] }],
    ["an unknown attribute", { op: "replace", path: "shoeSize", value: "9" }],
    ["an object as a member", { op: "replace", value: { title: { a: 1 } } }],
  ])("%s beside active: false leaves the document inactive, and otherwise unchanged.", (_title, operation) => {
    const patched = patchUser(operations(operation, { op: "Replace", path: "active", value: "False" }));
    expect(patched).toEqual({ ok: true, value: { ...USER, active: false } });
  });

  test("An emptied value, sub-attribute or list is absent, and the remaining sub-attributes stay.", () => {
    const name = { givenName: "Barbara", familyName: "Jensen" };
    const manager = { manager: { value: "26118915" } };
    const document = { ...USER, name, title: "Guide", nickName: "Babs", [ENTERPRISE]: manager };
    const patched = patchUser(
      operations(
        { op: "replace", value: { title: "", nickName: " ", name: { givenName: null } } },
        { op: "replace", path: `${ENTERPRISE}:manager.value`, value: "" },
        { op: "replace", path: 'emails[type eq "work"].display', value: "" },
        { op: "add", path: "phoneNumbers", value: [{}, null, { value: "", type: "" }] },
        { op: "replace", path: "roles", value: [""] },
      ),
      document,
    );
    expect(patched).toEqual({ ok: true, value: { ...USER, name: { familyName: "Jensen" } } });
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
    ["an id that is no UUID", { op: "add", path: "members", value: [{ value: "u1091" }] }, "invalidValue"],
    ["a different id", { op: "replace", value: { id: MEMBER_A } }, "mutability"],
    ["remove of the id", { op: "remove", path: "id" }, "mutability"],
    ["a path to metadata", { op: "replace", path: "meta.created", value: "2026-01-01T00:00:00Z" }, "mutability"],
    ["remove of the name", { op: "remove", path: "displayName" }, "mutability"],
    ["an unknown attribute", { op: "add", path: "shoeSize", value: 9 }, "invalidPath"],
    ["a selection by an operator other than eq", { op: "remove", path: 'members[value sw "0"]' }, "invalidPath"],
  ])("%s is refused with the documented type.", (_title, operation, scimType) => {
    const change = translateGroupPatch(operations(operation), GROUP_ID);
    expect(change).toMatchObject({ ok: false, error: { scimType } });
  });

  test.each([{}, { value: 4711 }, null])(
    "The removal of members with one that is unreadable is refused: %p.",
    (member) => {
      const value = [{ value: MEMBER_A }, member];
      const removal = translateGroupPatch(operations({ op: "Remove", path: "members", value }), GROUP_ID);
      expect(removal).toMatchObject({ ok: false, error: { scimType: "invalidValue" } });
      expect(translateGroupPatch(operations({ op: "Add", path: "members", value }), GROUP_ID).ok).toBe(true);
    },
  );

  test("The removal of a user unknown to the directory changes nothing.", () => {
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
    expect(readUser(body)).toEqual({
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
    ["a wrong type", { schemas: [USER_SCHEMA], userName: {} }, "invalidSyntax"],
    ["text as an address", { schemas: [USER_SCHEMA], userName: "x", addresses: ["x"] }, "invalidSyntax"],
    ["an attribute twice", { schemas: [USER_SCHEMA], userName: "x", username: "y" }, "invalidSyntax"],
    ["no user name", { schemas: [USER_SCHEMA] }, "invalidValue"],
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
    expect(readUser(body)).toMatchObject({ ok: false, error: { scimType } });
  });
});

test("A body with active: false deactivates, without optional attributes whose values are invalid.", () => {
  const body = { schemas: [USER_SCHEMA], userName: "x", active: false, addresses: "x", title: "Guide" };
  expect(readUser(body)).toEqual({ ok: true, value: { userName: "x", active: false, title: "Guide" } });
  expect(readUser({ ...body, userName: {} }).ok).toBe(false);
  expect(readUser({ ...body, userName: {} }, USER)).toEqual({ ok: true, value: { ...USER, active: false } });
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
    const read = readUser({ schemas: [USER_SCHEMA], userName: "x", [name]: "polluted" });
    expect(read).toEqual({ ok: true, value: { userName: "x", active: true } });
    expect(Object.keys(read.ok ? read.value : {}).sort()).toEqual(["active", "userName"]);
    expect((Object.prototype as unknown as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("odd but legal users (G393)", () => {
  const space = fc.constantFrom("", " ", "\r\n", "\t", "\u200e");
  const text = fc.tuple(space, fc.constantFrom("Ada", "7", "Zoë"), space).map((parts) => parts.join(""));
  const odd = fc.oneof(text, fc.integer({ min: 0, max: 9 }), fc.constantFrom(null, "", " ", [], {}, [1, 2]));
  const values = fc.oneof(odd, fc.array(fc.record({ value: odd, type: text }), { maxLength: 3 }));
  const fields = fc.record(
    { title: odd, DisplayName: odd, emails: values, phoneNumbers: values, addresses: values, active: odd },
    { requiredKeys: [] },
  );

  test("are accepted and what was left out is named, or the problem names the attribute.", () => {
    fc.assert(
      fc.property(fields, (given) => {
        const omissions = new Omissions();
        const read = readUser({ schemas: USER_SCHEMA, userName: " ada ", ...given }, undefined, omissions);
        if (!read.ok)
          return /title|displayName|emails|phoneNumbers|addresses|active|value|type/.test(read.error.detail);
        const stored = JSON.stringify(read.value);
        return read.value.userName === "ada" && !/[\p{Cc}\u200e]|\\[nrt]|"\s|\s"/u.test(stored);
      }),
      { numRuns: 500 },
    );
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

  test("No body throws, every refusal has a sentence, and no PATCH leaves an empty value (G352).", () => {
    const read = [
      (each: unknown) => patchUser(each),
      (each: unknown) => translateGroupPatch(each, GROUP_ID),
      (each: unknown) => readUser(each),
      (each: unknown) => readGroup(each),
    ];
    fc.assert(
      fc.property(body, (each) => {
        const patched = patchUser(each);
        if (patched.ok) expect(JSON.stringify(patched.value)).not.toMatch(/:(?:""|null|\[\]|\{\})|\[null/);
        for (const attempt of read) {
          const outcome = attempt(each);
          if (!outcome.ok) expect(outcome.error.detail).toMatch(/^[A-Za-z].*\.$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
