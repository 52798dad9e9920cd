/** The filters of the audit trail, as query parameters of the page. */
import { isUuid } from "../../../base/random.ts";
import { startOfDay, UTC } from "../../../base/time-zones.ts";
import type { AUDIT } from "../../addresses.ts";
import type { Fields } from "../../page.ts";

/** The trail of the session's organization. */
export const TEAM_AUDIT = "/team/audit";
export type AuditPath = typeof AUDIT | typeof TEAM_AUDIT;

/** Hours of each preset; `all` and `custom` have no length. */
const PRESET_HOURS = { day: 24, week: 7 * 24, month: 30 * 24 } as const;
export const PERIODS = ["today", "yesterday", "day", "week", "month", "all", "custom"] as const;
/** Inclusive, in RFC 3339. */
interface Bounds {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export type Period = (typeof PERIODS)[number];

/** A missing filter is the empty text. Times have the format of `datetime-local`, in UTC. */
export interface AuditFilters {
  /** The name of an action, or a group such as `auth.*`. */
  readonly action: string;
  readonly outcome: "" | "success" | "failure";
  /** A text in the entry, or in the address or name of a user. */
  readonly q: string;
  /** Email address or id of the actor. */
  readonly actor: string;
  readonly user_id: string;
  readonly organization_id: string;
  readonly period: Period;
  /** The bounds of a custom period. */
  readonly from: string;
  readonly to: string;
}

const TEXT_MAX_CHARACTERS = 200;
const HOUR_MS = 3_600_000;
/** The first time that the API accepts. */
const BEGINNING = "0001-01-01T00:00:00Z";

export function filtersIn(query: Fields): AuditFilters {
  const outcome = query.text("outcome");
  const filters = {
    action: textIn(query, "action"),
    q: textIn(query, "q").trim(),
    actor: textIn(query, "actor").trim(),
    outcome: outcome === "success" || outcome === "failure" ? outcome : "",
    user_id: uuidOrEmpty(query.text("user_id")),
    organization_id: uuidOrEmpty(query.text("organization_id")),
    from: query.text("from"),
    to: query.text("to"),
  } as const;
  return { ...filters, period: periodIn(query, filters) };
}

/** Without a period: the custom period of `from` and `to`, the whole trail of a filter, or else the last day. */
function periodIn(query: Fields, filters: Omit<AuditFilters, "period">): Period {
  const period = PERIODS.find((each) => each === query.text("period"));
  if (period !== undefined) return period;
  if (filters.from !== "" || filters.to !== "") return "custom";
  return Object.values(filters).some((value) => value !== "") ? "all" : "day";
}

function textIn(query: Fields, name: string): string {
  return query.text(name).slice(0, TEXT_MAX_CHARACTERS).replaceAll("\0", "").toWellFormed();
}

function uuidOrEmpty(text: string): string {
  return isUuid(text) ? text : "";
}

/**
 * The bounds of a period for the list, in RFC 3339. The start of a preset is a whole hour; `timeZone` decides when
 * today begins.
 */
export function boundsOf(
  { period, from, to }: Pick<AuditFilters, "period" | "from" | "to">,
  now: number,
  timeZone = UTC,
): Bounds {
  if (period === "custom") return { from: momentOf(from), to: momentOf(to) };
  if (period === "all") return { from: undefined, to: undefined };
  if (period === "today" || period === "yesterday") {
    const today = startOfDay(now, timeZone);
    if (period === "today") return { from: new Date(today).toISOString(), to: undefined };
    const yesterday = startOfDay(today - 1, timeZone);
    return { from: new Date(yesterday).toISOString(), to: new Date(today - 1).toISOString() };
  }
  const begins = Math.floor(now / HOUR_MS) * HOUR_MS - PRESET_HOURS[period] * HOUR_MS;
  return { from: new Date(begins).toISOString(), to: undefined };
}

/** The bounds of the chart: a chart without a beginning would have the last day alone. */
export function chartBoundsOf(filters: AuditFilters, now: number, timeZone = UTC): Bounds {
  const { from, to } = boundsOf(filters, now, timeZone);
  return { from: from ?? BEGINNING, to };
}

/**
 * Reads the value of a `datetime-local` field, which has no time zone, as a time in UTC; the flow validates any
 * remaining text.
 */
export function momentOf(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return `${text}:00Z`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(text)) return `${text}Z`;
  return text || undefined;
}
