/** The code of docs/guides: blocks whose first line names a file, as ```js file=api.mjs does. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const GUIDES = join(import.meta.dir, "../../docs/guides");
const BLOCK = /^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm;

/** The files of a guide, such as `protect-an-api`, by path. */
export function guideFiles(guide: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(GUIDES, `${guide}.md`), "utf8");
  return new Map([...text.matchAll(BLOCK)].map(([, path = "", code = ""]) => [path, code]));
}

/** A block without a file, by the first line: `sh apply` is the first line of ```sh apply. */
export function guideBlock(guide: string, info: string): string {
  const text = readFileSync(join(GUIDES, `${guide}.md`), "utf8");
  const block = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/guides/${guide}.md has no block of ${info}`);
  return block;
}

/** The shell scripts of a guide, with a file or a name. */
export function guideScripts(guide: string): string[] {
  const text = readFileSync(join(GUIDES, `${guide}.md`), "utf8");
  return [...text.matchAll(/^```sh \S.*\n([\s\S]*?)^```$/gm)].map(([, script = ""]) => script);
}

export function guideNames(): string[] {
  const files = readdirSync(GUIDES).filter((name) => name !== "README.md" && name.endsWith(".md"));
  return files.map((name) => name.slice(0, -".md".length));
}

/** Writes the files of a guide below a folder. */
export function writeGuide(guide: string, folder: string): void {
  for (const [path, code] of guideFiles(guide)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}
