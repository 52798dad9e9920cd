/** Times, spans and numbers in the words of a language (`Intl`). */
export interface Dates {
  /** "3 minutes ago", "in 2 days". */
  relative(at: Date): string;
  /** With date, time and zone. */
  exact(at: Date): string;
  day(at: Date): string;
  /** "21 Nov, 14:00", in UTC. */
  hour(at: Date): string;
  /** "21 Nov, 14:02:11", in UTC. */
  second(at: Date): string;
  /** "21 Nov 2026". */
  date(at: Date): string;
  /** "1,204". */
  number(value: number): string;
  /** "40 seconds", "3 minutes", "1 hour": rounded up, so that it is never too early. */
  span(seconds: number): string;
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

export function datesIn(language: string, now: () => number): Dates {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" });
  const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  const minutes = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" } as const;
  const hour = new Intl.DateTimeFormat(language, minutes);
  const second = new Intl.DateTimeFormat(language, { ...minutes, second: "2-digit" });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const number = new Intl.NumberFormat(language);
  return {
    relative(at) {
      const seconds = Math.round((at.getTime() - now()) / 1000);
      const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
      return unit === "second" ? relative.format(0, unit) : relative.format(Math.round(seconds / size), unit);
    },
    exact: (at) => exact.format(at),
    day: (at) => day.format(at),
    hour: (at) => hour.format(at),
    second: (at) => second.format(at),
    date: (at) => date.format(at),
    number: (value) => number.format(value),
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
