import { expect, test } from "bun:test";
import { normalizeName } from "../../src/base/display-name.ts";

test("names are trimmed, 1 to 120 characters, printable", () => {
  expect(normalizeName(" Ada ")).toBe("Ada");
  expect(normalizeName("👩‍💻")).toBe("👩‍💻");
  for (const bad of ["", "  ", "x".repeat(121), "a\nb", "a\u0000", "\u2028", "\ud800"])
    expect(normalizeName(bad)).toBeUndefined();
});
