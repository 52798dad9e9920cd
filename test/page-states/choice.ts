/** The states or journeys, and the languages, that the arguments of a command choose. */
import { parseArgs } from "node:util";
import { LANGUAGES, type Language } from "../../src/vocabulary/languages.ts";

interface Defaults<Named> {
  readonly named: readonly Named[];
  readonly widths: readonly number[];
}

interface Choice<Named> extends Defaults<Named> {
  readonly languages: readonly Language[];
  readonly positionals: readonly string[];
}

/** `--languages=en,de`, `--widths=390,1280`, `--only=account,team`: parts of names. */
export function chosenIn<Named extends { readonly name: string }>(
  args: readonly string[],
  { named, widths }: Defaults<Named>,
): Choice<Named> {
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
    named: named.filter(({ name }) => parts.some((part) => name.includes(part))),
    widths: values.widths.split(",").map(Number),
    positionals,
  };
}
