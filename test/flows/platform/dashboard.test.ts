/** The figures of the overview of the console: of a period, bounded, and kept for a minute (docs/pages.md). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dashboardReader } from "../../../src/flows/platform/dashboard.ts";
import {
  authorizePlatformRole,
  type PlatformCaller,
} from "../../../src/flows/steps/authorization/authorize-platform-role.ts";
import { DASHBOARD_AGE_MS } from "../../../src/limits/console-limits.ts";
import {
  chartNewUsers,
  countActiveUsers,
  countFactorAdoption,
  listActiveOrganizations,
} from "../../../src/models/user/user-figures.ts";
import { callerOf, registerAccount, unwrap } from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifySessionsOf } from "../../support/platform.ts";

const DAY_MS = 86_400_000;

let flows: Flows;
let caller: PlatformCaller;
beforeAll(async () => {
  flows = await openFlows();
  // The trail has partitions from the start of the clock on.
  flows.clock.advance(100 * DAY_MS);
  const { userId, signedIn } = await registerAccount(flows);
  await flows.sql`update users set platform_role = 'viewer' where id = ${userId}`;
  await verifySessionsOf(flows, userId);
  caller = unwrap(await authorizePlatformRole(flows.deps, await callerOf(flows, signedIn), "viewer"));
  flows.clock.advance(1000);
});
afterAll(() => flows.close());

const ago = (days: number) => new Date(flows.deps.clock.now() - days * DAY_MS);

async function record(action: string, outcome: "success" | "failure", days: number): Promise<void> {
  await flows.sql`
    insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
    values (gen_random_uuid(), ${ago(days)}, 'user', ${action}, 'session', '{}', ${outcome})`;
}

/** A user with an age, a last sign-in, and the last use of a session. */
async function userOf(created: number, signedIn: number, used: number): Promise<string> {
  const { userId } = await registerAccount(flows);
  await flows.sql`
    update users set created_at = ${ago(created)}, last_login_at = ${ago(signedIn)} where id = ${userId}`;
  await flows.sql`update sessions set rotated_at = ${ago(used)} where user_id = ${userId}`;
  return userId;
}

test("A period has its sign-ins by method and outcome, its new users, and the change.", async () => {
  for (const [action, outcome, days] of [
    ["auth.passkey.login", "success", 2],
    ["auth.passkey.login", "success", 2],
    ["auth.sso.login", "failure", 3],
    ["auth.login", "success", 40],
    ["auth.login", "failure", 9],
  ] as const) {
    await record(action, outcome, days);
  }
  await userOf(3, 3, 3);
  await userOf(10, 10, 10);
  const read = dashboardReader(flows.deps);
  const week = await read(caller, "week");
  expect(week.methods.find(({ action }) => action === "auth.passkey.login")).toMatchObject({ succeeded: 2, failed: 0 });
  expect(week.methods.find(({ action }) => action === "auth.sso.login")).toMatchObject({ succeeded: 0, failed: 1 });
  expect(week.failures).toEqual({ count: 1, before: 1 });
  expect(week.signIns.count).toBe(week.methods.reduce((sum, { succeeded }) => sum + succeeded, 0));
  expect(week.people.created).toEqual({ count: 2, before: 1 });
  expect(week.people.newUsers.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  const quarter = await read(caller, "quarter");
  expect(quarter.signIns.count).toBe(week.signIns.count + 1);
  expect(quarter.people.created.count).toBe(3);
  expect([week.chart.unit, quarter.chart.unit, quarter.chart.buckets.length]).toEqual(["day", "day", 91]);
});

test("Users are active by a sign-in or by a continued session; figures count each user once.", async () => {
  const before = await countActiveUsers(flows.sql, { day: ago(1), week: ago(7), month: ago(30) }, 1000);
  await userOf(100, 5, 0.5);
  await userOf(100, 2, 40);
  await userOf(100, 50, 50);
  const both = await userOf(100, 20, 20);
  const after = await countActiveUsers(flows.sql, { day: ago(1), week: ago(7), month: ago(30) }, 1000);
  expect([after.day - before.day, after.week - before.week, after.month - before.month]).toEqual([1, 2, 3]);
  const passkey = { public_key: Buffer.alloc(1), sign_count: 0, name: "Key", transports: [], backed_up: false };
  const kept = { ...passkey, device_type: "singleDevice", aaguid: both, created_at: ago(1), user_id: both };
  for (const id of [1, 2]) {
    const key = { ...kept, id: crypto.randomUUID(), credential_id: Buffer.from([id]) };
    await flows.sql`insert into passkeys ${flows.sql(key)}`;
  }
  const factor = { user_id: both, sealed_secret: Buffer.alloc(1), confirmed_at: ago(1), created_at: ago(1) };
  await flows.sql`insert into totp_factors ${flows.sql(factor)}`;
  expect(await countFactorAdoption(flows.sql, 1000)).toEqual({ authenticator: 1, passkey: 1, either: 1 });
  const [most] = await listActiveOrganizations(flows.sql, ago(30), { limit: 1000, top: 5 });
  expect(most?.users).toBe(1);
});

test("A replica keeps the figures about users for a minute, and reads them once for readers at once.", async () => {
  const read = dashboardReader(flows.deps);
  const [one, other] = await Promise.all([read(caller, "day"), read(caller, "day")]);
  expect(one.people).toBe(other.people);
  await userOf(0, 0, 0);
  expect((await read(caller, "day")).people.created).toEqual(one.people.created);
  flows.clock.advance(DASHBOARD_AGE_MS);
  expect((await read(caller, "day")).people.created.count).toBe(one.people.created.count + 1);
});

test("No statement reads more rows of a table than its bound, and says so.", async () => {
  const times = { day: ago(1), week: ago(7), month: ago(30) };
  expect(await countActiveUsers(flows.sql, times, 2)).toMatchObject({ isPartial: true });
  expect((await countActiveUsers(flows.sql, times, 2)).month).toBeLessThanOrEqual(4);
  const charted = await chartNewUsers(flows.sql, { from: ago(400), to: ago(-1), stepSeconds: 86_400 }, 2);
  expect(charted.reduce((sum, { count }) => sum + count, 0)).toBe(2);
});
