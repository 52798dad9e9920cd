import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sweep, sweeper } from "../../src/actors/sweeper.ts";
import { logout } from "../../src/flows/auth/logout.ts";
import { SWEEP_BATCH, SWEEP_BATCHES_MAX, SWEEP_INTERVAL_MS } from "../../src/limits/process-limits.ts";
import { callerOf, clientAt, DAY_MS, HOUR_MS, MINUTE_MS, registerAccount } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { flowClient } from "../support/oauth-flows.ts";
import { storeConnection } from "../support/sso-connections.ts";
import { until } from "../support/waiting.ts";

let flows: Flows;

beforeEach(async () => {
  flows = await openFlows();
});
afterEach(() => flows.close());

/** Moves the clock, and sweeps once. */
async function sweepAfter(milliseconds: number): Promise<void> {
  const { database } = flows.deps;
  flows.clock.advance(milliseconds);
  await sweep({ database, clock: flows.clock, auditRetentionMs: undefined, decisionRetentionMs: 7 * 24 * 3600 * 1000 });
}

describe("sweeper", () => {
  test("removes ended sessions and expired events when their time has come, and nothing before", async () => {
    const { sql } = flows;
    const { signedIn } = await registerAccount(flows);
    await registerAccount(flows);
    await logout(flows.deps, {
      caller: await callerOf(flows, signedIn),
      refreshToken: undefined,
      client: clientAt(),
    });
    const counts = async () => {
      const [row] = await sql`
        select (select count(*)::int from sessions) as sessions,
               (select count(*)::int from session_events) as events`;
      return [row?.sessions, row?.events];
    };
    await sweepAfter(0);
    expect(await counts()).toEqual([2, 1]);
    await sweepAfter(DAY_MS);
    expect(await counts()).toEqual([2, 0]);
    // Sessions end after 90 days. The rows are kept for a further day, so that a late replay is recognised.
    await sweepAfter(90 * DAY_MS);
    expect(await counts()).toEqual([2, 0]);
    await sweepAfter(1);
    expect(await counts()).toEqual([0, 0]);
  });

  test("removes requests, messages, tests, attempts and removals of single sign-on past their time", async () => {
    const { sql } = flows;
    const { userId, organizationId } = await registerAccount(flows);
    const connection = await storeConnection(sql, organizationId);
    const now = new Date(flows.clock.now());
    const soon = new Date(now.getTime() + MINUTE_MS);
    await sql`insert into sso_consumed (connection_id, id_hash, expires_at) values (${connection}, '\\x01', ${soon})`;
    await sql`
      insert into sso_requests (id_hash, browser_hash, connection_id, connection_revision, intent, redirect_to,
                                created_at, expires_at)
      values ('\\x01', '\\x02', ${connection}, 1, 'sign_in', '/', ${now}, ${soon})`;
    await sql`
      insert into sso_outcomes (handle_hash, browser_hash, connection_id, redirect_to, sealed_identity, expires_at)
      values ('\\x01', '\\x02', ${connection}, '/', '\\x03', ${soon})`;
    await sql`
      insert into sso_tests (id, connection_id, connection_revision, user_id, session_id, created_at, expires_at)
      values (gen_random_uuid(), ${connection}, 1, ${userId}, gen_random_uuid(), ${now}, ${soon})`;
    await sql`
      insert into member_removals (organization_id, user_id, removed_at) values (${organizationId}, ${userId}, ${now})`;
    await sql`
      insert into sso_attempts (id, connection_id, at, outcome, step, requested, request_id)
      select gen_random_uuid(), ${connection}, ${now}::timestamptz - n * interval '1 second', 'success', 'callback',
             true, 'request ' || n
      from generate_series(1, 205) n`;
    const counts = async () => {
      const [row] = await sql`
        select (select count(*)::int from sso_consumed) as consumed,
               (select count(*)::int from sso_requests) as requests,
               (select count(*)::int from sso_outcomes) as outcomes, (select count(*)::int from sso_tests) as tests,
               (select count(*)::int from sso_attempts) as attempts,
               (select count(*)::int from member_removals) as removals`;
      return Object.values(row ?? {});
    };
    await sweepAfter(0);
    expect(await counts()).toEqual([1, 1, 1, 1, 200, 1]);
    const [oldest] = await sql`select request_id from sso_attempts order by at limit 1`;
    expect(oldest?.request_id).toBe("request 200");
    await sweepAfter(MINUTE_MS + 1);
    expect(await counts()).toEqual([0, 0, 0, 0, 200, 1]);
    await sweepAfter(30 * DAY_MS);
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 1]);
    await sweepAfter(150 * DAY_MS);
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("deletes refused requests of directories beyond 500 of a directory and after 30 days", async () => {
    const { sql } = flows;
    const [{ id: organizationId }] = (await sql`
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      values (gen_random_uuid(), 'Directory', 'directory-requests', 'free', now(), now()) returning id`) as [
      { id: string },
    ];
    const [{ id: directory }] = (await sql`
      insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                               created_at, updated_at)
      values (gen_random_uuid(), ${organizationId}, 'active', 'member', 'refuse', 'groups', 1, now(), now())
      returning id`) as [{ id: string }];
    const now = new Date(flows.clock.now());
    await sql`
      insert into directory_requests (id, directory_id, at, method, path, status, detail, request_id)
      select gen_random_uuid(), ${directory}, ${now}::timestamptz - n * interval '1 second', 'POST', '/Users', 400,
             'Refused.', 'request ' || n
      from generate_series(1, 505) n`;
    const oldest = async () => {
      const [row] = await sql`
        select count(*)::int as count, (array_agg(request_id order by at))[1] as oldest from directory_requests`;
      return [row?.count, row?.oldest];
    };
    await sweepAfter(0);
    expect(await oldest()).toEqual([500, "request 500"]);
    await sweepAfter(30 * DAY_MS);
    expect(await oldest()).toEqual([0, null]);
  });

  test("makes the partitions of the audit trail three months ahead, with the index of organizations", async () => {
    await sweepAfter(1_000 * DAY_MS);
    const [row] = await flows.sql`
      select to_regclass('audit_logs_y2032m12') is not null as last,
             to_regclass('audit_logs_y2033m01') is not null as beyond`;
    expect(row).toEqual({ last: true, beyond: false });
    const indexes = await flows.sql<{ definition: string }[]>`
      select indexdef as definition from pg_indexes where tablename = 'audit_logs_y2032m12'`;
    expect(indexes.some(({ definition }) => definition.endsWith("(organization_id, id)"))).toBe(true);
  });

  test("makes the partitions also beside a failing sweep, and reports the failure", async () => {
    const { database } = flows.deps;
    const failing = {
      ...database,
      run: ((statement: string, work: never) =>
        statement === "session_event.sweep"
          ? Promise.reject(new Error("refused"))
          : database.run(statement, work)) as typeof database.run,
    };
    flows.clock.advance(1_000 * DAY_MS);
    const lifetimes = { auditRetentionMs: undefined, decisionRetentionMs: DAY_MS };
    const swept = sweep({ database: failing, clock: flows.clock, ...lifetimes });
    await expect(swept).rejects.toThrow("sweeps failed: 1");
    const [row] = await flows.sql`select to_regclass('audit_logs_y2032m12') is not null as made`;
    expect(row?.made).toBe(true);
  });

  test("deletes no row early with a replica's clock ahead of PostgreSQL's clock", async () => {
    const { signedIn } = await registerAccount(flows);
    await logout(flows.deps, {
      caller: await callerOf(flows, signedIn),
      refreshToken: undefined,
      client: clientAt(),
    });
    flows.clock.advance(1_000 * DAY_MS);
    const { database } = flows.deps;
    const swept = Promise.withResolvers<void>();
    const watched = {
      ...database,
      run: (async (statement: string, work: never) => {
        const result = await database.run(statement, work);
        if (statement === "decision.trim") swept.resolve();
        return result;
      }) as typeof database.run,
    };
    const lifetimes = { auditRetentionMs: undefined, decisionRetentionMs: DAY_MS };
    const actor = sweeper({ ...flows.deps, database: watched, ...lifetimes });
    actor.start();
    await swept.promise.then(() => actor.stop());
    const count = async () => (await flows.sql`select 1 from session_events`).length;
    expect(await count()).toBe(1);
    await sweep({ database, clock: flows.clock, ...lifetimes });
    expect(await count()).toBe(0);
  });

  test("repeats at once while a bound ended a sweep", async () => {
    const { database } = flows.deps;
    let batches = 0;
    const busy = {
      ...database,
      // Only deliveries have expired rows, and always more than a batch.
      run: (async (statement: string, work: never) => {
        if (statement === "lease.take") return await database.run(statement, work);
        if (statement !== "webhook_delivery.sweep") return 0;
        batches += 1;
        return batches <= SWEEP_BATCHES_MAX ? SWEEP_BATCH : 0;
      }) as typeof database.run,
    };
    const actor = sweeper({ ...flows.deps, database: busy, auditRetentionMs: undefined, decisionRetentionMs: DAY_MS });
    const began = performance.now();
    actor.start();
    await until("another round begins", async () => batches > SWEEP_BATCHES_MAX);
    await actor.stop();
    expect(performance.now() - began).toBeLessThan(SWEEP_INTERVAL_MS);
  });

  test("begins no further kind once it is stopped (G25)", async () => {
    const { database } = flows.deps;
    const kinds = new Set<string>();
    const stopping = Promise.withResolvers<void>();
    const full = {
      ...database,
      run: (async (statement: string, work: never) => {
        if (statement === "lease.take") return await database.run(statement, work);
        if (statement.startsWith("audit.")) return false;
        kinds.add(statement);
        if (statement === "session.sweep") stopping.resolve();
        return SWEEP_BATCH;
      }) as typeof database.run,
    };
    const actor = sweeper({ ...flows.deps, database: full, auditRetentionMs: undefined, decisionRetentionMs: DAY_MS });
    actor.start();
    await stopping.promise.then(() => actor.stop());
    expect([...kinds].at(-1)).toBe("session.sweep");
  });

  test("removes expired codes, challenges and browsers, passkeys deleted 30 days ago, and nothing else", async () => {
    const { sql } = flows;
    const { userId } = await registerAccount(flows);
    const now = new Date(flows.clock.now());
    await sql`
      insert into email_codes
      values (gen_random_uuid(), ${userId}, '\\x00', 0, ${now} + interval '10 min', ${now})`;
    await sql`insert into passkey_challenges values ('\\x00', 'sign_in', null, ${now} + interval '5 min')`;
    await sql`
      insert into trusted_browsers (id, user_id, token_hash, created_at, expires_at)
      values (gen_random_uuid(), ${userId}, '\\x00', ${now}, ${now} + interval '30 days')`;
    await sql`
      insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type,
                            backed_up, aaguid, created_at, deleted_at)
      select gen_random_uuid(), ${userId}, decode(lpad(n::text, 2, '0'), 'hex'), '\\x00', 0, 'x', '{}', 'singleDevice',
             false, gen_random_uuid(), ${now}, case n when 1 then ${now} end from generate_series(1, 2) n`;
    const leftAfter = async (milliseconds: number) => {
      await sweepAfter(milliseconds);
      const [row] = await sql`
        select (select count(*)::int from email_codes) as codes,
               (select count(*)::int from passkey_challenges) as challenges,
               (select count(*)::int from trusted_browsers) as browsers,
               (select count(*)::int from passkeys) as passkeys`;
      return [row?.codes, row?.challenges, row?.browsers, row?.passkeys];
    };
    expect(await leftAfter(0)).toEqual([1, 1, 1, 2]);
    expect(await leftAfter(HOUR_MS)).toEqual([0, 0, 1, 2]);
    expect(await leftAfter(30 * DAY_MS)).toEqual([0, 0, 1, 1]);
    expect(await leftAfter(30 * DAY_MS)).toEqual([0, 0, 0, 1]);
  });

  test("empties requests of applications at their end, and removes requests that no browser presented", async () => {
    const { sql } = flows;
    const { userId } = await registerAccount(flows);
    const client = await flowClient(flows, await registerAccount(flows));
    const now = new Date(flows.clock.now());
    await sql`
      insert into oauth_requests (handle_hash, browser_hash, client_id, user_id, parameters, created_at, expires_at)
      select decode(lpad(n::text, 2, '0'), 'hex'), case n when 1 then null else '\\x00'::bytea end,
             ${client.client.id}, case n when 1 then null else ${userId}::uuid end,
             '{"loginHint": "ada@example.test"}', ${now}, ${now}::timestamptz + interval '1 hour'
      from generate_series(1, 2) n`;
    const leftAfter = async (milliseconds: number) => {
      await sweepAfter(milliseconds);
      const rows = await sql`
        select encode(handle_hash, 'hex') as handle, client_id = ${client.client.id} as named, user_id, parameters
        from oauth_requests order by handle_hash`;
      return rows.map(({ handle, named, user_id, parameters }) => [handle, named, user_id, parameters]);
    };
    const parameters = { loginHint: "ada@example.test" };
    const waiting = [
      ["01", true, null, parameters],
      ["02", true, userId, parameters],
    ];
    expect(await leftAfter(HOUR_MS)).toEqual(waiting);
    expect(await leftAfter(1)).toEqual([["02", true, null, {}]]);
    expect(await leftAfter(DAY_MS - 1)).toEqual([["02", true, null, {}]]);
    expect(await leftAfter(1)).toEqual([]);
  });

  test("removes counts of misses once their day and their hour are over, and none before", async () => {
    const { sql } = flows;
    const [first, second] = [await registerAccount(flows), await registerAccount(flows)];
    const now = new Date(flows.clock.now());
    await sql`
      insert into failed_attempts values
        (${first.userId}, 'second_factor', ${now} - interval '23 hours', 30, ${now} - interval '23 hours', 30),
        (${second.userId}, 'email_code', ${now} - interval '30 minutes', 20, ${now} - interval '25 hours', 60)`;
    const leftAfter = async (milliseconds: number) => {
      await sweepAfter(milliseconds);
      return (await sql`select kind from failed_attempts order by kind`).map(({ kind }) => kind);
    };
    expect(await leftAfter(30 * MINUTE_MS)).toEqual(["email_code", "second_factor"]);
    expect(await leftAfter(1)).toEqual(["second_factor"]);
    expect(await leftAfter(30 * MINUTE_MS - 1)).toEqual(["second_factor"]);
    expect(await leftAfter(1)).toEqual([]);
  });
});
