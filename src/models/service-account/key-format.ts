/**
 * The text of an API key: the prefix of the deployment, `_sk_`, eight characters that identify the key, 32 random
 * characters, and a checksum of six (CRC-32 of all before the checksum), every part in base62. Scanners of repositories
 * and logs recognize a key and the vendor without a request, and a typing error costs no look-up. Keys with a different
 * prefix, or with `sk_` alone, remain valid: a deployment can change its name.
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { BASE62, base62Text } from "../../base/base62.ts";
import type { Random } from "../../base/random.ts";
import { KEY_PREFIX_MAX_CHARACTERS } from "../../limits/machine-limits.ts";

const MARK = "sk_";
const ID_CHARACTERS = 8;
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** `docs/guides/api-keys.md` gives scanners this pattern. */
const SHAPE = /^(?:[A-Za-z][0-9A-Za-z_]{0,19}_)?sk_[0-9A-Za-z]{46}$/;
/** What claims to be a key: a JSON Web Token has dots, and is longer. */
const CLAIM = /^(?:[A-Za-z][0-9A-Za-z_]{0,19}_)?sk_[0-9A-Za-z]*$/;
const KEY_MAX_CHARACTERS =
  KEY_PREFIX_MAX_CHARACTERS + 1 + MARK.length + ID_CHARACTERS + SECRET_CHARACTERS + CHECKSUM_CHARACTERS;

export interface NewKeyText {
  /** Displayed once, and not stored. */
  readonly key: string;
  /** The first eight characters after `sk_`. */
  readonly keyId: string;
}

/** Makes the text of a new key. `prefix`: of the deployment (`SERVICE_KEY_PREFIX`). */
export function makeKeyText(random: Random, prefix: string): NewKeyText {
  const keyId = base62Text(random, ID_CHARACTERS);
  const body = `${prefix}_${MARK}${keyId}${base62Text(random, SECRET_CHARACTERS)}`;
  return { key: body + checksumOf(body), keyId };
}

/** Whether a Bearer token claims to be a key. */
export function looksLikeKey(token: string): boolean {
  return token.startsWith(MARK) || (token.length <= KEY_MAX_CHARACTERS && CLAIM.test(token));
}

/** Whether the form and the checksum are right. */
export function isKeyText(token: string): boolean {
  if (!SHAPE.test(token)) return false;
  const body = token.slice(0, -CHECKSUM_CHARACTERS);
  return token.endsWith(checksumOf(body));
}

/** The stored hash. 190 random bits need no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
