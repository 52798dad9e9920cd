/**
 * A load generator in a separate process that requests several addresses in turn, so that each slow moment of the
 * machine affects all addresses. Argument: JSON of `Interleaved`. Prints the latencies of each target as JSON.
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

/** Returns the p99 of each target in milliseconds. Throws for a refused request. */
export async function interleavedP99(load: Interleaved): Promise<number[]> {
  return await runJson<number[]>("bench/interleaved.ts", [JSON.stringify(load)]);
}

if (import.meta.main) {
  console.log(JSON.stringify(await send(JSON.parse(String(process.argv[2])))));
  process.exit(0);
}

async function send({ targets, seconds, perSecond }: Interleaved): Promise<number[]> {
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
  return times.map((each) => quantile(each, 0.99));
}

async function latencyOf({ url, bearer }: Target): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } });
  await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - startedAt;
}
