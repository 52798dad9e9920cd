/** Email addresses as people copy and paste addresses (docs/contract.md, section 2.4). */

/** Characters that a reader of an address does not see, except the variation selectors of emoji in domains. */
export const INVISIBLE_IN_EMAIL = /(?!\p{VS}| )[\p{C}\p{Z}\p{DI}\u2800]/u;
/** White space and format characters, such as the zero-width space and marks of direction, which a copy adds. */
const COPIED = /[\s\p{Cf}]/u;

/** The code point of the first invisible character within an address, such as `U+200B`. */
export function invisibleInEmail(text: string): string | undefined {
  const [character] = INVISIBLE_IN_EMAIL.exec(trimCopied(text)) ?? [];
  const code = character?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return code === undefined ? undefined : `U+${code}`;
}

/**
 * An address without what a copy adds at both ends. A loop, because a pattern for the end of a text takes a time that
 * grows with the square of the white space.
 */
export function trimCopied(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && COPIED.test(text.charAt(start))) start += 1;
  while (end > start && COPIED.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
