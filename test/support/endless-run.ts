/** Starts a process of each kind and waits for the interruption (test/commands/interrupted-run.test.ts). */

import { test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReplica } from "./replica.ts";
import { redisUrl, sharedServerUrl } from "./services.ts";

test("waits", async () => {
  const directory = mkdtempSync(join(tmpdir(), "identity-endless-"));
  const env = { SERVICE_DATA_DIRECTORY: directory, SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: "" };
  await Promise.all([sharedServerUrl(), redisUrl(), startReplica(env, { command: ["npm", "start"] })]);
  console.log("everything runs");
  await new Promise(() => undefined);
});
