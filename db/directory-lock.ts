/**
 * The lock of a data directory: one process at a time. The lock is an exclusive transaction of SQLite, which the kernel
 * holds for the life of the process: a crash releases the lock. Containers that share the directory see the lock, but
 * not each other's process ids (docs/decisions/0004).
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** Names the holder, for messages and for commands beside a running service. */
const HOLDER_FILE = "service.pid";
const LOCK_FILE = "service.lock";
/** The wait for an ending holder, or for the process id of a new holder. */
const LOCK_DEADLINE_MS = 2_000;
const LOCK_POLL_MS = 50;

/** The directories of this process. The map keeps the locks from the garbage collector. */
const locked = new Map<string, DatabaseSync>();

/** Locks the directory, or rejects with the holder and the next step. The result releases the lock. */
export async function lockDirectory(directory: string): Promise<() => void> {
  if (locked.has(directory)) throw inUse(directory, process.pid);
  const holderFile = join(directory, HOLDER_FILE);
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const lock = tryLock(join(directory, LOCK_FILE));
    const holder = findHolder(holderFile);
    // Version 1.0 holds the file alone. After `bun --watch` replaced the program, the file names this process.
    if (lock && (holder === undefined || holder === process.pid)) {
      writeFileSync(holderFile, `${process.pid}\n${describeProcess(process.pid)}`);
      locked.set(directory, lock);
      return () => {
        // A second release, after a second stop, has no effect.
        if (locked.get(directory) !== lock) return;
        locked.delete(directory);
        rmSync(holderFile, { force: true });
        lock.close();
      };
    }
    lock?.close();
    if (holder !== undefined || waited >= LOCK_DEADLINE_MS) throw inUse(directory, holder);
    await sleep(LOCK_POLL_MS);
  }
}

/** The running process that holds a directory; undefined for a process of another container. */
export function holderOf(directory: string): number | undefined {
  return findHolder(join(directory, HOLDER_FILE));
}

function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file);
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    const message = error instanceof Error ? error.message : "";
    if (message.includes("locked")) return undefined;
    throw new Error(`${file} is damaged: delete the file while no service runs`, { cause: error });
  }
}

function inUse(directory: string, holder: number | undefined): Error {
  const by = holder === undefined ? "another process, such as a service in another container" : `process ${holder}`;
  return new Error(`${directory} is in use by ${by}; stop it, or set SERVICE_DATA_DIRECTORY`);
}

/** The running process that the file names. A reused process id holds no lock. */
function findHolder(file: string): number | undefined {
  const [pid, ...description] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const found = pid === undefined ? "" : describeProcess(Number(pid));
  return found !== "" && found === description.join("\n") ? Number(pid) : undefined;
}

/** Start time and command line, which identify a process with a reused id; empty after the end of the process. */
export function describeProcess(pid: number): string {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=,args=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" });
    // Slim images lack ps. Field 22, the 20th after the name in parentheses, is the start time (proc(5)).
    const startedTicks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return args && `${startedTicks} ${args}`;
  } catch {
    return "";
  }
}
