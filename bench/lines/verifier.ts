import { createVerifier } from "../../clients/js/src/verifier.ts";
import {
  type Bench,
  fixed,
  quantile,
  type Row,
  registerAccounts,
  runJson,
  SERVICE_ENV,
  startService,
  whole,
} from "../harness.ts";

const ISSUER = SERVICE_ENV.SERVICE_PUBLIC_BASE_URL;
const TOKENS = 50;
const REVOCATIONS = 30;
const SECONDS = 3;
const GOAL_PER_SECOND = 30_000;
const GOAL_MS = 2_000;

/**
 * Line 16 measures verifications of known tokens in a separate process on a single thread, and the time from the
 * acknowledgement of a sign-out at a replica to the first refusal by a verifier that follows the second replica.
 */
export async function verifierLines(bench: Bench): Promise<Row[]> {
  const [one, other] = await Promise.all([startService(bench), startService(bench)]);
  const tokens = (await registerAccounts(one.url, TOKENS)).map(({ accessToken }) => accessToken);
  const rates: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const result = await runJson<Verifications>("bench/verifications.ts", [ISSUER, other.url, SECONDS, ...tokens]);
    if (result.refused > 0) throw new Error(`${result.refused} live tokens were refused`);
    rates.push(result.perSecond);
  }
  const delays = await revocationDelays(one.url, other.url);
  await Promise.all([one.stop(), other.stop()]);
  const [rate, worst] = [quantile(rates, 0.5), Math.max(...delays)];
  return [
    {
      line: "16",
      work: "verifications of known tokens by the client's verifier, one thread",
      measured: `${whole(rate)}/s`,
      compared: "",
      ratio: "",
      goal: `at least ${whole(GOAL_PER_SECOND)}/s`,
      reached: rate >= GOAL_PER_SECOND,
      score: rate,
    },
    {
      line: "16",
      work: `a revocation reaching that verifier by the other replica's feed, longest of ${REVOCATIONS}`,
      measured: `${fixed(worst / 1000)} s`,
      compared: `median ${fixed(quantile(delays, 0.5) / 1000)} s`,
      ratio: "",
      goal: `at most ${GOAL_MS / 1000} s`,
      reached: worst <= GOAL_MS,
      score: worst,
    },
  ];
}

interface Verifications {
  readonly perSecond: number;
  readonly refused: number;
}

async function revocationDelays(one: string, other: string): Promise<number[]> {
  const verifier = createVerifier({ issuer: ISSUER, baseUrl: other, whenBlind: "deny" });
  const accounts = await registerAccounts(one, REVOCATIONS);
  const delays: number[] = [];
  for (const { accessToken } of accounts) {
    const refused = async () => !(await verifier.verify(accessToken)).ok;
    if (await refused()) throw new Error("a live token was refused");
    await fetch(`${one}/v1/auth/logout`, { method: "POST", headers: { authorization: `Bearer ${accessToken}` } });
    const startedAt = performance.now();
    while (!(await refused())) await Bun.sleep(1);
    delays.push(performance.now() - startedAt);
  }
  verifier.close();
  return delays;
}
