/** Damaged and lost files of the embedded PostgreSQL, and the next step after a failed start. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Launcher, runThrough } from "./launcher.ts";

const RESTORE =
  "restore the data directory from a backup, or set SERVICE_DATA_DIRECTORY to a new directory and keep this directory";

/** The first pattern decides: a small /dev/shm has no space left on device either. */
const CAUSES: readonly (readonly [RegExp, string, string])[] = [
  [
    /could not resize shared memory|shared memory segment.*No space/,
    "/dev/shm is too small",
    "give the container more shared memory (--shm-size=256m)",
  ],
  [/No space left on device|Disk quota exceeded/, "the disk is full", "free space for the data directory"],
  [/Read-only file system/, "the data directory is read-only", "mount the data directory with write access"],
  [
    /Permission denied|has wrong ownership|has invalid permissions/,
    "the data directory belongs to another user",
    "start the service as the owner of the directory, or change the owner (chown -R)",
  ],
  [
    /checkpoint record|pg_control|control file|invalid page|could not open (?:file|directory)|PANIC/,
    "files of the data directory are damaged or missing",
    RESTORE,
  ],
];

/** An error with the cause and the next step in the first line, then the text of the server. */
export function startFailure(how: string, output: string, directory: string): Error {
  const known = CAUSES.find(([pattern]) => pattern.test(output));
  const first = known ? `PostgreSQL ${how}: ${known[1]} (${directory}): ${known[2]}` : `PostgreSQL ${how}`;
  return new Error(`${first}:\n${output}`);
}

/** Without these files the server does not start, or starts and refuses every connection. */
const FILES = ["PG_VERSION", "base", "global", "pg_wal", "pg_xact", "pg_hba.conf", "postgresql.conf"];

/**
 * Whether a directory has a cluster. Throws for a cluster with missing files: a new cluster would take the place of the
 * data.
 */
export function hasCluster(cluster: string): boolean {
  const missing = FILES.filter((each) => !existsSync(join(cluster, each)));
  if (missing.length === FILES.length) return false;
  if (missing.length > 0) throw new Error(`${missing.join(", ")} missing in ${cluster}: ${RESTORE}`);
  return true;
}

/** PostgreSQL reads clusters of its own major version alone. */
export function requireVersion(cluster: string, postgres: string, launch: Launcher): void {
  const found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  const own = /\(PostgreSQL\) (\d+)/.exec(runThrough(launch.prefix, postgres, ["--version"]))?.[1];
  if (found !== own) {
    throw new Error(
      `${cluster} is a cluster of PostgreSQL ${found}, and this version of the service has PostgreSQL ${own}: ` +
        "dump and restore the database (docs/operating.md), or set SERVICE_DATA_DIRECTORY to a new directory",
    );
  }
}
