/** Whether a JSON value contains a text that PostgreSQL cannot store: NUL or an unpaired surrogate. */
export function holdsUnstorableText(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some((entry) => entry.some(holdsUnstorableText));
}
