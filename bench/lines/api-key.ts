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
import { insertProgram } from "../insert-key.ts";
import { tokenOf } from "../programs.ts";

/** Line 14 compares the checks of an API key and of its access token with the check of a session. */
export async function apiKeyLine(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const [account] = await registerAccounts(service.url, 1);
  const program = await insertProgram(bench.databaseUrl, { organizationId: null, scopes: ["audit.read"] });
  const token = await tokenOf(service.url, program);
  const check = `${service.url}/v1/auth/session`;
  for (const bearer of [program.key, token, account?.accessToken]) requestsPerSecond(check, 1, 16, bearer);
  const rows: Row[] = [];
  for (const [credential, bearer] of [
    ["an API key", program.key],
    ["an access token of a service account", token],
  ] as const) {
    const rate = await alternate(
      bench.rounds,
      async () => requestsPerSecond(check, 3, 16, bearer),
      async () => requestsPerSecond(check, 3, 16, account?.accessToken),
    );
    rows.push({
      line: "14",
      work: `GET /v1/auth/session with ${credential}`,
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)}/s with an access token`,
      ratio: fixed(rate.ratio),
      goal: "at least 0.5",
      reached: rate.ratio >= 0.5,
      score: rate.ratio,
    });
  }
  await service.stop();
  return rows;
}
