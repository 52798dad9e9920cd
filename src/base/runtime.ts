/**
 * The only file that knows which runtime executes the code, Bun or Deno (docs/decisions/0014-two-runtimes.md). All
 * other code uses features common to Bun and Deno: the web's interfaces and Node's modules.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The part of Deno that this file uses. Absent on Bun. */
interface DenoRuntime {
  readonly version: { readonly deno: string };
  dlopen(library: string, symbols: object): { readonly symbols: object };
}

const deno = (globalThis as { Deno?: DenoRuntime }).Deno;

/** As in the script `start:deno` of package.json. */
const DENO_OPTIONS = ["--allow-all", "--no-prompt", "--quiet"];

/** Name and version for the log. */
export const runtimeName = deno ? `Deno ${deno.version.deno}` : `Bun ${Bun.version}`;

/** Whether Elysia brings a server for this runtime. */
export const hasElysiaServer = deno === undefined;

/** Whether the runtime reads the files `.env` into the environment. */
export const readsDotEnv = deno === undefined;

/**
 * Trusts the authorities of NODE_EXTRA_CA_CERTS in all TLS connections. Deno 2.9 applies the variable to `node:https`
 * only, not to the connections of webhooks, PostgreSQL, Redis and SMTP by `tls.connect`.
 */
export async function trustExtraAuthorities(): Promise<void> {
  if (!deno) return;
  const tls = await import("node:tls");
  if (tls.getCACertificates("extra").length > 0) tls.setDefaultCACertificates(tls.getCACertificates("default"));
}

/** The command that runs a source file of this project in a separate process. */
export function commandOf(file: string, ...args: string[]): [program: string, ...args: string[]] {
  return deno ? [process.execPath, "run", ...DENO_OPTIONS, file, ...args] : [process.execPath, file, ...args];
}

/**
 * Collects the garbage of the calling thread, which waits. Bun's own collection of a busy thread runs so late on a busy
 * machine that buffers of a stream take 100 MiB. Deno collects buffers by their size.
 */
export function collectGarbage(): void {
  if (!deno) Bun.gc(true);
}

/** By `require`: a build to bytecode cannot contain statements with `await`, and Deno has no such module. */
const engine: typeof import("bun:jsc") | undefined = deno
  ? undefined
  : nodeModule.createRequire(import.meta.url)("bun:jsc");

/**
 * Collects the objects of the calling thread that no collection has seen before. The thread waits for about a
 * millisecond; a whole collection takes tens. Seen objects stay until the runtime's own whole collection.
 */
export function collectYoungGarbage(): void {
  engine?.edenGC();
}

/** The environment of a process that gets no variables of this process: no crash report, no check for updates. */
export const BARE_RUNTIME_ENVIRONMENT: Readonly<Record<string, string>> = {
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  BUN_ENABLE_CRASH_REPORTING: "0",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
};

/** A script as delivered to browsers. An entry point imports further scripts from the folder of the entry point. */
export interface BrowserScript {
  /** `name.js` for an entry point `name.ts`; further scripts have a name with a hash of the content. */
  readonly file: string;
  readonly isEntryPoint: boolean;
  readonly bytes: Buffer;
}

/**
 * The scripts of the entry points and of all imports. On Bun, code that several entry points import is bundled once. On
 * Deno, whose bundler downloads another program, every module is a script without the types.
 */
export async function bundleForBrowsers(entryPoints: readonly string[]): Promise<BrowserScript[]> {
  if (!deno) return await bundleOnBun(entryPoints);
  const scripts = new Map<string, BrowserScript>();
  for (const file of entryPoints) await addModule(file, scripts, []);
  return [...scripts.values()];
}

async function bundleOnBun(entrypoints: readonly string[]): Promise<BrowserScript[]> {
  const options = { target: "browser", format: "esm", minify: true, splitting: true } as const;
  const naming = { entry: "[name].js", chunk: "shared-[hash].js" };
  const { outputs } = await Bun.build({ entrypoints: [...entrypoints], ...options, naming });
  const built = await Promise.all(
    outputs.map(async (output) => {
      return { file: basename(output.path), isEntryPoint: output.kind === "entry-point", text: await output.text() };
    }),
  );
  const chunks = built.filter(({ isEntryPoint }) => !isEntryPoint);
  // Bun's built-in hash covers paths too. Replicas whose sources are in different folders need identical names.
  const hash = hashOf(chunks.map(({ text }) => text.replace(SHARED, "")).join());
  const indexOf = (name: string) => chunks.findIndex(({ file }) => file === name);
  const renamed = (text: string) => text.replace(SHARED, (name) => `shared-${indexOf(name)}-${hash}.js`);
  return built.map(({ file, isEntryPoint, text }) => {
    return { file: renamed(file), isEntryPoint, bytes: Buffer.from(renamed(text)) };
  });
}

