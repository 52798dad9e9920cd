import {
  BCRYPT_COST_MAX,
  IMPORTED_ARGON2_MEMORY_MAX_KIB,
  IMPORTED_ARGON2_PASSES_MAX,
  IMPORTED_KEY_MAX_BYTES,
  IMPORTED_KEY_MIN_BYTES,
  PBKDF2_ITERATIONS_MAX,
  SCRYPT_MEMORY_MAX_BYTES,
  SCRYPT_PARALLELIZATION_MAX,
} from "../../limits/account-limits.ts";
import type { StoredHash } from "../../vocabulary/stored-hash.ts";

const B64 = "[A-Za-z0-9+/]+";
const ARGON2 = new RegExp(
  `^\\$argon2(?:id|i|d)\\$(?:v=(?:16|19)\\$)?m=(\\d{1,8}),t=(\\d{1,4}),p=(\\d{1,3})\\$(${B64})\\$(${B64})$`,
);
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SCRYPT = new RegExp(`^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,3}),p=(\\d{1,3})\\$(${B64})\\$(${B64})$`);
const SCRYPT_CRYPT = /^\$7\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})([^$]{1,64})\$([./0-9A-Za-z]{43})$/;
const PBKDF2 =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,8})(?:,l=\d{1,3})?\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/;

/**
 * Reads a hash in PHC or modular-crypt form: Argon2, bcrypt (`$2a$`, `$2b$`, `$2y$`), scrypt (`$scrypt$` and `$7$` of
 * crypt(5)), PBKDF2 (PHC, and the form of passlib). Undefined for an unknown form.
 */
export function readStoredHash(text: string): StoredHash | undefined {
  if (ARGON2.test(text)) return { scheme: "argon2", encoded: text };
  if (BCRYPT.test(text)) return { scheme: "bcrypt", encoded: text };
  return readScrypt(text) ?? readCryptScrypt(text) ?? readPbkdf2(text);
}

function readScrypt(text: string): StoredHash | undefined {
  const match = SCRYPT.exec(text);
  if (!match) return undefined;
  const [, ln, r, p, salt = "", key = ""] = match;
  return {
    scheme: "scrypt",
    cost: 2 ** Number(ln),
    blockSize: Number(r),
    parallelization: Number(p),
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
}

function readPbkdf2(text: string): StoredHash | undefined {
  const match = PBKDF2.exec(text);
  if (!match) return undefined;
  const [, digest = "sha1", iterations, salt = "", key = ""] = match;
  // Passlib writes a dot where Base64 has a plus.
  const bytes = (encoded: string) => Buffer.from(encoded.replaceAll(".", "+"), "base64");
  const known = digest as "sha1" | "sha256" | "sha512";
  return { scheme: "pbkdf2", digest: known, iterations: Number(iterations), salt: bytes(salt), key: bytes(key) };
}

const CRYPT_DIGITS = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** crypt(5): `$7$`, log2 of N, r and p in five digits each, the salt unencoded, the key in little-endian groups. */
function readCryptScrypt(text: string): StoredHash | undefined {
  const match = SCRYPT_CRYPT.exec(text);
  if (!match) return undefined;
  const [, ln = "", r = "", p = "", salt = "", key = ""] = match;
  return {
    scheme: "scrypt",
    cost: 2 ** CRYPT_DIGITS.indexOf(ln),
    blockSize: cryptNumber(r),
    parallelization: cryptNumber(p),
    salt: Buffer.from(salt),
    key: cryptBytes(key),
  };
}

function cryptNumber(digits: string): number {
  return [...digits].reduce((sum, digit, index) => sum + CRYPT_DIGITS.indexOf(digit) * 64 ** index, 0);
}

function cryptBytes(encoded: string): Buffer {
  const groups = encoded.match(/.{1,4}/g) ?? [];
  return Buffer.concat(
    groups.map((group) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(cryptNumber(group));
      return bytes.subarray(0, Math.floor((group.length * 6) / 8));
    }),
  );
}

/**
 * The reason to refuse an imported hash, or undefined: the form is unknown, or the verification costs more than a
 * sign-in may, with which an attacker could exhaust the hash pool.
 */
export function importedHashFlaw(text: string): string | undefined {
  const hash = readStoredHash(text);
  if (!hash) return "password_hash: of no form that is known";
  if (!isEncoded(text)) return "password_hash: salt or key is cut or not encoded as its form says";
  return affordable(hash, text) ? undefined : "password_hash: costs more, or is shorter, than a sign-in may rest on";
}

function affordable(hash: StoredHash, text: string): boolean {
  switch (hash.scheme) {
    case "argon2": {
      const [memoryKib = 0, passes = 0, lanes = 0] = (ARGON2.exec(text) ?? []).slice(1).map(Number);
      const [salt = "", key = ""] = (ARGON2.exec(text) ?? []).slice(4);
      if (Buffer.from(salt, "base64").length < ARGON2_SALT_MIN_BYTES || salt.length > ARGON2_SALT_MAX_CHARACTERS)
        return false;
      if (!keyFits(Buffer.from(key, "base64"))) return false;
      const within = memoryKib <= IMPORTED_ARGON2_MEMORY_MAX_KIB && passes <= IMPORTED_ARGON2_PASSES_MAX;
      return within && passes >= 1 && lanes >= 1 && lanes <= 16 && memoryKib >= 8 * lanes;
    }
    case "bcrypt": {
      const cost = Number(BCRYPT.exec(text)?.[1]);
      return cost >= 4 && cost <= BCRYPT_COST_MAX;
    }
    case "scrypt": {
      const memory = 128 * hash.cost * hash.blockSize;
      // RFC 7914, section 2: N is less than 2^(128 * r / 8).
      if (Math.log2(hash.cost) >= 16 * hash.blockSize) return false;
      const lanes = hash.parallelization >= 1 && hash.parallelization <= SCRYPT_PARALLELIZATION_MAX;
      return hash.cost >= 2 && hash.blockSize >= 1 && lanes && memory <= SCRYPT_MEMORY_MAX_BYTES && keyFits(hash.key);
    }
    case "pbkdf2":
      return hash.iterations >= 1 && hash.iterations <= PBKDF2_ITERATIONS_MAX && keyFits(hash.key);
  }
}

/** Argon2, RFC 9106, section 3.1, and the bound of the PHC string format. */
const ARGON2_SALT_MIN_BYTES = 8;
const ARGON2_SALT_MAX_CHARACTERS = 64;

/** Whether each part in Base64 is whole: no impossible length, and no bits beyond the last byte. */
function isEncoded(text: string): boolean {
  const match = ARGON2.exec(text) ?? SCRYPT.exec(text) ?? PBKDF2.exec(text);
  return (match?.slice(-2) ?? []).every((part) => {
    const encoded = part.replaceAll(".", "+");
    return Buffer.from(encoded, "base64").toString("base64").replace(/=+$/, "") === encoded;
  });
}

function keyFits({ length }: Uint8Array): boolean {
  return length >= IMPORTED_KEY_MIN_BYTES && length <= IMPORTED_KEY_MAX_BYTES;
}
