/**
 * `npm run test:soak [-- <minutes>]` (G250): mixed load on two replicas behind HAProxy for 30 minutes, or for the given
 * time (`-- 480` for eight hours). First, each replica restarts by SIGTERM, Redis is killed and PostgreSQL crashes.
 * Replicas keep tokens and revocations for fifteen minutes, the lifetime of an access token, so the warm-up is after
 * the restarts. Then live objects, memory, descriptors and connections must be flat, and the ledger must have lost no
 * result. The times of the faults have no limit of failed requests (`npm run test:faults` has).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FaultDeployment } from "../faults/deployment.ts";
import { Ledger } from "../faults/ledger.ts";
import { endWithNpm, watchRun } from "../support/run-watcher.ts";
import { stopServices } from "../support/services.ts";
import { ssoSettings } from "../support/sso.ts";
import { prepareJourneys } from "./journeys.ts";
import { withLiveMemory } from "./live-memory.ts";
import { MixedLoad } from "./mixed-load.ts";
import { measure, type Sample, type Trend, trendOf } from "./resources.ts";
import { startSignInServers } from "./sign-ins.ts";

const MINUTE_MS = 60_000;
const MINUTES = Number(process.argv[2] ?? 30);
const FAULT_PAUSE_MINUTES = MINUTES / 60;
const PEOPLE = 6;
const PAUSE_MS = 20;
/** In a shorter measurement the collector of garbage hides a slope. */
const SLOPE_MINUTES_MIN = 10;
const SLOPE_MIB_MAX = 1;
const SHORT_GROWTH_MIB_MAX = 32;
const DESCRIPTORS_GROWTH_MAX = 16;
const SAMPLES = 60;
const MEMORIES: readonly (readonly [string, (sample: Sample) => number])[] = [
  ["live objects", ({ liveMib }) => liveMib],
  ["resident pages", ({ residentMib }) => residentMib],
];

watchRun();
endWithNpm();
if (!(MINUTES > 0)) throw new Error("test:soak takes a number of minutes");
const servers = await startSignInServers();
const sockets = mkdtempSync(join(tmpdir(), "identity-soak-"));
const settings = { ...ssoSettings(), ...servers.settings, ...withLiveMemory(sockets) };
const stage = await FaultDeployment.set(undefined, settings);
const ledger = new Ledger();
const mixed = new MixedLoad();
const place = {
  one: stage.balancer,
  redis: stage.redis,
  get sql() {
    return stage.sql;
  },
};
const journeys = await prepareJourneys(place, servers);
const urls = stage.replicas.map(({ url }) => url);
ledger.start({ url: stage.balancer.url, replicas: urls, people: PEOPLE, pauseMs: PAUSE_MS, seed: 1 });
mixed.start(stage.balancer.url, PAUSE_MS, journeys);

await wait(FAULT_PAUSE_MINUTES, "before the faults");
await disturb();
const failuresOfFaults = mixed.failures.splice(0).length;
await wait(MINUTES / 2 - 4 * FAULT_PAUSE_MINUTES, "warm-up");
const samples = await observe(MINUTES / 2);
await ledger.stop();
await mixed.stop();
stage.webhook.expect(ledger.histories);
const deliveries = await stage.webhook.findings();
const findings = [
  ...(await ledger.missing(stage.sql)).map((lost) => `lost: ${lost}`),
  ...ledger.violations,
  ...deliveries.lost.map((lost) => `lost delivery: ${lost}`),
  ...deliveries.violations,
  ...mixed.failures.map((failure) => `after the faults: ${failure}`),
  ...growth(),
];
report();
await stage.teardown();
await stopServices();
rmSync(sockets, { recursive: true, force: true });
process.exit(findings.length > 0 ? 1 : 0);

async function wait(minutes: number, what: string): Promise<void> {
  console.log(`${new Date().toISOString()} ${what}, ${minutes.toFixed(1)} minutes`);
  await Bun.sleep(minutes * MINUTE_MS);
}

