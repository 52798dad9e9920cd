/** No hash is accepted that a sign-in cannot verify (docs/operating.md, "Importing users"). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { importedHashFlaw, readStoredHash } from "../../../src/models/password/hash-encoding.ts";
import runHashJob from "../../../workers/hash.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
/** Base64 of bytes, and sometimes cut as by a column that is too short. */
const encoded = fc
  .tuple(fc.uint8Array({ maxLength: 80 }), fc.nat({ max: 3 }))
  .map(([bytes, cut]) => base64(bytes).slice(0, Math.max(0, base64(bytes).length - cut)));
const argon2 = fc
  .tuple(
    fc.constantFrom("i", "d", "id"),
    fc.constantFrom("", "v=16$", "v=19$"),
    fc.nat({ max: 300 }),
    fc.nat({ max: 3 }),
  )
  .chain(([kind, version, memory, passes]) =>
    fc
      .tuple(fc.nat({ max: 20 }), encoded, encoded)
      .map(([lanes, salt, key]) => `$argon2${kind}$${version}m=${memory},t=${passes},p=${lanes}$${salt}$${key}`),
  );
const scrypt = fc
  .tuple(fc.nat({ max: 12 }), fc.nat({ max: 9 }), fc.nat({ max: 5 }), encoded, encoded)
  .map(([ln, r, p, salt, key]) => `$scrypt$ln=${ln},r=${r},p=${p}$${salt}$${key}`);
const large = fc
  .tuple(fc.integer({ min: 13, max: 20 }), fc.constantFrom(1, 2), encoded, encoded)
  .map(([ln, r, salt, key]) => `$scrypt$ln=${ln},r=${r},p=1$${salt}$${key}`);
const pbkdf2 = fc
  .tuple(fc.constantFrom("", "-sha1", "-sha256", "-sha512"), fc.nat({ max: 50 }), encoded, encoded)
  .map(([digest, iterations, salt, key]) => `$pbkdf2${digest}$i=${iterations}$${salt}$${key}`);
const crypt = fc
  .tuple(fc.constantFrom("0", "1", "2", "6", "B", "z"), fc.constantFrom("/....", "6....", "z....", "....."), encoded)
  .map(([ln, r, salt]) => `$7$${ln}${r}/....${salt || "x"}$${"a".repeat(43)}`);

/** Undefined: refused by the import. */
function verified(text: string): boolean | undefined {
  const hash = importedHashFlaw(text) === undefined ? readStoredHash(text) : undefined;
  return hash && runHashJob({ kind: "verify", password: "any", hash }).ok;
}

describe("an imported hash", () => {
  test.each(Object.entries({ argon2, scrypt, large, pbkdf2, crypt }))(
    "of %s that is accepted is verified at every sign-in (G457)",
    (_, texts) => {
      fc.assert(
        fc.property(texts, (text) => verified(text) !== false),
        { numRuns: 400 },
      );
    },
  );

  test("is accepted in each form at its smallest and its usual size", () => {
    const salt = base64(new Uint8Array(16).fill(7));
    const key = base64(new Uint8Array(32).fill(9));
    const short = base64(new Uint8Array(8).fill(7));
    const texts = [
      `$argon2id$v=19$m=8,t=1,p=1$${salt}$${key}`,
      `$argon2id$v=19$m=8,t=1,p=1$${short}$${base64(new Uint8Array(16))}`,
      `$scrypt$ln=4,r=8,p=1$${salt}$${key}`,
      `$scrypt$ln=15,r=1,p=1$${salt}$${key}`,
      `$pbkdf2-sha256$i=10$${salt}$${key}`,
    ];
    expect(texts.map(verified)).toEqual([true, true, true, true, true]);
  });

  test("with a short salt or key, of an impossible length or with stray bits is refused (G457)", () => {
    const salt = base64(new Uint8Array(16).fill(7));
    const key = base64(new Uint8Array(32).fill(9));
    const texts = [
      `$argon2id$v=19$m=8,t=1,p=1$${base64(new Uint8Array(7))}$${key}`,
      `$argon2id$v=19$m=8,t=1,p=1$${salt}$${base64(new Uint8Array(15))}`,
      `$argon2id$v=19$m=8,t=1,p=1$${salt}$${key.slice(0, -2)}`,
      `$argon2id$v=19$m=8,t=1,p=1$${salt.slice(0, -1)}B$${key}`,
      `$scrypt$ln=16,r=1,p=1$${salt}$${key}`,
      `$scrypt$ln=4,r=8,p=1$${salt}$${key.slice(0, -2)}`,
    ];
    expect(texts.map(verified)).toEqual(texts.map(() => undefined));
  });
});
