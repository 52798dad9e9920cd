import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const APT_LOCK = "/tmp/identity-service-apt.lock";

/** The first of these programs that is on PATH, else from Debian's packages where we may install them. */
export function findProgram(names: readonly string[], debianPackage: string, remedy: string): string {
  const found = () => names.map((name) => Bun.which(name)).find((path) => path !== null);
  const present = found();
  if (present) return present;
  const debian = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!debian) throw new Error(remedy);
  const quiet = { stdio: "pipe", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" } } as const;
  // One at a time: test files run in several processes, and apt-get fails where another one is at work.
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${debianPackage}`;
  execFileSync("flock", [APT_LOCK, "sh", "-c", install], quiet);
  const installed = found();
  if (!installed) throw new Error(`apt-get installed ${debianPackage}, but it is not on PATH.`);
  return installed;
}
