import { test } from "bun:test";
import { pino } from "pino";
import { readReplica } from "../../src/actors/read-replica.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { Database } from "../../src/database/database.ts";
import type { LogPoint } from "../../src/database/replication.ts";
import { until } from "../support/waiting.ts";

const LONG_AGO = { userId: "someone", authTime: 0 };

test("a standby with fewer replayed records than the former standby of the address is not read", async () => {
  const written: LogPoint = { history: "one", lsn: 1_000n };
  let replayed: LogPoint = written;
  const answering = (response: () => unknown) =>
    ({ run: async () => response(), close: async () => undefined }) as unknown as Database;
  const reads = readReplica({
    primary: answering(() => written),
    primaryUrl: "",
    replica: answering(() => replayed),
    replicaUrl: "standby",
    state: { mark: async () => undefined, isMarked: async () => false },
    clock: systemClock,
    log: pino({ level: "silent" }),
    // The bound is long compared with the test, so that the freshness of the first standby does not expire.
    maxLagMs: 60_000,
  });
  reads.start();
  const readsStandby = async () => (await reads.exportUrls(LONG_AGO)).includes("standby");
  await until("the first one is read", readsStandby);
  replayed = { history: "one", lsn: 10n };
  await until("the primary is read", async () => !(await readsStandby()));
  await reads.stop();
});
