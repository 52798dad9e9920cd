/** Two replicas behind HAProxy, each of 0.1.0 or of this version, on one PostgreSQL and one Redis. */
import { freePort } from "../../db/embedded.ts";
import { type Balancer, startBalancer } from "../faults/balancer.ts";
import { Client } from "../support/client.ts";
import { forTheRun, type Replica, startReplica } from "../support/replica.ts";
import { startReplicaOf010 } from "../support/version-0.1.0.ts";
import { eventually } from "../support/waiting.ts";

export type Release = "0.1.0" | "this version";

const READY_DEADLINE_MS = 60_000;

export class Releases {
  readonly #env: Readonly<Record<string, string>>;
  readonly #ports: readonly number[];
  readonly #replicas: Replica[];
  readonly balancer: Balancer;

  private constructor(env: Record<string, string>, ports: readonly number[], replicas: Replica[], balancer: Balancer) {
    [this.#env, this.#ports, this.#replicas, this.balancer] = [env, ports, replicas, balancer];
  }

  static async start(env: Record<string, string>): Promise<Releases> {
    const ports = [await freePort(), await freePort()];
    const replicas = await Promise.all(ports.map((port) => startRelease("0.1.0", env, port)));
    return new Releases(env, ports, replicas, await startBalancer(ports[0] ?? 0, ports[1] ?? 0));
  }

  get urls(): readonly string[] {
    return this.#replicas.map(({ url }) => url);
  }

  /** Replaces a replica as a rolling release does: SIGTERM, a drain, and a new process on the same port. */
  async replace(index: number, release: Release): Promise<void> {
    const code = await this.#replicas[index]?.stop();
    if (code !== 0) throw new Error(`replica ${index} ended with ${code}`);
    this.#replicas[index] = await startRelease(release, this.#env, this.#ports[index] ?? 0);
  }

  async stop(): Promise<void> {
    await this.balancer.stop();
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
  }
}

async function startRelease(release: Release, env: Record<string, string>, port: number): Promise<Replica> {
  const start = release === "0.1.0" ? startReplicaOf010 : startReplica;
  const replica = await forTheRun(() => start({ ...env, PORT: String(port) }));
  await eventually(`a replica of ${release} is ready`, READY_DEADLINE_MS, async () => {
    return (await new Client(replica.url).get("/readyz", { documented: false })).status === 200;
  });
  return replica;
}
