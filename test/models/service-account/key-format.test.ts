import { describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { systemClock } from "../../../src/base/clock.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { isKeyText, looksLikeKey, makeKeyText } from "../../../src/models/service-account/key-format.ts";

const random = systemRandom(systemClock);
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("the text of a key", () => {
  test("ends with the CRC-32 of the preceding text in six base62 digits, for scanners", () => {
    const { key, keyId } = makeKeyText(random, "acme");
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
    expect(key).toMatch(/^acme_sk_[0-9A-Za-z]{46}$/);
    expect(key.slice(8, 16)).toBe(keyId);
  });

  test("with any changed character or two swapped neighbours is invalid", () => {
    const { key } = makeKeyText(random, "acme");
    for (let index = 0; index < key.length; index += 1) {
      const other = BASE62.charAt((BASE62.indexOf(key.charAt(index)) + 1) % 62);
      expect(isKeyText(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
      const swapped = key.slice(0, index) + key.charAt(index + 1) + key.charAt(index) + key.slice(index + 2);
      if (swapped !== key && index < key.length - 1) expect(isKeyText(swapped)).toBe(false);
    }
    for (const text of [
      "",
      "sk_",
      "acme_sk_",
      `${key}a`,
      `x${key}`,
      key.replace("acme_", ""),
      key.replace("acme_", "_"),
      key.slice(0, -1),
      ` ${key}`,
      `${key}\n`,
    ]) {
      expect(isKeyText(text)).toBe(false);
    }
  });

  test("of every deployment, and of earlier releases without a prefix, is a key (G99)", () => {
    const body = "sk_4fGh8Kq2Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGf";
    const digits = (value: number): string => (value < 62 ? "" : digits(Math.floor(value / 62))) + BASE62[value % 62];
    const former = body + digits(crc32(body)).padStart(6, "0");
    const renamed = ["a", "Acme2", "acme_prod", "x".repeat(20)].map((prefix) => makeKeyText(random, prefix).key);
    for (const key of [former, ...renamed]) expect([looksLikeKey(key), isKeyText(key)]).toEqual([true, true]);
    const token = `eyJhbGciOiJSUzI1NiJ9.${"a".repeat(400)}.b`;
    for (const text of [token, "acme_pk_1", "1_sk_x", ""]) expect(looksLikeKey(text)).toBe(false);
  });

  test("uses every character about equally often", () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 500; made += 1) {
      for (const character of makeKeyText(random, "acme").key.slice(8, 48)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    // The sample has 20,000 characters, so 323 per character are expected; six standard deviations are 107.
    expect(counts.size).toBe(62);
    expect(Math.min(...counts.values())).toBeGreaterThan(215);
    expect(Math.max(...counts.values())).toBeLessThan(431);
  });
});
