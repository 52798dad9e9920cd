import { slugify } from "transliteration";
import { SLUG_MAX_CHARACTERS } from "../../base/limits.ts";

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
/** A name of which nothing can be transliterated (emoji alone) still gets a slug. */
const FALLBACK = "organization";
/** Room for `-` and a six-digit suffix. */
const SUFFIX_CHARACTERS = 7;

/** Decisions, section 4. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** The slug that a name suggests, before any suffix: transliterated, lower case, hyphens between words. */
export function suggestSlug(name: string): string {
  const plain = slugify(name, { lowercase: true, separator: "-", allowedChars: "a-zA-Z0-9" })
    .slice(0, SLUG_MAX_CHARACTERS - SUFFIX_CHARACTERS)
    .replace(/^-+|-+$/g, "");
  if (isSlug(plain)) return plain;
  return plain.length === 0 ? FALLBACK : `${plain}-${FALLBACK}`;
}

/**
 * The `attempt`-th candidate for a suggested slug: itself, then `-2`, `-3` …, then random numbers, because by then many
 * organizations share the name and counting up would lose every race.
 */
export function slugCandidate(suggested: string, attempt: number, randomNumber: number): string {
  if (attempt === 0) return suggested;
  if (attempt < 6) return `${suggested}-${attempt + 1}`;
  return `${suggested}-${100_000 + (randomNumber % 900_000)}`;
}

/** A slug that needs no second try, for organizations that are made by the thousand: the suggestion with 48 random bits. */
export function importedSlug(name: string, randomBytes: Buffer): string {
  const suffix = randomBytes.toString("hex");
  const room = SLUG_MAX_CHARACTERS - suffix.length - 1;
  return `${suggestSlug(name).slice(0, room).replace(/-+$/, "")}-${suffix}`;
}
