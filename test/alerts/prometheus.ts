/** A real Prometheus with the rules of the kit and accelerated time. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { findProgram } from "../support/packages.ts";
import { until } from "../support/waiting.ts";

const RULES = join(import.meta.dir, "../../ops/prometheus/alerts.yml");
/** The divisor of every duration of the rules: five minutes become ten seconds. */
const FASTER = 30;
const SCRAPE_MS = 500;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
/** Matches a range, `for` or offset. */
const DURATION = /(\[|for: |offset )(\d+)([smhd])(?=\]|\s|\)|$)/gm;

export interface Prometheus {
  /** Returns the names of the alerts that fire now. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Divides the durations of the rules and the age of a late email by `FASTER`. */
export function fasterRules(rules: string): string {
  return rules
    .replace(DURATION, (_, before, count, unit: keyof typeof SECONDS) => {
      return `${before}${Math.max(1_000, (Number(count) * SECONDS[unit] * 1_000) / FASTER)}ms`;
    })
    .replace("> bool 300", `> bool ${300 / FASTER}`);
}

/**
 * Starts with an empty memory, so that a fault does not appear twice. `targets` holds host and port of each replica.
 */
export async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
  const directory = mkdtempSync(join(tmpdir(), "identity-prometheus-"));
  const port = await freePort();
  writeFileSync(join(directory, "alerts.yml"), fasterRules(readFileSync(RULES, "utf8")));
  writeFileSync(join(directory, "prometheus.yml"), configuration(targets));
  const args = [
    `--config.file=${join(directory, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(directory, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=error",
  ];
  const child = spawn(...dieWithParent(findProgram("prometheus"), args), { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((exited) => child.once("exit", () => exited()));
  const url = `http://127.0.0.1:${port}`;
  await until("Prometheus is ready", async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus stopped with ${child.exitCode}`);
    return await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    async firing() {
      const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configuration(targets: readonly string[]): string {
  return `
global: { scrape_interval: ${SCRAPE_MS}ms, scrape_timeout: ${SCRAPE_MS}ms, evaluation_interval: ${SCRAPE_MS}ms }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: identity
    static_configs: [{ targets: ${JSON.stringify(targets)} }]
`;
}
