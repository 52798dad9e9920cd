import type { PasswordCheck } from "./password-check.ts";

/**
 * The 49,000 common passwords of zxcvbn-ts. Most are shorter than the minimum length, so the usual ways of lengthening
 * a password are undone before the look-up: digits and signs around the password, and repetition. Takes about 5 MiB,
 * loaded on demand.
 */
export async function listCheck(): Promise<PasswordCheck> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const common = new Set(dictionary["passwords-common"].map((word) => String(word).toLowerCase()));
  return {
    async isCommon(password) {
      const lower = password.toLowerCase();
      const stems = [lower, withoutAffixes(lower)].flatMap((text) => [text, repeatedUnit(text)]);
      return stems.some((stem) => REPEATED_KEY.test(stem) || common.has(stem));
    },
  };
}

/** The rest of a password after the removal of a repeated key: one key of a keyboard, or empty. */
const REPEATED_KEY = /^[\x20-\x7e]?$/;

/** Removes digits and signs at the beginning and the end. */
function withoutAffixes(password: string): string {
  return password.replace(/^[\P{L}]+|[\P{L}]+$/gu, "") || password;
}

/** The shortest text with this text as repetition. */
function repeatedUnit(text: string): string {
  const second = `${text}${text}`.indexOf(text, 1);
  return text.slice(0, second);
}
