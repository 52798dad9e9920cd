/** Builds the image with ops/build-image.sh, and runs containers of the image with podman. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copySources } from "../empty-machine/root.ts";
import { blockOf } from "../support/document-blocks.ts";
import { installDebianPackages } from "../support/packages.ts";

const ROOT = join(import.meta.dir, "../..");
/** runc: crun refuses the mixed hierarchy of control groups of some build machines. */
const PROGRAMS: Readonly<Record<string, string>> = {
  buildah: "buildah",
  conmon: "conmon",
  debootstrap: "debootstrap",
  podman: "podman",
  runc: "runc",
};
/** The printed commands. */
const [bun = "", deno = ""] = blockOf("ops/README.md", "sh image").split("\n");
const BUILDS = { bun, deno };
/** The time of a drain with a margin (ops/compose.yaml, stop_grace_period). */
const STOP_SECONDS = 45;
/** The limit of G243; a container above the limit is killed by the kernel. */
export const MEMORY_MIB = 512;
/** The space of /tmp, small enough to be filled by a test. */
export const TMP_MIB = 48;

/** Installs missing programs; throws an error of a single line if this machine cannot run containers. */
export function requireEngine(): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) throw new Error("test:image needs Linux and root.");
  const missing = Object.keys(PROGRAMS).filter(
    (name) => Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` }) === null,
  );
  if (missing.length > 0) installDebianPackages(missing.map((name) => PROGRAMS[name]).join(" "));
}

/** The soft limit that a container may have without the capability to raise the limit of the machine. */
const openFiles = () => execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** A copy of the work tree, so that changes during a run do not reach the second build. */
export interface Sources {
  readonly folder: string;
  readonly time: string;
}

export function snapshotSources(): Sources {
  const folder = mkdtempSync("/var/tmp/identity-image-sources-");
  copySources(folder);
  const time = execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" }).trim();
  return { folder, time };
}

interface InspectedImage {
  readonly Config: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Size: number;
}

/** A separate storage of images, deleted at the end. */
export class Storage {
  readonly folder = mkdtempSync("/var/tmp/identity-image-storage-");
  readonly #place = ["--root", this.folder, "--runroot", join(this.folder, "run")];

  /** Builds the image of a runtime; returns the digest of the manifest. */
  build(target: "bun" | "deno", sources: Sources): string {
    const env = { ...process.env, STORAGE_ROOT: this.folder, SOURCE_DATE_EPOCH: sources.time };
    const output = execFileSync("sh", ["-c", BUILDS[target]], {
      cwd: sources.folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
    });
    return /sha256:[0-9a-f]{64}/.exec(output)?.[0] ?? "";
  }

  inspect(image: string): InspectedImage {
    return JSON.parse(this.#podman("image", "inspect", image))[0];
  }

  /** Returns the folder with the files of an image. */
  mount(image: string): string {
    return this.#podman("image", "mount", image).trim();
  }

  /** Starts a container with the restrictions of ops/compose.yaml on the network of this machine. */
  start(
    image: string,
    name: string,
    args: readonly string[],
    env: Record<string, string>,
    entrypoint?: string,
  ): Container {
    const restrictions = [
      ...["--network", "host", "--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges"],
      ...["--memory", `${MEMORY_MIB}m`, "--memory-swap", `${MEMORY_MIB}m`, "--pids-limit", "256"],
      ...["--tmpfs", `/tmp:size=${TMP_MIB}m,mode=1777,noexec,nosuid,nodev`],
      ...["--ulimit", `nofile=${openFiles()}:${openFiles()}`, "--ulimit", "nproc=4096:4096"],
    ];
    const variables = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
    const program = entrypoint === undefined ? [] : ["--entrypoint", entrypoint];
    const command = ["run", "--rm", "--name", name, ...restrictions, ...variables, ...program, image, ...args];
    return new Container(name, spawn("podman", this.#args(command), { stdio: ["ignore", "pipe", "pipe"] }), (...rest) =>
      spawnSync("podman", this.#args(rest), { encoding: "utf8" }),
    );
  }

  remove(): void {
    for (const command of [
      ["rm", "-af", "-t", "0"],
      ["image", "unmount", "-af"],
      ["rmi", "-af"],
    ])
      spawnSync("podman", this.#args(command));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #args(command: readonly string[]): string[] {
    return [...this.#place, "--runtime", "runc", "--cgroup-manager", "cgroupfs", ...command];
  }

  #podman(...command: string[]): string {
    return execFileSync("podman", this.#args(command), { encoding: "utf8" });
  }
}

type Podman = (...args: string[]) => { status: number | null; stdout: string; stderr: string };

export class Container {
  readonly finished: Promise<Finished>;
  readonly #name: string;
  readonly #podman: Podman;
  #output = "";

  constructor(name: string, child: ChildProcess, podman: Podman) {
    [this.#name, this.#podman] = [name, podman];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (this.#output += chunk));
    this.finished = new Promise((resolve) => {
      child.once("close", (code) => resolve({ code, output: this.#output }));
    });
  }

  get output(): string {
    return this.#output;
  }

  /** Runs a command inside of the container; returns the exit code and the output. */
  execute(...command: string[]): Finished {
    const { status, stdout, stderr } = this.#podman("exec", this.#name, ...command);
    return { code: status, output: stdout + stderr };
  }

  /** Returns the status of the process in the container, as the machine sees the process. */
  processStatus(): string {
    const { stdout } = this.#podman("inspect", "--format", "{{.State.Pid}}", this.#name);
    return readFileSync(`/proc/${stdout.trim()}/status`, "utf8");
  }

  /** Runs the health check of the image. */
  isHealthy(): boolean {
    return this.#podman("healthcheck", "run", this.#name).status === 0;
  }

  /** Sends the stop signal of the image, and SIGKILL after the time of a drain. */
  async stop(): Promise<Finished> {
    this.#podman("stop", "--time", String(STOP_SECONDS), this.#name);
    return await this.finished;
  }
}

/** Returns the bytes of every package in a folder, scoped packages included. */
export function packageSizes(folder: string): Map<string, number> {
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  const lines = execFileSync("du", ["-sb", ...names], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n");
  return new Map(lines.map((line) => line.split("\t")).map(([bytes, name]) => [String(name), Number(bytes)]));
}
