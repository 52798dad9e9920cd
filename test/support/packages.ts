import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { DENO, findDeno } from "./deno.ts";

/** Programs that tests and the service start by name, with the Debian packages. Every test run needs these programs. */
export const TOOLS: Readonly<Record<string, string>> = {
  bash: "bash",
  cat: "coreutils",
  chown: "coreutils",
  chroot: "coreutils",
  cp: "coreutils",
  curl: "curl",
  flock: "util-linux",
  grep: "grep",
  du: "coreutils",
  id: "coreutils",
  ls: "coreutils",
  mount: "mount",
  nice: "coreutils",
  openssl: "openssl",
  perl: "perl-base",
  ps: "procps",
  python3: "python3",
  sed: "sed",
  seq: "coreutils",
  setpriv: "util-linux",
  sh: "dash",
  sleep: "coreutils",
  tar: "tar",
  unshare: "util-linux",
};

/** Larger programs: names, Debian package and purpose. A test file installs only the programs that the file starts. */
export const PROGRAMS = {
  redis: { names: ["redis-server", "valkey-server"], package: "redis-server", purpose: "Redis" },
  chromium: {
    names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium-headless-shell",
    purpose: "a browser, for passkeys and social sign-in",
  },
  firefox: { names: ["firefox-esr", "firefox"], package: "firefox-esr", purpose: "Firefox, for the sign-in journeys" },
  haproxy: { names: ["haproxy"], package: "haproxy", purpose: "HAProxy, for faults and ops/haproxy.cfg" },
  nginx: { names: ["nginx"], package: "nginx-light", purpose: "nginx, for ops/nginx.conf" },
  promtool: { names: ["promtool"], package: "prometheus", purpose: "promtool, for ops/prometheus" },
  prometheus: { names: ["prometheus"], package: "prometheus", purpose: "Prometheus, for its alerts" },
  pgbouncer: { names: ["pgbouncer"], package: "pgbouncer", purpose: "PgBouncer, for poolers" },
  go: {
    names: ["go"],
    package: "golang-go golang-golang-x-mod-dev",
    folder: "/usr/share/gocode/src/golang.org/x/mod",
    purpose: "Go with golang.org/x/mod, which judges the transparency log",
  },
  knot: { names: ["knotd"], package: "knot", purpose: "Knot DNS, an authoritative server" },
  faketime: { names: ["faketime"], package: "faketime", purpose: "libfaketime, for wrong clocks" },
} as const satisfies Record<string, Needed>;

export type Program = keyof typeof PROGRAMS;

interface Needed {
  readonly names: readonly string[];
  /** Names of Debian packages, separated by spaces. */
  readonly package: string;
  readonly purpose: string;
  /** A folder that must exist too. */
  readonly folder?: string;
}

const APT_LOCK = "/tmp/identity-service-apt.lock";
const ARCHIVE_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";
export const DEBIAN_MIRROR = process.env.DEBIAN_MIRROR ?? "http://deb.debian.org/debian";

/**
 * Finds a program: on PATH, or in a Debian package if packages may be installed; otherwise throws an error of a single
 * line.
 */
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

/** Debian installs servers into folders that the PATH of an ordinary user does not contain. */
const SERVERS = "/usr/local/sbin:/usr/sbin:/sbin";

const searchPath = () => `${process.env.PATH}:${SERVERS}`;

function pathOf({ names, folder }: Needed): string | undefined {
  if (folder !== undefined && !existsSync(folder)) return undefined;
  return names.map((name) => Bun.which(name, { PATH: searchPath() })).find((path) => path !== null) ?? undefined;
}

