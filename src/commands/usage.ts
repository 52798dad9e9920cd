/** Validates the command line before anything runs: citty itself ignores unknown options and surplus arguments. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { ArgsDef, CommandDef } from "citty";

// biome-ignore lint/suspicious/noExplicitAny: citty's own type for a command of any arguments.
export type AnyCommand = CommandDef<any>;

export interface FoundCommand {
  readonly command: AnyCommand;
  readonly parent: AnyCommand | undefined;
  /** The arguments after the names of the commands. */
  readonly rest: string[];
}

/** The most specific command named by the first arguments. */
export function findCommand(main: AnyCommand, args: readonly string[]): FoundCommand {
  let found: FoundCommand = { command: main, parent: undefined, rest: [...args] };
  for (;;) {
    const [name = "", ...rest] = found.rest;
    const children = subcommandsOf(found.command);
    const child = Object.hasOwn(children, name) ? children[name] : undefined;
    if (!child) return found;
    found = { command: child, parent: found.command, rest };
  }
}

/** Returns the usage error in the arguments of a command, in one sentence, or `undefined`. */
export function usageError(command: AnyCommand, rest: readonly string[]): string | undefined {
  const names = Object.keys(subcommandsOf(command));
  if (names.length > 0) {
    return rest.length === 0
      ? `A command is missing; there are ${names.join(", ")}.`
      : `There is no command ${rest[0]}; there are ${names.join(", ")}.`;
  }
  const definitions = Object.entries((command.args ?? {}) as ArgsDef);
  try {
    const { positionals, tokens } = parseArgs({ args: [...rest], options: optionsOf(definitions), ...STRICT });
    return optionError(tokens.filter((each) => each.kind === "option")) ?? positionalError(definitions, positionals);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const STRICT = { strict: true, allowPositionals: true, tokens: true } as const;

function subcommandsOf(command: AnyCommand): Record<string, AnyCommand> {
  return (command.subCommands ?? {}) as Record<string, AnyCommand>;
}

function optionsOf(definitions: readonly [string, ArgsDef[string]][]): NonNullable<ParseArgsConfig["options"]> {
  const options = definitions.filter(([, { type }]) => type !== "positional");
  return Object.fromEntries(
    options.map(([name, { type }]) => [name, { type: type === "boolean" ? "boolean" : "string" }]),
  );
}

/** citty would use the last value of a repeated option, and would ignore an empty option (from an unset variable). */
function optionError(options: readonly { readonly rawName: string; readonly value?: string | undefined }[]) {
  const empty = options.find(({ value }) => value === "");
  if (empty) return `The option ${empty.rawName} has no value.`;
  const names = options.map(({ rawName }) => rawName);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated && `The option ${repeated} is given twice.`;
}

function positionalError(
  definitions: readonly [string, ArgsDef[string]][],
  given: readonly string[],
): string | undefined {
  const expected = definitions.filter(([, { type }]) => type === "positional");
  const missing = expected.find(([, { required }], index) => required !== false && !given[index]);
  if (missing) return `The argument ${missing[0].toUpperCase()} is missing.`;
  return given.length > expected.length ? `Unexpected argument '${given[expected.length]}'.` : undefined;
}
