/**
 * A load generator in a separate process for requests in a fixed order. A task is a list of requests that one client
 * sends one after the other. Argument: a JSON file of `Tasks`. Prints `Done` as JSON.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantile, runJson } from "./harness.ts";

export interface TaskRequest {
  readonly method: "GET" | "PATCH" | "POST" | "PUT";
  /** After `Tasks.url`. */
  readonly path: string;
  readonly json?: unknown;
}

export interface Tasks {
  readonly url: string;
  readonly bearer: string;
  readonly clients: number;
  readonly tasks: readonly (readonly TaskRequest[])[];
  /** Tasks that begin each second at most. Absent: a client begins the next task after the task before. */
  readonly perSecond?: number;
}

export interface Done {
  /** Number of tasks. */
  readonly tasks: number;
  /** Tasks per second. */
  readonly perSecond: number;
  /** The duration of a task. */
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Sends all tasks. Throws for a refused request. */
export async function sendTasks(tasks: Tasks): Promise<Done> {
  const file = join(tmpdir(), `identity-bench-tasks-${process.pid}-${crypto.randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(tasks));
  const done = await runJson<Done | { readonly refused: string }>("bench/send-tasks.ts", [file]);
  rmSync(file);
  if ("refused" in done) throw new Error(`${tasks.url} refused ${done.refused}`);
  return done;
}

if (import.meta.main) {
  console.log(JSON.stringify(await run(JSON.parse(readFileSync(String(process.argv[2]), "utf8")))));
  process.exit(0);
}

async function run({
  url,
  bearer,
  clients,
  tasks,
  perSecond = Number.POSITIVE_INFINITY,
}: Tasks): Promise<Done | { readonly refused: string }> {
  const times: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const client = async (): Promise<string | undefined> => {
    while (next < tasks.length) {
      const task = tasks[next] ?? [];
      const waitMs = startedAt + (next * 1000) / perSecond - performance.now();
      next += 1;
      if (waitMs > 0) await Bun.sleep(waitMs);
      const taskStartedAt = performance.now();
      for (const request of task) {
        const refused = await refusalOf(url, bearer, request);
        if (refused) return refused;
      }
      times.push(performance.now() - taskStartedAt);
    }
    return undefined;
  };
  const refused = (await Promise.all(Array.from({ length: clients }, client))).find(Boolean);
  if (refused) return { refused };
  const done = (times.length * 1000) / (performance.now() - startedAt);
  return { tasks: times.length, perSecond: done, medianMs: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

async function refusalOf(
  url: string,
  bearer: string,
  { method, path, json }: TaskRequest,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": contentTypeOf(path) };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await fetch(`${url}${path}`, { method, headers, ...body });
  const text = await response.text();
  return response.ok ? undefined : `${method} ${path} with ${response.status}: ${text.slice(0, 500)}`;
}

function contentTypeOf(path: string): string {
  return path.startsWith("/v1/admin/") ? "application/json" : "application/scim+json";
}
