/** How PostgreSQL, which refuses to be root, is started by whoever we are. Linux has setpriv for it; elsewhere we are nobody special. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Users that PostgreSQL may run as when we are root. The first that exists. */
const UNPRIVILEGED_USERS = ["postgres", "nobody"];

/** How a command is started so that PostgreSQL accepts its user: the words before it, and the owner of its files. */
export interface Launcher {
  readonly prefix: readonly string[];
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Finds a way to run `postgres` on files below `directory`. Throws a message that says what to do instead. */
export function chooseLauncher(postgres: string, directory: string): Launcher {
  const setpriv = hasSetpriv();
  // The server gets a fast shutdown when this process dies in whatever way.
  const leash = setpriv ? ["setpriv", "--pdeathsig", "INT"] : [];
  if (process.getuid?.() !== 0) return { prefix: leash };
  const owner = findOwner();
  if (!setpriv)
    throw new Error("PostgreSQL does not run as root, and setpriv (util-linux) is not there to drop to another user");
  const dropped = [...leash, `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  // A checkout below a private directory (/root, mktemp -d): the dropped user may pass it with one capability, and no more.
  // `no_setuid_fixup` makes access(2) count it too, with which initdb looks for its neighbours.
  const passes = [[], ["dac_read_search"], ["dac_override"]].map((capabilities) =>
    capabilities.flatMap((name) => [
      `--inh-caps=-all,+${name}`,
      `--ambient-caps=-all,+${name}`,
      "--securebits=+no_setuid_fixup",
    ]),
  );
  const prefix = passes.map((pass) => [...dropped, ...pass]).find((words) => canRun(words, postgres, directory));
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

/** Runs a command to its end; throws with what it said when it fails. */
export function runThrough(prefix: readonly string[], command: string, words: readonly string[]): void {
  const [first = command, ...rest] = [...prefix, command, ...words];
  execFileSync(first, rest, { stdio: "pipe", env: bareEnvironment() });
}

/** Nothing of ours that PostgreSQL need not know: the user that it runs as may read its environment. */
export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", LC_ALL: "C" };
}
