/** Tickets: single-use links that a program delivers in place of an email (docs/contract.md, section 36.6). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { enrolled } from "../support/mfa.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { type Program, program, programAt } from "../support/programs.ts";
import { keyOf } from "../support/service-accounts.ts";

const SCOPES = ["users.credentials", "users.write"];
let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, SCOPES);
});

const ticketsOf = (userId: string) => `/v1/admin/users/${userId}/tickets`;
const issue = (userId: string, fields: object = { purpose: "sign_in" }) => robot.post(ticketsOf(userId), { ...fields });
const use = (token: unknown, client = new Client(at.other.url)) => client.post("/v1/auth/tickets", { token });

/** The token of a ticket. */
async function ticketFor(userId: string, fields?: object): Promise<string> {
  const issued = await issue(userId, fields);
  if (issued.status !== 201) throw new Error(`the ticket was answered ${issued.status}: ${issued.text}`);
  return new URL(issued.body.url).searchParams.get("token") ?? "";
}

const refused = ({ status, body }: Answer) => [status, body?.error?.code];
const DEAD = [401, "authentication_required"];
const expire = (userId: string) => at.sql`update mailed_tokens set expires_at = now() where user_id = ${userId}`;

describe("A sign-in by a ticket (G530)", () => {
  test("works once on either replica, is recorded with the key, and is no proof of control", async () => {
    const { userId, organizationId } = await registered(at.one.url);
    const issued = await issue(userId, { purpose: "sign_in", redirect_to: "/account/security" });
    expect([issued.status, issued.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(issued.body).toMatchObject({ purpose: "sign_in" });
    const lifetime = Date.parse(issued.body.expires_at) - Date.now();
    expect(lifetime > 240_000 && lifetime <= 300_000).toBe(true);
    const token = new URL(issued.body.url).searchParams.get("token");
    expect(issued.body.url).toBe(`http://localhost:3000/sign-in/ticket?token=${token}`);
    const client = new Client(at.other.url);
    const used = await use(token, client);
    expect([used.status, used.body]).toMatchObject([200, { user: { organization_id: organizationId } }]);
    const session = await client.get("/v1/auth/session");
    expect(session.body).toMatchObject({ user: { user_id: userId }, session: { auth_method: "ticket", aal: "aal1" } });
    expect(refused(await use(token))).toEqual(DEAD);
    const [row] = await at.sql`select controlled_at from users where id = ${userId}`;
    expect(row?.controlled_at).toBeNull();
    const records = await at.sql`
      select action, actor_type, metadata from audit_logs
      where resource_id = ${userId} and action = 'user.ticket_issued'
        or actor_id = ${userId} and action = 'auth.ticket.consumed' order by action desc`;
    expect(records).toMatchObject([
      { action: "user.ticket_issued", actor_type: "api_key", metadata: { purpose: "sign_in" } },
      { action: "auth.ticket.consumed", actor_type: "user", metadata: { credential: robot.keyId } },
    ]);
    expect(JSON.stringify(records)).not.toContain(token ?? "none");
  });

  test("is won by one of 40 parallel requests on two replicas", async () => {
    const { userId } = await registered(at.one.url);
    const token = await ticketFor(userId);
    const answers = await race((index) => use(token, new Client(index % 2 ? at.one.url : at.other.url)), 40);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
  });

  test("requires an enrolled second factor, also in a trusted browser", async () => {
    const { userId, email, client } = await enrolled(at);
    expect((await client.post("/v1/auth/trusted-browsers", { name: "laptop" })).status).toBe(201);
    expect((await client.post("/v1/auth/login", { email, password: PASSWORD })).body.status).toBe("success");
    expect((await use(await ticketFor(userId), client)).body.status).toBe("mfa_required");
  });

  test("obeys the methods of an organization, and a refused ticket stays unused", async () => {
    const host = await enrolled(at);
    await at.sql`update users set controlled_at = now(), email_verified_at = now() where id = ${host.userId}`;
    const token = await ticketFor(host.userId);
    const path = `/v1/orgs/${host.organizationId}/policies`;
    const set = (methods: unknown) => host.client.put(path, { methods, confirm: true });
    expect((await set(["password"])).status).toBe(200);
    expect(refused(await use(token))).toEqual([403, "forbidden"]);
    expect((await set(null)).status).toBe(200);
    expect((await use(token)).body).toMatchObject({ status: "mfa_required" });
  });

  test("ends with its lifetime, key and successor, a new password, and a disabled or promoted user", async () => {
    const ends: [string, (userId: string, program: Program) => Promise<unknown>][] = [
      ["lifetime", (userId) => expire(userId)],
      ["key", (_, { keyId }) => at.sql`update api_keys set revoked_at = now() where id = ${keyId}`],
      ["ticket", (userId) => issue(userId)],
      ["password", (userId) => robot.put(`/v1/admin/users/${userId}/password`, { password: `${PASSWORD} 2` })],
      ["disabled", (userId) => robot.patch(`/v1/admin/users/${userId}`, { disabled: true })],
      [
        "enabled again",
        async (userId) => {
          await robot.patch(`/v1/admin/users/${userId}`, { disabled: true });
          await robot.patch(`/v1/admin/users/${userId}`, { disabled: false });
        },
      ],
      ["address", (userId) => robot.put(`/v1/admin/users/${userId}/email`, { email: newEmail() })],
      ["promoted", (userId) => at.sql`update users set platform_role = 'viewer' where id = ${userId}`],
    ];
    for (const [name, end] of ends) {
      const { userId } = await registered(at.one.url);
      const other = await program(at, SCOPES);
      const issued = await other.post(ticketsOf(userId), { purpose: "sign_in" });
      const token = new URL(issued.body.url).searchParams.get("token");
      await end(userId, other);
      expect([name, ...refused(await use(token))]).toEqual([name, ...DEAD]);
    }
  });

  test("no kind of token stands in for another kind, and any other text is refused alike", async () => {
    const { userId } = await registered(at.one.url);
    const reset = await ticketFor(userId, { purpose: "password_reset" });
    const ticket = await ticketFor(userId);
    for (const token of [reset, "", "x", "x".repeat(43), `${ticket}x`]) expect(refused(await use(token))).toEqual(DEAD);
    const asReset = { token: ticket, new_password: `${PASSWORD} 3` };
    expect(refused(await new Client(at.one.url).post("/v1/auth/password/reset", asReset))).toEqual(DEAD);
    expect(refused(await new Client(at.one.url).post("/v1/auth/email/verify", { token: ticket }))).toEqual(DEAD);
    for (const token of [null, 7, {}, undefined]) expect(refused(await use(token))).toEqual([400, "invalid_input"]);
    expect((await use(ticket)).status).toBe(200);
  });
});

describe("Tickets for a reset and a verification (G531)", () => {
  test("have the effects of the mailed links, whose mail they replace and void", async () => {
    const { userId, email } = await registered(at.one.url);
    const [verify, reset] = [
      await ticketFor(userId, { purpose: "verify_email" }),
      await ticketFor(userId, { purpose: "password_reset" }),
    ];
    expect((await new Client(at.one.url).post("/v1/auth/email/verify", { token: verify })).status).toBe(204);
    expect(refused(await issue(userId, { purpose: "verify_email" }))).toEqual([409, "conflict"]);
    const password = "another horse battery staple";
    const changed = await new Client(at.one.url).post("/v1/auth/password/reset", {
      token: reset,
      new_password: password,
    });
    expect(changed.status).toBe(204);
    expect((await signedIn(at.one.url, email, password)).answer.status).toBe(200);
    const texts = at.mail.delivered.filter(({ to }) => to.includes(email)).map(({ text }) => text);
    expect(texts.some((text) => text.includes(verify) || text.includes(reset))).toBe(false);
  });

  test("end with the key of the program", async () => {
    const { userId } = await registered(at.one.url);
    const other = await program(at, SCOPES);
    const issued = await other.post(ticketsOf(userId), { purpose: "password_reset" });
    const token = new URL(issued.body.url).searchParams.get("token");
    await at.sql`update api_keys set revoked_at = now() where id = ${other.keyId}`;
    const reset = { token, new_password: "another horse battery staple" };
    expect(refused(await new Client(at.one.url).post("/v1/auth/password/reset", reset))).toEqual(DEAD);
  });
});

describe("POST /v1/admin/users/:id/tickets (G532)", () => {
  test("is refused to people of every role, to keys without the permission, and to organizations", async () => {
    const { userId } = await registered(at.one.url);
    const owner = await steppedUpAdmin(at, "owner");
    expect(refused(await owner.client.post(ticketsOf(userId), { purpose: "sign_in" }))).toEqual([403, "forbidden"]);
    const weak = await program(at, ["users.write"]);
    expect(refused(await weak.post(ticketsOf(userId), { purpose: "sign_in" }))).toEqual([403, "forbidden"]);
    const host = await enrolled(at);
    const made = await keyOf(host.client, `/v1/orgs/${host.organizationId}/service-accounts`, ["members.list"]);
    const own = programAt(at.one.url, made);
    expect(refused(await own.post(ticketsOf(userId), { purpose: "sign_in" }))).toEqual([403, "forbidden"]);
  });

  test("is refused for users with a platform role, disabled users, and users whom no organization admits", async () => {
    const admin = await platformUser(at, "viewer");
    for (const purpose of ["sign_in", "password_reset", "verify_email"]) {
      expect(refused(await issue(admin.userId, { purpose }))).toEqual([403, "forbidden"]);
    }
    const disabled = await registered(at.one.url);
    await robot.patch(`/v1/admin/users/${disabled.userId}`, { disabled: true });
    expect(refused(await issue(disabled.userId))).toEqual([409, "conflict"]);
    const lone = await registered(at.one.url);
    await at.sql`delete from members where user_id = ${lone.userId}`;
    expect(refused(await issue(lone.userId))).toEqual([409, "conflict"]);
    expect(refused(await issue(crypto.randomUUID()))).toEqual([404, "not_found"]);
    expect(refused(await issue("x"))).toEqual([404, "not_found"]);
  });

  test("refuses other lifetimes, purposes and targets outside of the service; nothing is stored", async () => {
    const { userId } = await registered(at.one.url);
    const wrong = [
      {},
      { purpose: "invite" },
      { purpose: "sign_in", expires_in_seconds: 3601 },
      { purpose: "sign_in", expires_in_seconds: 0 },
      { purpose: "sign_in", expires_in_seconds: "60" },
      { purpose: "password_reset", expires_in_seconds: 3601 },
      { purpose: "verify_email", expires_in_seconds: 86_401 },
      { purpose: "password_reset", redirect_to: "/account" },
      ...["https://attacker.example.test/", "//attacker.example.test", "/\\attacker", "account", "/%2f%2fx"].map(
        (redirect_to) => ({ purpose: "sign_in", redirect_to }),
      ),
    ];
    for (const body of wrong)
      expect([body, ...refused(await issue(userId, body))]).toEqual([body, 400, "invalid_input"]);
    const rows = await at.sql`
      select 1 from mailed_tokens where user_id = ${userId} and issued_by is not null`;
    expect(rows).toHaveLength(0);
  });
});
