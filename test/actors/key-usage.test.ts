import { afterAll, beforeAll, expect, test } from "bun:test";
import { keyUsage } from "../../src/actors/key-usage.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { createLogger } from "../../src/telemetry/log.ts";
import { movableClock, START } from "../support/clock.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
let url: string;
let database: Database;
beforeAll(async () => {
  url = await freshDatabase();
  database = openDatabase({ url, connections: 1, telemetry: await silentTelemetry() });
});
afterAll(() => database.close());

test("the last use of keys is stored to the minute, and an earlier use changes no row", async () => {
  const sql = openSql(url);
  const [account, ...keys] = Array.from({ length: 3 }, () => crypto.randomUUID());
  await sql`
    insert into service_accounts (id, name, created_at) values (${account ?? ""}, 'Sync', now())`;
  for (const id of keys)
    await sql`
      insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers,
                            expires_at, created_at)
      values (${id}, ${account ?? ""}, ${id.slice(0, 8)}, ${Buffer.from(id)}, '{}', '{}', '{}', 'infinity', now())`;
  const clock = movableClock(START + 59 * SECOND_MS);
  const log = await createLogger({ level: "silent", pretty: false, traceIds: () => undefined });
  const stored = () =>
    sql<
      { at: Date | null }[]
    >`select last_used_at as at from api_keys order by array_position(${keys}::uuid[], id)`.then((rows) =>
      rows.map(({ at }) => at?.getTime()),
    );
  const use = async (...used: (string | undefined)[]) => {
    const actor = keyUsage({ database, clock, log });
    for (const key of used) actor.record({ id: key ?? "" });
    await actor.stop();
    return await stored();
  };
  expect(await use(...keys)).toEqual([START, START]);
  clock.advance(MINUTE_MS);
  expect(await use(keys[1])).toEqual([START, START + MINUTE_MS]);
  await sql`update api_keys set last_used_at = ${new Date(START + 2 * MINUTE_MS)} where id = ${keys[0] ?? ""}`;
  expect(await use(keys[0])).toEqual([START + 2 * MINUTE_MS, START + MINUTE_MS]);
});