/** Returns true if Debian packages can be installed. */
const isDebian = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** `packages` holds names separated by spaces. */
export function installDebianPackages(packages: string): void {
  const quiet = { stdio: "pipe", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" } } as const;
  // Installations run one after the other, because apt-get fails beside a second apt-get.
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`;
  execFileSync("flock", [APT_LOCK, "sh", "-c", install], quiet);
}

/**
 * Unpacks Debian packages into a folder, without an installation and without their dependencies. `packages` holds names
 * separated by spaces. A complete folder is kept.
 */
export function unpackDebianPackages(packages: string, folder: string): void {
  unpack(["apt-get update -qq", `apt-get download -qq ${packages}`], folder);
}

/** As `unpackDebianPackages`, together with the dependencies that this machine lacks. */
export function unpackWithDependencies(packages: string, folder: string): void {
  const install = `apt-get install -s --reinstall --no-install-recommends ${packages}`;
  unpackDebianPackages(`$(${install} | awk '/^Inst/ {print $2}')`, folder);
}

/** As `unpackDebianPackages`, for packages that the Debian release of this machine may lack. */
export function unpackFromRelease(release: string, packages: string, folder: string): void {
  const source = `deb [signed-by=${ARCHIVE_KEYS}] ${DEBIAN_MIRROR} ${release} main`;
  const places = { "Etc::SourceList": "sources", "Etc::SourceParts": "none", "State::Lists": "lists", Cache: "cache" };
  const options = Object.entries(places).map(([name, place]) => `-o Dir::${name}=$PWD/${place}`);
  const apt = `apt-get -qq ${options.join(" ")}`;
  const prepare = `mkdir -p none lists/partial cache/archives/partial; echo "${source}" > sources`;
  unpack([prepare, `${apt} update`, `${apt} download ${packages}`], folder);
}

function unpack(downloads: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const unpacked = 'for package in *.deb; do dpkg-deb -x "$package" root; done; rm -f *.deb; touch complete';
  const script = ["set -e", "test ! -e complete || exit 0", ...downloads, unpacked].join("; ");
  execFileSync("flock", [APT_LOCK, "sh", "-c", script], { cwd: folder, stdio: "pipe" });
}

/**
 * Throws an error of a single line for a program that does not exist: setpriv would start and report the absence too
 * late.
 */
export function requireProgram(command: string): void {
  if (Bun.which(command, { PATH: searchPath() }) !== null) return;
  const missing = TOOLS[command];
  throw new Error(`The tests need ${command}: ${missing ? `install ${missing}` : "put the program on PATH"}.`);
}

const missingTools = () => Object.keys(TOOLS).filter((name) => Bun.which(name, { PATH: searchPath() }) === null);

/** Installs the missing tools before the first test. Prints one line for tools that remain absent. */
export function findTools(): void {
  install(missingTools().map((name) => TOOLS[name] ?? name));
  reportMissingTools();
}

/**
 * Finds all programs before anything is timed, and installs missing packages at once. Redis may be elsewhere, and a
 * program that cannot be installed is reported by the test that needs the program.
 */
export function findPrograms(): void {
  const missing = Object.values<Needed>(PROGRAMS).filter((needed) => pathOf(needed) === undefined);
  install([...missing.map((needed) => needed.package), ...missingTools().map((name) => TOOLS[name] ?? name)]);
  reportMissingTools();
  succeeds(findDeno);
}

function succeeds(find: () => string): boolean {
  try {
    find();
    return true;
  } catch {
    return false;
  }
}

/** Debian packages that a test installs or unpacks on its own, beside the listed programs. */
export const DEBIAN_PACKAGES = "Debian packages";

/**
 * The programs that this machine lacks, with their purpose. Redis may be elsewhere (`REDIS_URL`). Fetches Deno by npm,
 * unless a different `find` is given.
 */
export function missingPrograms(find = findDeno): ReadonlyMap<string, string> {
  const isElsewhere = (name: string) => name === "redis" && Boolean(process.env.REDIS_URL);
  const programs = Object.entries<Needed>(PROGRAMS).filter(
    ([name, needed]) => pathOf(needed) === undefined && !isElsewhere(name),
  );
  return new Map([
    ...programs.map(([name, { purpose }]) => [name, purpose] as const),
    ...missingTools().map((name) => [name, `${name} (${TOOLS[name]})`] as const),
    ...(succeeds(find) ? [] : [[DENO, "Deno, which npm fetches"] as const]),
    ...(isDebian() ? [] : [[DEBIAN_PACKAGES, "root on Debian, for packages that a test installs"] as const]),
  ]);
}

function install(packages: readonly string[]): void {
  if (packages.length === 0 || !isDebian()) return;
  try {
    installDebianPackages([...new Set(packages)].join(" "));
  } catch (error) {
    console.error(`apt-get did not install the packages of the tests: ${lastLineOf(error)}`);
  }
}

function lastLineOf(error: unknown): string {
  const { stderr = String(error) } = error as { stderr?: Buffer | string };
  return String(stderr).trim().split("\n").at(-1) ?? "";
}

function reportMissingTools(): void {
  const missing = missingTools();
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((name) => TOOLS[name]))].join(" ");
  console.error(`The tests need ${missing.join(", ")}: install ${packages}. Tests that start them fail.`);
}
