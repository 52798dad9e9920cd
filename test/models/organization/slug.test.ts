import { describe, expect, test } from "bun:test";
import { isSlug, slugCandidate, suggestSlug } from "../../../src/models/organization/slug.ts";

describe("slugs", () => {
  test.each([
    ["Łódź & Söhne GmbH", "lodz-sohne-gmbh"],
    ["  --Acme--  ", "acme"],
    ["🦊", "organization"],
    ["A", "a-organization"],
    ["株式会社", "zhu-shi-hui-she"],
  ])("%p suggests %p", async (name, slug) => {
    expect(await suggestSlug(name)).toBe(slug);
  });

  test("are always valid, with every suffix, whatever the name", async () => {
    const names = ["x".repeat(120), "-".repeat(120), "é".repeat(119), "a b".repeat(40), "ß", "1", "‮"];
    for (const name of names) {
      for (let attempt = 0; attempt < 12; attempt += 1) {
        expect(isSlug(slugCandidate(await suggestSlug(name), attempt, 4_294_967_295))).toBe(true);
      }
    }
  });
});
