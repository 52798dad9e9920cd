/** The number of invitations that a user, an organization and an unverified sender may send by email. */
import { beforeAll, describe, expect, test as testOnce } from "bun:test";
import { Client, newEmail, registered } from "../support/client.ts";
import {
  type Deployment,
  deployment,
  ownDeployment,
  race,
  testWhileShared,
  whileShared,
} from "../support/deployment.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { founded, invitationsOf, invite, invited, memberWith, verify } from "../support/team.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * 3600;
/** A mailbox that a single network floods. */
const TARGET = newEmail();
let networks = 0;
/** Returns a client network that no other test uses (RFC 2544). */
function newNetwork(): string {
  networks += 1;
  return `198.18.${networks >> 8}.${networks & 255}`;
}
let at: Deployment;
let unlimited: Deployment;
beforeAll(async () => {
  at = await ownDeployment({
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1/32",
  });
  unlimited = await deployment();
});

/** Creates an organization beyond the limits of young organizations, and an owner. */
async function established(deployment: Deployment) {
  const owner = await founded(deployment);
  await deployment.sql`
    update organizations set created_at = now() - interval '8 days' where id = ${owner.organizationId}`;
  return owner;
}

const replicas = () => [at.one, at.other, unlimited.one, unlimited.other];
const test = testWhileShared(replicas);
const sentBy = async (deployment: Deployment, userId: string) =>
  await deployment.sql`
    select 1 from audit_logs where actor_id = ${userId} and action in ('invitation.created', 'invitation.resent')`;
/** Sends invitations of a sender to 30 new addresses concurrently; returns the responses by status. */
async function wave(deployment: Deployment, sender: Awaited<ReturnType<typeof founded>>) {
  const responses = await race((index) => {
    const client = sender.client.at(index % 2 ? deployment.one.url : deployment.other.url);
    return invite(client, sender.organizationId, newEmail());
  }, 30);
  const refused = responses.filter(({ status }) => status === 429);
  expect(responses.every(({ status }) => status === 201 || status === 429)).toBe(true);
  return {
    sent: 30 - refused.length,
    retryAfter: Math.max(...refused.map(({ headers }) => Number(headers.get("retry-after")))),
  };
}

describe("a verified sender", () => {
  test("has 20 invitations an hour mailed, over both replicas; then 429 with Retry-After", async () => {
    const sender = await established(at);
    const { sent, retryAfter } = await wave(at, sender);
    expect([sent, (await sentBy(at, sender.userId)).length]).toEqual([20, 20]);
    expect(retryAfter).toBeWithin(1, HOUR_SECONDS + 1);
  });

  test("uses them up by resending as well", async () => {
    const sender = await established(at);
    for (let count = 0; count < 10; count += 1) {
      const { body } = await invite(sender.client, sender.organizationId, newEmail());
      expect((await sender.client.post(`${invitationsOf(sender.organizationId)}/${body.id}/resend`)).status).toBe(200);
    }
    expect((await invite(sender.client, sender.organizationId, newEmail())).status).toBe(429);
  });
});

describe("an organization", () => {
  test("has 100 invitations an hour mailed by all members; a second organization has a limit of its own", async () => {
    const owner = await established(at);
    const senders = [owner];
    while (senders.length < 6) senders.push((await memberWith(at, owner.organizationId, "admin")) as typeof owner);
    const waves = [];
    for (const sender of senders) waves.push(await wave(at, { ...sender, organizationId: owner.organizationId }));
    expect(waves.map(({ sent }) => sent)).toEqual([20, 20, 20, 20, 20, 0]);
    expect((await wave(at, await established(at))).sent).toBe(20);
  });

  test("has five to an address in a quarter of an hour, and uses up nothing of another organization's", async () => {
    const [one, other] = [await established(at), await established(at)];
    const email = newEmail();
    const { body } = await invite(one.client, one.organizationId, email);
    const resend = () => one.client.post(`${invitationsOf(one.organizationId)}/${body.id}/resend`);
    for (let count = 0; count < 4; count += 1) expect((await resend()).status).toBe(200);
    const refused = await resend();
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 901);
    expect((await invite(other.client, other.organizationId, email)).status).toBe(201);
  });
});

