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
    purpose: "Go with golang.org/x/mod, which judges the transparency log",
  },
  faketime: { names: ["faketime"], package: "faketime", purpose: "libfaketime, for wrong clocks" },
} as const;

/** Of these only `npm run test:clients` has need. */
const PROGRAMS_ON_DEMAND = {
  go: { names: ["go"], package: "golang-go", purpose: "Go, for docs/guides/other-languages.md" },
} as const;

export type Program = keyof typeof PROGRAMS | keyof typeof PROGRAMS_ON_DEMAND;

const APT_LOCK = "/tmp/identity-service-apt.lock";

/** Where a program is: on PATH, else from Debian's packages where we may install them, else one clear line. */
export function findProgram(program: Program): string {
  const { names, package: debianPackage, purpose } = { ...PROGRAMS, ...PROGRAMS_ON_DEMAND }[program];
  const found = () => names.map((name) => Bun.which(name)).find((path) => path !== null);
  const present = found();
  if (present) return present;
  if (!isDebian()) throw new Error(`The tests need ${purpose}: put ${names.join(" or ")} on PATH.`);
  installDebianPackages(debianPackage);
  const installed = found();
  if (!installed) throw new Error(`apt-get installed ${debianPackage}, but ${names[0]} is not on PATH.`);
  return installed;
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
 * Finds all of them before anything is timed. Redis may be elsewhere, and what is missing says so in the test that
 * needs it.
 */
export function findPrograms(): void {
  for (const program of Object.keys(PROGRAMS) as Program[]) {
    try {
      findProgram(program);
    } catch {}
  }
  try {
    findDeno();
  } catch {}
}
