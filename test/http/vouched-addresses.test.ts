/** Addresses that an administrator or a program vouches for (docs/contract.md, section 5.7). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { CODE, INVITE_LINK, RESET_LINK, tokenTo } from "../support/mail.ts";
import { type Program, program } from "../support/programs.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { accept, invite } from "../support/team.ts";
import { CHANGE_LINK, confirm, resetBy } from "../support/user-emails.ts";

const USERS = "/v1/admin/users";
const NEXT = "an entirely different password";
let at: Deployment;
let robot: Program;
let company: { readonly organizationId: string; readonly domain: string };
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "users.credentials", "members.invite", "organizations.write"]);
  const host = await steppedUpOwner(at);
  const domain = `vouched-${process.pid}.test`;
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status,
                                      verified_at, warnings, created_at, claimed_by)
    values (gen_random_uuid(), ${host.organizationId}, ${domain}, 'token', 'verified', now(), 0, now(),
            (select user_id from members where organization_id = ${host.organizationId} and role = 'owner' limit 1))`;
  const opened = await host.client.put(`/v1/orgs/${host.organizationId}/policies`, { domain_join: "join" });
  expect([opened.status, opened.text]).toEqual([200, expect.any(String)]);
  company = { organizationId: host.organizationId, domain };
});

let count = 0;
const colleagueAddress = () => {
  count += 1;
  return `person-${count}@${company.domain}`;
};

/** The home of a user, so that a sign-in has an organization. */
async function home(userId: string) {
  const made = await robot.post("/v1/admin/orgs", { organization_name: "Home", owner: { user_id: userId } });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
}

async function signIn(email: string, password: string): Promise<Client> {
  const client = new Client(at.one.url);
  const response = await client.post("/v1/auth/login", { email, password });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return client;
}

const joinableOf = async (client: Client) =>
  ((await client.get("/v1/users/me/joinable-organizations")).body.items as { domain: string }[]).map((i) => i.domain);
const join = (client: Client) => client.post(`/v1/orgs/${company.organizationId}/join`);
/** Adds a proven additional address. */
async function secondAddress(userId: string): Promise<string> {
  const second = newEmail();
  await at.sql`
    insert into user_emails (user_id, email, "primary", verified_at, controlled_at, created_at)
    values (${userId}, ${second}, false, now(), now(), now())`;
  return second;
}

async function signInByCode(email: string): Promise<Client> {
  const client = new Client(at.one.url);
  await client.post("/v1/auth/email-otp/request", { email });
  const code = await tokenTo(at.mail, email, CODE);
  const response = await client.post("/v1/auth/email-otp/verify", { email, code });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return client;
}

/** The token of the mailed invitation of another organization. */
async function invitationTo(email: string): Promise<string> {
  const host = await steppedUpOwner(at);
  expect((await invite(host.client, host.organizationId, email)).status).toBe(201);
  return await tokenTo(at.mail, email, INVITE_LINK);
}

const stateOf = async (userId: string) =>
  (
    await at.sql`
      select u.controlled_at is not null as controlled, e.vouched from users u
      join user_emails e on e.user_id = u.id and e."primary" where u.id = ${userId}`
  )[0];

