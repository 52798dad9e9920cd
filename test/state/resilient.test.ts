import { afterEach, expect, test } from "bun:test";
import pino from "pino";
import { systemClock } from "../../src/base/clock.ts";
import { STATE_RETRY_AFTER_MS } from "../../src/limits/state-limits.ts";
import { localState } from "../../src/state/local.ts";
import { redisState } from "../../src/state/redis.ts";
import { type ResilientOptions, type ResilientState, resilientState } from "../../src/state/resilient.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { startRedis } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { until } from "../support/waiting.ts";

let opened: ResilientState | undefined;
afterEach(() => opened?.close());

function openResilient(primary: ResilientOptions["primary"]): ResilientState {
  const log = pino({ level: "silent" });
  opened = resilientState({ primary, fallback: localState(systemClock), clock: systemClock, log });
  return opened;
}

/** A lost store whose connections need some time to become usable. */
function slowToConnect(connectMs: number): ResilientOptions["primary"] {
  let usableAt = systemClock.monotonic() + connectMs;
  const store = localState(systemClock);
  const requireConnection = async () => {
    if (systemClock.monotonic() < usableAt) throw new Error("not connected");
  };
  return {
    ...store,
    ping: async () => {
      await requireConnection();
      return 1;
    },
    count: async (key, windowMs) => {
      await requireConnection();
      return await store.count(key, windowMs);
    },
    reconnect() {
      usableAt = systemClock.monotonic() + connectMs;
    },
  };
}

test("Redis is shared again though a connection takes longer than the pause between two probes", async () => {
  const state = openResilient(slowToConnect(1.5 * STATE_RETRY_AFTER_MS));
  await state.count("a counter", 60_000);
  expect(state.shared).toBe(false);
  await until("it is shared again", async () => state.shared);
});

test("a connection that a partition left half open is replaced", async () => {
  const proxy = await TcpProxy.to((await startRedis()).port);
  const primary = redisState({
    url: `redis://127.0.0.1:${proxy.port}`,
    clock: systemClock,
    telemetry: await silentTelemetry(),
    onConnectionError: () => undefined,
  });
  const state = openResilient(primary);
  await state.connect();
  proxy.drop();
  await state.count("a counter", 60_000);
  expect(state.shared).toBe(false);
  proxy.heal();
  await until("it is shared again", async () => state.shared);
  proxy.stop();
});

test("a silently lost connection of a stream is replaced, beside any state of the remaining connections", async () => {
  const redis = await startRedis();
  const proxy = await TcpProxy.to(redis.port);
  const open = async (port: number) => {
    const telemetry = await silentTelemetry();
    const url = `redis://127.0.0.1:${port}`;
    return redisState({ url, clock: systemClock, telemetry, onConnectionError: () => undefined });
  };
  const [writer, reader] = [await open(redis.port), await open(proxy.port)];
  const found = async () => (await reader.read("a stream", "0-0", 10, 10)).messages.length;
  await until("the stream can be read", () =>
    writer
      .append("a stream", "one", 10)
      .then(found)
      .then(Boolean, () => false),
  );
  proxy.replaceHost();
  await until("it can be read again", () => found().then(Boolean, () => false));
  await Promise.all([writer.close(), reader.close()]);
  proxy.stop();
});
