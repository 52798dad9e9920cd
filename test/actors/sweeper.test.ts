import { describe, expect, test } from "bun:test";
import { sweep } from "../../src/actors/sweeper.ts";
import { systemClock } from "../../src/base/clock.ts";
import { openDatabase } from "../../src/base/database.ts";
import { registered } from "../support/client.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const DAY_MS = 24 * 3600 * 1000;

describe("sweeper", () => {
  test("removes ended sessions and expired events when their time has come, and nothing before; makes audit partitions", async () => {
    const url = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: url });
    const { client } = await registered(replica.url);
    await client.post("/v1/auth/logout");
    await registered(replica.url);
    await replica.kill();
    const database = openDatabase({ url, connections: 2, telemetry: await silentTelemetry() });
    const sql = openSql(url);
    const counts = async () => {
      const [row] =
        await sql`select (select count(*)::int from sessions) as sessions, (select count(*)::int from session_events) as events`;
      return [row?.sessions, row?.events];
    };
    const at = (days: number) => ({
      database,
      clock: { ...systemClock, now: () => Date.now() + days * DAY_MS },
      auditRetentionMs: undefined,
    });
    await sweep(at(0));
    expect(await counts()).toEqual([2, 1]);
    await sweep(at(1));
    expect(await counts()).toEqual([2, 0]);
    await sweep(at(90));
    expect(await counts()).toEqual([2, 0]);
    await sweep(at(92));
    expect(await counts()).toEqual([0, 0]);
    const partitions = await sql`select 1 from pg_inherits where inhparent = 'audit_logs'::regclass`;
    expect(partitions.length).toBeGreaterThanOrEqual(7);
    await database.close();
  });

  test("removes codes and challenges when they expire, trusted browsers and deleted passkeys after 30 days, nothing that lives", async () => {
    const url = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: url });
    const { userId } = await registered(replica.url);
    await replica.kill();
    const sql = openSql(url);
    await sql`insert into email_codes values (gen_random_uuid(), ${userId}, '\\x00', 0, now() + interval '10 min', now())`;
    await sql`insert into passkey_challenges values ('\\x00', 'sign_in', null, now() + interval '5 min')`;
    await sql`
      insert into trusted_browsers (id, user_id, token_hash, created_at, expires_at)
      values (gen_random_uuid(), ${userId}, '\\x00', now(), now() + interval '30 days')`;
    await sql`
      insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type, backed_up,
                            aaguid, created_at, deleted_at)
      select gen_random_uuid(), ${userId}, decode(lpad(n::text, 2, '0'), 'hex'), '\\x00', 0, 'x', '{}', 'singleDevice', false,
             gen_random_uuid(), now(), case n when 1 then now() end from generate_series(1, 2) n`;
    const database = openDatabase({ url, connections: 2, telemetry: await silentTelemetry() });
    const left = async (days: number) => {
      await sweep({
        database,
        clock: { ...systemClock, now: () => Date.now() + days * DAY_MS },
        auditRetentionMs: undefined,
      });
      const [row] = await sql`
        select (select count(*)::int from email_codes) as codes, (select count(*)::int from passkey_challenges) as challenges,
               (select count(*)::int from trusted_browsers) as browsers, (select count(*)::int from passkeys) as passkeys`;
      return [row?.codes, row?.challenges, row?.browsers, row?.passkeys];
    };
    expect(await left(0)).toEqual([1, 1, 1, 2]);
    expect(await left(1)).toEqual([0, 0, 1, 2]);
    expect(await left(31)).toEqual([0, 0, 1, 1]);
    expect(await left(61)).toEqual([0, 0, 0, 1]);
    await database.close();
  });

  test("removes counts of misses once their day and their hour are over, and none before", async () => {
    const url = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: url });
    const people = [await registered(replica.url), await registered(replica.url), await registered(replica.url)];
    await replica.kill();
    const sql = openSql(url);
    const [ended, hourly, daily] = people.map(({ userId }) => userId);
    await sql`
      insert into failed_attempts values
        (${ended ?? ""}, 'second_factor', now() - interval '61 minutes', 30, now() - interval '25 hours', 30),
        (${hourly ?? ""}, 'second_factor', now() - interval '59 minutes', 30, now() - interval '25 hours', 30),
        (${daily ?? ""}, 'email_code', now() - interval '23 hours', 20, now() - interval '23 hours', 60)`;
    const database = openDatabase({ url, connections: 2, telemetry: await silentTelemetry() });
    await sweep({ database, clock: systemClock, auditRetentionMs: undefined });
    const left = await sql`select user_id from failed_attempts`;
    expect(left.map(({ user_id }) => user_id).sort()).toEqual([hourly ?? "", daily ?? ""].sort());
    await database.close();
  });
});
