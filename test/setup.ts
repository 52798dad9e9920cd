import { afterAll, setDefaultTimeout } from "bun:test";
import { killReplicas } from "./support/replica.ts";
import { stopServices } from "./support/services.ts";

/** Replicas start and drain inside tests. A test that runs out of time takes all child processes with it, so it is generous. */
setDefaultTimeout(60_000);
afterAll(async () => {
  killReplicas();
  await stopServices();
});
