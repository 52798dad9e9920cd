import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Checkpoints as files: `checkpoint`, the newest, and the last one of each day. */
export interface CheckpointFolder {
  /** The newest; undefined if there is none. */
  newest(): string | undefined;
  /** Throws when the folder cannot be written. */
  write(note: string, at: Date): void;
}

const NEWEST = "checkpoint";

/** `replica`: of those that share the folder; each writes files of its own before it renames them. */
export function checkpointFolder(directory: string, replica: string): CheckpointFolder {
  return {
    newest() {
      try {
        return readFileSync(join(directory, NEWEST), "utf8");
      } catch {
        return undefined;
      }
    },
    write(note, at) {
      for (const name of [`${NEWEST}-${at.toISOString().slice(0, 10)}`, NEWEST]) {
        const path = join(directory, name);
        // A reader never sees half a file.
        writeFileSync(`${path}.${replica}`, note);
        renameSync(`${path}.${replica}`, path);
      }
    },
  };
}