const SHARED = /\bshared-[a-z0-9]{8}\.js\b/g;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** An import or export from another module, up to its specifier, at the beginning of a line. */
const IMPORTED = /^(import |(?:import|export) [\w\s{},*$]*?\bfrom )["']([^"']+)["']/gm;

/**
 * Adds a module after the imported modules, with the names of the imports in place of the specifiers. Throws for a
 * cycle.
 */
async function addModule(
  source: string,
  scripts: Map<string, BrowserScript>,
  importers: readonly string[],
): Promise<string> {
  const added = scripts.get(source);
  if (added) return added.file;
  if (importers.includes(source)) throw new Error(`${source} imports itself by ${importers.at(-1)}`);
  const written = await readFile(source, "utf8");
  const isTyped = source.endsWith(".ts");
  let script = isTyped ? nodeModule.stripTypeScriptTypes(written, { mode: "strip" }) : written;
  const files = new Map<string, string>();
  for (const [, , specifier = ""] of script.matchAll(IMPORTED))
    files.set(specifier, await addModule(sourceOf(specifier, source), scripts, [...importers, source]));
  script = script.replace(IMPORTED, (_, before, specifier) => `${before}"./${files.get(specifier)}"`);
  const name = basename(source, isTyped ? ".ts" : ".js");
  const isEntryPoint = importers.length === 0;
  const file = isEntryPoint ? `${name}.js` : `${name}-${hashOf(script)}.js`;
  scripts.set(source, { file, isEntryPoint, bytes: Buffer.from(script) });
  return file;
}

function sourceOf(specifier: string, importer: string): string {
  if (specifier.startsWith(".")) return join(dirname(importer), specifier);
  return fileURLToPath(import.meta.resolve(specifier));
}

/** Types of the parameters and results of native functions: `usize` is `size_t`; a buffer is passed by its address. */
type NativeType = "pointer" | "buffer" | "i32" | "usize" | "void";

declare const nativePointer: unique symbol;
/** An address that only native functions read. */
export interface NativePointer {
  readonly [nativePointer]: true;
}

interface NativeValues {
  readonly pointer: NativePointer | null;
  readonly buffer: Uint8Array | BigUint64Array;
  readonly i32: number;
  readonly usize: number;
  readonly void: undefined;
}

/** The native functions to load: the types of the parameters, then the type of the result. */
type NativeSignatures = Readonly<Record<string, readonly [parameters: readonly NativeType[], result: NativeType]>>;

type NativeArguments<Parameters extends readonly NativeType[]> = {
  readonly [Index in keyof Parameters]: NativeValues[Parameters[Index]];
};

type NativeFunctions<Signatures extends NativeSignatures> = {
  readonly [Name in keyof Signatures]: (
    ...values: NativeArguments<Signatures[Name][0]>
  ) => NativeValues[Signatures[Name][1]];
};

/**
 * Loads functions of a shared library of the C ABI. Calls are synchronous, so a buffer stays in place for the call, and
 * no longer: where the library keeps the address, the caller keeps the buffer and uses the buffer after the last read.
 * Throws if the library or a function is missing. The caller is responsible for the signatures.
 */
export async function openLibrary<const Signatures extends NativeSignatures>(
  file: string,
  signatures: Signatures,
): Promise<NativeFunctions<Signatures>> {
  const entries = Object.entries(signatures);
  if (deno) {
    const symbols = entries.map(([name, [parameters, result]]) => [name, { parameters, result }]);
    return deno.dlopen(file, Object.fromEntries(symbols)).symbols as NativeFunctions<Signatures>;
  }
  const { dlopen } = await import("bun:ffi");
  const bunType = (type: NativeType) => (type === "pointer" || type === "buffer" ? "ptr" : type);
  const symbols = entries.map(([name, [args, returns]]) => [
    name,
    { args: args.map(bunType), returns: bunType(returns) },
  ]);
  return dlopen(file, Object.fromEntries(symbols)).symbols as unknown as NativeFunctions<Signatures>;
}

/** setrlimit(2); no runtime has a binding. Throws where the C library cannot be loaded. */
export async function openSetrlimit(): Promise<(resource: number, value: number) => void> {
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  const { setrlimit } = await openLibrary(library, { setrlimit: [["i32", "buffer"], "i32"] });
  return (resource, value) => void setrlimit(resource, new BigUint64Array([BigInt(value), BigInt(value)]));
}
