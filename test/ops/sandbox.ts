/**
 * Runs what the Containerfile says without a container engine: in its files alone, as its user, on a root that is
 * read-only.
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
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Image } from "./containerfile.ts";
import { ROOT } from "./kit.ts";

/** What the base image brings: the C library and its friends, and names. */
const SYSTEM = ["usr", "etc", "bin", "sbin", "lib", "lib64"];

/** Why this machine cannot do it, in one line; undefined where it can. */
export function sandboxObstacle(): string | undefined {
  const deps =
    "The image's test needs Linux, root and mount namespaces (CAP_SYS_ADMIN), to become user 65532 on a read-only root";
  if (process.platform !== "linux" || process.getuid?.() !== 0) return `${deps}: skipped.`;
  const works = spawnSync("unshare", ["--mount", "--propagation", "private", "true"]).status === 0;
  return works ? undefined : `${deps}; unshare is refused here: skipped.`;
}

/** The file system of the image. Beside node_modules, so that packages are hard links and not 300 MB of copies. */
export function layOut(image: Image): string {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, "image-"));
  // mkdtemp makes it readable for root alone; it becomes the "/" of another user.
  chmodSync(root, 0o755);
  const app = join(root, image.workdir);
  for (const folder of [app, ...["proc", "dev", "tmp"].map((name) => join(root, name))])
    mkdirSync(folder, { recursive: true });
  for (const name of SYSTEM) standIn(root, name);
  for (const { from, sources, target } of image.copies) {
    if (from === undefined)
      for (const source of sources)
        cpSync(join(ROOT, source), join(app, target, target === "./" ? source : ""), { recursive: true });
    else linkPackages(image, app);
  }
  return root;
}

/** Debian's /bin is a link to usr/bin; elsewhere it is a folder, whose place something is mounted on. */
function standIn(root: string, name: string): void {
  if (!existsSync(`/${name}`)) return;
  if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(root, name));
  else mkdirSync(join(root, name));
}

/** What `npm ci --omit=dev` installs, by the same lock file, less what the Containerfile then removes. */
function linkPackages(image: Image, app: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const packages = Object.entries<{ dev?: boolean }>(lock.packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path]) => path)
    // Packages inside of packages come with them.
    .filter((path) => path.lastIndexOf("node_modules/") === 0)
    // Those of other systems are in the lock file, and are not installed.
    .filter((path) => existsSync(join(ROOT, path)));
  execFileSync("cp", ["-al", "--parents", ...packages, "node_modules/.bin/bun", app], { cwd: ROOT });
  for (const path of image.removed) rmSync(join(app, path), { recursive: true });
}

/** A mount each for what the base image brings, all read-only, and /tmp as compose.yaml mounts it. */
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

/** Starts a command there: the image's user, no capabilities, no way to get any. It ends with this process. */
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
    // A session of its own, for the reason that `startReplica` gives.
    detached: true,
  });
}
