import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { deriveKey, open, seal, sealingKey } from "../../src/base/seal.ts";

describe("seal (G22)", () => {
  const random = systemRandom(systemClock);
  const key = sealingKey(deriveKey("a root secret", "test"));
  const sealed = seal(key, random, "row/1", Buffer.from("secret"));

  test("opens under the sealing key and identity alone: a row copied to a second identity does not open", () => {
    expect(open(key, "row/1", sealed)?.toString()).toBe("secret");
    expect(open(key, "row/2", sealed)).toBeUndefined();
    expect(open(sealingKey(deriveKey("another secret", "test")), "row/1", sealed)).toBeUndefined();
    expect(open(sealingKey(deriveKey("a root secret", "other purpose")), "row/1", sealed)).toBeUndefined();
  });

  test("does not open with a changed bit, or cut off", () => {
    for (let position = 0; position < sealed.length; position += 1) {
      const spoiled = Buffer.from(sealed);
      spoiled[position] = (spoiled[position] ?? 0) ^ 1;
      expect(open(key, "row/1", spoiled)).toBeUndefined();
    }
    expect(open(key, "row/1", sealed.subarray(0, 10))).toBeUndefined();
  });

  test("never seals alike twice", () => {
    expect(seal(key, random, "row/1", Buffer.from("secret")).equals(sealed)).toBe(false);
  });
});
