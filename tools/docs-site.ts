/**
 * `npm run docs [-- <folder>]` renders the documents, the guides, the contract and a reference of the API to static
 * pages with search. VitePress is fetched by npm for the run. A broken link fails the run.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { openApiDocument, operationsOf } from "./client-types.ts";
import { brokenLinks, documents, isFolder, linksOf, ROOT, resolveLink } from "./document-links.ts";

const GENERATOR = "vitepress@1.6.4";
const DEFAULT_FOLDER = "dist-docs";
export const REFERENCE = "reference.md";

/** The reading order of each kind of reader; the table of docs/README.md has equal orders (style.test.ts). */
export const READING_ORDER: Readonly<Record<string, readonly string[]>> = {
  Newcomer: ["README.md", "docs/guides/README.md", "docs/guides/browser-application.md", "docs/README.md"],
  Integrator: [
    "docs/guides/sign-in-with-this-service.md",
    "docs/guides/protect-an-api.md",
    "clients/js/README.md",
    "docs/contract.md",
    REFERENCE,
    "docs/errors.md",
    "docs/guides/receiving-webhooks.md",
    "docs/guides/single-sign-on.md",
    "docs/guides/directories.md",
  ],
  Operator: [
    "ops/README.md",
    "docs/configuration.md",
    "docs/operating.md",
    "docs/runbook.md",
    "docs/upgrading.md",
    "docs/capacity.md",
    "docs/performance.md",
    "CHANGELOG.md",
  ],
  Auditor: [
    "docs/security.md",
    "docs/guarantees.md",
    "docs/guides/auditing.md",
    "docs/guides/privacy.md",
    "docs/conformance.md",
    "docs/licenses.md",
    "SECURITY.md",
  ],
  Contributor: [
    "CONTRIBUTING.md",
    "docs/testing.md",
    "docs/architecture.md",
    "docs/dependencies.md",
    "docs/pages.md",
    "bench/README.md",
  ],
};

/** A README is the first page of its folder. */
const pageOf = (file: string) => file.replace(/(^|\/)README\.md$/, "$1index.md");
const titleOf = (text: string, file: string) => /^# (.+)$/m.exec(text)?.[1] ?? file;

/** Rewrites links: READMEs become index pages, and files without a page become plain text. */
export function rewriteLinks(file: string, text: string, pages: ReadonlySet<string>): string {
  let rewritten = text;
  for (const { whole, isImage, text: label, target } of linksOf(text)) {
    if (isImage) continue;
    const { path, anchor } = resolveLink(file, target);
    const page = isFolder(path) ? join(path, "README.md") : path;
    const suffix = anchor === "" ? "" : `#${anchor}`;
    const to = relative(dirname(file), pageOf(page));
    const link = `[${label}](${to.startsWith(".") ? to : `./${to}`}${suffix})`;
    rewritten = rewritten.replaceAll(whole, pages.has(page) ? link : label);
  }
  return rewritten;
}

function writePage(folder: string, file: string, text: string): void {
  const path = join(folder, pageOf(file));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Braces of Mustache in code of a line would be templates of the site. */
const withoutTemplates = (text: string) =>
  text.replace(/`([^`\n]*\{\{[^`\n]*)`/g, (_, code: string) => {
    const escaped = code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{", "&#123;");
    return `<code v-pre>${escaped}</code>`;
  });

function copyImages(folder: string, file: string, text: string): void {
  for (const { isImage, target } of linksOf(text)) {
    if (!isImage) continue;
    const { path } = resolveLink(file, target);
    cpSync(join(ROOT, path), join(folder, path));
  }
}

/** A table of all operations by tag, from the OpenAPI document. */
export function referencePage(): string {
  const byTag = new Map<string, string[]>();
  for (const { method, path, description } of operationsOf(openApiDocument())) {
    const [tag = "Other"] = description.tags ?? [];
    const address = path.startsWith("/") ? path : `/v1/${path}`;
    const statuses = Object.keys(description.responses).join(", ");
    const row = `| \`${method} ${address}\` | ${description.summary ?? ""} | ${statuses} |`;
    byTag.set(tag, [...(byTag.get(tag) ?? []), row]);
  }
  const sections = [...byTag].map(
    ([tag, rows]) => `## ${tag}\n\n| Operation | Purpose | Statuses |\n| --- | --- | --- |\n${rows.join("\n")}\n`,
  );
  const introduction =
    "Every operation of the OpenAPI document, which a running service serves at `/openapi.json` and, with requests " +
    "to try, at `/docs`. Fields and problems: [contract](docs/contract.md).";
  return `# API reference\n\n${introduction}\n\n${sections.join("\n")}`;
}

function writeSources(folder: string): void {
  const files = documents();
  const pages = new Set([...files, REFERENCE]);
  const titles = new Map<string, string>([[REFERENCE, "API reference"]]);
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), "utf8");
    titles.set(file, titleOf(text, file));
    writePage(folder, file, withoutTemplates(rewriteLinks(file, text, pages)));
    copyImages(folder, file, text);
  }
  writePage(folder, REFERENCE, referencePage());
  const item = (file: string) => ({ text: titles.get(file), link: `/${pageOf(file).replace(/(?:index)?\.md$/, "")}` });
  const ordered = new Set(Object.values(READING_ORDER).flat());
  const decisions = files.filter((file) => file.startsWith("docs/decisions/"));
  const others = files.filter((file) => !ordered.has(file) && !decisions.includes(file));
  const groups = { ...READING_ORDER, Further: others, Decisions: decisions };
  const sidebar = Object.entries(groups).map(([text, items]) => ({
    text,
    collapsed: !(text in READING_ORDER),
    items: items.map(item),
  }));
  writeConfiguration(folder, sidebar);
}

function writeConfiguration(folder: string, sidebar: unknown): void {
  mkdirSync(join(folder, ".vitepress"), { recursive: true });
  writeFileSync(
    join(folder, ".vitepress/config.mts"),
    `import { slugOf } from ${JSON.stringify(join(ROOT, "tools/heading-slug.ts"))};
export default {
  title: "Identity and access service",
  cleanUrls: false,
  lastUpdated: false,
  ignoreDeadLinks: "localhostLinks",
  markdown: { anchor: { slugify: slugOf } },
  themeConfig: { search: { provider: "local" }, outline: [2, 3], sidebar: ${JSON.stringify(sidebar)} },
};
`,
  );
}

/** Renders the site into a folder. */
export function renderSite(target: string): void {
  const broken = brokenLinks();
  if (broken.length > 0) throw new Error(`broken links:\n${broken.join("\n")}`);
  const generator = join(tmpdir(), `identity-service-${GENERATOR.replace("@", "-")}`);
  if (!existsSync(join(generator, "node_modules/vitepress"))) {
    mkdirSync(generator, { recursive: true });
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
    execFileSync("npm", ["install", ...quiet, "--prefix", generator, GENERATOR], { stdio: "inherit" });
  }
  const sources = mkdtempSync(join(tmpdir(), "identity-docs-"));
  try {
    writeSources(sources);
    symlinkSync(join(generator, "node_modules"), join(sources, "node_modules"));
    const command = join(generator, "node_modules/vitepress/bin/vitepress.js");
    execFileSync("node", [command, "build", sources, "--outDir", target], { stdio: "inherit" });
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const target = resolve(process.argv[2] ?? join(ROOT, DEFAULT_FOLDER));
  renderSite(target);
  console.log(`The site is in ${target}: npx serve ${target}`);
}
