import { afterAll, afterEach, beforeEach } from "bun:test";
import { enterTest, killReplicas, leaveTest } from "./support/replica.ts";
import { watchRun } from "./support/run-watcher.ts";
import { stopServices } from "./support/services.ts";
import { pauseUnused } from "./support/shared.ts";

watchRun();

beforeEach(enterTest);
beforeEach(pauseUnused);
afterEach(leaveTest);

afterAll(async () => {
  killReplicas();
  await stopServices();
});
