/** The field with the start of a policy: the stored time, at once, or a number of days from now. */
import { DAY_MS } from "../base/time-units.ts";

/** The offered starts, beside the stored time and at once: days from now. */
export const START_DAYS = [1, 3, 7, 14, 30] as const;
export const START_KEPT = "keep";
export const START_AT_ONCE = "0";

/** The submitted start; null: at once. An unknown value is `otherwise`. */
export function startOfField(text: string, stored: Date | null, now: number, otherwise: Date | null): Date | null {
  if (text === START_AT_ONCE) return null;
  if (text === START_KEPT) return stored;
  const days = START_DAYS.find((each) => String(each) === text);
  return days === undefined ? otherwise : new Date(now + days * DAY_MS);
}
