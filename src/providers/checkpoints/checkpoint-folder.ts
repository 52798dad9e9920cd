import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkpoint } from "../../../clients/js/src/audit/note.ts";

/** Checkpoints as files: `checkpoint`, the newest, and the last checkpoint of each day. */
export interface CheckpointFolder {
  /** The newest checkpoint; undefined for an empty folder. */
  newest(): string | undefined;
  /** Throws when the folder cannot be written. */
  write(note: string, at: Date): void;
}

export interface CheckpointOrder {
  /** The checkpoint of a note; undefined for a note of another deployment. */
  readonly open: (note: string) => Promise<Checkpoint | undefined>;
  readonly isLater: (one: Checkpoint, other: Checkpoint) => boolean;
}

const NEWEST = "checkpoint";

/** Writes a checkpoint into the folder unless the folder has a later checkpoint: replicas may share the folder. */
export async function keepCheckpoint(
  folder: CheckpointFolder,
  { note, checkpoint }: { readonly note: string; readonly checkpoint: Checkpoint },
  { open, isLater }: CheckpointOrder,
  at: Date,
): Promise<void> {
  const present = folder.newest();
  const newest = present === undefined ? undefined : await open(present);
  if (present !== note && !(newest && isLater(newest, checkpoint))) folder.write(note, at);
}

/** `replica`: the name of a replica that shares the folder; a replica writes files under its name before the rename. */
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
