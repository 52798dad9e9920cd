/** Traffic of a quiet day: users sign in, read, refresh and sign out, a few times per second. */
import { Client, PASSWORD } from "../support/client.ts";

const PEOPLE = 4;
const PAUSE_MS = 150;

export interface Traffic {
  stop(): Promise<void>;
}

/**
 * Ignores failures, which come from the fault and are for Prometheus to detect. `replicas` receive probes, as from a
 * load balancer.
 */
export function startTraffic(url: string, replicas: () => readonly string[], email: string): Traffic {
  let running = true;
  const person = async () => {
    while (running) {
      await live(url, email).catch(() => undefined);
      await Bun.sleep(PAUSE_MS);
    }
  };
  const prober = async () => {
    while (running) {
      await Promise.all(replicas().map((replica) => fetch(`${replica}/readyz`).catch(() => undefined)));
      await Bun.sleep(PAUSE_MS);
    }
  };
  const people = [...Array.from({ length: PEOPLE }, person), prober()];
  return {
    async stop() {
      running = false;
      await Promise.all(people);
    },
  };
}

async function live(url: string, email: string): Promise<void> {
  const client = new Client(url);
  const undocumented = { documented: false } as const;
  const { status } = await client.post("/v1/auth/login", { email, password: PASSWORD }, undocumented);
  if (status !== 200) return;
  for (let count = 0; count < 4; count += 1) {
    await client.get("/v1/auth/session", undocumented);
    await Bun.sleep(PAUSE_MS);
  }
  await client.post("/v1/auth/refresh", undefined, undocumented);
  await client.post("/v1/auth/logout", undefined, undocumented);
}
