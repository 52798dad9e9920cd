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

/** The layers whose files are named by their noun. A file of the other layers is a verb of the noun of its folder. */
const NOUN_LAYERS =
  /^(?:src\/(?:actors|base|config|database|limits|models|pool|providers|state|telemetry|vocabulary)|workers)\//;

test("A noun is the base name of one file: a search by the name finds the file.", () => {
  const files = [...importGraph(["src", "workers"]).keys()].filter((file) => NOUN_LAYERS.test(file));
  expect(files.length).toBeGreaterThan(300);
  const shared = [...Map.groupBy(files, baseName).values()].filter(({ length }) => length > 1);
  expect(shared).toEqual([]);
});

test("No file has a name without a meaning of its own.", () => {
  const named = [...importGraph(["src", "workers", "clients/js/src"]).keys()].filter((file) =>
    /^(?:facts|helpers|misc|utils?)$/.test(baseName(file)),
  );
  expect(named).toEqual([]);
});
