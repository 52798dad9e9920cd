/** Rates of programs (docs/contract.md, section 35.12). */
import { beforeAll, describe, expect } from "bun:test";
import { refusalsOf } from "../support/bound-refusals.ts";
import { type Answer, Client, newEmail } from "../support/client.ts";
import { type OwnDeployment, ownDeployment, race, testWhileShared } from "../support/deployment.ts";
import { type Program, program, programAt } from "../support/programs.ts";
import { startReplica } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";

const LIMIT = 30;
const WIDE = {
  SERVICE_RATE_LIMITS: "on",
  SERVICE_RATE_LIMIT_REGISTER: "1000/60",
  SERVICE_RATE_LIMIT_SIGN_IN: "1000/60",
};
let at: OwnDeployment;
beforeAll(async () => {
  at = await ownDeployment({
    ...WIDE,
    SERVICE_DATABASE_POOL: "16",
    SERVICE_RATE_LIMIT_PROGRAM: `${LIMIT}/3600`,
    SERVICE_RATE_LIMIT_CALLER: "40/3600",
  });
});
const test = testWhileShared(() => [at.one, at.other]);

const isOk = ({ status }: Answer) => status === 200;
const isRefused = ({ status }: Answer) => status === 429;
const rateOf = ({ headers }: Answer) => headers.get("ratelimit");

/** An organization with a member, and a program with the permissions for members. */
async function organization() {
  const owner = await steppedUpOwner(at);
  const member = await memberWith(at, owner.organizationId, "member");
  const made = await keyOf(owner.client, accountsOf(owner.organizationId), [
    "members.list",
    "members.role",
    "members.invite",
  ]);
  const path = `/v1/orgs/${owner.organizationId}/members`;
  return { owner, made, path, memberPath: `${path}/${member.userId}`, program: programAt(at.one.url, made) };
}

