/** The end of many sessions after a loss of power: in batches, and continued after a crash (G418). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkPower } from "../../../src/flows/sso/check-power.ts";
import { POWER_CHECK_BATCH, POWER_CHECK_MEMBERS } from "../../../src/limits/power-limits.ts";
import { listPowerChecks, type PowerCheck } from "../../../src/models/channel/power-check.ts";
import { registerAccount } from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { assignResponsibility, deactivateConnection, deleteMember, insertMember } from "../../support/states.ts";
import { adminsOfConnection } from "../../support/uncovered-sessions.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const ADMINS = POWER_CHECK_MEMBERS + 50;
const SESSIONS_OF_ADMIN = 6;

const organizationOfAdmins = () => adminsOfConnection(flows, ADMINS, SESSIONS_OF_ADMIN);

async function dueCheck(): Promise<PowerCheck> {
  const [check] = await flows.deps.database.run("power_check.list", (sql) => listPowerChecks(sql, 10));
  if (!check) throw new Error("no check is due");
  return check;
}

const checksDue = async () => (await flows.sql`select 1 from power_checks`).length;
const never = () => false;

describe("the end of many sessions", () => {
  test("A demotion ends a batch, and the check ends the rest, also after a stop (G418).", async () => {
    const { demote, count, organizationId } = await organizationOfAdmins();
    const all = ADMINS * SESSIONS_OF_ADMIN;
    expect(await count()).toBe(all);
    await demote();
    expect(await count()).toBe(all - POWER_CHECK_BATCH);
    const check = await dueCheck();
    expect(check.organizationId).toBe(organizationId);
    // Stopped after one batch, as by a crash: the check remains.
    let looks = 0;
    await checkPower(flows.deps, check, () => ++looks > 1);
    expect(await count()).toBe(all - 2 * POWER_CHECK_BATCH);
    expect(await checksDue()).toBe(1);
    // Two replicas continue at once.
    const announced: string[] = [];
    const announce = async (events: readonly { sessionId: string }[]) => {
      announced.push(...events.map(({ sessionId }) => sessionId));
    };
    const deps = { ...flows.deps, revocations: { announce } };
    await Promise.all([checkPower(deps, check, never), checkPower(deps, check, never)]);
    await checkPower(deps, check, never);
    expect([await count(), await checksDue()]).toEqual([0, 0]);
    expect(new Set(announced).size).toBe(all - 2 * POWER_CHECK_BATCH);
    expect(announced.length).toBe(all - 2 * POWER_CHECK_BATCH);
    const [records] = await flows.sql`
      select count(*)::int as total, count(distinct resource_id)::int as sessions from audit_logs
      where organization_id = ${organizationId} and action = 'auth.session.revoked'
        and metadata ->> 'reason' = 'power_not_covered'`;
    expect(records).toEqual({ total: all, sessions: all });
  });

  test("A failed batch leaves the check, and another replica with the check is not disturbed.", async () => {
    const { demote, count } = await organizationOfAdmins();
    await demote();
    const [before, check] = [await count(), await dueCheck()];
    await flows.sql.begin(async (sql) => {
      await sql`select 1 from power_checks for update`;
      await checkPower(flows.deps, check, never);
      expect(await count()).toBe(before);
    });
    const failing = { ...flows.deps, revocations: { announce: () => Promise.reject(new Error("Redis is away")) } };
    await expect(checkPower(failing, check, never)).rejects.toThrow("Redis is away");
    expect([await count(), await checksDue()]).toEqual([before - POWER_CHECK_BATCH, 1]);
    await checkPower(flows.deps, check, never);
    expect([await count(), await checksDue()]).toEqual([0, 0]);
  });

  test("A replica keeps the check between two batches; another continues after a crash (G418).", async () => {
    const { demote, count } = await organizationOfAdmins();
    await demote();
    const check = await dueCheck();
    const seen: number[] = [];
    const announce = async () => {
      const before = await count();
      await checkPower(flows.deps, check, never);
      seen.push(before - (await count()));
      // A crash after the first batch, without the release of the lease.
      await flows.sql`update leases set holder = gen_random_uuid() where name like 'power check of %'`;
    };
    await checkPower({ ...flows.deps, revocations: { announce } }, check, never);
    expect(seen).toEqual([0]);
    const rest = await count();
    expect(rest).toBeGreaterThan(0);
    await checkPower(flows.deps, check, never);
    expect([await count(), await checksDue()]).toEqual([rest, 1]);
    await flows.sql`update leases set expires_at = now() where name like 'power check of %'`;
    await checkPower(flows.deps, check, never);
    expect([await count(), await checksDue()]).toEqual([0, 0]);
    expect(await flows.sql`select 1 from leases where name like 'power check of %'`).toHaveLength(0);
  });

  test("A new member without permissions queues no check, unless responsible for a connection (G418).", async () => {
    const { organizationId, connectionId } = await organizationOfAdmins();
    const { sql } = flows;
    const join = async (role: string) => {
      const { userId } = await registerAccount(flows);
      await sql`insert into members values (${organizationId}, ${userId}, ${role}, now())`;
      return userId;
    };
    const userId = await join("member");
    expect(await checksDue()).toBe(0);
    await join("admin");
    expect(await checksDue()).toBe(1);
    await deleteMember(sql, organizationId, userId);
    await assignResponsibility(sql, connectionId, userId);
    await sql`delete from power_checks`;
    await insertMember(sql, organizationId, userId);
    expect(await checksDue()).toBe(1);
    await sql`delete from power_checks`;
  });

  test("A change without an active connection queues no check, and connections of owners end no session.", async () => {
    const { organizationId, connectionId, activator, count } = await organizationOfAdmins();
    const { sql } = flows;
    await sql`update members set role = 'owner' where user_id = ${activator.userId} and role = 'admin'`;
    await checkPower(flows.deps, await dueCheck(), never);
    expect([await count(), await checksDue()]).toEqual([ADMINS * SESSIONS_OF_ADMIN, 0]);
    await deactivateConnection(sql, connectionId);
    await sql`
      update members set role = 'member' where user_id = ${activator.userId} and organization_id = ${organizationId}`;
    expect(await checksDue()).toBe(0);
  });

  test("Two promotions at once in opposite directions are compared together by the check (G417).", async () => {
    const { organizationId, connectionId, activator, count } = await organizationOfAdmins();
    const { sql } = flows;
    await sql`update members set role = 'member' where organization_id = ${organizationId} and role = 'admin'
              and user_id <> ${activator.userId}`;
    await sql`delete from power_checks`;
    const [strong] = await sql`
      select user_id as id from sso_identities where connection_id = ${connectionId} order by user_id limit 1`;
    // Neither transaction sees the other.
    await sql.begin(async (demotion) => {
      await demotion`
        update members set role = 'member' where user_id = ${activator.userId} and organization_id = ${organizationId}`;
      await sql.begin(async (promotion) => {
        await promotion`
          update members set role = 'admin' where user_id = ${strong?.id} and organization_id = ${organizationId}`;
      });
    });
    await checkPower(flows.deps, await dueCheck(), never);
    expect(await count()).toBe((ADMINS - 1) * SESSIONS_OF_ADMIN);
  });
});
