import { expect, test } from "bun:test";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, startRedis } from "../support/services.ts";
import { until } from "../support/waiting.ts";

test("Lines that the Redis driver prints are records of the log: every line of a replica is JSON (G442).", async () => {
  // A user who may not read INFO, as hosters set up.
  const redis = await startRedis(["--user", "default", "on", "nopass", "~*", "&*", "+@all", "-info"]);
  const replica = await startReplica({ DATABASE_URL: await freshDatabase(), REDIS_URL: redis.url });
  await until("the driver has reported the check", async () => replica.output().includes("ready check"));
  await replica.stop();
  const lines = replica.output().trimEnd().split("\n");
  const records = lines.map((line) => JSON.parse(line));
  expect(records.find(({ msg }) => msg.includes("ready check"))).toMatchObject({ level: "warn", source: "console" });
});
