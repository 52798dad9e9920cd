import { expect, test } from "bun:test";
import { nameKey, normalizeName } from "../../src/base/display-name.ts";

test("names are trimmed, 1 to 120 characters, printable", () => {
  expect(normalizeName(" Ada ")).toBe("Ada");
  expect(normalizeName("👩‍💻")).toBe("👩‍💻");
  for (const bad of ["", "  ", "x".repeat(121), "a\nb", "a\u0000", "\u2028", "\ud800", "\u2800", "a\u2800b"])
    expect(normalizeName(bad)).toBeUndefined();
});

test("names are compared without invisible characters, in any case and width (G314)", () => {
  for (const text of ["Engin\u200Beers", "\u2060engineers", "ENGINEERS\u202E", "Ｅｎｇｉｎｅｅｒｓ"])
    expect(nameKey(text)).toBe("engineers");
  // Joiners of Persian text remain.
  expect(nameKey("نامه\u200Cای")).not.toBe(nameKey("نامهای"));
});
