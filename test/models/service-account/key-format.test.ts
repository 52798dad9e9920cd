import { describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { systemClock } from "../../../src/base/clock.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { isKeyText, makeKeyText } from "../../../src/models/service-account/key-format.ts";

const random = systemRandom(systemClock);
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("the text of a key", () => {
  test("ends with the CRC-32 of all before it in six base62 digits, as scanners check it", () => {
    const { key, keyId } = makeKeyText(random);
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
    expect([key.slice(3, 11), key.length]).toEqual([keyId, 49]);
  });

  test("with any one character changed or two neighbours swapped is none", () => {
    const { key } = makeKeyText(random);
    for (let index = 3; index < key.length; index += 1) {
      const other = BASE62.charAt((BASE62.indexOf(key.charAt(index)) + 1) % 62);
      expect(isKeyText(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
      const swapped = key.slice(0, index) + key.charAt(index + 1) + key.charAt(index) + key.slice(index + 2);
      if (swapped !== key && index < key.length - 1) expect(isKeyText(swapped)).toBe(false);
    }
    for (const text of ["", "sk_", `${key}a`, key.slice(0, -1), ` ${key}`, `${key}\n`]) {
      expect(isKeyText(text)).toBe(false);
    }
  });

  test("uses every character about equally often", () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 500; made += 1) {
      for (const character of makeKeyText(random).key.slice(3, 43)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    // 20,000 characters, 323 of each expected: six standard deviations are 107.
    expect(counts.size).toBe(62);
    expect(Math.min(...counts.values())).toBeGreaterThan(215);
    expect(Math.max(...counts.values())).toBeLessThan(431);
  });
});
