import { DAY_MS, MINUTE_MS } from "../base/time-units.ts";

/**
 * RFC 3339, section 5.6. The offset also accepts a space: an unencoded plus sign in a query string decodes to a space.
 */
const DATE = /(\d{4})-(\d\d)-(\d\d)/;
const TIME = /([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?/;
const OFFSET = /(?:[Zz]|([+ -])([01]\d|2[0-3]):([0-5]\d))/;
const RFC3339 = new RegExp(`^${DATE.source}[Tt]${TIME.source}${OFFSET.source}$`);

/** PostgreSQL parses the ISO 8601 form of a Date only for these years. */
export const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** The nearest time that PostgreSQL stores. No row has a time outside, so comparisons have equal results. */
export function storableTime(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), EARLIEST), LATEST));
}

/**
 * Parses an RFC 3339 time: years 0000 to 9999, any offset, returned within `storableTime`. `undefined` for invalid text
 * and dates that do not exist. A leap second is valid only at the end of a UTC day and equals the first instant of the
 * next day, as in POSIX.
 */
export function parseTimestamp(text: string): Date | undefined {
  const [, ...parts] = RFC3339.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  const date = new Date(0);
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (parts.length === 0 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const [fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = parts.slice(6);
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  const whole = date.getTime() + (hour * 60 + minute - offset) * MINUTE_MS + second * 1000;
  if (second === 60 && whole % DAY_MS !== 0) return undefined;
  return storableTime(new Date(whole + Number(fraction.padEnd(3, "0").slice(0, 3))));
}
