/**
 * The files that Bun reads into the environment, in the folder where the service starts. Bun replaces `$NAME` in every
 * value, also between quotes, and ends an unquoted value at `#`: a password would change without a message.
 */
import { readFileSync } from "node:fs";
import { readsDotEnv } from "../base/runtime.ts";
import type { Environment } from "./variables.ts";

const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/;
const REPLACED = /(?<!\\)\$[\w{$]/;
/** A `#` in a value without quotes; after white space, `#` begins a comment. */
const CUT = /^[^"'`]\S*#/;

/** A line for each value that Bun changes, without the value. */
export function dotEnvWarnings(environment: Environment, known: (name: string) => boolean): string[] {
  if (!readsDotEnv) return [];
  const mode = environment.NODE_ENV || "development";
  return [".env", `.env.${mode}`, ".env.local", `.env.${mode}.local`].flatMap((file) =>
    linesOf(file).flatMap((line) => {
      const [, name = "", value = ""] = LINE.exec(line) ?? [];
      if (!known(name)) return [];
      if (REPLACED.test(value)) return [`${file}: $ in the value of ${name} is replaced: write \\$`];
      return CUT.test(value) ? [`${file}: # ends the value of ${name}: put the value in quotation marks`] : [];
    }),
  );
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}
