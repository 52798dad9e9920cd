/**
 * Deployments that several files share. The replicas are paused while a file without the deployment runs: an idle
 * replica takes 3 % of a core.
 */
import { forTheRun, type Replica } from "./replica.ts";
import { until } from "./waiting.ts";

interface Shared {
  /** The file that requested the deployment last. */
  usedBy: string;
  replicas: readonly Replica[];
  paused: boolean;
}

const all: Shared[] = [];

/**
 * Returns the getter of a deployment that starts with the first call. Each file calls the getter; no file stores the
 * result.
 */
export function sharedByFiles<T>(start: () => Promise<T>, replicasOf: (started: T) => Replica[]): () => Promise<T> {
  const shared: Shared = { usedBy: "", replicas: [], paused: false };
  let starting: Promise<T> | undefined;
  let resuming = Promise.resolve();
  return async () => {
    shared.usedBy = Bun.main;
    starting ??= forTheRun(start).then((started) => {
      shared.replicas = replicasOf(started);
      all.push(shared);
      return started;
    });
    const started = await starting;
    if (shared.paused) resuming = resume(shared);
    await resuming;
    return started;
  };
}

/** The suite calls this function before each test. */
export function pauseUnused(): void {
  for (const shared of all) {
    if (shared.paused || shared.usedBy === Bun.main) continue;
    shared.paused = true;
    for (const replica of shared.replicas) process.kill(replica.pid, "SIGSTOP");
  }
}

/** During the pause a replica has exceeded deadlines, and stops using Redis for a moment. */
async function resume(shared: Shared): Promise<void> {
  shared.paused = false;
  for (const replica of shared.replicas) process.kill(replica.pid, "SIGCONT");
  await until("the shared replicas are ready again", async () => {
    const statuses = shared.replicas.map(async ({ url }) => (await (await fetch(`${url}/readyz`)).json()).status);
    return (await Promise.all(statuses)).every((status) => status === "ok");
  });
}
