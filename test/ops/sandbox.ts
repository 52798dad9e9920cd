/**
 * Runs the command of the Containerfile without a container engine: with only the files of the image, as the user of
 * the image, on a read-only root.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Image } from "./containerfile.ts";
import { OPS, ROOT } from "./kit.ts";

/** Folders of the base image: the C library with related files, and names. */
const SYSTEM = ["usr", "etc", "bin", "sbin", "lib", "lib64"];

/** Returns the reason in a single line if this machine cannot build a sandbox; otherwise undefined. */
export function sandboxObstacle(): string | undefined {
  const deps =
    "The image's test needs Linux, root and mount namespaces (CAP_SYS_ADMIN), to become user 65532 on a read-only root";
  if (process.platform !== "linux" || process.getuid?.() !== 0) return `${deps}: skipped.`;
  const works = spawnSync("unshare", ["--mount", "--propagation", "private", "true"]).status === 0;
  return works ? undefined : `${deps}; unshare is refused here: skipped.`;
}

/**
 * Builds the file system of the image. The folder lies beside node_modules, so that packages are hard links and not 300
 * MB of copies.
 */
export function layOut(image: Image): string {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, "image-"));
  // mkdtemp makes the folder readable for root alone, but the folder becomes the "/" of an unprivileged user.
  chmodSync(root, 0o755);
  const app = join(root, image.workdir);
  for (const folder of [app, ...["proc", "dev", "tmp"].map((name) => join(root, name))])
    mkdirSync(folder, { recursive: true });
  for (const name of SYSTEM) standIn(root, name);
  for (const { from, sources, target } of image.copies) {
    if (from === undefined)
      for (const source of sources)
        cpSync(join(ROOT, source), join(app, target, target === "./" ? source : ""), { recursive: true });
    else linkPackages(app);
  }
  return root;
}

/**
 * Recreates the link or creates a mount point: Debian's /bin is a link to usr/bin, but a folder on different systems.
 */
function standIn(root: string, name: string): void {
  if (!existsSync(`/${name}`)) return;
  if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(root, name));
  else mkdirSync(join(root, name));
}

/**
 * Links the packages that `npm ci --omit=dev` installs from the same lock file, without the files that the script of
 * the Containerfile removes.
 */
function linkPackages(app: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const packages = Object.entries<{ dev?: boolean }>(lock.packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path]) => path)
    // Nested packages are copied with the outer package.
    .filter((path) => path.lastIndexOf("node_modules/") === 0)
    // The lock file also contains packages of foreign platforms, which are not installed.
    .filter((path) => existsSync(join(ROOT, path)));
  execFileSync("cp", ["-al", "--parents", ...packages, "node_modules/.bin/bun", app], { cwd: ROOT });
  execFileSync("sh", [join(OPS, "prune-packages.sh"), join(app, "node_modules")]);
}

/** Mounts the folders of the base image read-only, and /tmp as in compose.yaml. */
const MOUNTS = `
set -e
mount --bind "$ROOT" "$ROOT"
for name in ${SYSTEM.join(" ")}; do
  if [ -d "/$name" ] && [ ! -L "/$name" ]; then
    mount --bind "/$name" "$ROOT/$name"
    mount -o remount,bind,ro "$ROOT/$name"
  fi
done
mount -t proc proc "$ROOT/proc" 2>/dev/null || mount --rbind /proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs -o size=512m,mode=1777,noexec,nosuid,nodev tmpfs "$ROOT/tmp"
mount -o remount,bind,ro "$ROOT"
cd "$ROOT"
exec chroot . /bin/sh -c 'cd "$0" && exec "$@"' "$WORKDIR" setpriv "$@"
`;

/**
 * Starts a command in the sandbox as the image's user, without capabilities and without a way to gain capabilities. The
 * command ends with this process.
 */
export function sandboxed(
  image: Image,
  root: string,
  args: readonly string[],
  env: Record<string, string>,
): ChildProcess {
  const [user = "", group = user] = image.user.split(":");
  const drop = ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--pdeathsig", "KILL"];
  const setpriv = ["--reuid", user, "--regid", group, "--clear-groups", ...drop, ...args];
  const place = { ROOT: root, WORKDIR: image.workdir, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
  return spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", MOUNTS, "sh", ...setpriv], {
    cwd: dirname(root),
    env: { ...place, ...image.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate session, for the reason that `startReplica` documents.
    detached: true,
  });
}
