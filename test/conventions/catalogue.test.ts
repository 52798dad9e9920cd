import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKED_SETTINGS, SESSION_SETTINGS } from "../../src/database/server-settings.ts";
import { EMAIL_KINDS } from "../../src/models/email/email.ts";
import { Client } from "../support/client.ts";
import { deployment } from "../support/deployment.ts";

const ROOT = join(import.meta.dir, "../..");
/** A row of six cells with a section at the end, unlike the table of permissions. */
const CATALOGUE_ROW = /^\| (GET|POST|PUT|PATCH|DELETE) \| (\S+) (?:\|[^|\n]*){3}\| [\d., ]+\|$/gm;

/** Documents of the service itself, which the OpenAPI document omits. */
const DOCUMENTS = ["GET /openapi.json", "GET /docs"];

/** The rows of the catalogue (docs/contract.md, section 6), with parameters as in the OpenAPI document. */
const CATALOGUE = [...readFileSync(join(ROOT, "docs/contract.md"), "utf8").matchAll(CATALOGUE_ROW)]
  .map(([, method, path]) => `${method} ${path?.replace(/:(\w+)/g, "{$1}")}`)
  .filter((row) => !DOCUMENTS.includes(row));

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read member by member.
let document: any;
beforeAll(async () => {
  document = (await new Client((await deployment()).one.url).get("/openapi.json")).body;
});

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("the catalogue", () => {
  test("equals the mounted routes as the OpenAPI document has them", () => {
    expect(CATALOGUE.length).toBeGreaterThan(250);
    const mounted = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(mounted.sort()).toEqual([...CATALOGUE].sort());
  });

  test("has a black-box test for every endpoint", () => {
    const tests = filesOf("test/http").map(read).join("\n");
    // Tests write a path with parameters as a template string with values; the last parameter may be outside of the
    // string.
    const patternOf = (entry: string) => {
      const [, path = ""] = entry.split(" ");
      return new RegExp(path.replace(/\{\w+\}$/, "").replace(/\{\w+\}/g, String.raw`\$\{[^}]+\}`));
    };
    expect(CATALOGUE.filter((entry) => !patternOf(entry).test(tests))).toEqual([]);
  });

  test("documents every answer: a summary, an operation id of its own, the envelope for every refusal", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods as object).map((operation) => ({ ...operation, path })),
    );
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
    for (const operation of operations) {
      // RFC 6749 and RFC 7644 define the format of errors at these endpoints.
      const isScim = operation.path.includes("/scim/v2/");
      const schema = isScim ? "ScimError" : operation.path.startsWith("/oauth2/") ? "OAuthError" : "Error";
      const contentType = isScim ? "application/scim+json" : "application/json";
      expect(operation.summary).toBeString();
      for (const [status, answer] of Object.entries<{ content?: Record<string, { schema: object }> }>(
        operation.responses,
      )) {
        if (Number(status) < 400 || status === "503") continue;
        expect(answer.content?.[contentType]?.schema).toEqual({ $ref: `#/components/schemas/${schema}` });
      }
    }
  });
});

describe("the documentation", () => {
  test("names every kind of email, for authors of templates", () => {
    const operating = read("docs/operating.md");
    expect(EMAIL_KINDS.filter((kind) => !operating.includes(`| \`${kind}\``))).toEqual([]);
  });

  test("names every setting of PostgreSQL that the service sets or checks, for operators (G350)", () => {
    const operating = read("docs/operating.md");
    const names = [...SESSION_SETTINGS, ...CHECKED_SETTINGS].map(({ name }) => name);
    expect(names.filter((name) => !operating.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("rules of the code base", () => {
  test("time and randomness come in through the dependencies (docs/architecture.md, rule 1)", () => {
    const allowed = new Set(["src/base/clock.ts", "src/base/random.ts"]);
    const ambient = /\bDate\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|randomUUID|randomBytes\(/;
    const offenders = filesOf("src").filter((file) => !allowed.has(file) && ambient.test(read(file)));
    expect(offenders).toEqual([]);
  });

  test("no file of src, workers or db is longer than 300 lines, except generated types", () => {
    const written = ["src", "workers", "db"].flatMap(filesOf).filter((file) => !file.endsWith(".gen.ts"));
    const long = written.filter((file) => read(file).split("\n").length > 301);
    expect(long).toEqual([]);
  });

  test("docs/configuration.md has the facts of the code for every variable, and no further variable", async () => {
    const { VARIABLES } = await import("../../src/config/variables.ts");
    const rows = [...read("docs/configuration.md").matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (.*?) \| (.*) \|$/gm)];
    const documented = rows.map(([, name, shown, meaning]) => ({ name, shown, meaning }));
    const known = Object.entries(VARIABLES).map(([name, { displayedDefault: shown, meaning }]) => ({
      name,
      shown,
      meaning,
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name));
    expect(documented.sort(byName)).toEqual(known.sort(byName));
  });
});
