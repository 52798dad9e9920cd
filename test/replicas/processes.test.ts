import { expect, test } from "bun:test";
import { freePort } from "../../db/embedded.ts";
import { superviseProcesses } from "../../src/commands/processes.ts";
import { Client, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { runService, startReplica } from "../support/replica.ts";
import { freshDatabase, redisUrl } from "../support/services.ts";
import { eventually, until } from "../support/waiting.ts";

const childrenOf = (pid: number) =>
  Bun.spawnSync(["ps", "--ppid", String(pid), "-o", "pid="])
    .stdout.toString()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);

const SCRAPE_DEADLINE_MS = 3_000;

/**
 * Scrapes on a new connection, so that any process may respond. Returns an empty string if that process does not
 * respond.
 */
async function scrape(url: string): Promise<string> {
  const init = { headers: { connection: "close" }, keepalive: false, signal: AbortSignal.timeout(SCRAPE_DEADLINE_MS) };
  try {
    const response = await fetch(`${url}/metrics`, init);
    return response.status === 200 ? await response.text() : "";
  } catch {
    return "";
  }
}

/** Scrapes until `responding` of the two processes responded in time. */
async function scrapeWith(responding: 1 | 2, url: string): Promise<string> {
  let text = "";
  await until(`${responding} of the processes respond with their metrics`, async () => {
    text = await scrape(url);
    return text.match(/^service_process_up\{service_process="[12]"\} 1$/gm)?.length === responding;
  });
  return text;
}

/**
 * Returns counters and histograms by series. The declared types decide, because the name of a gauge can end in `_count`
 * too.
 */
function totalsOf(text: string): Map<string, number> {
  const families = new Set([...text.matchAll(/^# TYPE (\w+) (?:counter|histogram)$/gm)].map(([, name]) => name));
  const familyOf = (line: string) => line.slice(0, line.indexOf("{"));
  const lines = text
    .split("\n")
    .filter((line) => families.has(familyOf(line)) || families.has(familyOf(line).replace(/_(count|sum|bucket)$/, "")));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

function expectNoneLess(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  expect(before.size).toBeGreaterThan(0);
  expect([...before].filter(([series, value]) => !((after.get(series) ?? 0) >= value))).toEqual([]);
}

test("SERVICE_PROCESSES: processes share a port, a dead process is replaced, and SIGTERM drains all", async () => {
  const port = await freePort();
  const env = { DATABASE_URL: await freshDatabase(), REDIS_URL: await redisUrl(), PORT: String(port) };
  const service = await startReplica({ ...env, SERVICE_PROCESSES: "2" });
  const listening = () => service.output().match(/"msg":"listening"/g)?.length ?? 0;
  await until("both listen", async () => listening() === 2);
  const children = childrenOf(service.pid);
  expect(children).toHaveLength(2);
  const { email, client } = await registered(service.url);
  // Each process accepts, and ends, sessions of the second process.
  const sessions = await race(() => signedIn(service.url, email), 8);
  expect(sessions.map(({ answer }) => answer.status)).toEqual(Array(8).fill(200));
  // The result does not depend on the responding process.
  for (let scrapes = 0; scrapes < 4; scrapes += 1) {
    const text = await scrapeWith(2, service.url);
    expect(text).toMatch(/^service_sign_in_attempts_total\{.*outcome="success".*\} 8$/m);
    expect(text.match(/^service_revocations_current\{.*service_process="[12]"\} [01]$/gm)).toHaveLength(2);
    expect(text.match(/^target_info\{/gm)).toHaveLength(1);
  }
  await client.delete("/v1/auth/sessions");
  await eventually("all of them are refused everywhere", 1_000, async () => {
    const looks = await race((index) => (sessions[index]?.client ?? client).get("/v1/auth/session"), 8);
    return looks.every(({ status }) => status === 401);
  });
  const before = totalsOf(await scrapeWith(2, service.url));
  process.kill(children[0] ?? 0, "SIGKILL");
  await until("there are two again", async () => listening() === 3);
  // The totals of the killed process are kept.
  for (let scrapes = 0; scrapes < 4; scrapes += 1) expectNoneLess(before, totalsOf(await scrapeWith(2, service.url)));
  const replacement = childrenOf(service.pid).find((pid) => !children.includes(pid)) ?? 0;
  process.kill(replacement, "SIGSTOP");
  // The kernel assigns a share of the connections to the stopped process; scrapes on these connections get no response.
  const withoutOne = await scrapeWith(1, service.url);
  expectNoneLess(before, totalsOf(withoutOne));
  expect(withoutOne.match(/^service_revocations_current\{/gm)).toHaveLength(1);
  process.kill(replacement, "SIGCONT");
  expectNoneLess(before, totalsOf(await scrapeWith(2, service.url)));
  expect((await new Client(service.url).get("/readyz")).status).toBe(200);
  const left = childrenOf(service.pid);
  expect(await service.stop()).toBe(0);
  for (const pid of left) expect(() => process.kill(pid, 0)).toThrow();
});

test("processes whose supervisor is killed end by themselves", async () => {
  const env = { DATABASE_URL: await freshDatabase(), REDIS_URL: await redisUrl(), PORT: String(await freePort()) };
  const service = await startReplica({ ...env, SERVICE_PROCESSES: "2" });
  const children = childrenOf(service.pid);
  await service.kill();
  const alive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await until("they are gone", async () => !children.some(alive));
});

test("several processes need the settings of shared state", async () => {
  const { code, output } = await runService(["serve"], { SERVICE_PROCESSES: "2" });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("SERVICE_PROCESSES: more than one need DATABASE_URL, REDIS_URL"),
  ]);
});

test("a failing process is started again, and the remaining processes continue", async () => {
  const exits: (number | null)[] = [];
  const command = [`${import.meta.dir}/no-such-program`] as const;
  const supervisor = superviseProcesses({ count: 1, command, onExit: (code) => void exits.push(code) });
  await until("it was tried three times", async () => exits.length === 3);
  expect(exits).toEqual([null, null, null]);
  await supervisor.stop();
});
