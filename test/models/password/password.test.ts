import { describe, expect, test } from "bun:test";
import { needsRehash, normalizePassword, passwordFlaw } from "../../../src/models/password/password.ts";

describe("passwords", () => {
  test("are one in two spellings of Unicode", () => {
    expect(normalizePassword("Å")).toBe(normalizePassword("A\u030a"));
  });

  test("count code points after NFKC, 12 to 256, any character", () => {
    expect(passwordFlaw("🔐".repeat(12))).toBeUndefined();
    expect(passwordFlaw("🔐".repeat(11))?.rule).toBe("too_short");
    expect(passwordFlaw("🔐".repeat(257))?.rule).toBe("too_long");
    expect(passwordFlaw(" \t\n".repeat(4))).toBeUndefined();
  });

  test("are hashed anew when the stored cost or algorithm is another", () => {
    const cost = { memoryKib: 19_456, time: 2, parallelism: 1 };
    expect(needsRehash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", cost)).toBe(false);
    expect(needsRehash("$argon2id$v=19$m=19456,t=3,p=1$c2FsdA$aGFzaA", cost)).toBe(true);
    expect(needsRehash("$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", cost)).toBe(true);
    expect(needsRehash("$2b$12$abc", cost)).toBe(true);
  });
});