/** A rolling restart, an empty Redis and a crash of PostgreSQL, each followed by a recovery. */
async function disturb(): Promise<void> {
  for (const index of [0, 1]) {
    await stage.replicas[index]?.stop();
    await stage.restartReplica(index);
    await stage.recovered();
  }
  await wait(FAULT_PAUSE_MINUTES, "after the rolling restart");
  await stage.redis.kill();
  await stage.redis.restart();
  await stage.recovered();
  await wait(FAULT_PAUSE_MINUTES, "after the restart of Redis");
  await stage.crashPostgres();
  await stage.startPostgres();
  await stage.recovered();
  await wait(FAULT_PAUSE_MINUTES, "after the crash of PostgreSQL");
}

async function observe(minutes: number): Promise<(readonly Sample[])[]> {
  console.log(`${new Date().toISOString()} measurement, ${minutes.toFixed(1)} minutes`);
  const perReplica: Sample[][] = stage.replicas.map(() => []);
  const startedAt = performance.now();
  for (let index = 0; index < SAMPLES; index += 1) {
    await Bun.sleep((minutes * MINUTE_MS) / SAMPLES);
    const minute = (performance.now() - startedAt) / MINUTE_MS;
    for (const [place, replica] of stage.replicas.entries())
      perReplica[place]?.push(await measure(replica, sockets, stage.sql, minute));
  }
  return perReplica;
}

function growth(): string[] {
  return samples.flatMap((series, index) => [
    ...MEMORIES.flatMap(([name, pick]) => {
      const trend = trendOf(series, pick);
      const isLong = MINUTES / 2 >= SLOPE_MINUTES_MIN;
      const grows = isLong ? trend.certainPerHour > SLOPE_MIB_MAX : rise(series, pick) > SHORT_GROWTH_MIB_MAX;
      return grows ? [`replica ${index}: ${name} grow by ${trendText(trend)}`] : [];
    }),
    ...(["descriptors", "connections"] as const).flatMap((name) =>
      rise(series, (sample) => sample[name]) > DESCRIPTORS_GROWTH_MAX ? [`replica ${index}: ${name} grow`] : [],
    ),
  ]);
}

/** The growth between the first and the last third. */
function rise(series: readonly Sample[], pick: (sample: Sample) => number): number {
  const third = Math.floor(series.length / 3);
  return median(series.slice(-third).map(pick)) - median(series.slice(0, third).map(pick));
}

function trendText({ perHour, certainPerHour }: Trend): string {
  return `${perHour.toFixed(1)} MiB an hour, ${certainPerHour.toFixed(1)} beyond noise`;
}

/** The course of memory: a slope between sixths that becomes flat is a cache that becomes full, not a leak. */
function sixths(series: readonly Sample[], pick: (sample: Sample) => number): string[] {
  const size = Math.ceil(series.length / 6);
  return Array.from({ length: 6 }, (_, index) => {
    const part = series.slice(index * size, (index + 1) * size);
    return median(part.map(pick)).toFixed(0);
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function report(): void {
  const { sent } = ledger;
  console.log(`ledger: ${sent.ok} ok, ${sent.refused} refused, ${sent.failed} failed, ${sent.unknown} unknown`);
  console.log(`mixed: ${[...mixed.sent].map(([work, count]) => `${work}: ${count}`).join(", ")}`);
  console.log(`failures of mixed requests during the faults: ${failuresOfFaults}`);
  console.log(`webhooks: ${deliveries.acknowledged} acknowledged, ${deliveries.received} received`);
  for (const [index, series] of samples.entries()) {
    const [first, last] = [series[0], series.at(-1)];
    for (const [name, pick] of MEMORIES) {
      const course = sixths(series, pick).join(", ");
      console.log(`replica ${index}: ${name} ${course} MiB (medians of sixths), ${trendText(trendOf(series, pick))}`);
    }
    console.log(
      `replica ${index}: descriptors ${first?.descriptors} to ${last?.descriptors}; ` +
        `connections ${first?.connections} to ${last?.connections}`,
    );
  }
  for (const finding of findings.slice(0, 50)) console.error(`  ${finding}`);
}
