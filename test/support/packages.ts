import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findDeno } from "./deno.ts";

/**
 * Programs that the tests run beside what npm installs: under which names, from which package of Debian, and what they
 * are for.
 */
const PROGRAMS = {
  redis: { names: ["redis-server", "valkey-server"], package: "redis-server", purpose: "Redis" },
  chromium: {
    names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium-headless-shell",
    purpose: "a browser, for passkeys and social sign-in",
  },
  haproxy: { names: ["haproxy"], package: "haproxy", purpose: "HAProxy, for faults and ops/haproxy.cfg" },
  promtool: { names: ["promtool"], package: "prometheus", purpose: "promtool, for ops/prometheus" },
  prometheus: { names: ["prometheus"], package: "prometheus", purpose: "Prometheus, for its alerts" },
  pgbouncer: { names: ["pgbouncer"], package: "pgbouncer", purpose: "PgBouncer, for poolers" },
  go: {
    names: ["go"],
    package: "golang-go golang-golang-x-mod-dev",
    folder: "/usr/share/gocode/src/golang.org/x/mod",
    purpose: "Go with golang.org/x/mod, which judges the transparency log",
  },
  faketime: { names: ["faketime"], package: "faketime", purpose: "libfaketime, for wrong clocks" },
} as const satisfies Record<string, Needed>;

export type Program = keyof typeof PROGRAMS;

interface Needed {
  readonly names: readonly string[];
  /** Packages of Debian, separated by spaces. */
  readonly package: string;
  readonly purpose: string;
  /** A folder that must be there too. */
  readonly folder?: string;
}

const APT_LOCK = "/tmp/identity-service-apt.lock";

/** Where a program is: on PATH, else from Debian's packages where we may install them, else one clear line. */
export function findProgram(program: Program): string {
  const needed: Needed = PROGRAMS[program];
  const present = pathOf(needed);
  if (present) return present;
  const { names, package: packages, purpose } = needed;
  if (!isDebian()) throw new Error(`The tests need ${purpose}: put ${names.join(" or ")} on PATH.`);
  installDebianPackages(packages);
  const installed = pathOf(needed);
  if (!installed) throw new Error(`apt-get installed ${packages}, but ${names[0]} is not on PATH.`);
  return installed;
}

/** Debian installs servers where the PATH of a user who is not root does not look. */
const SERVERS = "/usr/local/sbin:/usr/sbin:/sbin";

function pathOf({ names, folder }: Needed): string | undefined {
  if (folder !== undefined && !existsSync(folder)) return undefined;
  const PATH = `${process.env.PATH}:${SERVERS}`;
  return names.map((name) => Bun.which(name, { PATH })).find((path) => path !== null) ?? undefined;
}

/** Whether packages of Debian may be installed here. */
const isDebian = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** `packages`: names, separated by spaces. */
export function installDebianPackages(packages: string): void {
  const quiet = { stdio: "pipe", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" } } as const;
  // One at a time: apt-get fails where another one is at work.
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`;
  execFileSync("flock", [APT_LOCK, "sh", "-c", install], quiet);
}

/**
 * Finds all of them before anything is timed, and installs what is missing at once. Redis may be elsewhere, and what
 * cannot be installed says so in the test that needs it.
 */
export function findPrograms(): void {
  const missing = Object.values<Needed>(PROGRAMS).filter((needed) => pathOf(needed) === undefined);
  const packages = [...new Set(missing.map((needed) => needed.package))].join(" ");
  try {
    if (packages !== "" && isDebian()) installDebianPackages(packages);
  } catch {}
  try {
    findDeno();
  } catch {}
}
