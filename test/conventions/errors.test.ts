import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ERRORS_FILE, errorCatalogue } from "../../tools/error-catalogue.ts";

test("docs/errors.md is what `npm run docs:errors` generates", () => {
  expect(readFileSync(ERRORS_FILE, "utf8")).toBe(errorCatalogue());
});
