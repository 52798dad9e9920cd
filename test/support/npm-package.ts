import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Imports an npm package that few tests need and that the project does not depend on: the exact version, without
 * install scripts, kept in the temporary folder of the machine. `entry` names a module of the package.
 */
export async function importPackage<Module>(name: string, version: string, entry = name): Promise<Module> {
  const folder = packageFolder(name, version);
  if (!existsSync(folder)) download(`${name}@${version}`, folder);
  return (await import(Bun.resolveSync(entry, folder))) as Module;
}

/** Returns the folder of a package that `importPackage` installs. */
export function packageFolder(name: string, version: string): string {
  return join(tmpdir(), `identity-service-npm-${name.replace(/\W/g, "-")}-${version}`);
}

function download(specifier: string, folder: string): void {
  const partial = `${folder}-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, "--prefix", partial, specifier], { stdio: "pipe" });
  // Two test processes may download at once: the first rename wins.
  try {
    renameSync(partial, folder);
  } catch {
    rmSync(partial, { recursive: true, force: true });
  }
}
