/** Starts a process of each kind and waits for the interruption (test/commands/interrupted-run.test.ts). */

import { test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReplica } from "./replica.ts";
import { redisUrl, sharedServerUrl } from "./services.ts";

/** The service starts a PostgreSQL below the service itself, or uses the PostgreSQL of the run, without migrations. */
async function settings(): Promise<Record<string, string>> {
  if (process.env.ENDLESS_RUN !== "embedded") return { DATABASE_URL: await sharedServerUrl() };
  const directory = mkdtempSync(join(tmpdir(), "identity-endless-"));
  return { SERVICE_DATA_DIRECTORY: directory, SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: "" };
}

test("waits", async () => {
  await Promise.all([sharedServerUrl(), redisUrl(), startReplica(await settings(), { command: ["npm", "start"] })]);
  console.log("everything runs");
  await new Promise(() => undefined);
});
