/** A file system of a fixed size, which a test fills. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly directory: string;
  /** Leaves `freeMib` free, by default no block. */
  fill(freeMib?: number): void;
  /** Gives back the blocks of `fill`. */
  free(): void;
  /** Unmounts and removes the file system. */
  remove(): void;
}

/** Whether this user may mount a file system, as root with CAP_SYS_ADMIN; otherwise a line says what is left out. */
export function mayMountSmallDisk(): boolean {
  const works = spawnSync("unshare", ["--mount", "--propagation", "private", "true"]).status === 0;
  if (!works) console.log("A full disk needs a file system of its own (root with CAP_SYS_ADMIN): left out.");
  return works;
}

/** Mounts a file system of this size in the temporary folder. */
export function mountSmallDisk(mib: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), "identity-disk-"));
  run("mount", ["-t", "tmpfs", "-o", `size=${mib}m,mode=755`, "tmpfs", directory]);
  const filler = join(directory, "filler");
  return {
    directory,
    fill(freeMib = 0) {
      const { bavail, bsize } = statfsSync(directory);
      // A sparse file would take no block.
      writeFileSync(filler, Buffer.alloc(bavail * bsize - freeMib * 2 ** 20, 1));
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      run("umount", ["--lazy", directory]);
      rmdirSync(directory);
    },
  };
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}
