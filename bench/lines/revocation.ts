import { type Bench, fixed, quantile, type Row, registerAccounts, startService } from "../harness.ts";

const REVOCATIONS = 100;

/**
 * Line 7 measures the time from the acknowledgement of a sign-out at a replica to the first refusal at the second
 * replica.
 */
export async function revocationLine(bench: Bench): Promise<Row[]> {
  const [one, other] = await Promise.all([startService(bench), startService(bench)]);
  const accounts = await registerAccounts(one.url, REVOCATIONS);
  const delays: number[] = [];
  for (const { accessToken } of accounts) {
    const headers = { authorization: `Bearer ${accessToken}` };
    const refused = async () => (await fetch(`${other.url}/v1/auth/session`, { headers })).status === 401;
    await refused();
    await fetch(`${one.url}/v1/auth/logout`, { method: "POST", headers });
    const startedAt = performance.now();
    while (!(await refused())) await Bun.sleep(0);
    delays.push(performance.now() - startedAt);
  }
  await Promise.all([one.stop(), other.stop()]);
  const [p99, worst] = [quantile(delays, 0.99), Math.max(...delays)];
  return [
    {
      line: "7",
      work: `a revocation reaching the other replica, p99 of ${REVOCATIONS}`,
      measured: `${fixed(p99)} ms`,
      compared: `longest ${fixed(worst)} ms`,
      ratio: "",
      goal: "at most 50 ms, never 1 s",
      reached: p99 <= 50 && worst < 1000,
      score: p99,
    },
  ];
}
