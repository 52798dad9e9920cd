import type { Checkpoint } from "../../../clients/js/src/audit/note.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";

/** Ends with the time, in seconds as hexadecimal, later than those of other names: a name is never used again. */
export function nameAfter(
  { namePrefix, clock }: { readonly namePrefix: string; readonly clock: Clock },
  names: readonly string[],
): string {
  const seconds = Math.max(unixSeconds(clock.now()), ...names.map((name) => beginOf(name) + 1));
  return `${namePrefix}/${seconds.toString(16).padStart(8, "0")}`;
}

/** The part of a name after its prefix, which tiles have in their path. */
export function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** When a name began, in seconds since 1970. */
export function beginOf(name: string): number {
  return Number.parseInt(lastPartOf(name), 16);
}

/** Whether a checkpoint is of a later name than another one, or of more leaves under the same name. */
export function isLater(one: Checkpoint, other: Checkpoint): boolean {
  if (one.origin !== other.origin) return beginOf(one.origin) > beginOf(other.origin);
  return one.size > other.size;
}
