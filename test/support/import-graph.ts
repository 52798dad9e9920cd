/** The imports of the sources, type imports included, for the rules of test/conventions. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dir, "../..");

/** From a name to the names that it imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** The TypeScript files below folders, by their paths from the root, with the imported files that exist. */
export function importGraph(folders: readonly string[]): ImportGraph {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  return new Map(files.map((file) => [file, new Set(importsOf(file))]));
}

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), "utf8"), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => resolve(ROOT, dirname(file), fileName))
    .filter((path) => existsSync(path))
    .map((path) => relative(ROOT, path));
}

/** The graph after files became units; imports inside a unit disappear. */
export function merged(graph: ImportGraph, unitOf: (file: string) => string): ImportGraph {
  const units = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const unit = unitOf(file);
    const known = units.get(unit) ?? new Set();
    units.set(unit, known);
    for (const imported of imports) if (unitOf(imported) !== unit) known.add(unitOf(imported));
  }
  return units;
}

/** Returns the shortest path from a name back to the name, or undefined without a cycle. */
export function cycleThrough(graph: ImportGraph, start: string): readonly string[] | undefined {
  const paths: string[][] = [[start]];
  const seen = new Set<string>();
  for (const path of paths)
    for (const next of graph.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start];
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  return undefined;
}
