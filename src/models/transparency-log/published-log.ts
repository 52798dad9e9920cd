import type { Checkpoint } from "../../../clients/js/src/audit/note.ts";
import type { CheckpointKey } from "./checkpoint-key.ts";
import type { Log } from "./transparency-log.ts";

/** A published checkpoint. */
export interface PublishedLog {
  /** The signed note. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
  /** Verifies the note (c2sp.org/signed-note). */
  readonly verifierKey: string;
}

/** `note`: the note of the present log. */
export function publishedLog(key: CheckpointKey, { origin, size, root }: Log, note: string): PublishedLog {
  return { note, checkpoint: { origin, size, root }, verifierKey: key.verifierKey(origin) };
}

/** Undefined for a note that this deployment has not signed, or for a note of a different log. */
export async function openPublished(key: CheckpointKey, read: Log, note: string): Promise<PublishedLog | undefined> {
  const checkpoint = await key.open(note);
  if (checkpoint?.origin !== read.origin || checkpoint.size > read.size) return undefined;
  return { note, checkpoint, verifierKey: key.verifierKey(read.origin) };
}

/** Whether the checkpoint covers the whole log. */
export function coversLog(published: PublishedLog | undefined, { origin, size }: Pick<Log, "origin" | "size">) {
  return published?.checkpoint.origin === origin && published.checkpoint.size === size;
}

/** Whether the checkpoint is a smaller checkpoint of this log. */
export function isBehind({ checkpoint }: PublishedLog, known: PublishedLog | undefined): boolean {
  return known?.checkpoint.origin === checkpoint.origin && known.checkpoint.size > checkpoint.size;
}
