import { afterAll, afterEach, beforeEach } from "bun:test";
import { enterTest, killReplicas, leaveTest } from "./support/replica.ts";
import { stopServices } from "./support/services.ts";

beforeEach(enterTest);
afterEach(leaveTest);

afterAll(async () => {
  killReplicas();
  await stopServices();
});
