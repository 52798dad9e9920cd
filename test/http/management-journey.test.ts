/** One program with one key sets up a customer (docs/contract.md, chapters 35 and 36), on two replicas. */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, signedIn } from "../support/client.ts";
import { type OwnDeployment, ownDeployment } from "../support/deployment.ts";
import { codeOf, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { type Program, program, programAt } from "../support/programs.ts";

const ORGS = "/v1/admin/orgs";
const BATCH = "/v1/admin/users/batch";
/** A batch has a hundred users. */
const BATCHES = 10;
const SCOPES = [
  "organizations.write",
  "users.write",
  "users.credentials",
  "members.add",
  "members.list",
  "audit.read",
] as const;

interface Customer {
  readonly organizationId: string;
  readonly owner: { readonly userId: string; readonly email: string; readonly link: string };
}

let at: OwnDeployment;
let programs: readonly [Program, Program];
let customer: Customer;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_RATE_LIMITS: "on" });
  const one = await program(at, SCOPES);
  programs = [one, programAt(at.other.url, { id: one.keyId, key: one.key })];
  const email = newEmail();
  const created = await one.post(ORGS, { organization_name: "Acme", owner: { email, delivery: "link" } });
  if (created.status !== 201) throw new Error(`the organization returned ${created.status}: ${created.text}`);
  const { organization_id: organizationId, owner_user_id: userId, owner_ticket: ticket } = created.body;
  customer = { organizationId, owner: { userId, email, link: ticket.url } };
});

const tokenIn = (url: string) => new URL(url).searchParams.get("token") ?? "";

/** The rows of a batch: nine of ten users are members by their row. */
const rowsOf = (batch: number) =>
  Array.from({ length: 100 }, (_, index) => ({
    email: `user.${batch}.${index}@acme.test`,
    external_id: `crm/${batch}/${index}`,
    ...(index % 10 === 0 ? {} : { memberships: [{ organization_id: customer.organizationId }] }),
  }));

async function sendBatches(): Promise<{ outcome: string; user_id: string }[]> {
  const results: { outcome: string; user_id: string }[] = [];
  for (let batch = 0; batch < BATCHES; batch += 2) {
    const pair = await Promise.all(
      programs.map((each, replica) => each.post(BATCH, { users: rowsOf(batch + replica) })),
    );
    for (const { status, body, text } of pair) {
      if (status !== 200) throw new Error(`the batch returned ${status}: ${text}`);
      results.push(...body.results);
    }
  }
  return results;
}

/** The ids of all members, page by page, from both replicas in turn. */
async function listMembers(): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = "";
  for (let page = 0; cursor !== null; page += 1) {
    const path: string = `/v1/orgs/${customer.organizationId}/members?page_size=100&cursor=${cursor}`;
    const { status, body, text } = await (programs[page % 2] as Program).get(path);
    if (status !== 200) throw new Error(`the list returned ${status}: ${text}`);
    ids.push(...body.items.map((item: { user_id: string }) => item.user_id));
    cursor = body.next_cursor;
  }
  return ids;
}

describe("one key (G523)", () => {
  test("creates an organization, 1,000 users by batch and their memberships, once however often", async () => {
    const created = await sendBatches();
    expect(new Set(created.map(({ outcome }) => outcome))).toEqual(new Set(["created"]));
    const ids = created.map(({ user_id: id }) => id);
    expect(new Set(ids).size).toBe(1_000);
    const repeated = await sendBatches();
    expect(repeated.map(({ outcome, user_id: id }) => [outcome, id])).toEqual(ids.map((id) => ["exists", id]));
    const rest = ids.filter((_, index) => index % 10 === 0);
    for (const [index, id] of rest.entries()) {
      const path = `${ORGS}/${customer.organizationId}/members/${id}`;
      const added = await (programs[index % 2] as Program).put(path, { notify: false });
      expect(added.status).toBe(201);
    }
    const members = await listMembers();
    expect(members.toSorted()).toEqual([...ids, customer.owner.userId].toSorted());
    const records = await at.sql`
      select action, count(*)::int as count, count(distinct actor_id)::int as actors from audit_logs
      where actor_type = 'api_key' and action in ('user.created', 'member.added') group by 1 order by 1`;
    expect([...records]).toEqual([
      { action: "member.added", count: 1_000, actors: 1 },
      { action: "user.created", count: 1_001, actors: 1 },
    ]);
  });

  test("sets up the owner, who signs in by a ticket with the second factor", async () => {
    const { owner, organizationId } = customer;
    const reset = { token: tokenIn(owner.link), new_password: PASSWORD };
    expect((await new Client(at.other.url).post("/v1/auth/password/reset", reset)).status).toBe(204);
    const first = await signedIn(at.one.url, owner.email);
    const person = await withAuthenticator(at, { client: first.client, userId: owner.userId });
    const issued = await programs[0].post(`/v1/admin/users/${owner.userId}/tickets`, { purpose: "sign_in" });
    expect(issued.status).toBe(201);
    const client = new Client(at.other.url);
    const token = tokenIn(issued.body.url);
    const shown = await client.post("/v1/auth/tickets", { token });
    expect(shown.body.status).toBe("mfa_required");
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    await forgetUsedStep(at.sql, owner.userId);
    const challenge = { mfa_token: shown.body.mfa_token, code: codeOf(person.secret) };
    expect((await client.post("/v1/auth/mfa/challenge", challenge)).status).toBe(200);
    expect((await client.get("/v1/auth/session")).body).toMatchObject({
      user: { user_id: owner.userId, organization_id: organizationId },
      capabilities: { role: "owner" },
      session: { auth_method: "ticket", aal: "aal2" },
    });
    expect((await client.get(`/v1/orgs/${organizationId}/members`)).body.total).toBe(1_001);
    expect((await new Client(at.one.url).post("/v1/auth/tickets", { token })).status).toBe(401);
  });
});
