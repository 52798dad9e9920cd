import { afterAll } from "bun:test";
import { killReplicas } from "./support/replica.ts";
import { stopServices } from "./support/services.ts";

afterAll(async () => {
  killReplicas();
  await stopServices();
});
