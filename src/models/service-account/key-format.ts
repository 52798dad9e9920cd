/**
 * The text of an API key: `sk_`, eight characters that identify it, 32 random ones, and a checksum of six (CRC-32 of
 * all before it), each in base62. Scanners of repositories and logs recognize it without asking anyone, and a typing
 * error costs no look-up.
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Random } from "../../base/random.ts";

const PREFIX = "sk_";
const ID_CHARACTERS = 8;
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = /^sk_[0-9A-Za-z]{46}$/;

export interface NewKeyText {
  /** Shown once, and not stored. */
  readonly key: string;
  /** The first eight characters after the prefix. */
  readonly keyId: string;
}

export function makeKeyText(random: Random): NewKeyText {
  const keyId = base62Text(random, ID_CHARACTERS);
  const body = `${PREFIX}${keyId}${base62Text(random, SECRET_CHARACTERS)}`;
  return { key: body + checksumOf(body), keyId };
}

/** Whether a Bearer token claims to be a key: no JSON Web Token begins like this. */
export function looksLikeKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Whether the form and the checksum are right. */
export function isKeyText(token: string): boolean {
  if (!SHAPE.test(token)) return false;
  const body = token.slice(0, -CHECKSUM_CHARACTERS);
  return token.endsWith(checksumOf(body));
}

/** What is stored. 190 random bits need no slow hash. */
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

/** Characters by rejection, so that all are equally likely: 248 is the largest multiple of 62 within a byte. */
function base62Text(random: Random, characters: number): string {
  let text = "";
  while (text.length < characters) {
    for (const byte of random.bytes(characters)) {
      if (byte < 248 && text.length < characters) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}
