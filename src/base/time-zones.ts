import { lazily } from "./lazily.ts";

const NAME_MAX_CHARACTERS = 64;
/** Names of the IANA database; an offset such as `+01:00` knows no summer time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
export const TIME_ZONE_RULE = "a time zone of the IANA database such as Europe/Vienna";
export const UTC = "UTC";

/** Prefix of zones with a fixed offset, which no user lives in. */
const FIXED = "Etc/";

/** The zones of places, UTC first, which some runtimes omit. */
export const timeZones = lazily((): readonly string[] => [
  UTC,
  ...Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC && !name.startsWith(FIXED)),
]);

/**
 * The name of a time zone in the spelling of the IANA database; undefined for any other text. A name that is absent in
 * the list of the runtime, such as a former name, keeps the given spelling.
 */
export function timeZoneOf(text: string): string | undefined {
  if (text.length > NAME_MAX_CHARACTERS || !NAME.test(text)) return undefined;
  const listed = timeZones().find((name) => name.toLowerCase() === text.toLowerCase());
  return listed ?? (isFormattable(text) ? text : undefined);
}

/**
 * The zone for times of a user: a zone that this runtime does not know, written by another release, is replaced with
 * UTC, so that no page and no e-mail fails.
 */
export function displayedTimeZone(stored: string | null | undefined): string {
  return timeZoneOf(stored ?? UTC) ?? UTC;
}

function isFormattable(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
