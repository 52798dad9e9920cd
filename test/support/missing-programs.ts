/**
 * `TEST_ALLOW_MISSING=1 npm test` leaves out the files of the suite that start a program that this machine lacks, and
 * reports each by name. A file starts a program if the file, or a module that the file imports, calls `findProgram`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { missingPrograms, PROGRAMS, type Program } from "./packages.ts";

const ROOT = join(import.meta.dir, "../..");
/** In a file without JSX, `<T>` begins type parameters. */
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

export interface RunnableSuite {
  readonly files: readonly string[];
  /** The files left out, with the programs that the machine lacks. */
  readonly notRun: ReadonlyMap<string, readonly Program[]>;
}

/** Splits the suite by the programs that a machine lacks. */
export function suiteWithout(missing: ReadonlySet<Program>): RunnableSuite {
  const all = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .sort();
  const cache = new Map<string, ReadonlySet<Program>>();
  const lacking = (file: string) => [...programsOf(join(ROOT, file), cache)].filter((program) => missing.has(program));
  const notRun = new Map(all.map((file) => [file, lacking(file)] as const).filter(([, lacked]) => lacked.length > 0));
  return { files: all.filter((file) => !notRun.has(file)), notRun };
}

/** Returns the programs that a module and its imports start. A cycle of imports ends at the first repetition. */
function programsOf(file: string, cache: Map<string, ReadonlySet<Program>>): ReadonlySet<Program> {
  const known = cache.get(file);
  if (known) return known;
  const programs = new Set<Program>();
  cache.set(file, programs);
  const text = readFileSync(file, "utf8");
  for (const [, name] of text.matchAll(/\bfindProgram\("(\w+)"\)/g)) programs.add(name as Program);
  const transpiler = file.endsWith("x") ? transpilers.tsx : transpilers.ts;
  for (const { path } of transpiler.scanImports(text)) {
    const imported = join(dirname(file), path);
    if (!path.startsWith(".") || !/\.tsx?$/.test(path) || !existsSync(imported)) continue;
    if (relative(join(ROOT, "test"), imported).startsWith("..")) continue;
    for (const program of programsOf(imported, cache)) programs.add(program);
  }
  return programs;
}

/** Returns the files that this machine can run, and prints a line for each missing program and each file left out. */
export function runnableFiles(): readonly string[] {
  const missing = missingPrograms();
  const { files, notRun } = suiteWithout(missing);
  for (const program of missing) console.log(`Missing: ${PROGRAMS[program].purpose}.`);
  for (const [file, programs] of notRun) console.log(`Not run: ${file} (${programs.join(", ")}).`);
  return files;
}
