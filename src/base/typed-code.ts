/** Codes as people type and paste codes: other digits, dashes of every kind, spaces, invisible characters, a label. */

/** A label before a code, as in "Code: 123456"; the colon of a Japanese keyboard too. */
const LABEL = /^[^:\uff1a]{0,40}[:\uff1a]/u;
/**
 * White space, format characters such as the zero-width space, dashes of every kind, the minus sign and the long vowel
 * of a Japanese keyboard, points and underscores.
 */
const SEPARATORS = /[\s\p{Cf}\p{Pd}\u2212\u30fc\u00b7\u30fb._]/gu;
const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;
const RADIX = 10;

/** The digits of a typed code as ASCII; text that has other characters keeps them and matches no code. */
export function typedDigits(text: string): string {
  return typedCode(text).replace(DIGITS, (digit) => asciiDigit(digit));
}

/** A typed code of letters and digits in lower case, without label and separators. */
export function typedCode(text: string): string {
  return text.normalize("NFKC").replace(LABEL, "").replace(SEPARATORS, "").toLowerCase();
}

/** The digits of a script are ten code points in a row (Unicode, section 4.6). */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let start = point;
  while (point - start < RADIX - 1 && DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return String(point - start);
}
