/** Whether PostgreSQL can store a text: neither NUL nor an unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Whether a JSON value contains a text that PostgreSQL cannot store. */
export function holdsUnstorableText(value: unknown): boolean {
  if (typeof value === "string") return !isStorableText(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some((entry) => entry.some(holdsUnstorableText));
}
