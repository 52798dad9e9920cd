import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOrMakeSecret } from "../../src/base/secret-file.ts";

const SECRET = "a secret of at least thirty-two bytes";
let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "identity-secret-"));
  file = join(directory, "secret");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a secret is made once, for the owner of the file alone, and no further file is left", () => {
  expect(readOrMakeSecret(file, 32, () => SECRET)).toBe(SECRET);
  expect(readOrMakeSecret(file, 32, () => "another secret of thirty-two bytes")).toBe(SECRET);
  expect(readdirSync(directory)).toEqual(["secret"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(["", "\n", SECRET.slice(0, 31)])("a file that was cut short is no secret: %j", (left) => {
  writeFileSync(file, left);
  expect(() => readOrMakeSecret(file, 32, () => SECRET)).toThrow("holds no secret of 32 bytes");
});
