/** The filters of the audit trail, as query parameters of the page. */
import { isUuid } from "../../../base/random.ts";
import type { Fields } from "../../page.ts";
import type { Texts } from "../../texts/catalogue.ts";

export const AUDIT = "/admin/audit";

/** A missing filter is the empty text. Times have the format of `datetime-local`, in UTC. */
export interface AuditFilters {
  readonly action: string;
  readonly user_id: string;
  readonly from: string;
  readonly to: string;
}

const ACTION_MAX_CHARACTERS = 200;
const HOUR_MS = 3_600_000;

export function filtersIn(query: Fields): AuditFilters {
  const userId = query.text("user_id");
  return {
    action: query.text("action").slice(0, ACTION_MAX_CHARACTERS).replaceAll("\0", "").toWellFormed(),
    user_id: isUuid(userId) ? userId : "",
    from: query.text("from"),
    to: query.text("to"),
  };
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

/** The offered start times: whole hours, so that a copied address states an absolute time. */
export function periodsAt({ audit }: Texts, now: number): readonly (readonly [string, string])[] {
  const { day, week, month, all } = audit;
  const ago = (days: number) =>
    new Date(Math.floor(now / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS).toISOString().slice(0, 16);
  return [
    [day, ago(1)],
    [week, ago(7)],
    [month, ago(30)],
    [all, ""],
  ];
}
