/**
 * Whether a received value counts as absent: null, an empty list (RFC 7643, section 2.5), and text of white space and
 * invisible characters alone. The next source of the value is asked then.
 */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return !VISIBLE.test(value);
  return Array.isArray(value) && value.length === 0;
}

const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Z}]/u;
