import { httpUrl, type LimitSetting, limitSetting, type Parse } from "./parsers.ts";

/** A variable: parser, default (undefined: unset), and row in docs/configuration.md. */
export interface Variable<T> {
  readonly parse: Parse<T>;
  readonly fallback: T;
  /** The default as text. */
  readonly displayedDefault: string;
  readonly meaning: string;
}

export function variable<T>(
  parse: Parse<T>,
  fallback: NoInfer<T>,
  displayedDefault: string,
  meaning: string,
): Variable<T> {
  return { parse, fallback, displayedDefault, meaning };
}

export function optional<T>(parse: Parse<T>, meaning: string): Variable<T | undefined> {
  return { parse, fallback: undefined, displayedDefault: "unset", meaning };
}

export function address(fallback: string, meaning: string): Variable<string> {
  return variable(httpUrl, fallback, fallback, meaning);
}

export function limit(count: number, seconds: number, meaning: string): Variable<LimitSetting> {
  return variable(limitSetting, { count, seconds }, `${count}/${seconds}`, meaning);
}
