/** Rules for the names of files. */
import { describe, expect, test } from "bun:test";
import { basename, extname } from "node:path";
import { cycleThrough, importGraph, merged } from "../support/import-graph.ts";

const SOURCES = ["src", "clients/js/src"];

const baseName = (file: string) => basename(file, extname(file));

describe("A page and a module of one base name", () => {
  test("hide no cycle of imports: tools that read `.ts` and `.tsx` as one unit would report a cycle.", () => {
    const graph = importGraph(SOURCES);
    const byName = Map.groupBy(graph.keys(), baseName);
    /** A page and a single module; more files of one name are several units for every tool. */
    const isPair = (name: string) => {
      const types = (byName.get(name) ?? []).map(extname).sort();
      return types.join() === ".ts,.tsx";
    };
    const units = merged(graph, (file) => (isPair(baseName(file)) ? baseName(file) : file));
    const pairs = [...byName.keys()].filter(isPair);
    expect(pairs).not.toBeEmpty();
    expect(pairs.flatMap((name) => cycleThrough(units, name)?.join(" → ") ?? [])).toEqual([]);
  });
});
