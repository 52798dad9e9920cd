/** HAProxy in front of two replicas, with the configuration file of the kit. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { findProgram } from "../support/packages.ts";

const FILE = join(import.meta.dir, "../../ops/haproxy.cfg");

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a balancer that sends requests to a ready replica (by port). A request that reached no replica is sent to the
 * second replica.
 */
export async function startBalancer(one: number, two: number): Promise<Balancer> {
  const port = await freePort();
  const places = {
    BIND: `127.0.0.1:${port}`,
    REPLICA_ONE: `127.0.0.1:${one}`,
    REPLICA_TWO: `127.0.0.1:${two}`,
    // All clients of these tests share an address.
    CONNECTIONS_PER_ADDRESS: "100000",
  };
  const child = spawn(...dieWithParent(findProgram("haproxy"), ["-q", "-db", "-f", FILE]), {
    env: { ...process.env, ...places },
    stdio: "ignore",
  });
  const ended = new Promise<void>((exited) => child.once("exit", () => exited()));
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/healthz`)
      .then((response) => response.ok)
      .catch(() => false))
  ) {
    if (child.exitCode !== null) throw new Error(`HAProxy stopped with ${child.exitCode}`);
    await Bun.sleep(20);
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
