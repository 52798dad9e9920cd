/**
 * A load generator in a separate process that requests several addresses in turn, so that each slow moment of the
 * machine affects all addresses. Argument: JSON of `Interleaved`. Prints the latencies of each target as JSON: the
 * median and the p99.
 */
import { quantile, runJson } from "./harness.ts";

export interface Target {
  readonly url: string;
  readonly bearer?: string;
}

export interface Interleaved {
  readonly targets: readonly Target[];
  readonly seconds: number;
  /** Requests that start each second, over all targets and independent of responses. Absent: one after the other. */
  readonly perSecond?: number;
}

/** In milliseconds. */
export interface Latencies {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Returns the latencies of each target. Throws for a refused request. */
export async function interleavedLatencies(load: Interleaved): Promise<Latencies[]> {
  return await runJson<Latencies[]>("bench/interleaved.ts", [JSON.stringify(load)]);
}

/** Returns the p99 of each target. */
export async function interleavedP99(load: Interleaved): Promise<number[]> {
  return (await interleavedLatencies(load)).map(({ p99Ms }) => p99Ms);
}

if (import.meta.main) {
  console.log(JSON.stringify(await send(JSON.parse(String(process.argv[2])))));
  process.exit(0);
}

async function send({ targets, seconds, perSecond }: Interleaved): Promise<Latencies[]> {
  const times: number[][] = targets.map(() => []);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const request = async (turn: number) => {
    const place = turn % targets.length;
    times[place]?.push(await latencyOf(targets[place] as Target));
  };
  if (perSecond === undefined) for (let turn = 0; performance.now() < endsAt; turn += 1) await request(turn);
  else {
    const sent: Promise<void>[] = [];
    while (performance.now() < endsAt) {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      while (sent.length < due) sent.push(request(sent.length));
      await Bun.sleep(2);
    }
    await Promise.all(sent);
  }
  return times.map((each) => ({ medianMs: quantile(each, 0.5), p99Ms: quantile(each, 0.99) }));
}

async function latencyOf({ url, bearer }: Target): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } });
  await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - startedAt;
}
