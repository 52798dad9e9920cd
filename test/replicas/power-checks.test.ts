/** The end of 10,000 sessions after a loss of power, while the replica of the change crashes (G418). */
import { expect, test } from "bun:test";
import { POWER_CHECK_BATCH } from "../../src/limits/power-limits.ts";
import { ownDeployment } from "../support/deployment.ts";
import { memberOf, memberWith, newOwner } from "../support/team.ts";
import { insertAdmins } from "../support/uncovered-sessions.ts";
import { eventually } from "../support/waiting.ts";

const ADMINS = 500;
const SESSIONS_OF_ADMIN = 20;
const ALL = ADMINS * SESSIONS_OF_ADMIN;

test("10,000 sessions end once, on the other replica too after kill -9 of the replica of the change.", async () => {
  const at = await ownDeployment();
  const { sql } = at;
  const owner = await newOwner(at);
  const { organizationId } = owner;
  const activator = await memberWith(at, organizationId, "admin");
  const size = { admins: ADMINS, sessionsOfAdmin: SESSIONS_OF_ADMIN };
  const place = { organizationId, activatorId: activator.userId, now: new Date(), ...size };
  const { count } = await insertAdmins(sql, place);
  await eventually("no check is waiting", 20_000, async () => (await sql`select 1 from power_checks`).length === 0);
  expect(await count()).toBe(ALL);
  expect((await owner.client.patch(memberOf(organizationId, activator.userId), { role: "member" })).status).toBe(200);
  expect(await count()).toBeLessThanOrEqual(ALL - POWER_CHECK_BATCH);
  await at.one.kill();
  const ms = await eventually("all sessions have ended", 60_000, async () => (await count()) === 0);
  if (process.env.POWER_TIMES) console.log(`${ALL} sessions ended in ${Math.round(ms)} ms`);
  await eventually("the check has ended", 20_000, async () => (await sql`select 1 from power_checks`).length === 0);
  const [records] = await sql`
    select count(*)::int as total, count(distinct resource_id)::int as sessions from audit_logs
    where action = 'auth.session.revoked' and metadata ->> 'reason' = 'power_not_covered'`;
  expect(records).toEqual({ total: ALL, sessions: ALL });
});
