/** The bound of the pages that forms produce, in the state that replicas share (docs/pages.md, "Pages by redirect"). */
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import { KEPT_PAGE_LIFETIME_SECONDS } from "../../src/limits/kept-page-limits.ts";
import { fieldsOf } from "../../src/pages/fields.ts";
import { keptPages } from "../../src/pages/kept-pages.ts";
import { localState } from "../../src/state/local.ts";
import { movableClock } from "../support/clock.ts";
import { configOf } from "../support/flows.ts";
import { scriptedRandom } from "../support/random.ts";

const MIB = 1024 * 1024;
const request = new Request("https://auth.example.test/sign-in", { method: "POST" });
const NO_FIELDS = fieldsOf(new URLSearchParams());
const CALL = { request, cookies: {}, caller: undefined, query: NO_FIELDS, form: NO_FIELDS };

test("a replica keeps at most 16 MiB of pages in a minute, so that a flood of forms fills no state", async () => {
  const clock = movableClock();
  let kept = 0;
  const local = localState(clock);
  const state: typeof local = {
    ...local,
    async keep(key, value, lifetimeMs) {
      expect(lifetimeMs).toBe(KEPT_PAGE_LIFETIME_SECONDS * 1000);
      kept += value.length;
      return await local.keep(key, value, lifetimeMs);
    },
  };
  const random = scriptedRandom(clock);
  const sealing = sealingKey(deriveKey("a root secret of a test", "kept pages"));
  const pages = keptPages({ clock, config: configOf({}), random, sealing, state });
  const headers = { "content-type": "text/html; charset=utf-8" };
  const statusOf = async (bytes: number) => {
    const text = randomBytes(bytes / 2).toString("hex");
    return (await pages.keep(CALL, { status: 400, headers, text, cookies: [] })).status;
  };
  const large = 200 * 1024;
  const statuses = await Promise.all(Array.from({ length: 200 }, () => statusOf(large)));
  expect(new Set(statuses)).toEqual(new Set([303, 400]));
  expect(kept).toBeGreaterThan(15 * MIB);
  expect(kept).toBeLessThanOrEqual(16 * MIB);
  expect(await statusOf(large)).toBe(400);
  clock.advance(60_000);
  expect(await statusOf(large)).toBe(303);
});
