import postgres from "postgres";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { hashKey, makeKeyText } from "../../src/models/service-account/key-format.ts";
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

/** Line 14 compares the check of an API key with the check of a session. */
export async function apiKeyLine(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const [account] = await registerAccounts(service.url, 1);
  const key = await insertKey(bench.databaseUrl);
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

/** Inserts an API key of the platform by SQL, because the creation by the API requires a step-up. */
async function insertKey(databaseUrl: string): Promise<string> {
  const random = systemRandom(systemClock);
  const { key, keyId } = makeKeyText(random, "bench");
  const [accountId, id] = [random.uuid(), random.uuid()];
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`insert into service_accounts (id, name, created_at) values (${accountId}, 'bench', now())`;
  await sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers, expires_at,
                          created_at)
    values (${id}, ${accountId}, ${keyId}, ${hashKey(key)}, ${["audit.read"]}, '{}', '{}', now() + interval '1 day',
            now())`;
  await sql.end();
  return key;
}
