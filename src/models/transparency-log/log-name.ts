import type { Checkpoint } from "../../../clients/js/src/audit/note.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";

/** Ends with the time, in seconds as hexadecimal, later than in all previous names: a name is never reused. */
export function nameAfter(
  { namePrefix, clock }: { readonly namePrefix: string; readonly clock: Clock },
  names: readonly string[],
): string {
  const seconds = Math.max(unixSeconds(clock.now()), ...names.map((name) => beginOf(name) + 1));
  return `${namePrefix}/${seconds.toString(16).padStart(8, "0")}`;
}

/** The part of a name after the prefix, which tiles have in their path. */
export function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** When a name began, in seconds since 1970. */
export function beginOf(name: string): number {
  return Number.parseInt(lastPartOf(name), 16);
}

/** Whether a checkpoint has a later name than a second checkpoint, or more leaves under an equal name. */
export function isLater(one: Checkpoint, other: Checkpoint): boolean {
  if (one.origin !== other.origin) return beginOf(one.origin) > beginOf(other.origin);
  return one.size > other.size;
}
