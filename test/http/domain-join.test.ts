/** Joining of an organization by a verified domain (docs/contract.md, section 34.3). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { memberHolding } from "../support/roles.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { proveMailbox } from "../support/states.ts";
import { founded, invite, memberOf } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const joinOf = (organizationId: string) => `/v1/orgs/${organizationId}/join`;
const requestsOf = (organizationId: string) => `/v1/orgs/${organizationId}/join-requests`;
const approveOf = (organizationId: string, id: unknown) => `/v1/orgs/${organizationId}/join-requests/${id}/approve`;
const denyOf = (organizationId: string, id: unknown) => `/v1/orgs/${organizationId}/join-requests/${id}/deny`;
let count = 0;

/** An organization with a verified domain that users can join. */
async function opened(mode: "ask" | "join" | "off") {
  const host = await steppedUpOwner(at);
  count += 1;
  const domain = `joining-${process.pid}-${count}.test`;
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status,
                                      verified_at, warnings, created_at, claimed_by)
    values (gen_random_uuid(), ${host.organizationId}, ${domain}, 'token', 'verified', now(), 0, now(),
            (select user_id from members where organization_id = ${host.organizationId} and role = 'owner' limit 1))`;
  await setMode(host, mode);
  return { ...host, domain };
}

async function setMode({ client, organizationId }: { client: Client; organizationId: string }, domain_join: string) {
  const saved = await client.put(`/v1/orgs/${organizationId}/policies`, { domain_join });
  expect([saved.status, saved.text]).toEqual([200, expect.any(String)]);
}

/** A user with a controlled address in the domain. */
async function colleague(domain: string) {
  count += 1;
  const email = `person-${count}@${domain}`;
  const person = await registered(at.one.url, { email });
  await proveMailbox(at.sql, person.userId);
  await at.sql`update user_emails set verified_at = now(), controlled_at = now() where user_id = ${person.userId}`;
  return { ...person, email };
}

/** Requires single sign-on of the addresses in the domains of the organization. */
async function requireSso(organizationId: string) {
  await at.sql`
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    values (${organizationId}, 'required', 'own_methods', '{}', 'on', 'member', '[]', 'always', false, 1, now())`;
}

const joinableOf = async (client: Client) => (await client.get("/v1/users/me/joinable-organizations")).body.items;
const rolesIn = async (organizationId: string, userId: string) =>
  (await at.sql`select role from members where organization_id = ${organizationId} and user_id = ${userId}`).map(
    ({ role }) => role,
  );

describe("an organization open to its domain", () => {
  test("A user joins with the default role, once, and not without an action of the user (G224).", async () => {
    const host = await opened("join");
    const user = await colleague(host.domain);
    const { organizationId, domain } = host;
    expect(await joinableOf(user.client)).toMatchObject([{ organization_id: organizationId, domain, mode: "join" }]);
    expect(await rolesIn(organizationId, user.userId)).toEqual([]);
    const outcomes = await race(() => user.client.post(joinOf(organizationId)), 3);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
    expect(await rolesIn(organizationId, user.userId)).toEqual(["member"]);
    expect(await joinableOf(user.client)).toEqual([]);
    const moved = await user.client.post("/v1/auth/organization", { organization_id: organizationId });
    expect(moved.status).toBe(200);
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'member.joined_by_domain' and resource_id = ${user.userId}`;
    expect(record?.metadata).toEqual({ domain, role: "member" });
  });

  test("404 without a controlling proof, outside of the domain, for a lost domain, while joining is off.", async () => {
    const host = await opened("join");
    const [unproven, outside, user] = [await colleague(host.domain), await founded(at), await colleague(host.domain)];
    await at.sql`update user_emails set controlled_at = null where user_id = ${unproven.userId}`;
    const statusOf = async ({ client }: { client: Client }) => (await client.post(joinOf(host.organizationId))).status;
    expect([await statusOf(unproven), await statusOf(outside)]).toEqual([404, 404]);
    expect(await joinableOf(unproven.client)).toEqual([]);
    await setMode(host, "off");
    expect(await statusOf(user)).toBe(404);
    await setMode(host, "join");
    await at.sql`update organization_domains set status = 'lost' where organization_id = ${host.organizationId}`;
    expect(await statusOf(user)).toBe(404);
    expect(await at.sql`select 1 from members where organization_id = ${host.organizationId}`).toHaveLength(1);
  });

  test("A removed user does not return for 180 days; a session bound to an organization joins none.", async () => {
    const host = await opened("join");
    const user = await colleague(host.domain);
    expect((await user.client.post(joinOf(host.organizationId))).status).toBe(201);
    expect((await host.client.delete(memberOf(host.organizationId, user.userId))).status).toBe(204);
    expect((await user.client.post(joinOf(host.organizationId))).status).toBe(404);
    await at.sql`update member_removals set removed_at = now() - interval '181 days' where user_id = ${user.userId}`;
    await at.sql`update sessions set organization_bound = true where user_id = ${user.userId}`;
    const bound = await user.client.at(at.other.url).post(joinOf(host.organizationId));
    expect([403, 404]).toContain(bound.status);
    await at.sql`update sessions set organization_bound = false where user_id = ${user.userId}`;
  });

  test("A removed person does not return by another account, also after an erasure (G301).", async () => {
    const host = await opened("join");
    const { organizationId, domain } = host;
    const user = await colleague(domain);
    const second = await colleague(domain);
    expect((await user.client.post(joinOf(organizationId))).status).toBe(201);
    expect((await host.client.delete(memberOf(organizationId, user.userId))).status).toBe(204);
    const [stored] = await at.sql`
      select address_hashes, m::text as text from member_removals m where organization_id = ${organizationId}`;
    expect([stored?.address_hashes.length, stored?.text.includes(domain)]).toEqual([1, false]);
    // The address is free again after an erasure, or a change of the address.
    const [former] = await at.sql`select email from users where id = ${user.userId}`;
    await at.sql`delete from users where id = ${user.userId}`;
    await at.sql`update users set email = ${former?.email} where id = ${second.userId}`;
    await at.sql`update user_emails set controlled_at = now(), verified_at = now() where user_id = ${second.userId}`;
    expect([await joinableOf(second.client), (await second.client.post(joinOf(organizationId))).status]).toEqual([
      [],
      404,
    ]);
    // An invitation lifts the removal.
    await invite(host.client, organizationId, former?.email);
    const token = "r".repeat(43);
    await at.sql`update invitations set token_hash = sha256(${token}::bytea) where organization_id = ${organizationId}`;
    expect((await second.client.post("/v1/auth/invitations/accept", { token })).status).toBe(200);
    expect(await at.sql`select 1 from member_removals where organization_id = ${organizationId}`).toHaveLength(0);
  });

  test("Required single sign-on is no way around: 403 sso_required.", async () => {
    const host = await opened("join");
    const user = await colleague(host.domain);
    await requireSso(host.organizationId);
    const refused = await user.client.post(joinOf(host.organizationId));
    expect([refused.status, refused.body.error.code]).toEqual([403, "sso_required"]);
    expect(await rolesIn(host.organizationId, user.userId)).toEqual([]);
  });
});

