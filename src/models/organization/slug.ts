import type { InputFlaw } from "../../base/invalid-input.ts";
import { SLUG_MAX_CHARACTERS } from "../../limits/account-limits.ts";

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
const ASCII = /^\p{ASCII}*$/u;
/** The slug of a name without a transliteration, such as emoji. */
const FALLBACK = "organization";
/** `-` and six digits. */
const SUFFIX_CHARACTERS = 7;

export const SLUG_FLAW: InputFlaw = {
  rule: "format",
  text: "3 to 63 of a-z, 0-9 and -, with a letter or digit at both ends",
};

/** docs/contract.md, section 2.4. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** The slug of a name without a suffix: transliterated, lower case, hyphens between words. */
export async function suggestSlug(name: string): Promise<string> {
  const words = (await transliterated(name)).toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = words
    .join("-")
    .slice(0, SLUG_MAX_CHARACTERS - SUFFIX_CHARACTERS)
    .replace(/-$/, "");
  if (isSlug(plain)) return plain;
  return plain.length === 0 ? FALLBACK : `${plain}-${FALLBACK}`;
}

/** The table of all scripts is loaded when a name needs the table: loading takes a tenth of a replica's start. */
async function transliterated(name: string): Promise<string> {
  if (ASCII.test(name)) return name;
  const { transliterate } = await import("transliteration");
  return transliterate(name);
}

/**
 * The candidate of an attempt: the slug itself, then `-2` to `-6`, then random numbers, because concurrent
 * registrations of a common name would all try the same next number.
 */
export function slugCandidate(suggested: string, attempt: number, randomNumber: number): string {
  if (attempt === 0) return suggested;
  if (attempt < 6) return `${suggested}-${attempt + 1}`;
  return `${suggested}-${100_000 + (randomNumber % 900_000)}`;
}

/** A slug with 48 random bits, so that bulk imports need no second attempt. */
export async function importedSlug(name: string, randomBytes: Buffer): Promise<string> {
  const suffix = randomBytes.toString("hex");
  const room = SLUG_MAX_CHARACTERS - suffix.length - 1;
  return `${(await suggestSlug(name)).slice(0, room).replace(/-+$/, "")}-${suffix}`;
}
