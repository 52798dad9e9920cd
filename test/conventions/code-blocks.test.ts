/**
 * Blocks of code in the documents (G270): a block in a language with programs is run by the named test, or has the mark
 * `example`. The mark is for commands of foreign systems (psql, kubectl, Docker) and of a browser.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFetchedPackage } from "../../clients/demo/fetched-packages.ts";
import { documents } from "../../tools/document-links.ts";
import { type Block, blocksOf } from "../support/document-blocks.ts";

const ROOT = join(import.meta.dir, "../..");
/** Languages of programs, queries and configurations; the remaining languages describe data. */
const RUNNABLE = new Set(["apache", "conf", "go", "html", "js", "nginx", "python", "sh", "sql", "ts"]);
const OWN_PACKAGE = "identity-service-client";

/** The tests that run the blocks of a document. A guide without an entry has a test that names the guide. */
const RUN_BY: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["test/empty-machine/run.ts", "test/guides/documents.test.ts"],
  "clients/js/README.md": ["test/clients/guides.test.ts"],
  "docs/contract.md": ["test/guides/documents.test.ts", "test/guides/auditing.test.ts"],
  "docs/runbook.md": ["test/guides/documents.test.ts"],
  "docs/upgrading.md": ["test/guides/documents.test.ts"],
  "docs/guides/browser-application.md": ["test/clients/matrix.ts"],
  "docs/guides/README.md": ["test/guides/auditing.test.ts", "test/guides/documents.test.ts"],
  "ops/README.md": ["test/image/engine.ts", "test/kit/compose.ts"],
};

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const testFiles = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("conventions/"))
  .map((file) => join("test", file));

/** Returns the tests that run the blocks of a document: the listed tests, or the tests that name the guide. */
function runnersOf(document: string): readonly string[] {
  const named = RUN_BY[document];
  if (named || !document.startsWith("docs/guides/")) return named ?? [];
  const guide = document.replace(/^docs\/guides\/|\.md$/g, "");
  return testFiles.filter((file) => new RegExp(`["/]${guide}(?:\\.md)?["\`]`).test(read(file)));
}

const claims = documents().flatMap((document) =>
  blocksOf(document)
    .filter(({ language, name }) => RUNNABLE.has(language) && name !== "example")
    .map((block) => ({ document, ...block })),
);

const isInstallation = ({ name }: Block) => name === "install";

describe("code blocks", () => {
  test("A test runs every block except examples.", () => {
    const offenders = claims
      .filter((block) => !isInstallation(block))
      .filter(({ document, language, name }) => {
        const texts = runnersOf(document).map(read);
        const isNamed = name === "" || name.startsWith("file=");
        const words = [`${language} ${name}`, `"${name}"`];
        return texts.length === 0 || (!isNamed && !texts.some((text) => words.some((word) => text.includes(word))));
      })
      .map(({ document, line, language, name }) => `${document}:${line} ${language} ${name}`);
    expect(offenders).toEqual([]);
  });

  test("The test finds blocks of every kind.", () => {
    expect(claims.length).toBeGreaterThan(60);
    expect(new Set(claims.map(({ language }) => language))).toEqual(RUNNABLE);
    expect(runnersOf("docs/guides/reverse-proxy.md")).toContain("test/guides/reverse-proxy.ts");
  });

  test("Installations name packages in the versions of the tests, or Debian packages that a test installs.", () => {
    const lines = claims.filter(isInstallation).flatMap(({ document, code }) =>
      code
        .trim()
        .split("\n")
        .map((command) => ({ document, command })),
    );
    const offenders = lines.filter(({ document, command }) => {
      const [, program, packages = ""] = /^(npm|apt-get) install (.+)$/.exec(command) ?? [];
      const names = packages.split(" ");
      if (program === "npm") return names.some((name) => name !== OWN_PACKAGE && !isFetchedPackage(name));
      return program !== undefined && runnersOf(document).length === 0;
    });
    expect(lines.length).toBeGreaterThan(5);
    expect(offenders).toEqual([]);
  });
});