type Way = readonly [string, (email: string) => Promise<{ readonly userId: string; readonly password: string }>];
const WAYS: readonly Way[] = [
  [
    "created as verified",
    async (email) => {
      const made = await robot.post(USERS, { email, email_verified: true, password: PASSWORD });
      return { userId: made.body.user_id, password: PASSWORD };
    },
  ],
  [
    "created with a membership",
    async (email) => {
      const adder = await program(at, ["users.write", "members.add"]);
      const { organizationId } = await steppedUpOwner(at);
      const memberships = [{ organization_id: organizationId }];
      const made = await adder.post(USERS, { email, email_verified: true, password: PASSWORD, memberships });
      return { userId: made.body.user_id, password: PASSWORD };
    },
  ],
  [
    "replaced by PUT …/email as verified",
    async (email) => {
      const made = await robot.post(USERS, { email: `former-${email}`, email_verified: true, password: PASSWORD });
      const changed = await robot.put(`${USERS}/${made.body.user_id}/email`, { email, email_verified: true });
      expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
      return { userId: made.body.user_id, password: PASSWORD };
    },
  ],
  [
    "confirmed by a ticket for a reset",
    async (email) => {
      const made = await robot.post(USERS, { email });
      const ticket = await robot.post(`${USERS}/${made.body.user_id}/tickets`, { purpose: "password_reset" });
      const token = new URL(ticket.body.url).searchParams.get("token");
      const reset = await new Client(at.one.url).post("/v1/auth/password/reset", { token, new_password: NEXT });
      expect(reset.status).toBe(204);
      return { userId: made.body.user_id, password: NEXT };
    },
  ],
  [
    "confirmed by a ticket for a verification in a session",
    async (email) => {
      const made = await robot.post(USERS, { email, password: PASSWORD });
      await home(made.body.user_id);
      const ticket = await robot.post(`${USERS}/${made.body.user_id}/tickets`, { purpose: "verify_email" });
      const token = new URL(ticket.body.url).searchParams.get("token");
      const client = await signIn(email, PASSWORD);
      expect((await client.post("/v1/auth/email/verify", { token })).status).toBe(204);
      return { userId: made.body.user_id, password: PASSWORD };
    },
  ],
  [
    "of the owner of an organization, confirmed by the link for the program",
    async (email) => {
      const owner = { email, delivery: "link" };
      const made = await robot.post("/v1/admin/orgs", { organization_name: "Owned", owner });
      const token = new URL(made.body.owner_ticket.url).searchParams.get("token");
      const reset = await new Client(at.one.url).post("/v1/auth/password/reset", { token, new_password: NEXT });
      expect(reset.status).toBe(204);
      return { userId: made.body.owner_user_id, password: NEXT };
    },
  ],
];

describe("an address that a program vouches for (G600)", () => {
  test.each(WAYS)("%s: leads into no organization by a verified domain.", async (_, vouch) => {
    const email = colleagueAddress();
    const { userId, password } = await vouch(email);
    await home(userId);
    const client = await signIn(email, password);
    expect((await client.get("/v1/users/me")).body).toMatchObject({ email, email_verified: true });
    expect([await joinableOf(client), (await join(client)).status]).toEqual([[], 404]);
    expect(await stateOf(userId)).toMatchObject({ vouched: true });
    const joined = await at.sql`
      select 1 from members where organization_id = ${company.organizationId} and user_id = ${userId}`;
    expect(joined).toHaveLength(0);
  });
});

