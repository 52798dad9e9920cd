/** Domains of organizations over two replicas (G143, G144). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { keyOf } from "../support/service-accounts.ts";
import { assignPlatformRole, presentFactor } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
let count = 0;
const newDomain = () => {
  count += 1;
  return `company${count}.test`;
};
const domainsOf = (organizationId: string) => `/v1/orgs/${organizationId}/domains`;
const steppedUpNow = async (userId: string) => {
  await presentFactor(at.sql, userId);
};
/** An owner with a step-up, whose sessions are at both replicas. */
async function owner() {
  const person = await registered(at.one.url);
  await steppedUpNow(person.userId);
  const place = domainsOf(person.organizationId);
  return { ...person, place, claim: (domain: string) => person.client.post(place, { domain }) };
}
type Claim = { readonly id: string; readonly record_name: string; readonly record_value: string };
const publish = (...claims: readonly Claim[]) =>
  at.dns.setTxt(claims[0]?.record_name ?? "", ...claims.map(({ record_value: value }) => value));

describe("an owner", () => {
  test("claims, verifies, lists and removes a domain", async () => {
    const { client, place, claim, organizationId } = await owner();
    const domain = newDomain();
    const claimed = await claim(`${domain.toUpperCase()}.`);
    expect(claimed.status).toBe(201);
    expect(claimed.body).toMatchObject({
      organization_id: organizationId,
      domain,
      status: "pending",
      conflict: false,
      record_name: `_service-domain.${domain}`,
      connection_id: null,
      checked_at: null,
    });
    expect(claimed.body.record_value).toMatch(/^service-domain-verification=[0-9A-Za-z]{32}$/);
    const { id } = claimed.body;
    const early = await client.post(`${place}/${id}/verify`);
    expect([early.status, early.body.status, early.body.found, early.body.dns_responded]).toEqual([
      200,
      "pending",
      [],
      true,
    ]);
    at.dns.setTxt(claimed.body.record_name, "service-domain-verification=typo", "v=spf1 -all");
    const wrong = await client.post(`${place}/${id}/verify`);
    expect([wrong.body.status, wrong.body.found]).toEqual([
      "pending",
      ["service-domain-verification=typo", "v=spf1 -all"],
    ]);
    publish(claimed.body);
    const verified = await client.post(`${place}/${id}/verify`);
    expect([verified.body.status, verified.body.found]).toEqual(["verified", [claimed.body.record_value]]);
    expect((await claim(domain)).body.error.code).toBe("conflict");
    const listed = await client.get(place);
    expect([listed.status, listed.body.total, listed.body.items[0].verified_at]).toEqual([
      200,
      1,
      verified.body.verified_at,
    ]);
    expect((await client.delete(`${place}/${id}`)).status).toBe(204);
    expect((await client.delete(`${place}/${id}`)).status).toBe(404);
    const actions = await at.sql`select action from audit_logs where resource_id = ${id} order by timestamp`;
    expect(actions.map(({ action }) => action)).toEqual([
      "sso.domain.claimed",
      "sso.domain.verified",
      "sso.domain.deleted",
    ]);
  });

  test("gets 400 for text that is no domain of an organization", async () => {
    const { client, claim, place, userId } = await owner();
    for (const [domain, rule] of [
      ["localhost", "not_allowed"],
      ["192.0.2.1", "format"],
      ["not a domain", "format"],
      ["co.uk", "not_allowed"],
      ["github.io", "not_allowed"],
      ["gmail.com", "not_allowed"],
    ]) {
      const { status, body } = await claim(domain ?? "");
      expect([domain, status, body.error.fields]).toEqual([domain, 400, [{ field: "domain", rule }]]);
    }
    expect((await client.post(place, {})).status).toBe(400);
    expect((await client.post(place, { domain: 7 })).status).toBe(400);
    expect((await client.get(place)).body.total).toBe(0);
    await assignPlatformRole(at.sql, userId, "viewer");
    expect((await claim(newDomain())).status).toBe(201);
  });

  test("assigns a domain to no connection while the organization has none", async () => {
    const { client, place, claim } = await owner();
    const { body } = await claim(newDomain());
    const change = (connection: unknown) => client.patch(`${place}/${body.id}`, { connection_id: connection });
    expect((await change(UNKNOWN)).status).toBe(404);
    expect((await change("connection")).status).toBe(400);
    const cleared = await change(null);
    expect([cleared.status, cleared.body.connection_id]).toEqual([200, null]);
  });

  test("has at most 50 domains and ten checks of a domain an hour", async () => {
    const { client, place, claim, organizationId } = await owner();
    const { body } = await claim(newDomain());
    const statuses = [];
    for (let check = 0; check < 11; check += 1) {
      statuses.push((await client.post(`${place}/${body.id}/verify`)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    await at.sql`
      insert into organization_domains (id, organization_id, domain, token, status, created_at)
      select gen_random_uuid(), ${organizationId}, 'many' || n || '.test', 'token', 'pending', now()
      from generate_series(1, 49) n`;
    expect((await claim(newDomain())).body.error.code).toBe("conflict");
  });
});

describe("everyone else", () => {
  test("is refused: members 403, other organizations 404, a change without a step-up 401", async () => {
    const host = await owner();
    const { id } = (await host.claim(newDomain())).body;
    const member = await memberWith(at, host.organizationId, "member");
    const admin = await memberWith(at, host.organizationId, "admin");
    await stepUpSessions(at.sql, admin.userId, "an hour ago");
    const stranger = await owner();
    const { organizationId } = host;
    const requests = (client: Client) => [
      client.post(`/v1/orgs/${organizationId}/domains`, { domain: newDomain() }),
      client.post(`/v1/orgs/${organizationId}/domains/${id}/verify`),
      client.patch(`/v1/orgs/${organizationId}/domains/${id}`, { connection_id: null }),
      client.delete(`/v1/orgs/${organizationId}/domains/${id}`),
    ];
    const codes = async (client: Client) =>
      (await Promise.all(requests(client))).map(({ status, body }) => `${status} ${body.error?.code}`);
    await steppedUpNow(member.userId);
    expect(new Set(await codes(member.client))).toEqual(new Set(["403 forbidden"]));
    expect(new Set(await codes(stranger.client))).toEqual(new Set(["404 not_found"]));
    expect(new Set(await codes(admin.client))).toEqual(new Set(["401 mfa_required"]));
    expect((await member.client.get(host.place)).status).toBe(403);
    expect((await stranger.client.get(host.place)).status).toBe(404);
    expect((await admin.client.get(host.place)).body.total).toBe(1);
    const other = await memberWith(at, host.organizationId, "admin");
    await steppedUpNow(other.userId);
    expect((await stranger.client.delete(`${stranger.place}/${id}`)).status).toBe(404);
    expect((await stranger.client.post(`${stranger.place}/${id}/verify`)).status).toBe(404);
    expect((await other.client.delete(`${host.place}/${id}`)).status).toBe(204);
  });

  test("an API key with sso.read lists the domains and changes none", async () => {
    const host = await owner();
    await host.claim(newDomain());
    const accounts = `/v1/orgs/${host.organizationId}/service-accounts`;
    const keyFor = async (scope: string) => (await keyOf(host.client, accounts, [scope])).key;
    const withKey = (key: string, method: string) =>
      fetch(`${at.other.url}${host.place}`, { method, headers: { authorization: `Bearer ${key}` } });
    const key = await keyFor("sso.read");
    expect((await withKey(key, "GET")).status).toBe(200);
    expect((await withKey(key, "POST")).status).toBe(403);
    expect((await withKey(await keyFor("members.list"), "GET")).status).toBe(403);
  });
});

describe("a domain of two organizations", () => {
  test("has one holder at most, whichever replica checks: the other claim waits and learns no holder", async () => {
    const [one, two] = [await owner(), await owner()];
    const other = two.client.at(at.other.url);
    const domain = newDomain();
    const claims = await Promise.all([one.claim(domain), two.claim(domain)]);
    const [first, second] = claims.map(({ body }) => body);
    publish(first, second);
    const responses = await race(
      (index) =>
        index % 2 === 0
          ? one.client.post(`${one.place}/${first.id}/verify`)
          : other.post(`${two.place}/${second.id}/verify`),
      16,
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const rows = await at.sql`
      select id, organization_id, status from organization_domains where domain = ${domain} order by status desc`;
    expect(rows.map(({ status }) => status)).toEqual(["verified", "pending"]);
    const [loser, winner] = rows[0]?.id === first.id ? [two, one] : [one, two];
    const seen = await loser.client.get(loser.place);
    expect([seen.body.items[0].status, seen.body.items[0].conflict]).toEqual(["pending", true]);
    expect(seen.text).not.toContain(winner.organizationId);
    const verified = await at.sql`
      select 1 from audit_logs where action = 'sso.domain.verified' and metadata->>'domain' = ${domain}`;
    expect(verified.length).toBe(1);
    // The holder removes the domain: the next check of the waiting claim succeeds.
    expect((await winner.client.delete(`${winner.place}/${rows[0]?.id}`)).status).toBe(204);
    const next = await loser.client.post(`${loser.place}/${rows[1]?.id}/verify`);
    expect(next.body.status).toBe("verified");
  });

  test("is transferred by a platform administrator with a step-up, and the former holder has lost it", async () => {
    const [holder, claimant] = [await owner(), await owner()];
    const domain = newDomain();
    const held = (await holder.claim(domain)).body;
    publish(held);
    await holder.client.post(`${holder.place}/${held.id}/verify`);
    const claim = (await claimant.claim(domain)).body;
    expect([claim.status, claim.conflict]).toEqual(["pending", true]);
    const place = `/v1/admin/domains/${claim.id}/transfer`;
    const reason = { reason: "The registrar confirmed." };
    expect((await claimant.client.post(place, reason)).status).toBe(403);
    const unconfirmed = await platformUser(at, "admin");
    expect((await unconfirmed.client.post(place, reason)).body.error.code).toBe("mfa_required");
    const { client } = await steppedUpAdmin(at);
    expect((await client.post(place, {})).status).toBe(400);
    expect((await client.post(place, { reason: "" })).status).toBe(400);
    expect((await client.post(`/v1/admin/domains/${UNKNOWN}/transfer`, reason)).status).toBe(404);
    expect((await client.post(`/v1/admin/domains/${held.id}/transfer`, reason)).status).toBe(409);
    const transferred = await client.post(place, reason);
    expect([transferred.status, transferred.body.status]).toEqual([200, "verified"]);
    expect((await holder.client.get(holder.place)).body.items[0].status).toBe("lost");
    for (const { email, organizationId } of [holder, claimant]) {
      const other = organizationId === holder.organizationId ? claimant : holder;
      const [mail] = await at.mail.mailsTo(email, new RegExp(domain));
      expect(mail?.text).not.toContain(other.organizationId);
    }
  });
});
