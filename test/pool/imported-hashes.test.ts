import { describe, expect, test } from "bun:test";
import { importedHashFlaw, readStoredHash } from "../../src/models/password/hash-encoding.ts";
import runHashJob from "../../workers/hash.ts";

/** Keys of 64 bytes in hexadecimal, in two halves. */
const SCRYPT_KEY = [
  "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162",
  "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640",
].join("");
const PBKDF2_SHA512_KEY = [
  "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252",
  "c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce",
].join("");

/** Test vectors of the specifications and of the programs whose hashes can be imported. */
const VECTORS: [string, string, string][] = [
  ["Argon2id", "password", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"],
  ["Argon2i", "password", "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8"],
  ["bcrypt 2a (crypt_blowfish)", "U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["bcrypt 2y (crypt_blowfish)", "U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["scrypt (RFC 7914)", "password", `$scrypt$ln=10,r=8,p=16$TmFDbA$${base64(SCRYPT_KEY)}`],
  [
    "scrypt of crypt(5) (libsodium)",
    "^T5H$JYt39n%K*j:W]!1s?vg!:jGi]Ax?..l7[p0v:1jHTpla9;]bUN;?bWyCbtqg nrDFal+Jxl3,2`#^tFSu%v_+7iYse8-cCkNf!tD=KrW)",
    "$7$B6....1....75gBMAGwfFWZqBdyF3WdTQnWdUsuTiWjG1fF9c1jiSD$tc8RoB3.Em3/zNgMLWo2u00oGIoTyJv4fl3Fl8Tix72",
  ],
  ["PBKDF2-SHA1 (RFC 6070)", "password", `$pbkdf2$4096$c2FsdA$${base64("4b007901b765489abead49d926f721d065a429c1")}`],
  [
    "PBKDF2-SHA256 (passlib)",
    "password",
    "$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44",
  ],
  ["PBKDF2-SHA512 (PHC)", "password", `$pbkdf2-sha512$i=1,l=64$c2FsdA$${base64(PBKDF2_SHA512_KEY)}`],
];

function base64(hexadecimal: string): string {
  return Buffer.from(hexadecimal, "hex").toString("base64").replace(/=+$/, "");
}

function matches(password: string, encoded: string): boolean | undefined {
  const hash = readStoredHash(encoded);
  const response = hash && runHashJob({ kind: "verify", password, hash });
  return response?.ok && response.kind === "verify" ? response.matches : undefined;
}

describe("imported hashes", () => {
  test.each(VECTORS)("%s: the password matches, and a wrong password does not", (_, password, encoded) => {
    expect(importedHashFlaw(encoded)).toBeUndefined();
    expect(matches(password, encoded)).toBe(true);
    expect(matches(`${password}x`, encoded)).toBe(false);
  });

  test.each([
    "",
    "password",
    "5f4dcc3b5aa765d61d8327deb882cf99",
    "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
    "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjlO/O817G3uBnIFNjnQJuesI68OTLiBFdcbYEdFCoEOfaS35inz1",
    "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "$2a$05$short",
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$",
    "$argon2id$v=18$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    "$scrypt$ln=10,r=8,p=16$TmFDbA",
    "$pbkdf2-md5$1000$c2FsdA$c2FsdA",
  ])("refuse %p: of no form that is known", (encoded) => {
    expect(importedHashFlaw(encoded)).toBe("password_hash: of no form that is known");
  });

  test.each([
    ["Argon2 of 1 GiB", "$argon2id$v=19$m=1048576,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"],
    [
      "Argon2 of 1000 passes",
      "$argon2id$v=19$m=256,t=1000,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    ],
    ["Argon2 without memory", "$argon2id$v=19$m=1,t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"],
    ["bcrypt of cost 31", "$2a$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ["bcrypt of cost 3", "$2a$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ["scrypt of 64 GiB", `$scrypt$ln=26,r=8,p=1$TmFDbA$${"A".repeat(43)}`],
    ["scrypt without work", `$scrypt$ln=0,r=8,p=1$TmFDbA$${"A".repeat(43)}`],
    ["scrypt of 100 lanes", `$scrypt$ln=10,r=8,p=100$TmFDbA$${"A".repeat(43)}`],
    ["PBKDF2 of 99 million iterations", `$pbkdf2-sha256$99999999$c2FsdA$${"A".repeat(43)}`],
    ["a key of three bytes", "$pbkdf2-sha256$1000$c2FsdA$AAAA"],
    ["a key of a kilobyte", `$pbkdf2-sha256$1000$c2FsdA$${"A".repeat(1400)}`],
  ])("refuse %s: nobody's sign-in may cost, or rest on, that", (_, encoded) => {
    expect(importedHashFlaw(encoded)).toContain("costs more, or is shorter");
  });
});