describe("the limit of a program (G518)", () => {
  test("holds over both replicas and all keys of the account, reads included, and for no other program", async () => {
    const { owner, made, path, program } = await organization();
    const keys = `${accountsOf(owner.organizationId)}/${made.accountId}/keys`;
    const second = programAt(at.other.url, (await owner.client.post(keys, { scopes: ["members.list"] })).body);
    const responses = await race((index) => (index % 2 ? program : second).get(path), LIMIT + 20);
    expect(responses.filter(isOk)).toHaveLength(LIMIT);
    const refused = responses.filter(isRefused);
    expect(refused).toHaveLength(20);
    const counted = await Promise.all([at.one, at.other].map(({ url }) => refusalsOf("limit_program", url)));
    expect(Math.max(...counted)).toBeGreaterThan(0);
    expect(refused[0]?.body.error).toMatchObject({ code: "rate_limited", type: "rate_limited" });
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(3_000, 3_601);
    expect(refused[0] && rateOf(refused[0])).toMatch(/^"program";r=0;t=\d+$/);
    const next = await keyOf(owner.client, accountsOf(owner.organizationId), ["members.list"]);
    expect((await programAt(at.one.url, next).get(path)).status).toBe(200);
  });

  test("is described in every response: of reads, writes and refusals, and of tokens", async () => {
    const { made, path, memberPath, program } = await organization();
    const responses = [
      await program.get(path),
      await program.patch(memberPath, { role: "admin" }),
      await program.patch(memberPath, { role: 7 }),
      await program.patch(`${path}/019a0000-0000-7000-8000-000000000000`, { role: "member" }),
      await program.get("/v1/admin/users"),
      await program.delete(memberPath),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 404, 403, 403]);
    const remaining = responses.map((_, index) => `"program";r=${LIMIT - 1 - index};t=3600`);
    expect(responses.map((each) => rateOf(each)?.replace(/t=\d+/, "t=3600") ?? null)).toEqual(remaining);
    expect(responses.at(-1)?.headers.get("ratelimit-policy")).toBe(`"program";q=${LIMIT};w=3600`);
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: made.accountId });
    form.set("client_secret", made.key);
    const issued = await fetch(`${at.one.url}/oauth2/token`, { method: "POST", body: form });
    const { access_token: bearer } = (await issued.json()) as { access_token: string };
    const byToken = await new Client(at.other.url).request("GET", path, { bearer });
    expect([byToken.status, rateOf(byToken)]).toEqual([200, expect.stringMatching(/^"program";r=23;/)]);
  });

  test("counts a batch as its rows, all or none: a batch beyond the rest changes nothing (G524)", async () => {
    const writer = await program(at, ["users.write"]);
    const elsewhere = programAt(at.other.url, { id: writer.keyId, key: writer.key });
    const rows = (count: number) => ({ users: Array.from({ length: count }, () => ({ email: newEmail() })) });
    const send = (by: Program, users: object) => by.post("/v1/admin/users/batch", { ...users });
    const first = await send(writer, rows(20));
    expect([first.status, rateOf(first)]).toEqual([200, expect.stringMatching(/^"program";r=10;/)]);
    const tooLarge = rows(11);
    const refused = await send(elsewhere, tooLarge);
    expect([refused.status, rateOf(refused)]).toEqual([429, expect.stringMatching(/^"program";r=9;/)]);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(3_000, 3_601);
    const emails = tooLarge.users.map(({ email }) => email);
    expect(await at.sql`select 1 from users where email = any(${emails})`).toHaveLength(0);
    const fitting = await send(writer, rows(9));
    expect([fitting.status, rateOf(fitting)]).toEqual([200, expect.stringMatching(/^"program";r=0;/)]);
    expect((await writer.get("/v1/auth/session")).status).toBe(429);
  });

  test("counts a batch without a slot as one request (G524)", async () => {
    const writer = await program(at, ["users.write"]);
    const send = () =>
      writer.post("/v1/admin/users/batch", { users: Array.from({ length: 2 }, () => ({ email: newEmail() })) });
    const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = at.sql.begin(async (sql) => {
      await sql`lock table users in share mode`;
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const running = [send(), send()];
    await until("both batches store their rows", async () => {
      const [waiting] = await at.sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting?.count >= 4;
    });
    const refused = await send();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    held.resolve();
    await holding;
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect(rateOf(await writer.get("/v1/auth/session"))).toMatch(/^"program";r=24;/);
  });

  test("counts refused rows too, and a batch without valid input as one request (G524)", async () => {
    const writer = await program(at, ["users.write"]);
    const row = { email: newEmail() };
    const twice = await writer.post("/v1/admin/users/batch", { users: [row, row, { email: 7 }] });
    const outcomes: string[] = twice.body.results.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.toSorted()).toEqual(["created", "refused", "refused"]);
    expect(rateOf(twice)).toMatch(/^"program";r=27;/);
    const malformed = await writer.post("/v1/admin/users/batch", { users: [] });
    expect([malformed.status, rateOf(malformed)]).toEqual([400, expect.stringMatching(/^"program";r=26;/)]);
  });

  test("replaces the limit of callers for programs, and an invalid key counts for no program (G519)", async () => {
    const replica = await startReplica({
      ...WIDE,
      DATABASE_URL: at.databaseUrl,
      REDIS_URL: at.redis.url,
      SERVICE_RATE_LIMIT_CALLER: "1/3600",
    });
    const { made, memberPath, path } = await organization();
    const program = programAt(replica.url, made);
    for (const role of ["admin", "member", "admin", "member"]) {
      const { status, headers } = await program.patch(memberPath, { role });
      expect([status, headers.get("ratelimit-policy")]).toEqual([200, '"program";q=6000;w=60']);
    }
    const forged = programAt(replica.url, { id: made.id, key: `${made.key.slice(0, -4)}AAAA` });
    expect((await forged.get(path)).status).toBe(401);
    expect(rateOf(await program.get(path))).toMatch(/^"program";r=5995;/);
    await replica.kill();
  });
});

describe("writes of programs on a replica (G520)", () => {
  test("run four at once in an organization; a further write waits a second, then 429; others go on", async () => {
    const [blocked, free] = [await organization(), await organization()];
    const other = programAt(at.other.url, blocked.made);
    const locked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { organizationId } = blocked.owner;
    const holding = at.sql.begin(async (sql) => {
      await sql`select 1 from members where organization_id = ${organizationId} for update`;
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const four = Array.from({ length: 4 }, () => blocked.program.patch(blocked.memberPath, { role: "admin" }));
    await until("four writes wait for the row", async () => {
      const [waiting] = await at.sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting?.count === 4;
    });
    const startedAt = performance.now();
    const fifth = blocked.program.patch(blocked.memberPath, { role: "admin" });
    const elsewhere = other.patch(blocked.memberPath, { role: "admin" });
    expect((await free.program.patch(free.memberPath, { role: "admin" })).status).toBe(200);
    expect((await blocked.program.get(blocked.path)).status).toBe(200);
    const refused = await fifth;
    expect([refused.status, refused.headers.get("retry-after"), refused.body.error.code]).toEqual([
      429,
      "1",
      "rate_limited",
    ]);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(await refusalsOf("program_writes", at.one.url)).toBe(1);
    held.resolve();
    await holding;
    expect((await Promise.all([...four, elsewhere])).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await blocked.program.patch(blocked.memberPath, { role: "admin" })).status).toBe(200);
    const [record] = await at.sql`
      select count(*)::int as count from audit_logs
      where organization_id = ${organizationId} and action = 'member.role_changed'`;
    expect(record?.count).toBe(1);
  });
});
