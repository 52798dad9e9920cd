/** What people do on a quiet day: sign in, look, refresh and sign out, a few times a second. */
import { Client, PASSWORD } from "../support/client.ts";

const PEOPLE = 4;
const PAUSE_MS = 150;

export interface Traffic {
  stop(): Promise<void>;
}

/** Failures are the fault's: Prometheus is to see them, not this. `replicas`: for probes, as of a load balancer. */
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
