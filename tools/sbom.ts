/**
 * `npm run sbom [-- <file>]` writes the bill of materials of production, CycloneDX in JSON, to a file or the standard
 * output. npm writes the list from the lock file; `--omit=dev` of npm would also omit packages of production that are
 * development dependencies at the same time, so the script removes the development packages.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const FORMAT = ["--sbom-format=cyclonedx", "--sbom-type=application"];
const LIST_BYTES_MAX = 64 * 1024 * 1024;
const DEVELOPMENT = "cdx:npm:package:development";

export interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly purl: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly hashes?: readonly unknown[];
  readonly licenses?: readonly unknown[];
}

export interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const isDevelopment = ({ properties = [] }: Component) => properties.some(({ name }) => name === DEVELOPMENT);

/** Returns the bill of materials of production. */
export function productionSbom(): Sbom {
  // Settings that npm passes to its scripts would change the list.
  const env = Object.fromEntries(Object.entries(Bun.env).filter(([name]) => !name.startsWith("npm_")));
  const args = ["sbom", ...FORMAT, "--package-lock-only", "--loglevel=error"];
  const options = { cwd: ROOT, env: { ...env, NODE_ENV: "" }, encoding: "utf8", maxBuffer: LIST_BYTES_MAX } as const;
  const all: Sbom = JSON.parse(execFileSync("npm", args, options));
  const components = all.components.filter((component) => !isDevelopment(component));
  const product = all.metadata.component;
  const kept = new Set([product, ...components].map((component) => component["bom-ref"]));
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((target) => kept.has(target)) }));
  // npm names the product after the folder of the checkout.
  const name = product["bom-ref"].replace(/@[^@]*$/, "");
  return { ...all, metadata: { ...all.metadata, component: { ...product, name } }, components, dependencies };
}

if (import.meta.main) {
  const text = `${JSON.stringify(productionSbom(), undefined, 2)}\n`;
  const [file] = process.argv.slice(2);
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
