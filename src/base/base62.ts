import type { Random } from "./random.ts";

export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 within a byte. */
const UNBIASED_BELOW = 248;

/** Random characters by rejection, so that all are equally likely. */
export function base62Text(random: Pick<Random, "bytes">, characters: number): string {
  let text = "";
  while (text.length < characters) {
    for (const byte of random.bytes(characters)) {
      if (byte < UNBIASED_BELOW && text.length < characters) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}
