const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * A time as RFC 3339 writes it; `undefined` for what is none, a day that no calendar has included. In a query a plus sign that nobody
 * encoded arrives as a space.
 */
export function parseTimestamp(text: string): Date | undefined {
  const restored = text.replace(/ (?=\d\d:\d\d$)/, "+");
  if (!RFC3339.test(restored)) return undefined;
  const [year = 0, month = 0, day = 0] = restored.slice(0, 10).split("-").map(Number);
  const calendar = new Date(Date.UTC(year, month - 1, day));
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return undefined;
  const time = Date.parse(restored.toUpperCase());
  return Number.isNaN(time) ? undefined : new Date(time);
}
