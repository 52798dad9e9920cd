/** Erasures at once (`SERVICE_ACCOUNT_DELETION_DAYS=0`) by two replicas, with a slow email provider and a kill. */
import { beforeAll, expect, test } from "bun:test";
import { type Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deadlocksIn, eventually, ownDeployment, race } from "../support/deployment.ts";
import { platformUser } from "../support/platform.ts";
import { expectStatus, provenUser } from "../support/user-emails.ts";

const ERASURE_MS = 60_000;
const ROWS = 3_000;
const DELETION = /deletion|deleted/;
let at: Deployment;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_ACCOUNT_DELETION_DAYS: "0" });
});

const remove = (client: Client) => client.post("/v1/users/me/deletion", { password: PASSWORD });
const exists = async (userId: string) => (await at.sql`select 1 from users where id = ${userId}`).length > 0;
const erased = (userId: string) => eventually("the erasure", ERASURE_MS, async () => !(await exists(userId)));

/** Waits until a replica has looked for due deletions: a marker, due before all further deletions, is erased. */
async function erasingRound(): Promise<void> {
  const marker = await registered(at.other.url);
  await at.sql`
    insert into deletions (id, subject_type, subject_id, closed_otherwise, requested_at, due_at)
    values (gen_random_uuid(), 'user', ${marker.userId}, false, '2020-01-01', '2020-01-01')`;
  await erased(marker.userId);
}

test("0 days: the erasure follows the delivered notice, which has no link, and nobody cancels", async () => {
  const { client, email, userId } = await provenUser(at);
  at.mail.answer = () => new Response("unavailable", { status: 503 });
  const { body } = await expectStatus(remove(client), 202);
  expect(body.deletion_at).toBe(body.requested_at);
  await at.sql`update deletions set requested_at = requested_at - interval '1 hour' where subject_id = ${userId}`;
  await erasingRound();
  expect(await exists(userId)).toBe(true);
  const admin = await platformUser(at, "admin");
  expect((await admin.client.delete(`/v1/admin/users/${userId}/deletion`)).status).toBe(404);
  at.mail.answer = () => Response.json({ id: "delivered" });
  await at.sql`update outbox set next_attempt_at = now()`;
  const [notice] = await at.mail.mailsTo(email, DELETION);
  expect(notice?.text).not.toContain("cancel-deletion");
  await erased(userId);
});

test("0 days: the erasure follows a dropped notice", async () => {
  const { client, userId } = await provenUser(at);
  at.mail.answer = () => new Response("unavailable", { status: 503 });
  await expectStatus(remove(client), 202);
  await at.sql`delete from outbox where id in (select notice_id from deletions where subject_id = ${userId})`;
  await erased(userId);
  at.mail.answer = () => Response.json({ id: "delivered" });
});

test("two owners of the platform who leave at once: one leaves, and the last owner stays (G132)", async () => {
  const owners = [await platformUser(at, "owner"), await platformUser(at, "owner")];
  const deadlocks = await deadlocksIn(at.sql);
  // The locked sessions keep both transactions open until each waits for a lock.
  const sessions = await at.sql.reserve();
  await sessions`begin`;
  await sessions`select 1 from sessions where user_id = any(${owners.map(({ userId }) => userId)}) for update`;
  const leaving = race(
    (index) => remove((owners[index] ?? owners[0])?.client.at(index ? at.other.url : at.one.url) as Client),
    2,
  );
  await eventually("two transactions that wait", ERASURE_MS, async () => {
    const waiting = await at.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length === 2;
  });
  await sessions`commit`;
  sessions.release();
  const outcomes = await leaving;
  expect(outcomes.map(({ status }) => status).sort()).toEqual([202, 409]);
  const last = owners[outcomes.findIndex(({ status }) => status === 409)];
  expect((await remove((last ?? owners[0])?.client as Client)).status).toBe(409);
  expect((await at.sql`select 1 from users where platform_role = 'owner' and disabled_at is null`).length).toBe(1);
  expect(await deadlocksIn(at.sql)).toBe(deadlocks);
});

test("a replica that is killed during an erasure leaves the rest to any replica (G146)", async () => {
  const { client, email, userId, organizationId } = await provenUser(at);
  await at.sql`
    insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                          rotated_at, expires_at, ends_at, revoked_at, created_at)
    select gen_random_uuid(), ${userId}, ${organizationId}, 'password', 'aal1', now(), gen_random_uuid(),
           gen_random_uuid(), now(), now(), now() + interval '90 days', now(), now()
    from generate_series(1, ${ROWS})`;
  await at.sql`insert into unlinked_identities values (${userId}, '\\x00', now())`;
  // The row keeps the erasing transaction open, after the batches.
  const lock = await at.sql.reserve();
  await lock`begin`;
  await lock`select 1 from unlinked_identities where user_id = ${userId} for update`;
  at.other.signal("SIGSTOP");
  await expectStatus(remove(client), 202);
  await eventually("the erasing transaction", ERASURE_MS, async () => {
    const [{ count }] = (await at.sql`
      select count(*)::int as count from sessions where user_id = ${userId}`) as unknown as [{ count: number }];
    const waiting = await at.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return count === 0 && waiting.length > 0;
  });
  await at.one.kill();
  await lock`commit`;
  lock.release();
  expect(await exists(userId)).toBe(true);
  at.other.signal("SIGCONT");
  await erased(userId);
  expect((await signedIn(at.other.url, email)).answer.status).toBe(401);
  expect((await client.at(at.other.url).get("/v1/auth/session")).status).toBe(401);
  const records = await at.sql`select 1 from audit_logs where action = 'user.deleted' and resource_id = ${userId}`;
  expect(records).toHaveLength(1);
  expect((await registered(at.other.url, { email })).answer.status).toBe(201);
});
