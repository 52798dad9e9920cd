import { NAME_MAX_CHARACTERS } from "./limits.ts";

/** Control characters and unpaired surrogates: they forge log lines and mail headers, and Postgres refuses NUL. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A name for people to read, 1 to 120 characters after trimming (decisions, section 4); `undefined` when it is none. */
export function normalizeName(text: string): string | undefined {
  const name = text.normalize("NFC").trim();
  const characters = [...name].length;
  return characters >= 1 && characters <= NAME_MAX_CHARACTERS && !UNPRINTABLE.test(name) ? name : undefined;
}
