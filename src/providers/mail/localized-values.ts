/** Values of an email in the words of the reader's language: time, device, validity and the number of notices. */

import Mustache from "mustache";
import { displayedTimeZone } from "../../base/time-zones.ts";
import { hourFormat, withRegion } from "../../vocabulary/languages.ts";
import type { EmailTexts } from "./texts/catalogue.ts";
import type { Values } from "./values.ts";

export interface Reader {
  /** The language of the email. */
  readonly language: string;
  /** The tag of the reader, whose region decides the format of dates. */
  readonly locale: string | null;
}

export function localizedValues(texts: EmailTexts, { language, locale }: Reader, values: Values): Values {
  const moreItems = (count: number) => texts.kinds.account_secured.moreRemoved({ count });
  return {
    time: timeInWords(withRegion(language, locale), values),
    device: deviceIn(texts, values),
    valid_for: validityIn(language, values),
    undo_period: inUnit(language, values.undo_days, "day"),
    merged_text: countIn(values.merged, (merged) => texts.moreChanges({ merged })),
    more_removed_text: countIn(values.more_removed, moreItems),
    more_items_text: countIn(values.more_items, moreItems),
  };
}

/** The outbox stores the time of a notice as "2026-11-22 18:14 UTC", as the previous release does. */
const STORED_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/;
const TIME_PARTS = {
  day: "numeric",
  month: "long",
  year: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

/** "22 November 2026 at 19:14 CET": in the reader's time zone if known, else in UTC. The text names the zone. */
function timeInWords(locale: string, { time, time_zone }: Values): string | null {
  const [, day, minute] = STORED_TIME.exec(String(time)) ?? [];
  if (day === undefined) return null;
  const timeZone = displayedTimeZone(typeof time_zone === "string" ? time_zone : null);
  return new Intl.DateTimeFormat(locale, { ...TIME_PARTS, hour: hourFormat(locale), timeZone }).format(
    new Date(`${day}T${minute}Z`),
  );
}

/** Names from closed sets (G92): "Firefox on Windows". */
function deviceIn(texts: EmailTexts, values: Values): string {
  const { browser, system } = values;
  if (browser && !system) return String(browser);
  const { browserOn, unknownBrowserOn, unknownBrowser } = texts;
  const text = browser ? browserOn : system ? unknownBrowserOn : unknownBrowser;
  return Mustache.render(text, values, {}, { escape: String });
}

const VALIDITY_UNITS = [
  ["minutes", "minute"],
  ["hours", "hour"],
  ["days", "day"],
] as const;

/** "10 minutes", from the value with the lifetime of a link or code. */
function validityIn(language: string, values: Values): string | null {
  const found = VALIDITY_UNITS.find(([name]) => typeof values[name] === "number");
  if (!found) return null;
  const [name, unit] = found;
  return inUnit(language, values[name], unit);
}

function inUnit(language: string, amount: Values[string] | undefined, unit: string): string | null {
  if (typeof amount !== "number") return null;
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(amount);
}

function countIn(count: Values[string] | undefined, text: (count: number) => string): string | null {
  return typeof count === "number" && count > 0 ? text(count) : null;
}
