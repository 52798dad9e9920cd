/** Checks the text of the code base: line width, vocabulary, citations. Each test lists offenders as `file:line`. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { READING_ORDER, REFERENCE, rewriteLinks } from "../../tools/docs-site.ts";
import { anchorsOf, brokenLinks, documents } from "../../tools/document-links.ts";
import { commentsOf, countWords } from "../support/comments.ts";
import { titlesOf } from "../support/titles.ts";
import { topLevelAwaits } from "../support/top-level-awaits.ts";

const ROOT = join(import.meta.dir, "../..");
const COLUMNS_MAX = 120;
const CODE = ["src", "workers", "db", "bench", "test", "tools", "clients"];
/** This file contains the words that the tests search for. */
const THIS_FILE = "test/conventions/style.test.ts";

/** Longer text belongs below the table. */
const CELL_MAX = 300;
/** A noun in place of a pronoun names the object. */
const PRONOUNS_MAX = 5;
const PRONOUNS = new Set(
  (
    "one ones that those it its what whatever which whose whom none nothing such same other others another each both " +
    "they them"
  ).split(" "),
);

/** Returns the words of a document in lower case, without code, addresses and HTML. */
function wordsOf(markdown: string): readonly string[] {
  const prose = markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, "")
    .replace(/`[^`\n]*`|\]\([^)]*\)|<[^>]*>|https?:\/\/\S+/g, " ");
  return prose.toLowerCase().match(/[a-z]+(?:['’-][a-z]+)*/g) ?? [];
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Returns files below folders, or single files, whose names match; generated files are excluded. */
function list(paths: readonly string[], name: RegExp): string[] {
  return paths
    .flatMap((path) => {
      if (!existsSync(join(ROOT, path))) return [];
      if (name.test(path)) return [path];
      return readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" }).map((file) => join(path, file));
    })
    .filter(
      (file) =>
        name.test(file) && !/\/(?:migrations|\.work|node_modules|generated|dist)\//.test(file) && file !== THIS_FILE,
    );
}

const sources = (paths: readonly string[]) => list(paths, /\.(?:tsx?|css)$/);

function linesWhere(files: readonly string[], isOffender: (line: string) => boolean): string[] {
  return files.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, index) => (isOffender(line) ? [`${file}:${index + 1}`] : [])),
  );
}

/** Joins wrapped comments, since a citation may continue on the next line. */
function unwrapped(text: string): string {
  return text.replace(/\n[ \t]*(?:\/\/+|\*(?!\/)|#)?[ \t]*/g, " ");
}

/** Returns citations that do not resolve, with the files. `known` holds the valid citations. */
function unresolved(citation: RegExp, known: ReadonlySet<string>): string[] {
  return sources(CODE).flatMap((file) =>
    [...unwrapped(read(file)).matchAll(citation)].flatMap(([text, cited = ""]) =>
      (cited.match(/\d+(?:\.\d+)*[a-z]?/g) ?? []).every((number) => known.has(number)) ? [] : [`${file}: ${text}`],
    ),
  );
}

function numbers(file: string, row: RegExp): ReadonlySet<string> {
  return new Set([...read(file).matchAll(row)].map(([, number = ""]) => number));
}

describe("applications on pages", () => {
  /** The name that an application chose, or a mark without the identity. */
  const CHOSEN = /\b(?:client|application|decision|grant)\??\.name\b|\{\.\.\.(?:client|application)\}/;
  /** The component, and the form of the settings. */
  const EXEMPT = new Set(["src/pages/components/application.tsx", "src/pages/admin/oauth-clients/form.ts"]);

  test("only the component of the identity reads the name of an application (docs/guarantees.md, G320)", () => {
    const pages = sources(["src/pages"]).filter((file) => !EXEMPT.has(file));
    expect(linesWhere(pages, (line) => CHOSEN.test(line))).toEqual([]);
  });
});

describe("words", () => {
  /** Texts of other languages, and migrations, which are never changed. */
  const OTHERS =
    /^src\/(?:pages|providers\/mail)\/texts\/(?!en\.)|language-rules\.json$|^db\/(?:migrations|functions)\//;

  test("English has one spelling of email in code, documents, texts and messages", () => {
    const folders = [...CODE, "docs", "ops", ".ci", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
    const files = list(folders, /\.(?:tsx?|mjs|css|md|json|sql|ya?ml|sh)$/).filter((file) => !OTHERS.test(file));
    expect(linesWhere(files, (line) => /(?<![A-Za-z0-9_])[Ee][-‑]mail/.test(line))).toEqual([]);
  });
});

describe("line width", () => {
  test(`no line of code or comment exceeds ${COLUMNS_MAX} columns`, () => {
    const isWide = (line: string) => [...line].length > COLUMNS_MAX && !line.includes("biome-ignore");
    expect(linesWhere(sources(CODE), isWide)).toEqual([]);
  });
});

describe("paths", () => {
  test("no path of a file is the pathname of a URL, in which a space is %20", () => {
    const files = sources(["src", "workers", "db", "tools", "bench", "clients", "test"]);
    expect(linesWhere(files, (line) => /import\.meta\.url\)\.pathname/.test(line))).toEqual([]);
  });
});

describe("casts", () => {
  /** A cast hides a change of a type from the compiler; the bounds only sink. */
  test.each([
    [/ as never\b(?! \w)/, 9],
    [/ as unknown as /, 15],
  ] as const)("Casts %s in src stay within the bound of %i.", (cast, max) => {
    const isCode = (line: string) => cast.test(line) && !/^\s*(?:\*|\/[/*])/.test(line);
    expect(linesWhere(sources(["src"]), isCode).length).toBeLessThanOrEqual(max);
  });
});

describe("runtimes", () => {
  test("only src/base/runtime.ts knows Bun from Deno (docs/decisions/0014)", () => {
    const files = sources(["src", "workers", "db"]).filter((file) => file !== "src/base/runtime.ts");
    const known =
      /\b(?:Bun|Deno)[.([]\w|typeof (?:Bun|Deno)|["'](?:bun["':]|jsr:)|import\.meta\.(?:dir|file|main|path)\b/;
    expect(linesWhere(files, (line) => known.test(line))).toEqual([]);
  });
});

describe("the build of the suite", () => {
  test("No module of the service awaits at its top level: a build to bytecode cannot contain such a statement.", () => {
    // Workers start from their sources (src/pool/pool.ts) and are no part of the build.
    const offenders = sources(["src", "db", "clients/js/src"]).flatMap((file) => {
      const text = read(file);
      return /\bawait\b/.test(text) ? topLevelAwaits(file, text).map((line) => `${file}:${line}`) : [];
    });
    expect(offenders).toEqual([]);
    const examples = [
      "const a = [\n  await b];",
      "for await (const a of b);",
      "{ await using a = b; }",
      "if (a) await b;",
    ];
    const within = ["async () => await b;", "class A { async b() { await using c = d; } }", "for (const a of await_);"];
    expect(examples.map((text) => topLevelAwaits("a.ts", text))).toEqual([[2], [1], [1], [1]]);
    expect(within.flatMap((text) => topLevelAwaits("a.ts", text))).toEqual([]);
  });
});

describe("errors", () => {
  test("pages choose their text by code, reason and fields of a problem (docs/contract.md, section 2.6)", () => {
    const pages = sources(["src/pages"]).filter((file) => !file.includes("/islands/"));
    const byMessage = /(?:error|refusal|refused|outcome)\.message\b|(?:error|refusal|refused) === [A-Z_]{3,}/;
    expect(linesWhere(pages, (line) => byMessage.test(line))).toEqual([]);
  });
});

describe("comments and titles", () => {
  const PRONOUNS_PER_100_WORDS_MAX = 5;
  const COMMENTED = ["src", "workers", "db", "clients/js/src", "test", "bench", "tools"];

  /** Returns the direct subfolder of a file, or the folder of `COMMENTED` for a file without a subfolder. */
  function folderOf(file: string): string {
    const root = COMMENTED.find((folder) => file.startsWith(`${folder}/`)) ?? "";
    return dirname(file) === root ? root : join(root, file.slice(root.length + 1).split("/")[0] ?? "");
  }

  const files = sources(COMMENTED).filter((file) => /\.tsx?$/.test(file));
  const comments = files.flatMap((file) =>
    commentsOf(file, read(file)).map((comment) => ({ ...comment, file, folder: folderOf(file) })),
  );
  const commentsWhere = (pattern: RegExp) =>
    comments.filter(({ text }) => pattern.test(text)).map(({ file, line }) => `${file}:${line}`);

  /** The folders with more pronouns per 100 words than permitted, each with the number. */
  function withManyPronouns(texts: readonly { readonly folder: string; readonly text: string }[]): string[] {
    const counts = new Map<string, { words: number; pronouns: number }>();
    for (const { folder, text } of texts) {
      const total = counts.get(folder) ?? { words: 0, pronouns: 0 };
      const { words, pronouns } = countWords(text);
      counts.set(folder, { words: total.words + words, pronouns: total.pronouns + pronouns });
    }
    return [...counts]
      .map(([folder, { words, pronouns }]) => ({ folder, density: (100 * pronouns) / words }))
      .filter(({ density }) => density > PRONOUNS_PER_100_WORDS_MAX)
      .map(({ folder, density }) => `${folder}: ${density.toFixed(1)}`);
  }

  test(`comments of a folder have at most ${PRONOUNS_PER_100_WORDS_MAX} pronouns per 100 words`, () => {
    expect(withManyPronouns(comments)).toEqual([]);
  });

  test(`titles of the tests of a folder have at most ${PRONOUNS_PER_100_WORDS_MAX} pronouns per 100 words`, () => {
    const titles = sources(["test"])
      .filter((file) => /\.test\.tsx?$/.test(file))
      .flatMap((file) => titlesOf(file, read(file)).map((text) => ({ folder: folderOf(file), text })));
    expect(titles.length).toBeGreaterThan(4000);
    expect(withManyPronouns(titles)).toEqual([]);
  });

  test("no comment begins with Of, For or The same", () => {
    expect(commentsWhere(/^(?:Of|For|The same)\b/)).toEqual([]);
  });

  test("no comment repeats the problems that the type of a flow declares", () => {
    expect(commentsWhere(/\bRefuses with\b/)).toEqual([]);
  });
});

describe("vocabulary", () => {
  /** Former private terms with a standard replacement. */
  const FORMER_TERMS = new RegExp(
    [
      String.raw`\b(?:payer|turnstile|Entrance|Deed|Correspondent|Traveller|finishSignIn|withHashingPlace)\b`,
      String.raw`\bsame breath\b|\bthe house\b|\bhouse rule|\b(?:a|the) door\b`,
    ].join("|"),
  );
  /** Citations of documents that are not part of the repository. */
  const FORMER_CITATIONS = /\((?:decisions|contract), (?:sections?|chapters?)\b|\bpromise \d/;

  test("code and documents use no former terms", () => {
    const files = [
      ...sources(CODE),
      ...list(["docs", "README.md", "CONTRIBUTING.md", "bench", "ops", "clients"], /\.md$/),
    ];
    expect(linesWhere(files, (line) => FORMER_TERMS.test(line))).toEqual([]);
  });

  test("code cites documents of this repository", () => {
    expect(linesWhere(sources(CODE), (line) => FORMER_CITATIONS.test(line))).toEqual([]);
  });
});

describe("folders", () => {
  test("every direct subfolder of src has a README.md of one sentence that begins with Owns", () => {
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const offenders = folders
      .map(({ name }) => `src/${name}/README.md`)
      .filter((file) => !existsSync(join(ROOT, file)) || !/^Owns [^.]+\.\n$/.test(read(file)));
    expect(folders.length).toBeGreaterThan(0);
    expect(offenders).toEqual([]);
  });
});

describe("documents", () => {
  test("every named test file exists", () => {
    const offenders = list(["docs", "README.md", "CONTRIBUTING.md", "bench", "ops", "clients"], /\.md$/).flatMap(
      (file) =>
        [...read(file).matchAll(/`(test\/[\w./-]+)`/g)].flatMap(([, path = ""]) =>
          existsSync(join(ROOT, path)) ? [] : [`${file}: ${path}`],
        ),
    );
    expect(offenders).toEqual([]);
  });

  test("Every link leads to a file and a heading; the site has a page for every link of the order (G248).", () => {
    expect(brokenLinks()).toEqual([]);
    expect(anchorsOf('# A `b`, c\n## A\n## A\n<a id="d"></a>')).toEqual(new Set(["a-b-c", "a", "a-1", "d"]));
    const pages = new Set([...documents(), REFERENCE]);
    expect(
      Object.values(READING_ORDER)
        .flat()
        .filter((file) => !pages.has(file)),
    ).toEqual([]);
    const text = "[a](../README.md#b), [c](../src/main.ts), `[d](e)`";
    expect(rewriteLinks("docs/x.md", text, pages)).toBe("[a](../index.md#b), c, `[d](e)`");
  });

  test("The index and the site of the documents have equal reading orders; only the site has the reference.", () => {
    const rows = [...read("docs/README.md").matchAll(/^\| ([a-z]+) \| (\[.+\)) \|$/gm)];
    const filesOf = (links = "") => [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, file = ""]) => join("docs", file));
    const index = Object.fromEntries(rows.map(([, reader, links]) => [reader, filesOf(links)]));
    const site = Object.entries(READING_ORDER).map(([reader, files]) => [
      reader.toLowerCase(),
      files.filter((file) => file !== REFERENCE),
    ]);
    expect(index).toEqual(Object.fromEntries(site));
  });

  test("every named npm script exists", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const offenders = list(["docs", "README.md", "CONTRIBUTING.md", "bench", "ops"], /\.md$/).flatMap((file) =>
      [...read(file).matchAll(/npm run (?:-s )?([\w:-]+)/g)].flatMap(([text, name = ""]) =>
        name in scripts ? [] : [`${file}: ${text}`],
      ),
    );
    expect(offenders).toEqual([]);
  });

  const DOCUMENTS = list(
    ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "bench", "ops", "clients/js"],
    /\.md$/,
  );

  test(`no table cell exceeds ${CELL_MAX} characters`, () => {
    const hasLongCell = (line: string) =>
      /^ *\|/.test(line) && line.split(/(?<!\\)\|/).some((cell) => cell.trim().length > CELL_MAX);
    expect(linesWhere(DOCUMENTS, hasLongCell)).toEqual([]);
  });

  test(`prose has at most ${PRONOUNS_MAX} pronouns per 100 words`, () => {
    const offenders = DOCUMENTS.flatMap((file) => {
      const words = wordsOf(read(file));
      const share = (100 * words.filter((word) => PRONOUNS.has(word)).length) / Math.max(1, words.length);
      return share > PRONOUNS_MAX ? [`${file}: ${share.toFixed(1)}`] : [];
    });
    expect(offenders).toEqual([]);
  });
});

describe("citations", () => {
  test("every cited section of docs/contract.md exists", () => {
    const known = numbers("docs/contract.md", /^#{2,3} (\d+(?:\.\d+)?)\.? /gm);
    const citation = /docs\/contract\.md, (?:sections?|chapters?) (\d[\d.]*\b(?:(?:, | and |, and | to )\d[\d.]*\b)*)/g;
    expect(unresolved(citation, known)).toEqual([]);
  });

  test("docs/contract.md is cited by section", () => {
    const citation = /docs\/contract\.md(?!, (?:sections?|chapters?) \d)[^`"')\n]{0,20}/g;
    const offenders = sources(["src", "workers", "db", "bench"]).flatMap((file) =>
      [...unwrapped(read(file)).matchAll(citation)].map(([text]) => `${file}: ${text}`),
    );
    expect(offenders).toEqual([]);
  });

  test("every cited guarantee exists", () => {
    const known = numbers("docs/guarantees.md", /^\| (?:<a [^>]*><\/a>)?G(\d+[a-z]?) \|/gm);
    expect(unresolved(/\bG(\d{1,3}[a-z]?)\b/g, known)).toEqual([]);
  });

  test("every guarantee has one row", () => {
    const rows = [...read("docs/guarantees.md").matchAll(/^\| <a id="g(\w+)"/gm)].map(([, number]) => String(number));
    expect(rows.length).toBeGreaterThan(90);
    expect(rows.filter((number, index) => rows.indexOf(number) < index)).toEqual([]);
  });

  test("every cited rule of docs/architecture.md exists", () => {
    const known = numbers("docs/architecture.md", /^(?:\| )?(\d+)(?:\.| \|) /gm);
    expect(unresolved(/docs\/architecture\.md, rules? (\d+(?:(?:, | and | to )\d+)*)/g, known)).toEqual([]);
  });

  test("every cited decision exists", () => {
    const known = new Set(readdirSync(join(ROOT, "docs/decisions")).map((name) => name.slice(0, 4)));
    expect(unresolved(/docs\/decisions\/(\d{4})/g, known)).toEqual([]);
  });
});
