/** All declared actions of pages (src/pages/action.ts), read from the files that declare actions. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Action } from "../../src/pages/action.ts";

export const PAGES = join(import.meta.dir, "../../src/pages");

export interface DeclaredAction {
  /** The file with the declaration, below src/pages. */
  readonly file: string;
  /** The name by which views import the action. */
  readonly name: string;
  readonly action: Action<never, unknown>;
}

/** The source files of the pages without their texts. */
export function pageFiles(): readonly string[] {
  const files = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith("texts/") && !file.endsWith("texts.ts"));
}

export function readPage(file: string): string {
  return readFileSync(join(PAGES, file), "utf8");
}

/** The actions of every exported `…Actions`. */
export async function readActions(): Promise<readonly DeclaredAction[]> {
  const declared: DeclaredAction[] = [];
  for (const file of pageFiles()) {
    const lists = [...readPage(file).matchAll(/^export const (\w+Actions)\b/gm)].map(([, name = ""]) => name);
    const module: Readonly<Record<string, Readonly<Record<string, Action<never, unknown>>>>> =
      lists.length > 0 ? await import(join(PAGES, file)) : {};
    for (const list of lists) {
      declared.push(...Object.entries(module[list] ?? {}).map(([name, action]) => ({ file, name, action })));
    }
  }
  return declared;
}
