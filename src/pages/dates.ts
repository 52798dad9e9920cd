/** Times, spans, numbers, lists and names of languages in the words of a language (`Intl`). */

import { UTC } from "../base/time-zones.ts";
import { hourFormat } from "../vocabulary/languages.ts";

export interface Dates {
  /** "3 minutes ago", "in 2 days". */
  relative(at: Date): string;
  /** Language and region of the formats, such as `en-GB`. */
  readonly locale: string;
  /** The zone of the times: of the account, else UTC. */
  readonly timeZone: string;
  /** With date, time in seconds and zone: for hover, for records, and where seconds distinguish two secrets. */
  exact(at: Date): string;
  /** "21 November 2026 at 14:02 CET": for sentences. */
  minute(at: Date): string;
  day(at: Date): string;
  /** "21 Nov, 14:00", in UTC for the charts of UTC hours; with the year if the year is not the current year. */
  hour(at: Date): string;
  /** "21 Nov, 14:02:11"; with the year if the year is not the current year. */
  second(at: Date): string;
  /** "14:02", with the zone. */
  clock(at: Date): string;
  /** "21 Nov 2026" in UTC, for the charts of UTC days. */
  utcDate(at: Date): string;
  /** "21 Nov 2026". */
  date(at: Date): string;
  /** "1,204". */
  number(value: number): string;
  /** "25%" for 25. */
  percent(value: number): string;
  /** "A, B and C". */
  list(items: readonly string[]): string;
  /** "German (Austria)" for `de-at`; the tag for a malformed tag. */
  languageName(tag: string): string;
  /** "40 seconds", "3 minutes", "1 hour": rounded up, so that a retry after the displayed time is never too early. */
  span(seconds: number): string;
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

export function datesIn(language: string, now: () => number, timeZone = UTC): Dates {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  /** Each formatter is created at first use: a page uses few formatters, and creation takes longer than use. */
  const formatted = (options: Intl.DateTimeFormatOptions): ((at: Date) => string) => {
    let format: Intl.DateTimeFormat | undefined;
    return (at) => {
      format ??= new Intl.DateTimeFormat(language, { timeZone, ...options });
      return format.format(at);
    };
  };
  const withYear = (options: Intl.DateTimeFormatOptions): ((at: Date) => string) => {
    const [near, far] = [formatted(options), formatted({ ...options, year: "numeric" })];
    const year = formatted({ year: "numeric", ...(options.timeZone ? { timeZone: options.timeZone } : {}) });
    return (at) => (year(at) === year(new Date(now())) ? near : far)(at);
  };
  const hour = hourFormat(language);
  const minutes = { day: "numeric", month: "short", hour, minute: "2-digit" } as const;
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: "percent" });
  const list = new Intl.ListFormat(language);
  return {
    locale: language,
    timeZone,
    relative(at) {
      const seconds = Math.round((at.getTime() - now()) / 1000);
      const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
      return unit === "second" ? relative.format(0, unit) : relative.format(Math.round(seconds / size), unit);
    },
    exact: formatted({ dateStyle: "long", timeStyle: "long" }),
    minute: formatted({ ...minutes, month: "long", year: "numeric", timeZoneName: "short" }),
    day: formatted({ dateStyle: "long" }),
    hour: withYear({ ...minutes, timeZone: UTC }),
    second: withYear({ ...minutes, second: "2-digit" }),
    clock: formatted({ hour, minute: "2-digit", timeZoneName: "short" }),
    utcDate: formatted({ dateStyle: "medium", timeZone: UTC }),
    date: formatted({ dateStyle: "medium" }),
    number: (value) => number.format(value),
    percent: (value) => percent.format(value / 100),
    list: (items) => list.format(items),
    languageName(tag) {
      try {
        return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
      } catch {
        return tag;
      }
    },
    span(seconds) {
      const [unit, size] =
        seconds > 5400
          ? (["hour", 3600] as const)
          : seconds > 90
            ? (["minute", 60] as const)
            : (["second", 1] as const);
      const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
      return format.format(Math.ceil(seconds / size));
    },
  };
}
