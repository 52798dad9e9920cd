import { expect, test } from "bun:test";
import { LRUCache } from "lru-cache";
import { systemClock } from "../../../src/base/clock.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { ok } from "../../../src/base/result.ts";
import { identifyKey } from "../../../src/flows/steps/authorization/identify-key.ts";
import { makeKeyText } from "../../../src/models/service-account/key-format.ts";

type IdentifyDeps = Parameters<typeof identifyKey>[0];

/** Counts reads of the database; the database contains no key. */
function countingDeps() {
  const reads: string[] = [];
  const database = {
    run: async (name: string) => {
      reads.push(name);
      return undefined;
    },
  };
  const revocations = { key: async (id: string) => reads.push(id) };
  const deps = { database, revocations, apiKeyIds: new LRUCache({ max: 10 }) } as unknown as IdentifyDeps;
  return { deps, reads };
}

const misses = { open: () => ok(undefined), count: async () => ok(undefined) };

test("a key with a wrong checksum is refused without a read of the database (G99)", async () => {
  const { key } = makeKeyText(systemRandom(systemClock), "acme");
  const mistyped = [...key].map((character, index) => {
    const other = character === "a" ? "b" : "a";
    return key.slice(0, index) + other + key.slice(index + 1);
  });
  const { deps, reads } = countingDeps();
  for (const token of [...mistyped, key.slice(0, -1), `${key}0`, key.replace("acme", "acne")]) {
    expect((await identifyKey(deps, token, misses)).ok).toBe(false);
  }
  expect(reads).toEqual([]);
  expect((await identifyKey(deps, key, misses)).ok).toBe(false);
  expect(reads).toEqual(["api_key.find_id"]);
});
