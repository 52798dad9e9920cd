import { alternate, type Bench, fixed, type Row, registerPeople, runJson, startService, whole } from "../harness.ts";
import { load } from "./sign-in.ts";

const SIGNATURES_PER_REFRESH = 2;

/** Line 5: refreshes against what the bare pool could sign. */
export async function refreshLine(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  let people = await registerPeople(service.url, 16);
  const { a, b, ratio } = await alternate(
    bench.rounds,
    async () => {
      const summary = await load("refresh", service.url, 16, 3, people);
      people = summary.people;
      return summary.perSecond;
    },
    async () => {
      const { perSecond } = await runJson<{ perSecond: number }>("bench/bare-pool.ts", ["sign", 2, 16, 3]);
      return perSecond / SIGNATURES_PER_REFRESH;
    },
  );
  await service.stop();
  return [
    {
      line: "5",
      work: "POST /v1/auth/refresh, 16 clients",
      measured: `${whole(a)}/s`,
      compared: `${whole(b)}/s, RS256 signatures of the bare pool / 2`,
      ratio: fixed(ratio),
      goal: "0.6",
      reached: ratio >= 0.6,
    },
  ];
}