describe("young organizations of one network", () => {
  test("have 20 invitations an hour mailed together, over both replicas, to one address and to many", async () => {
    const network = { "x-forwarded-for": newNetwork() };
    const responses = await race(async (index) => {
      const host = await founded(at);
      const client = host.client.at(index % 2 ? at.one.url : at.other.url);
      const statuses = [];
      for (const email of [TARGET, newEmail(), newEmail()])
        statuses.push((await client.post(invitationsOf(host.organizationId), { email }, { headers: network })).status);
      return statuses;
    }, 15);
    const statuses = responses.flat();
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
    const elsewhere = await founded(at);
    const headers = { "x-forwarded-for": newNetwork() };
    const invitation = { email: newEmail() };
    const other = await elsewhere.client.post(invitationsOf(elsewhere.organizationId), invitation, { headers });
    expect(other.status).toBe(201);
  });
});

describe("one address", () => {
  test("has 30 invitations an hour mailed by all organizations; a refused one changes nothing", async () => {
    const email = newEmail();
    const responses = await race(async () => {
      const host = await established(at);
      const headers = { "x-forwarded-for": newNetwork() };
      return await host.client.post(invitationsOf(host.organizationId), { email }, { headers });
    }, 35);
    const refused = responses.filter(({ status }) => status === 429);
    expect([responses.filter(({ status }) => status === 201).length, refused.length]).toEqual([30, 5]);
    expect(refused[0]?.body.error.code).toBe("rate_limited");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(1, HOUR_SECONDS + 1);
    expect(await at.sql`select 1 from invitations where email = ${email}`).toHaveLength(30);
  });
});

describe("a sender whose address is not verified", () => {
  testOnce.each([
    ["on", () => at],
    ["off", () => unlimited],
  ])("has five invitations a day mailed of 30 at once, with rate limits %s", (_, deployed) =>
    whileShared(replicas(), async () => {
      const sender = await registered(deployed().one.url);
      const { sent, retryAfter } = await wave(deployed(), sender);
      expect([sent, (await sentBy(deployed(), sender.userId)).length]).toEqual([5, 5]);
      expect(retryAfter).toBeWithin(DAY_SECONDS - 60, DAY_SECONDS + 1);
    }),
  );

  test("uses them up by resending, gets them back after a day, and has no bound after the verification", async () => {
    const sender = await registered(unlimited.one.url);
    const { id } = await invited(unlimited, sender.client, sender.organizationId);
    const resend = async () =>
      (await sender.client.post(`${invitationsOf(sender.organizationId)}/${id}/resend`)).status;
    for (let count = 0; count < 4; count += 1) expect(await resend()).toBe(200);
    expect(await resend()).toBe(429);
    expect((await invite(sender.client, sender.organizationId, newEmail())).status).toBe(429);
    await unlimited.sql`
      update audit_logs set timestamp = timestamp - interval '25 hours'
      where actor_id = ${sender.userId} and action = 'invitation.created'`;
    expect(await resend()).toBe(200);
    expect(await resend()).toBe(429);
    await verify(unlimited.sql, sender.userId);
    expect(await resend()).toBe(200);
  });

  test("uses up no invitation by a refusal: of 20 to one address one is mailed, and four may follow", async () => {
    const sender = await registered(unlimited.one.url);
    const email = newEmail();
    const responses = await race((index) => {
      const client = sender.client.at(index % 2 ? unlimited.one.url : unlimited.other.url);
      return invite(client, sender.organizationId, email);
    });
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    for (let count = 0; count < 4; count += 1) await invited(unlimited, sender.client, sender.organizationId);
    expect((await invite(sender.client, sender.organizationId, newEmail())).status).toBe(429);
  });

  test("has an equal five for all keys of the sender, including keys of deleted accounts", async () => {
    const sender = await steppedUpOwner(unlimited);
    const accounts = accountsOf(sender.organizationId);
    const program = new Client(unlimited.other.url);
    const statuses: number[] = [];
    for (let made = 0; made < 3; made += 1) {
      const { key, accountId } = await keyOf(sender.client, accounts, ["members.invite"]);
      for (let count = 0; count < 2; count += 1) {
        const body = { email: newEmail() };
        statuses.push((await program.post(invitationsOf(sender.organizationId), body, { bearer: key })).status);
      }
      expect((await sender.client.delete(`${accounts}/${accountId}`)).status).toBe(204);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect((await invite(sender.client, sender.organizationId, newEmail())).status).toBe(429);
  });
});
