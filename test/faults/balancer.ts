/** HAProxy in front of two replicas, as in ops/haproxy.cfg but quicker to notice. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { leashed } from "../support/leash.ts";
import { findProgram } from "../support/packages.ts";

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Sends requests to those of the replicas (by port) that are ready. A request that reached none is tried at the other one. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const haproxy = findProgram("haproxy");
  const directory = mkdtempSync(join(tmpdir(), "identity-haproxy-"));
  const port = await freePort();
  const servers = ports.map((each, index) => `  server replica${index} 127.0.0.1:${each} check`);
  const lines = [
    "defaults",
    "  mode http",
    "  option redispatch",
    "  retries 3",
    "  retry-on conn-failure",
    "  timeout connect 1s",
    "  timeout client 30s",
    "  timeout server 30s",
    "  timeout check 1s",
    "frontend all",
    `  bind 127.0.0.1:${port}`,
    "  default_backend replicas",
    "backend replicas",
    "  balance roundrobin",
    "  option httpchk GET /readyz",
    "  default-server inter 100ms fall 1 rise 1",
    ...servers,
  ];
  const file = join(directory, "haproxy.cfg");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = spawn(...leashed(haproxy, ["-q", "-db", "-f", file]), { stdio: "ignore" });
  const ended = new Promise<void>((exited) => child.once("exit", () => exited()));
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/healthz`)
      .then((answer) => answer.ok)
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
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
