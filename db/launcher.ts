/**
 * Starts PostgreSQL, which refuses to run as root, as an unprivileged user. As root the launcher needs setpriv of
 * Linux.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";

/** Users to run PostgreSQL as when the service runs as root. The first existing user is used. */
const UNPRIVILEGED_USERS = ["postgres", "nobody"];

/** How to start a command so that PostgreSQL accepts the user: the command prefix and the owner of the files. */
export interface Launcher {
  readonly prefix: readonly string[];
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * Finds a launcher for `postgres` on files below `directory`: as the owner of an existing cluster, else as an
 * unprivileged user. Throws with advice if there is no launcher.
 */
export function chooseLauncher(postgres: string, directory: string, cluster: string): Launcher {
  const setpriv = prints("setpriv", "--pdeathsig");
  // The kernel sends the server SIGINT (fast shutdown) when this process dies for any reason.
  const dieWithParent = setpriv ? ["setpriv", "--pdeathsig", "INT"] : [];
  const user = process.getuid?.() ?? 0;
  if (user !== 0) {
    requireName(user);
    return { prefix: dieWithParent };
  }
  const owner = ownerOf(cluster) ?? findUnprivileged();
  if (!setpriv)
    throw new Error("PostgreSQL does not run as root, and setpriv (util-linux) is missing to switch to another user");
  const dropped = [...dieWithParent, `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  // A checkout below a private directory (/root, mktemp -d): one capability lets the unprivileged user enter the
  // directory. access(2), with which initdb looks for sibling binaries, honours the capability only with
  // `no_setuid_fixup`.
  const attempts = [[], ["dac_read_search"], ["dac_override"]].map((capabilities) =>
    capabilities.flatMap((name) => [
      `--inh-caps=-all,+${name}`,
      `--ambient-caps=-all,+${name}`,
      "--securebits=+no_setuid_fixup",
    ]),
  );
  const prefix = attempts
    .map((capabilityArgs) => [...dropped, ...capabilityArgs])
    .find((args) => canRun(args, postgres, directory));
  if (!prefix)
    throw new Error(`user ${owner.uid} cannot reach ${directory}; run as an ordinary user or set DATABASE_URL`);
  return { prefix, owner };
}

/** Whether the help of a program names an option. */
function prints(program: string, option: string): boolean {
  try {
    return execFileSync(program, ["--help"], { encoding: "utf8", stdio: "pipe" }).includes(option);
  } catch {
    return false;
  }
}

/** The user of an existing cluster: users may have been added since, and only the owner can use the files. */
function ownerOf(cluster: string): { uid: number; gid: number } | undefined {
  if (!existsSync(cluster)) return undefined;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? undefined : { uid, gid };
}

function findUnprivileged(): { uid: number; gid: number } {
  const passwd = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const user of UNPRIVILEGED_USERS) {
    const entry = passwd.find(([name]) => name === user);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED_USERS.join(" or ")} to run it as`,
  );
}

/** PostgreSQL refuses a user id without a name; other systems than Linux and name services have further sources. */
function requireName(user: number): void {
  if (process.platform !== "linux") return;
  try {
    execFileSync("id", ["-un"], { stdio: "pipe" });
  } catch {
    throw new Error(`PostgreSQL needs a name for user id ${user}: run as a user of /etc/passwd, or set DATABASE_URL`);
  }
}

/** The exit code of a command whose lock another process holds. */
export const LOCK_CONFLICT = 75;

/**
 * The prefix of a command under a lock of the kernel on a file, until the end of the command and of every child. Empty
 * on machines without flock of util-linux.
 */
export function lockedBy(file: string): readonly string[] {
  return prints("flock", "--no-fork")
    ? ["flock", "--no-fork", "--nonblock", "--conflict-exit-code", String(LOCK_CONFLICT), file]
    : [];
}

function canRun(prefix: readonly string[], postgres: string, directory: string): boolean {
  try {
    runThrough(prefix, postgres, ["--version"]);
    runThrough(prefix, "ls", [directory]);
    return true;
  } catch {
    return false;
  }
}

/** Runs a command to completion and returns its output; throws with the output on failure. */
export function runThrough(prefix: readonly string[], command: string, args: readonly string[], input = ""): string {
  const [first = command, ...rest] = [...prefix, command, ...args];
  return execFileSync(first, rest, { input, stdio: "pipe", encoding: "utf8", env: bareEnvironment() });
}

/** An environment without the service's secrets: PostgreSQL's user can read the environment. */
export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", LC_ALL: "C" };
}
