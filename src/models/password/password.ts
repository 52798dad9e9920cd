import type { InputFlaw } from "../../base/invalid-input.ts";
import { BCRYPT_BYTES_MAX, PASSWORD_MAX_CODE_POINTS, PASSWORD_MIN_CODE_POINTS } from "../../limits/account-limits.ts";

/** Cost of Argon2id (RFC 9106); the defaults are OWASP's first choice: 19 MiB, two passes, one lane. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly time: number;
  readonly parallelism: number;
}

const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The form of a password before hashing: NFKC, so that one password typed on two keyboards is one password (NIST SP
 * 800-63B-4, section 3.1.1.2).
 */
export function normalizePassword(text: string): string {
  return text.normalize("NFKC");
}

/** The flaw of a new password; undefined for a valid password (docs/contract.md, section 2.4). */
export function passwordFlaw(normalized: string, minLength = PASSWORD_MIN_CODE_POINTS): InputFlaw | undefined {
  if (LONE_SURROGATE.test(normalized)) return { rule: "format", text: "contains an unpaired surrogate" };
  const codePoints = [...normalized].length;
  if (codePoints < minLength) return { rule: "too_short", text: `at least ${minLength} characters` };
  if (codePoints > PASSWORD_MAX_CODE_POINTS)
    return { rule: "too_long", text: `at most ${PASSWORD_MAX_CODE_POINTS} characters` };
  return undefined;
}

/** True if a stored hash has a different cost, or a different algorithm, than the configuration. */
export function needsRehash(hash: string, cost: PasswordCost): boolean {
  return !hash.startsWith(`${configuredCost(cost)}$`);
}

/** The prefix of every new hash, up to the salt. */
export function configuredCost({ memoryKib, time, parallelism }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryKib},t=${time},p=${parallelism}`;
}

/**
 * Whether a hash that a typed password matches may be replaced by a new hash of the password. bcrypt reads only 72
 * bytes and ends a password at NUL: for a longer password, or a password with a NUL, many further passwords match, and
 * the typed password must not become the only match.
 */
export function determinesPassword(hash: string, typed: string): boolean {
  if (!/^\$2[aby]\$/.test(hash)) return true;
  return [typed, normalizePassword(typed)].every(
    (form) => Buffer.byteLength(form) <= BCRYPT_BYTES_MAX && !form.includes("\0"),
  );
}
