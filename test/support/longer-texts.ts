/**
 * A pseudo-locale: `bun --preload <this file> src/main.ts` displays the English pages with texts 40 % longer, as a
 * translation may be. Production code does not know the pseudo-locale.
 */
import { TEXTS, type Texts } from "../../src/pages/texts/catalogue.ts";

const GROWTH = 0.4;
const WORD_CHARACTERS = 12;
const VOWEL = /[aeiou]/gi;

/** Doubles vowels, so that words grow, and adds words where the vowels do not suffice. */
function lengthened(text: string): string {
  let missing = Math.ceil(text.length * GROWTH);
  const grown = text.replace(VOWEL, (vowel) => (missing-- > 0 ? vowel + vowel : vowel));
  return missing > 0 ? `${grown} ${filler(missing)}` : grown;
}

/** Words of a total length. */
function filler(length: number): string {
  return "ö".repeat(length).replace(new RegExp(`(.{${WORD_CHARACTERS}})(?=.)`, "g"), "$1 ");
}

/** The texts with the same shape. A function keeps its values, such as an address, and grows at the end. */
function longer(texts: unknown): unknown {
  if (typeof texts === "string") return lengthened(texts);
  if (typeof texts === "function") {
    return (...values: unknown[]) => {
      const text = String(texts(...values));
      return `${text} ${filler(Math.ceil(text.length * GROWTH))}`;
    };
  }
  if (Array.isArray(texts)) return texts.map(longer);
  return Object.fromEntries(Object.entries(texts as object).map(([key, value]) => [key, longer(value)]));
}

Object.assign(TEXTS, { en: longer(TEXTS.en) as Texts });
