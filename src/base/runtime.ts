/**
 * The only file that knows which runtime executes it, Bun or Deno (docs/decisions/0014-two-runtimes.md). All other
 * code uses what both have: the web's interfaces and Node's modules.
 */
import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { basename, dirname, join } from "node:path";

/** The part of Deno that this file uses. Absent on Bun. */
interface DenoRuntime {
  readonly version: { readonly deno: string };
  dlopen(
    library: string,
    symbols: { readonly setrlimit: { readonly parameters: readonly ["i32", "buffer"]; readonly result: "i32" } },
  ): { readonly symbols: { setrlimit(resource: number, limits: BigUint64Array): number } };
}

const deno = (globalThis as { Deno?: DenoRuntime }).Deno;

/** As in the script `start:deno` of package.json. */
const DENO_OPTIONS = ["--allow-all", "--no-prompt", "--quiet"];

/** For the log. */
export const runtimeName = deno ? `Deno ${deno.version.deno}` : `Bun ${Bun.version}`;

/** Whether Elysia brings a server for this runtime. */
export const hasElysiaServer = deno === undefined;

/** The command that runs a source file of this project in a process of its own. */
export function commandOf(file: string, ...args: string[]): [program: string, ...args: string[]] {
  return deno ? [process.execPath, "run", ...DENO_OPTIONS, file, ...args] : [process.execPath, file, ...args];
}

/** For a process that gets nothing of this one's environment: no crash report, no check for updates. */
export const BARE_RUNTIME_ENVIRONMENT: Readonly<Record<string, string>> = {
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  BUN_ENABLE_CRASH_REPORTING: "0",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
};

/**
 * Bundles scripts for browsers, one per entry point. On Deno, whose bundler downloads another program, types are
 * removed and imported modules are placed before what imports them: `islands` import by name, and rename nothing.
 */
export async function bundleForBrowsers(entryPoints: readonly string[]): Promise<{ name: string; bytes: Buffer }[]> {
  if (!deno) return await bundleOnBun(entryPoints);
  const named = entryPoints.map(async (file) => {
    const statements = await inlineModules(file, new Set());
    return { name: basename(file, ".ts"), bytes: Buffer.from(statements) };
  });
  return await Promise.all(named);
}

async function bundleOnBun(entrypoints: readonly string[]): Promise<{ name: string; bytes: Buffer }[]> {
  const options = { target: "browser", format: "esm", minify: true, naming: "[name].js" } as const;
  const { outputs } = await Bun.build({ entrypoints: [...entrypoints], ...options });
  const named = outputs.map(async (output) => {
    return { name: basename(output.path, ".js"), bytes: Buffer.from(await output.arrayBuffer()) };
  });
  return await Promise.all(named);
}

const IMPORT = /^import \{[\w\s,]+\} from "(\.\/[\w-]+\.ts)";\n/gm;
const EXPORT = /^export (?:\{\};$|(?=(?:async )?function |const |let |class ))/gm;

/** Each module once: they share one scope. Throws for an import or export that is not of the form above. */
async function inlineModules(file: string, placed: Set<string>): Promise<string> {
  if (placed.has(file)) return "";
  placed.add(file);
  const source = nodeModule.stripTypeScriptTypes(await readFile(file, "utf8"), { mode: "strip" });
  let imported = "";
  for (const [, specifier = ""] of source.matchAll(IMPORT)) {
    imported += await inlineModules(join(dirname(file), specifier), placed);
  }
  const own = source.replace(IMPORT, "").replace(EXPORT, "");
  if (/^(?:import|export)\b/m.test(own)) throw new Error(`${file}: an import or export that Deno cannot inline`);
  return imported + own;
}

/** setrlimit(2), of which no runtime has a binding. Throws where the C library cannot be loaded. */
export async function openSetrlimit(): Promise<(resource: number, value: number) => void> {
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  const limitsOf = (value: number) => new BigUint64Array([BigInt(value), BigInt(value)]);
  if (deno) {
    const { symbols } = deno.dlopen(library, { setrlimit: { parameters: ["i32", "buffer"], result: "i32" } });
    return (resource, value) => void symbols.setrlimit(resource, limitsOf(value));
  }
  const { dlopen, ptr } = await import("bun:ffi");
  const { symbols } = dlopen(library, { setrlimit: { args: ["i32", "ptr"], returns: "i32" } });
  return (resource, value) => void symbols.setrlimit(resource, ptr(limitsOf(value)));
}
