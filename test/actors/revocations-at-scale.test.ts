import { expect, test } from "bun:test";
import { simulate } from "../../bench/revocation-simulation.ts";
import { REVOCATION_POLL_MS } from "../../src/limits/session-limits.ts";

const TICK_MS = 20;

test("50 replicas at 10,000 revocations a second miss none, announced or not, and stay current", async () => {
  const result = await simulate({
    replicas: 50,
    perSecond: 10_000,
    seconds: 0.8,
    tickMs: TICK_MS,
    lifetimeMs: 60_000,
    unannouncedEvery: 10,
  });
  expect(result).toMatchObject({ revoked: 8_000, missed: 0, currentUntilSeconds: undefined, entriesMax: 8_000 });
  expect(result.unannouncedLagMs).toBeGreaterThan(TICK_MS);
  expect(result.unannouncedLagMs).toBeLessThanOrEqual(REVOCATION_POLL_MS);
});
