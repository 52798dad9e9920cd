import type { PasswordCheck } from "./password-check.ts";

/**
 * The common passwords of zxcvbn-ts, 49,000 of them, maintained with that library. Most are shorter than ours may be, so what people
 * do to make them longer is undone first: digits and signs around them, and repetition. Loaded when it is asked for, some 5 MiB.
 */
export async function listCheck(): Promise<PasswordCheck> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const common = new Set(dictionary["passwords-common"].map((word) => String(word).toLowerCase()));
  return {
    async isCommon(password) {
      const lower = password.toLowerCase();
      const stems = [lower, bare(lower)].flatMap((text) => [text, repeatedUnit(text)]);
      return stems.some((stem) => [...stem].length <= 1 || common.has(stem));
    },
  };
}

/** Without the digits and signs at both ends. */
function bare(password: string): string {
  return password.replace(/^[\P{L}]+|[\P{L}]+$/gu, "") || password;
}

/** The shortest text of which this one is a repetition; most texts are their own. */
function repeatedUnit(text: string): string {
  const second = `${text}${text}`.indexOf(text, 1);
  return text.slice(0, second);
}
