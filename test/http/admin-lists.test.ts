/** Batches of users, and lists by cursor (docs/contract.md, sections 36.1 and 36.4). */
import { beforeAll, describe, expect, test } from "bun:test";
import { refusalsOf } from "../support/bound-refusals.ts";
import { type Answer, newEmail, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { type Program, program } from "../support/programs.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "members.add", "members.list", "organizations.write"]);
});

const USERS = "/v1/admin/users";

interface Result {
  readonly outcome: string;
  readonly error: { readonly code: string } | null;
}
const newId = () => `crm|${crypto.randomUUID()}`;

describe("POST /v1/admin/users/batch (G496)", () => {
  test("Rows are created, found or refused one by one, in the order of the request.", async () => {
    const host = await founded(at);
    const existing = newId();
    const { body: known } = await robot.put(`${USERS}/by-external-id/${encodeURIComponent(existing)}`, {
      email: newEmail(),
    });
    const password_hash = await Bun.password.hash(PASSWORD, { algorithm: "bcrypt", cost: 4 });
    const memberships = [{ organization_id: host.organizationId }];
    const rows = [
      { email: newEmail(), external_id: newId(), password_hash, memberships },
      { email: newEmail(), external_id: existing, display_name: "Changed" },
      { email: newEmail(), password: PASSWORD },
      { email: known.email },
      { email: 7 },
      { external_id: newId() },
      { email: newEmail(), memberships: [{ organization_slug: "no-such-organization" }] },
      { email: newEmail(), display_name: null },
    ];
    const answer = await robot.post(`${USERS}/batch`, { users: rows });
    expect(answer.status).toBe(200);
    expect(answer.body.results.map((each: Result) => [each.outcome, each.error?.code])).toEqual([
      ["created", undefined],
      ["exists", undefined],
      ["refused", "invalid_input"],
      ["refused", "conflict"],
      ["refused", "invalid_input"],
      ["refused", "invalid_input"],
      ["refused", "invalid_input"],
      ["created", undefined],
    ]);
    expect(answer.body.results.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(answer.body.results[1].user_id).toBe(known.user_id);
    expect((await robot.get(`${USERS}/${known.user_id}`)).body).toEqual(known);
    const [created] = answer.body.results;
    const { body } = await robot.get(`${USERS}/${created.user_id}`);
    expect([body.has_password, body.organizations.length]).toEqual([true, 1]);
  });

  test("A row with NUL, a format character or a path segment as a name refuses itself alone (G551).", async () => {
    const unusable = ["\u0000", "a\u0000", "\u202eevil", "a\u200bb", "a\u2060", "\ufeff", ".", ".."];
    const rows = [
      ...unusable.map((external_id) => ({ email: newEmail(), external_id })),
      { email: newEmail(), memberships: [{ organization_slug: "\u0000" }] },
      { email: newEmail(), external_id: newId() },
    ];
    const answer = await robot.post(`${USERS}/batch`, { users: rows });
    expect(answer.status).toBe(200);
    const outcomes = answer.body.results.map((each: Result) => [each.outcome, each.error?.code]);
    expect(outcomes).toEqual([...Array(9).fill(["refused", "invalid_input"]), ["created", undefined]]);
    for (const external_id of unusable) {
      expect((await robot.post(USERS, { email: newEmail(), external_id })).status).toBe(400);
    }
    const memberships = [{ organization_slug: "\u0000" }];
    expect((await robot.post(USERS, { email: newEmail(), memberships })).status).toBe(400);
    const path = `${USERS}/by-external-id/${encodeURIComponent(newId())}`;
    expect((await robot.put(path, { email: newEmail(), memberships })).status).toBe(400);
  });

  test("An empty batch and 101 rows are 400.", async () => {
    const rows = Array.from({ length: 101 }, () => ({ email: newEmail() }));
    expect((await robot.post(`${USERS}/batch`, { users: [] })).status).toBe(400);
    expect((await robot.post(`${USERS}/batch`, { users: rows })).status).toBe(400);
    expect(await at.sql`select 1 from users where email = ${rows[0]?.email ?? ""}`).toHaveLength(0);
  });

  test("Twenty parallel batches of the same users leave one user and one record of each (P6).", async () => {
    const users = Array.from({ length: 10 }, () => ({ email: newEmail(), external_id: newId() }));
    const post = async (): Promise<Answer> => {
      const answer = await robot.post(`${USERS}/batch`, { users });
      return answer.status === 429 ? await post() : answer;
    };
    const answers = await race(post, 20);
    const outcomes = answers.flatMap(({ body }) => body.results.map(({ outcome }: { outcome: string }) => outcome));
    expect(outcomes.filter((outcome) => outcome === "created").length).toBe(10);
    expect(outcomes.filter((outcome) => outcome === "refused").length).toBe(0);
    const ids = users.map(({ external_id }) => external_id);
    const stored = await at.sql`select id::text from users where external_id = any(${ids})`;
    const records = await at.sql`
      select 1 from audit_logs
      where action = 'user.created' and resource_id = any(${stored.map(({ id }) => id)})`;
    expect([stored.length, records.length]).toEqual([10, 10]);
  });

  test("A replica stores two batches of a program at a time; the third is 429 with Retry-After (G554).", async () => {
    const crowd = () => Array.from({ length: 100 }, () => ({ email: newEmail() }));
    const answers = await race(() => robot.post(`${USERS}/batch`, { users: crowd() }), 6);
    const refused = answers.filter(({ status }) => status === 429);
    expect(await refusalsOf("user_batches", at.one.url)).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBe(6 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get("retry-after")).toBe("1");
    expect((await robot.post(`${USERS}/batch`, { users: crowd() })).status).toBe(200);
  });

  test("One external id twice in a batch creates one user.", async () => {
    const external_id = newId();
    const users = [
      { email: newEmail(), external_id },
      { email: newEmail(), external_id },
    ];
    const { body } = await robot.post(`${USERS}/batch`, { users });
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(["created", "exists"]);
    expect(body.results[0].user_id).toBe(body.results[1].user_id);
  });
});

async function everyPage(path: string, query: string): Promise<{ ids: string[]; answers: number }> {
  const ids: string[] = [];
  let answers = 0;
  for (let cursor: string | null = ""; cursor !== null; answers += 1) {
    const { status, body } = await robot.get(`${path}?${query}&cursor=${cursor}`);
    if (status !== 200) throw new Error(`a page returned ${status}`);
    expect(body.page).toBeUndefined();
    ids.push(...body.items.map((item: { user_id?: string; id?: string }) => item.user_id ?? item.id));
    cursor = body.next_cursor;
  }
  return { ids, answers };
}

describe("lists by cursor (G497)", () => {
  test("Users that exist throughout appear exactly once, whatever is created and deleted meanwhile.", async () => {
    const host = await founded(at);
    const memberships = [{ organization_id: host.organizationId }];
    const users = Array.from({ length: 25 }, () => ({ email: newEmail(), memberships }));
    const { body } = await robot.post(`${USERS}/batch`, { users });
    const created: string[] = body.results.map(({ user_id }: { user_id: string }) => user_id);
    const query = `organization_id=${host.organizationId}&page_size=4`;
    const seen: string[] = [];
    for (let cursor: string | null = "", page = 0; cursor !== null; page += 1) {
      const answer = await robot.get(`${USERS}?${query}&cursor=${cursor}`);
      seen.push(...answer.body.items.map(({ user_id }: { user_id: string }) => user_id));
      cursor = answer.body.next_cursor;
      await robot.post(USERS, { email: newEmail(), memberships });
      if (page === 2) await at.sql`delete from users where id = ${seen[0] ?? ""}`;
      if (page > 40) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of created) expect(seen).toContain(id);
  });

  test("A cursor belongs to the filters and the list; page, q and sort beside a cursor are 400.", async () => {
    const first = await robot.get(`${USERS}?page_size=1&cursor=`);
    const cursor = first.body.next_cursor;
    expect(typeof cursor).toBe("string");
    expect((await robot.get(`${USERS}?page_size=2&cursor=${cursor}`)).status).toBe(200);
    const refused = [
      `${USERS}?status=disabled&cursor=${cursor}`,
      `/v1/admin/orgs?cursor=${cursor}`,
      `${USERS}?cursor=${cursor.slice(0, -2)}xx`,
      `${USERS}?cursor=x`,
      `${USERS}?page=2&cursor=`,
      `${USERS}?q=a&cursor=`,
      `${USERS}?sort=email&cursor=`,
    ];
    for (const path of refused) expect([path, (await robot.get(path)).status]).toEqual([path, 400]);
    const listed = await robot.get(`${USERS}?page_size=1`);
    expect([listed.body.page, listed.body.next_cursor]).toEqual([1, undefined]);
  });

  test("Organizations and members have cursors too; every page together is the list.", async () => {
    const host = await founded(at);
    const memberships = [{ organization_id: host.organizationId }];
    const users = Array.from({ length: 5 }, () => ({ email: newEmail(), memberships }));
    await robot.post(`${USERS}/batch`, { users });
    const members = await everyPage(`/v1/admin/orgs/${host.organizationId}/members`, "page_size=2");
    expect([members.ids.length, new Set(members.ids).size, members.answers]).toEqual([6, 6, 3]);
    expect((await everyPage(`/v1/orgs/${host.organizationId}/members`, "page_size=4")).ids).toEqual(members.ids);
    const slug = (await at.sql`select slug from organizations where id = ${host.organizationId}`)[0]?.slug;
    const organizations = await everyPage("/v1/admin/orgs", `slug=${slug}`);
    expect(organizations.ids).toEqual([host.organizationId]);
  });

  test("Exact filters: address in any spelling, last sign-in, and metadata on request.", async () => {
    const email = newEmail();
    const { body: user } = await robot.post(USERS, { email, private_metadata: { crm: 7 } });
    const found = await robot.get(`${USERS}?email=${encodeURIComponent(email.toUpperCase())}`);
    expect(found.body.items.map(({ user_id }: { user_id: string }) => user_id)).toEqual([user.user_id]);
    expect(found.text).not.toContain("private_metadata");
    const detailed = await robot.get(`${USERS}?email=${encodeURIComponent(email)}&metadata=true`);
    expect(detailed.body.items[0].private_metadata).toEqual({ crm: 7 });
    const since = await robot.get(`${USERS}?email=${encodeURIComponent(email)}&last_login_from=2020-01-01T00:00:00Z`);
    expect(since.body.total).toBe(0);
    expect((await robot.get(`${USERS}?email=no-address`)).status).toBe(400);
  });
});
