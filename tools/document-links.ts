/** Links of the documents: every link leads to a file of the repository and to a heading of that file. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { slugOf } from "./heading-slug.ts";

export const ROOT = join(import.meta.dir, "..");

/** The documents of the site, relative to the repository. */
export function documents(): string[] {
  const inDocs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file));
  const single = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
  return [...single, "ops/README.md", "bench/README.md", "clients/js/README.md", ...inDocs.sort()];
}

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** Returns the identifiers of a document: headings, repeated headings with a number, and explicit anchors. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const [, heading = ""] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  for (const [, id = ""] of text.matchAll(/<a id="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

export interface Link {
  readonly whole: string;
  readonly isImage: boolean;
  readonly text: string;
  readonly target: string;
}

/** Returns the links within the repository; addresses of the web are left out. */
export function linksOf(text: string): Link[] {
  return [
    ...withoutCode(text)
      .replace(/`[^`\n]*`/g, (code) => " ".repeat(code.length))
      .matchAll(LINK),
  ].flatMap(([whole, mark, label = "", target = ""]) =>
    /^[a-z]+:/i.test(target) ? [] : [{ whole, isImage: mark === "!", text: label, target }],
  );
}

/** Splits a target into the path relative to the repository and the anchor. */
export function resolveLink(file: string, target: string): { readonly path: string; readonly anchor: string } {
  const [path = "", anchor = ""] = target.split("#");
  return { path: path === "" ? file : normalize(join(dirname(file), path)), anchor };
}

/** Returns a line for every link without a file or heading. */
export function brokenLinks(files: readonly string[] = documents()): string[] {
  const anchors = new Map(files.map((file) => [file, anchorsOf(readFileSync(join(ROOT, file), "utf8"))]));
  return files.flatMap((file) =>
    linksOf(readFileSync(join(ROOT, file), "utf8")).flatMap(({ target }) => {
      const { path, anchor } = resolveLink(file, target);
      const known = anchors.get(path);
      const isBroken = !existsSync(join(ROOT, path)) || (anchor !== "" && known !== undefined && !known.has(anchor));
      return isBroken ? [`${file}: ${target}`] : [];
    }),
  );
}

export const isFolder = (path: string) => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isDirectory();