describe("requests to join", () => {
  test("A member with members.invite approves once; the conditions hold again at the approval (G224).", async () => {
    const host = await opened("ask");
    const { organizationId } = host;
    const [user, late] = [await colleague(host.domain), await colleague(host.domain)];
    for (const { client } of [user, late, user]) expect((await client.post(joinOf(organizationId))).status).toBe(202);
    expect(await joinableOf(user.client)).toMatchObject([{ mode: "ask", request: "open" }]);
    // A repeated request is no second mail; both requests are mailed, at once or as merged notices.
    const [notice] = await at.mail.mailsTo(host.email, /asks to join/);
    expect(notice?.text).toContain(user.email.replace("@", " [at] ").replace(".test", "[.]test"));
    const listed = await host.client.get(requestsOf(organizationId));
    expect(listed.body).toMatchObject({ total: 2, items: [{ user_id: user.userId, domain: host.domain }, {}] });
    const [first, second] = listed.body.items;
    const outsider = await founded(at);
    expect((await outsider.client.post(approveOf(organizationId, first.id))).status).toBe(404);
    const reader = await memberHolding(at, host, ["members.list"]);
    expect((await reader.client.get(requestsOf(organizationId))).status).toBe(403);
    const inviter = await memberHolding(at, host, ["members.invite"]);
    const decisions = await race(() => inviter.client.post(approveOf(organizationId, first.id)), 2);
    expect(decisions.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await rolesIn(organizationId, user.userId)).toEqual(["member"]);
    await at.mail.mailsTo(user.email, /request to join .* was approved/);
    await at.sql`update user_emails set controlled_at = null where user_id = ${late.userId}`;
    expect((await inviter.client.post(approveOf(organizationId, second.id))).status).toBe(409);
    expect(await rolesIn(organizationId, late.userId)).toEqual([]);
  });

  test("An approval is 409 once the organization requires single sign-on of the user (G224).", async () => {
    const host = await opened("ask");
    const { organizationId } = host;
    const user = await colleague(host.domain);
    expect((await user.client.post(joinOf(organizationId))).status).toBe(202);
    const [{ id }] = (await host.client.get(requestsOf(organizationId))).body.items;
    await requireSso(organizationId);
    const refused = await host.client.at(at.other.url).post(approveOf(organizationId, id));
    expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    expect(await rolesIn(organizationId, user.userId)).toEqual([]);
    await at.sql`update sso_policies set mode = 'optional' where organization_id = ${organizationId}`;
    expect((await host.client.post(approveOf(organizationId, id))).status).toBe(204);
    expect(await rolesIn(organizationId, user.userId)).toEqual(["member"]);
  });

  test("A denied user waits 30 days; the 21st open request is 409; an expired request is not found.", async () => {
    const host = await opened("ask");
    const { organizationId } = host;
    const user = await colleague(host.domain);
    await user.client.post(joinOf(organizationId));
    const [{ id }] = (await host.client.get(requestsOf(organizationId))).body.items;
    expect((await host.client.post(denyOf(organizationId, id))).status).toBe(204);
    expect((await host.client.post(denyOf(organizationId, id))).status).toBe(404);
    await at.mail.mailsTo(user.email, /request to join .* was denied/);
    expect((await user.client.post(joinOf(organizationId))).status).toBe(409);
    expect(await joinableOf(user.client)).toMatchObject([{ request: "denied" }]);
    await at.sql`update domain_join_requests set expires_at = now() - interval '1 second' where id = ${id}`;
    expect((await user.client.post(joinOf(organizationId))).status).toBe(202);
    const others = await Promise.all(Array.from({ length: 19 }, () => colleague(host.domain)));
    const asked = await Promise.all(others.map(({ client }) => client.post(joinOf(organizationId))));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 202));
    const further = await colleague(host.domain);
    expect((await further.client.post(joinOf(organizationId))).status).toBe(409);
  });
});
