/**
 * Packages that `npm install` of this repository leaves out: frameworks and runtimes that only the demo and `npm run
 * test:clients` need. Versions are exact; the command that needs a package fetches the package.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const VERSIONS = {
  "@arethetypeswrong/cli": "0.18.5",
  "@hono/node-server": "2.1.8",
  "@types/express": "5.0.6",
  "@types/node": "20.19.43",
  deno: "2.9.6",
  elysia: "1.4.30",
  esbuild: "0.28.2",
  express: "5.3.0",
  fastify: "5.12.8",
  hono: "4.13.19",
  next: "16.4.6",
  react: "19.3.1",
  "react-dom": "19.3.1",
  typescript: "5.9.3",
} as const;

export type FetchedPackage = keyof typeof VERSIONS;

/** Installs packages into a project of their own. `tarballs`: of this repository, by `npm pack`. */
export function fetchPackages(
  folder: string,
  names: readonly FetchedPackage[],
  tarballs: readonly string[] = [],
): void {
  const wanted = names.map((name) => `${name}@${VERSIONS[name]}`);
  if (wanted.length > 0) console.log(`Fetching for this run: ${wanted.join(", ")}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...wanted, ...tarballs], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