describe("a proof of the mailbox (G601)", () => {
  test("A code by email clears the mark, and the user joins.", async () => {
    const email = colleagueAddress();
    const made = await robot.post(USERS, { email, email_verified: true, password: PASSWORD });
    await home(made.body.user_id);
    const client = new Client(at.one.url);
    expect((await client.post("/v1/auth/email-otp/request", { email })).status).toBe(204);
    const code = await tokenTo(at.mail, email, CODE);
    expect((await client.post("/v1/auth/email-otp/verify", { email, code })).status).toBe(200);
    expect(await stateOf(made.body.user_id)).toEqual({ controlled: true, vouched: false });
    expect([await joinableOf(client), (await join(client)).status]).toEqual([[company.domain], 201]);
    // The account counted as controlled before, so the proof ends no credential (section 5.3).
    await signIn(email, PASSWORD);
  });

  test("A reset by email clears the mark, and the user joins.", async () => {
    const email = colleagueAddress();
    const made = await robot.post(USERS, { email, email_verified: true });
    await home(made.body.user_id);
    expect((await new Client(at.one.url).post("/v1/auth/password/forgot", { email })).status).toBe(204);
    const token = await tokenTo(at.mail, email, RESET_LINK);
    const reset = await new Client(at.one.url).post("/v1/auth/password/reset", { token, new_password: NEXT });
    expect([200, 204]).toContain(reset.status);
    expect((await join(await signIn(email, NEXT))).status).toBe(201);
  });

  test("A second address proves the second mailbox alone.", async () => {
    const email = colleagueAddress();
    const made = await robot.post(USERS, { email, email_verified: true, password: PASSWORD });
    await home(made.body.user_id);
    const client = await signInByCode(await secondAddress(made.body.user_id));
    expect([await stateOf(made.body.user_id), (await join(client)).status]).toEqual([
      { controlled: true, vouched: true },
      404,
    ]);
  });

  test("An invitation to a second address, accepted by the link alone, proves the second mailbox alone.", async () => {
    const email = colleagueAddress();
    const made = await robot.post(USERS, { email, email_verified: true, password: PASSWORD });
    const token = await invitationTo(await secondAddress(made.body.user_id));
    expect((await accept(new Client(at.one.url), token, {})).status).toBe(200);
    expect(await stateOf(made.body.user_id)).toEqual({ controlled: true, vouched: true });
    expect((await join(await signIn(email, PASSWORD))).status).toBe(404);
  });
});

describe("an address that a program sets without a verification (G601)", () => {
  /** A controlled user with a second address, whose primary address the program then replaces. */
  async function user() {
    const [former, email] = [newEmail(), colleagueAddress()];
    const made = await robot.post(USERS, { email: former, email_verified: true, password: PASSWORD });
    const userId: string = made.body.user_id;
    await home(userId);
    const replace = async () => {
      const changed = await robot.put(`${USERS}/${userId}/email`, { email });
      expect([changed.status, changed.body.email_verified]).toEqual([200, false]);
    };
    return { userId, former, email, second: await secondAddress(userId), replace };
  }

  async function expectUnproven(userId: string, client: Client) {
    const [state] = await at.sql`
      select controlled_at is null as uncontrolled, email_verified_at is null as unverified
      from users where id = ${userId}`;
    expect(state).toEqual({ uncontrolled: true, unverified: true });
    expect([await joinableOf(client), (await join(client)).status]).toEqual([[], 404]);
  }

  test("A code to another address of the user signs in, and proves nothing about the new address.", async () => {
    const { userId, second, replace } = await user();
    await replace();
    await expectUnproven(userId, await signInByCode(second));
  });

  test("A reset by another address of the user proves nothing about the new address.", async () => {
    const { userId, second, replace } = await user();
    await replace();
    expect([200, 204]).toContain((await resetBy(at, second, NEXT)).status);
    await expectUnproven(userId, await signIn(second, NEXT));
  });

  test("An invitation to another address, accepted in the session, proves nothing about the new address.", async () => {
    const { userId, email, second, replace } = await user();
    await replace();
    const client = await signIn(email, PASSWORD);
    const token = await invitationTo(second);
    expect((await accept(client, token, {})).status).toBe(200);
    await expectUnproven(userId, client);
  });

  test("The link of an additional address that was requested before the replacement is void.", async () => {
    const { userId, former, replace } = await user();
    const [client, added] = [await signIn(former, PASSWORD), newEmail()];
    const requested = await client.post("/v1/users/me/emails", { email: added, password: PASSWORD });
    expect([requested.status, requested.text]).toEqual([204, expect.any(String)]);
    const token = await tokenTo(at.mail, added, CHANGE_LINK);
    await replace();
    expect((await confirm(client, token)).status).toBe(401);
    await expectUnproven(userId, client);
  });

  test("A code to the new address proves the new address, and the user joins.", async () => {
    const { userId, email, replace } = await user();
    await replace();
    const client = await signInByCode(email);
    expect(await stateOf(userId)).toEqual({ controlled: true, vouched: false });
    expect((await join(client)).status).toBe(201);
  });
});
