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
 * UTC, so that no page and no email fails.
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

const HOUR_MS = 3_600_000;

/** The begin of the day of a time in a zone. A day with a change of the clock has 23 or 25 hours. */
export function startOfDay(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  const day = format.format(at);
  const isDay = (time: number) => format.format(time) === day;
  // Zones differ from UTC by multiples of a quarter of an hour.
  const step = HOUR_MS / 4;
  let begin = Math.floor(at / step) * step;
  while (isDay(begin - HOUR_MS)) begin -= HOUR_MS;
  while (isDay(begin - step)) begin -= step;
  return begin;
}
