/**
 * `TEST_ALLOW_MISSING=1 npm test` leaves out the files of the suite that start a program that this machine lacks, and
 * reports each by name (program-graph.ts).
 */
import { readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import { missingPrograms } from "./packages.ts";
import { programsOfTest } from "./program-graph.ts";

const ROOT = join(import.meta.dir, "../..");
const FILTER_BY_TITLE = new Set(["-t", "--test-name-pattern"]);

export interface RunnableSuite {
  readonly files: readonly string[];
  /** The files left out, with the programs that the machine lacks. */
  readonly notRun: ReadonlyMap<string, readonly string[]>;
}

/** Splits the suite by the programs that a machine lacks. */
export function suiteWithout(missing: ReadonlySet<string>): RunnableSuite {
  const lacking = (file: string) => [...programsOfTest(join(ROOT, file))].filter((program) => missing.has(program));
  const all = suiteFiles();
  const notRun = new Map(all.map((file) => [file, lacking(file)] as const).filter(([, lacked]) => lacked.length > 0));
  return { files: all.filter((file) => !notRun.has(file)), notRun };
}

function suiteFiles(): string[] {
  return readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .sort();
}

/**
 * Replaces the files in the arguments of `bun test` by the files that this machine can run; without files the whole
 * suite. Prints a line for each missing program and each file left out. Returns undefined if no file remains.
 */
export function runnableArguments(args: readonly string[]): readonly string[] | undefined {
  const missing = missingPrograms();
  const suite = suiteWithout(new Set(missing.keys()));
  const { options, files, others } = splitArguments(args, [...suite.files, ...suite.notRun.keys()]);
  for (const purpose of missing.values()) console.log(`Missing: ${purpose}.`);
  for (const [file, programs] of suite.notRun)
    if (files.has(file)) console.log(`Not run: ${file} (${programs.join(", ")}).`);
  const runnable = [...suite.files.filter((file) => files.has(file)), ...others];
  return runnable.length === 0 ? undefined : [...options, ...runnable];
}

/** Separates options from the files of the suite; as for `bun test`, an argument names the files with the text. */
function splitArguments(args: readonly string[], all: readonly string[]) {
  const isOption = (arg: string, index: number) => arg.startsWith("-") || FILTER_BY_TITLE.has(args[index - 1] ?? "");
  const options = args.filter(isOption);
  const texts = args.filter((arg, index) => !isOption(arg, index)).map(normalize);
  const named = texts.length === 0 ? all : all.filter((file) => texts.some((text) => file.includes(text)));
  // A file outside of the suite, such as the tests of a command of their own, is not judged.
  const others = texts.filter((text) => !all.some((file) => file.includes(text))).map((text) => `./${text}`);
  return { options, files: new Set(named), others };
}
