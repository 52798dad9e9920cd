/** The states and languages that the arguments of a command choose. */
import { parseArgs } from "node:util";
import { LANGUAGES, type Language } from "../../src/base/languages.ts";
import type { PageState } from "./page-state.ts";

interface Defaults {
  readonly states: readonly PageState[];
  readonly widths: readonly number[];
}

interface Choice extends Defaults {
  readonly languages: readonly Language[];
  readonly positionals: readonly string[];
}

/** `--languages=en,de`, `--widths=390,1280`, `--only=account,team`: parts of the names of states. */
export function chosenIn(args: readonly string[], { states, widths }: Defaults): Choice {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      languages: { type: "string", default: LANGUAGES.join(",") },
      widths: { type: "string", default: widths.join(",") },
      only: { type: "string", default: "" },
    },
  });
  const parts = values.only.split(",");
  return {
    languages: LANGUAGES.filter((each) => values.languages.split(",").includes(each)),
    states: states.filter(({ name }) => parts.some((part) => name.includes(part))),
    widths: values.widths.split(",").map(Number),
    positionals,
  };
}
