/** A reachable Redis with refused writes: a replica, a full server, a server without replicas. */
import { expect, test } from "bun:test";
import { Redis } from "ioredis";
import { systemClock } from "../../src/base/clock.ts";
import { reportEviction } from "../../src/state/eviction.ts";
import { redisState } from "../../src/state/redis.ts";
import { startRedis } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { until } from "../support/waiting.ts";

test("A Redis that refuses writes fails each probe, and the doctor prints the refusal (G413).", async () => {
  const { url } = await startRedis();
  const administrator = new Redis(url);
  const telemetry = await silentTelemetry();
  const state = redisState({ url, clock: systemClock, telemetry, onConnectionError: () => undefined });
  const probe = () =>
    state.ping().then(
      () => "usable",
      (error: Error) => error.message,
    );
  await until("Redis is usable", async () => (await probe()) === "usable");
  await administrator.config("SET", "min-replicas-to-write", "1");
  expect(await probe()).toStartWith("NOREPLICAS");
  expect(await reportEviction(url)).toEqual({ kind: "unusable", detail: expect.stringContaining("NOREPLICAS") });
  await administrator.config("SET", "min-replicas-to-write", "0");
  expect(await probe()).toBe("usable");
  administrator.disconnect();
  await state.close();
});
