/** Codes that a user types from the display of a device (RFC 8628, section 6.1). */
import type { Random } from "../../base/random.ts";
import { typedCode } from "../../base/typed-code.ts";

/** Twenty consonants: no vowel forms a word, and no letter resembles a digit. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const GROUP = 4;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
/** The greatest multiple of the alphabet's length below 256: higher bytes would favour the first letters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** A random code of 34 bits, without the hyphen of the display. */
export function makeUserCode(random: Random): string {
  let code = "";
  while (code.length < LENGTH) {
    const [byte = UNBIASED_BELOW] = random.bytes(1);
    if (byte < UNBIASED_BELOW) code += ALPHABET[byte % ALPHABET.length];
  }
  return code;
}

/** `WDJB-MJHT`. */
export function displayedUserCode(code: string): string {
  return `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;
}

/**
 * The code in a typed text: any case and width, with separators anywhere, also after a label; undefined for a text that
 * is no code.
 */
export function readUserCode(text: string): string | undefined {
  const code = typedCode(text).toUpperCase();
  return CODE.test(code) ? code : undefined;
}
