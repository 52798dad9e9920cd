/** Filters, lists and projections of SCIM requests (RFC 7644, sections 3.4.2 and 3.9; RFC 9865). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseCondition } from "../../../src/models/directory/protocol/condition.ts";
import { matchesEntityTag } from "../../../src/models/directory/protocol/entity-tag.ts";
import { fulfils } from "../../../src/models/directory/protocol/evaluate-condition.ts";
import { parseFilter, parseOperationPath } from "../../../src/models/directory/protocol/filter.ts";
import { makeCursor, readPaging } from "../../../src/models/directory/protocol/paging.ts";
import { project, readProjection } from "../../../src/models/directory/protocol/projection.ts";
import { GROUP_TYPE, USER_TYPE } from "../../../src/models/directory/protocol/schemas.ts";
import { ENTERPRISE, RFC_FILTERS, USER_ID } from "../../support/scim-requests.ts";

const USER = {
  id: USER_ID,
  userName: "BJensen",
  externalId: "Ab7",
  active: true,
  name: { familyName: "Jensen", givenName: "Barbara" },
  emails: [
    { value: "bjensen@example.com", type: "work", primary: true },
    { value: "babs@jensen.org", type: "home" },
  ],
  meta: { created: "2026-01-23T04:56:22Z" },
  [ENTERPRISE]: { department: "Tour Operations" },
};

function matches(filter: string): boolean | string | undefined {
  const condition = parseCondition(filter, USER_TYPE);
  return condition.ok ? fulfils(condition.value, USER) : condition.error.scimType;
}

describe("a filter", () => {
  test.each(RFC_FILTERS)("The filter of RFC 7644 is parsed: %s", (filter) => {
    expect(parseFilter(filter).ok).toBe(true);
  });

  test.each([
    ['username EQ "bjensen"', true],
    ['externalId eq "ab7"', false],
    ['externalId eq "Ab7"', true],
    ['userName eq "x" or userName eq "bjensen" and active eq false', false],
    ['(userName eq "x" or userName eq "bjensen") and active eq "True"', true],
    ['not (userName eq "x")', true],
    ['title ne "x"', true],
    ["title eq null", true],
    ["title pr", false],
    ["emails pr", true],
    ['emails.value ne "babs@jensen.org"', false],
    ['emails co "JENSEN.ORG"', true],
    ['emails[type eq "work" and value sw "babs"]', false],
    ['emails[type eq "work"].value eq "bjensen@example.com"', true],
    ['emails[type eq "home"].value ne "bjensen@example.com"', true],
    ["emails[primary eq true]", true],
    ['meta.created gt "2026-01-01T00:00:00Z"', true],
    ['meta.created lt "2026-01-01T00:00:00+02:00"', false],
    [`${ENTERPRISE}:department eq "tour operations"`, true],
    ["userName eq bjensen", true],
    ["(userName eq bjensen)", true],
    ["notes pr", "invalidFilter"],
    ["active gt true", "invalidFilter"],
    ["active eq 7", "invalidFilter"],
    ['name eq "x"', "invalidFilter"],
    ['userName[type eq "x"]', "invalidFilter"],
    ['meta.created co "2026"', "invalidFilter"],
    ['userName eq "\\ud800"', "invalidFilter"],
    ['userName eq "a\\u0000"', "invalidFilter"],
    ['userName eq "x" and', "invalidFilter"],
    ['userName eq "x', "invalidFilter"],
    ["userName foo 1", "invalidFilter"],
    ["userName eq", "invalidFilter"],
    ["", "invalidFilter"],
  ])("%s yields %p.", (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  test("Length, nesting and number of conditions are bounded.", () => {
    const outcome = (filter: string) => parseFilter(filter).ok;
    expect(outcome(`userName eq "${"x".repeat(1_985)}"`)).toBe(true);
    expect(outcome(`userName eq "${"x".repeat(1_990)}"`)).toBe(false);
    expect(outcome(`${"(".repeat(10)}title pr${")".repeat(10)}`)).toBe(true);
    expect(outcome(`${"(".repeat(11)}title pr${")".repeat(11)}`)).toBe(false);
    const joined = (count: number) => Array.from({ length: count }, () => "title pr").join(" or ");
    expect(outcome(joined(25))).toBe(true);
    expect(outcome(joined(26))).toBe(false);
  });

  test("No text throws, neither as a filter nor as a path.", () => {
    const token = fc.constantFrom(
      ...[
        "userName",
        "emails",
        "[",
        "]",
        "(",
        ")",
        " ",
        ' eq "x"',
        " pr",
        "not ",
        " and ",
        " or ",
        ".value",
        '"',
        "\\",
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(token).map((each) => each.join("")),
        ),
        (text) => {
          parseCondition(text, USER_TYPE);
          parseCondition(text, GROUP_TYPE);
          parseOperationPath(text);
          readProjection({ attributes: [text], excludedAttributes: [] }, USER_TYPE);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("a page", () => {
  const NOW = Date.parse("2026-11-23T12:00:00Z");
  const none = { startIndex: undefined, count: undefined, cursor: undefined, filter: undefined };

  test("Index and count are clamped to their bounds.", () => {
    expect(readPaging(none, NOW)).toEqual({ ok: true, value: { method: "index", startIndex: 1, count: 100 } });
    expect(readPaging({ ...none, startIndex: "-4", count: "900" }, NOW)).toEqual({
      ok: true,
      value: { method: "index", startIndex: 1, count: 200 },
    });
    expect(readPaging({ ...none, count: "-1" }, NOW)).toMatchObject({ value: { count: 0 } });
    expect(readPaging({ ...none, count: "x" }, NOW)).toMatchObject({ error: { scimType: "invalidValue" } });
  });

  test("A cursor is valid for an hour and for the filter of the first page.", () => {
    const cursor = makeCursor(USER_ID, "active eq true", NOW);
    const at = (nowMs: number, filter?: string) => readPaging({ ...none, cursor, filter }, nowMs);
    expect(at(NOW + 3_599_000, "active eq true")).toMatchObject({ value: { method: "cursor", after: USER_ID } });
    expect(at(NOW + 3_600_000, "active eq true")).toMatchObject({ error: { scimType: "expiredCursor" } });
    expect(at(NOW, "active eq false")).toMatchObject({ error: { scimType: "invalidCursor" } });
    expect(readPaging({ ...none, cursor: "" }, NOW)).toMatchObject({ value: { method: "cursor", after: null } });
    for (const invalid of ["x", "W10", Buffer.from('["1",2,3]').toString("base64url")])
      expect(readPaging({ ...none, cursor: invalid }, NOW)).toMatchObject({ error: { scimType: "invalidCursor" } });
  });
});

describe("a projection", () => {
  const projected = (attributes: readonly string[], excludedAttributes: readonly string[] = []) => {
    const projection = readProjection({ attributes, excludedAttributes }, USER_TYPE);
    return projection.ok ? project(USER, projection.value) : undefined;
  };

  test("Only the named attributes and the id are returned.", () => {
    expect(projected(["USERNAME", "name.familyName", "emails.value", `${ENTERPRISE}:department`])).toEqual({
      id: USER_ID,
      userName: "BJensen",
      name: { familyName: "Jensen" },
      emails: [{ value: "bjensen@example.com" }, { value: "babs@jensen.org" }],
      [ENTERPRISE]: { department: "Tour Operations" },
    });
    expect(projected(["unknown"])).toEqual({ id: USER_ID });
    expect(projected(['emails[type eq "work"].value'])).toMatchObject({ emails: [{}, {}] });
  });

  test("Excluded attributes are absent, except the id.", () => {
    const { emails, meta, name, ...rest } = USER;
    expect(projected([], ["emails", "meta", "id", "name.givenName"])).toEqual({
      ...rest,
      name: { familyName: "Jensen" },
    });
  });
});

test("Entity tags match in their strong, weak and bare forms.", () => {
  for (const tag of ['W/"3"', '"3"', "3", "*", 'W/"1", W/"3"'])
    expect([tag, matchesEntityTag(tag, 3)]).toEqual([tag, true]);
  for (const tag of ['W/"2"', "", '"33"']) expect([tag, matchesEntityTag(tag, 3)]).toEqual([tag, false]);
});
