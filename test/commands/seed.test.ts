import { expect, test } from "bun:test";
import { DEMO_PASSWORD } from "../../src/flows/platform/seed-demo.ts";
import { runService, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

test("seed inserts users of each role with working sign-ins, and a repetition has no effect", async () => {
  const databaseUrl = await freshDatabase();
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: "development" };
  const replica = await startReplica({ DATABASE_URL: databaseUrl });
  const first = await runService(["seed"], env);
  expect([first.code, first.output]).toEqual([0, expect.stringContaining("7 users inserted.")]);
  expect(first.output).toContain(DEMO_PASSWORD);

  const sql = openSql(databaseUrl);
  const members = async () => [
    ...(await sql`
      select u.email, o.slug, m.role, u.platform_role from users u
      join members m on m.user_id = u.id join organizations o on o.id = m.organization_id
      where o.slug like '%-demo' order by o.slug, u.email`),
  ];
  const seeded = await members();
  expect(seeded).toEqual([
    { email: "admin@acme.example", slug: "acme-demo", role: "admin", platform_role: null },
    { email: "member@acme.example", slug: "acme-demo", role: "member", platform_role: null },
    { email: "owner@acme.example", slug: "acme-demo", role: "owner", platform_role: null },
    { email: "platform@acme.example", slug: "acme-demo", role: "member", platform_role: "owner" },
    { email: "admin@globex.example", slug: "globex-demo", role: "admin", platform_role: null },
    { email: "member@globex.example", slug: "globex-demo", role: "member", platform_role: null },
    { email: "owner@globex.example", slug: "globex-demo", role: "owner", platform_role: null },
  ]);

  const signIns = seeded.map(async ({ email }) => {
    const response = await fetch(`${replica.url}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: DEMO_PASSWORD }),
    });
    return response.status;
  });
  expect(await Promise.all(signIns)).toEqual(seeded.map(() => 200));

  const countAudit = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from audit_logs where actor_type = 'system'`)[0]
      ?.count;
  const count = await countAudit();
  const second = await runService(["seed"], env);
  expect([second.code, second.output]).toEqual([0, expect.stringContaining("Nothing to do: all users exist.")]);
  expect(await members()).toEqual(seeded);
  expect(count).toBe(4);
  expect(await countAudit()).toBe(count);
  await replica.kill();
});

test("seed is refused in production and leaves the database unchanged", async () => {
  const databaseUrl = await freshDatabase();
  const { code, output } = await runService(["seed"], { DATABASE_URL: databaseUrl, NODE_ENV: "production" });
  expect([code, output]).toEqual([1, expect.stringContaining("NODE_ENV=production")]);
  const rows = await openSql(databaseUrl)<{ users: number }[]>`select count(*)::int as users from users`;
  expect(rows[0]?.users).toBe(0);
});
