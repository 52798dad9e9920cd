/**
 * The only reader of the environment. `loadConfig` returns the whole configuration, or all errors. `variables.ts` lists
 * the variables, `secret-files.ts` reads secrets from files, `parsers.ts` parses one value, `checks.ts` compares
 * several, and `settings.ts` arranges the values for the application.
 */
import { type ProxySetting, readProxy } from "../base/proxy-setting.ts";
import { err, ok, type Result } from "../base/result.ts";
import { configErrors, configWarnings } from "./checks.ts";
import { readSecretFiles } from "./secret-files.ts";
import { settingsOf, telemetrySettings } from "./settings.ts";
import type { Variable } from "./variable.ts";
import { type Environment, VARIABLES, type Values } from "./variables.ts";

export type Config = ReturnType<typeof assemble>;

/** Reads and validates the whole environment. Returns all errors, a line for every error. */
export function loadConfig(given: Environment): Result<Config, readonly string[]> {
  const { environment, errors: fileErrors } = readSecretFiles(given);
  const { values, errors } = parseAll(environment);
  const proxy = proxyOf(environment);
  const allErrors = [...fileErrors, ...errors, ...proxy.errors, ...configErrors(environment, values)];
  return allErrors.length > 0 ? err(allErrors) : ok(assemble(environment, values, proxy.proxy));
}

function assemble(environment: Environment, values: Values, proxy: ProxySetting | undefined) {
  const settings = settingsOf(values, proxy);
  const warnings = configWarnings(environment, values, settings.urls.publicBaseUrl);
  return { ...settings, telemetry: telemetrySettings(environment), warnings };
}

/** The lower-case name wins, as in curl and in the runtimes. */
function proxyOf(environment: Environment): { readonly proxy?: ProxySetting; readonly errors: readonly string[] } {
  const read = (name: string) => [name.toLowerCase(), name].map((each) => environment[each]?.trim()).find(Boolean);
  const url = read("HTTPS_PROXY");
  if (!url) return { errors: [] };
  try {
    return { proxy: readProxy(url, read("NO_PROXY") ?? ""), errors: [] };
  } catch (error) {
    return { errors: [`HTTPS_PROXY: must be ${error instanceof Error ? error.message : "a URL"}`] };
  }
}

/** The errors of `loadConfig` as a single message. */
export function formatConfigErrors(errors: readonly string[]): string {
  return `The configuration is invalid:\n${errors.map((error) => `  - ${error}`).join("\n")}`;
}

function parseAll(environment: Environment): { readonly values: Values; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const parseOne = (name: string, { parse, fallback }: Variable<unknown>): unknown => {
    const text = environment[name]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      errors.push(`${name}: must be ${error instanceof Error ? error.message : "a valid value"}`);
      return fallback;
    }
  };
  const entries = Object.entries(VARIABLES).map(([name, each]) => [name, parseOne(name, each as Variable<unknown>)]);
  return { values: Object.fromEntries(entries) as Values, errors };
}
