/**
 * Starts PostgreSQL, which refuses to run as root, as an unprivileged user. As root the launcher needs setpriv of
 * Linux.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Users to run PostgreSQL as when the service runs as root. The first existing user is used. */
const UNPRIVILEGED_USERS = ["postgres", "nobody"];

/** How to start a command so that PostgreSQL accepts the user: the command prefix and the owner of the files. */
export interface Launcher {
  readonly prefix: readonly string[];
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Finds a launcher for `postgres` on files below `directory`. Throws with advice if there is no launcher. */
export function chooseLauncher(postgres: string, directory: string): Launcher {
  const setpriv = hasSetpriv();
  // The kernel sends the server SIGINT (fast shutdown) when this process dies for any reason.
  const dieWithParent = setpriv ? ["setpriv", "--pdeathsig", "INT"] : [];
  if (process.getuid?.() !== 0) return { prefix: dieWithParent };
  const owner = findOwner();
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

function hasSetpriv(): boolean {
  try {
    return execFileSync("setpriv", ["--help"], { encoding: "utf8", stdio: "pipe" }).includes("--pdeathsig");
  } catch {
    return false;
  }
}

function findOwner(): { uid: number; gid: number } {
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

function canRun(prefix: readonly string[], postgres: string, directory: string): boolean {
  try {
    runThrough(prefix, postgres, ["--version"]);
    runThrough(prefix, "ls", [directory]);
    return true;
  } catch {
    return false;
  }
}

/** Runs a command to completion; throws with the output on failure. */
export function runThrough(prefix: readonly string[], command: string, args: readonly string[]): void {
  const [first = command, ...rest] = [...prefix, command, ...args];
  execFileSync(first, rest, { stdio: "pipe", env: bareEnvironment() });
}

/** An environment without the service's secrets: PostgreSQL's user can read the environment. */
export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", LC_ALL: "C" };
}
