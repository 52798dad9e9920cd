/** A Debian root with only Node.js and npm of this machine, and commands in that root. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { dieWithParent } from "../support/die-with-parent.ts";
import { DEBIAN_MIRROR, installDebianPackages } from "../support/packages.ts";

const SOURCES = join(import.meta.dir, "../..");
const RELEASE = "trixie";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

export interface User {
  readonly name: string;
  readonly home: string;
  /** The clone of the user. */
  readonly application: string;
}

export const ADMINISTRATOR: User = { name: "root", home: "/root", application: "/app" };
/** A user without privileges and without `sudo`. */
export const NEWCOMER: User = { name: "newcomer", home: "/home/newcomer", application: "/home/newcomer/app" };

/**
 * Devices and processes of the root. The mounts belong to the mount namespace and end with the namespace. The shell
 * stays the first process: the kernel clears the signal at the death of the parent where the user changes.
 */
const ENTER = `
set -e
root=$1; user=$2; shift 2
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount --bind "$root" "$root" -o remount,suid,dev
cd "$root"
chroot --userspec="$user" . "$@"; exit $?`;

/** Returns the reason why this machine cannot build a root; `undefined` if the machine can. */
export function obstacle(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "an empty machine needs Linux and root";
  if (Bun.which("node") === null || Bun.which("npm") === null) return "an empty machine needs node and npm on PATH";
  if (Bun.which("debootstrap") === null && existsSync("/usr/bin/apt-get")) installDebianPackages("debootstrap");
  return Bun.which("debootstrap") === null ? "an empty machine needs debootstrap" : undefined;
}

/** The version of the machine's Node.js, which the root gets. */
export const nodeVersion = () => execFileSync("node", ["--version"], { encoding: "utf8" }).trim();

export function buildRoot(root: string): void {
  execFileSync("debootstrap", ["--variant=minbase", RELEASE, root, DEBIAN_MIRROR], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // The folder of mkdtemp has the mode 0700, and some programs run as another user than root.
  chmodSync(root, 0o755);
  copyNode(root);
  execFileSync("chroot", [root, "/usr/sbin/useradd", "--create-home", NEWCOMER.name]);
  for (const { application } of [ADMINISTRATOR, NEWCOMER]) copySources(join(root, application));
  execFileSync("chroot", [root, "chown", "-R", `${NEWCOMER.name}:`, NEWCOMER.application]);
  for (const file of ["/etc/resolv.conf", "/etc/hosts", ...ownCertificates()]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(file, join(root, file));
  }
}

function copyNode(root: string): void {
  copyFileSync(realpathSync(Bun.which("node") ?? ""), join(root, "usr/bin/node"));
  const npm = dirname(dirname(realpathSync(Bun.which("npm") ?? "")));
  cpSync(npm, join(root, "usr/lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/bin", name));
}

/** The files of a clone with the changes of the work tree. */
export function copySources(target: string): void {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: SOURCES, encoding: "utf8" }).trim().split("\n");
  for (const file of files.filter((each) => existsSync(join(SOURCES, each))))
    cpSync(join(SOURCES, file), join(target, file));
}

/** Authorities that this machine adds to those of Node.js, such as the authority of a proxy. */
const ownCertificates = () => (process.env.NODE_EXTRA_CA_CERTS && existsSync(CERTIFICATES) ? [CERTIFICATES] : []);

/**
 * Starts a shell script in the root, as a user of the root and with a separate environment. All processes share a
 * process namespace: the first process of the namespace ends with this process, and the kernel then ends the remaining
 * processes. The output is printed, and readable from the child.
 */
export function startInRoot(root: string, user: User, script: string, env: Record<string, string> = {}): ChildProcess {
  const certificates = ownCertificates().map((file) => ({ NODE_EXTRA_CA_CERTS: file, npm_config_cafile: file }));
  const namespaces = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child"];
  const command = ["sh", "-c", ENTER, "sh", root, user.name, "sh", "-c", `cd ${user.application} && ${script}`];
  const child = spawn(...dieWithParent("unshare", [...namespaces, ...command]), {
    env: {
      HOME: user.home,
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      ...certificates[0],
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout?.pipe(process.stdout, { end: false });
  return child;
}
