import {
  alternate,
  type Bench,
  fixed,
  type Row,
  registerAccounts,
  requestsPerSecond,
  startService,
  whole,
} from "../harness.ts";
import { insertKey } from "../insert-key.ts";

/** Line 14 compares the check of an API key with the check of a session. */
export async function apiKeyLine(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const [account] = await registerAccounts(service.url, 1);
  const key = await insertKey(bench.databaseUrl, { organizationId: null, scopes: ["audit.read"] });
  const check = `${service.url}/v1/auth/session`;
  for (const bearer of [key, account?.accessToken]) requestsPerSecond(check, 1, 16, bearer);
  const rate = await alternate(
    bench.rounds,
    async () => requestsPerSecond(check, 3, 16, key),
    async () => requestsPerSecond(check, 3, 16, account?.accessToken),
  );
  await service.stop();
  return [
    {
      line: "14",
      work: "GET /v1/auth/session with an API key",
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)}/s with an access token`,
      ratio: fixed(rate.ratio),
      goal: "at least 0.5",
      reached: rate.ratio >= 0.5,
      score: rate.ratio,
    },
  ];
}
