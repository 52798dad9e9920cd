/** Home-realm discovery over two replicas (G157). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { platformUser } from "../support/platform.ts";
import { type Company, companyWithSso, storeConnection } from "../support/sso-connections.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** The time until every replica knows a change that another replica announced. */
const REPLICATED_MS = 4_000;

const discover = (email: unknown, url = at.one.url) => new Client(url).post("/v1/auth/sso/discover", { email });
const ssoOf = async (email: string, url = at.one.url) => (await discover(email, url)).body.sso;
/** `SERVICE_PUBLIC_BASE_URL` of the replicas. */
const ORIGIN = "http://localhost:3000";
const startUrl = (id: string) => `${ORIGIN}/v1/auth/sso/${id}/start`;
const everywhere = (what: string, email: string, isExpected: (sso: unknown) => boolean) =>
  eventually(what, REPLICATED_MS, async () => isExpected(await ssoOf(email, at.other.url)));

describe("POST /v1/auth/sso/discover", () => {
  test("has one response for every address of a domain, without a name, on every replica", async () => {
    const company = await companyWithSso(at);
    const { domain } = company;
    await at.sql`update users set email = ${`ada@${domain}`} where id = ${company.ownerId}`;
    await everywhere("the second replica routes the domain", `ada@${domain}`, (sso) => sso !== null);
    const expected = { sso: { start_url: startUrl(company.connectionId), required: false } };
    for (const email of [`ada@${domain}`, `nobody@${domain}`, ` Ada@${domain.toUpperCase()} `, `a+b@${domain}`]) {
      for (const { url } of [at.one, at.other]) {
        const { status, body, text } = await discover(email, url);
        expect([status, body]).toEqual([200, expected]);
        expect(text).not.toContain("Acme");
      }
    }
  });

  test("is null for a domain without a holder, and for a subdomain", async () => {
    const { domain } = await companyWithSso(at);
    for (const email of [`ada@eu.${domain}`, "ada@unclaimed.test", "ada@gmail.com", "ada@localhost"]) {
      expect((await discover(email)).body).toEqual({ sso: null });
    }
  });

  test("400 for text that is no address, and for an absent address", async () => {
    for (const email of ["", "ada", "ada@", "@acme.com", "a b@acme.com", `${"a".repeat(65)}@acme.com`, 7, null]) {
      const { status, body } = await discover(email);
      expect([status, body.error.code, body.error.fields?.[0]?.field]).toEqual([400, "invalid_input", "email"]);
    }
    expect((await new Client(at.one.url).post("/v1/auth/sso/discover", {})).status).toBe(400);
  });

  test("names the requirement of the organization, from its time and except during a pause", async () => {
    const company = await companyWithSso(at, { mode: "required" });
    const email = `ada@${company.domain}`;
    const requiredWith = async (from: string, until: string | null) => {
      await at.sql`
        update sso_policies set required_at = now() + ${from}::interval, paused_until = now() + ${until}::interval,
          revision = revision + 1 where organization_id = ${company.organizationId}`;
      await company.announce();
      return (await ssoOf(email)).required;
    };
    expect(await requiredWith("-1 minute", null)).toBe(true);
    expect(await requiredWith("1 hour", null)).toBe(false);
    expect(await requiredWith("-1 minute", "1 hour")).toBe(false);
    expect(await requiredWith("-1 minute", "-1 second")).toBe(true);
  });

  test("names the connection of the domain, else the page with the choice, by an opaque id", async () => {
    const company = await companyWithSso(at);
    const { connectionId, domain, domainId, organizationId, owner } = company;
    const second = await storeConnection(at.sql, organizationId);
    await company.announce();
    const email = `ada@${domain}`;
    expect((await ssoOf(email)).start_url).toBe(`${ORIGIN}/sso/${organizationId}`);
    for (const id of [second, connectionId]) {
      await owner.patch(`/v1/orgs/${organizationId}/domains/${domainId}`, { connection_id: id });
      expect((await ssoOf(email)).start_url).toBe(startUrl(id));
    }
    expect((await owner.post(`${company.connections}/${connectionId}/deactivate`)).status).toBe(200);
    expect(await ssoOf(email)).toBeNull();
  });
});

test("/sso/:id leads to the organization with the id, never to a slug in the form of the id", async () => {
  const [victim, attacker] = [await companyWithSso(at), await companyWithSso(at)];
  const slugged = async (slug: string) => {
    await at.sql`update organizations set slug = ${slug} where id = ${attacker.organizationId}`;
    await attacker.announce();
    const response = await fetch(`${at.one.url}/sso/${slug}`, { redirect: "manual" });
    return [response.status, response.headers.get("location")?.replace(/\?.*/, "") ?? null];
  };
  const start = `/v1/auth/sso/${victim.connectionId}/start`;
  expect(await slugged(victim.organizationId)).toEqual([303, start]);
  expect(await slugged("019a0000-0000-7000-8000-00000000abcd")).toEqual([404, null]);
});

describe("the routing of a domain ends at once", () => {
  const ends: readonly (readonly [string, (company: Company) => Promise<unknown>])[] = [
    ["the loss of the domain", ({ owner, organizationId, domainId }) => lose(owner, organizationId, domainId)],
    [
      "the deactivation",
      ({ owner, connections, connectionId }) => owner.post(`${connections}/${connectionId}/deactivate`),
    ],
    [
      "the deletion of the connection",
      ({ owner, connections, connectionId }) => owner.delete(`${connections}/${connectionId}`),
    ],
    [
      "the policy off",
      ({ owner, organizationId }) => owner.put(`/v1/orgs/${organizationId}/sso/policy`, { mode: "off" }),
    ],
    ["the suspension", ({ organizationId }) => suspend(organizationId, true)],
    ["the request for deletion", ({ organizationId }) => requestDeletion(organizationId)],
  ];
  test.each(ends)("after %s", async (what, end) => {
    const company = await companyWithSso(at);
    const email = `ada@${company.domain}`;
    await everywhere("the second replica routes the domain", email, (sso) => sso !== null);
    await end(company);
    expect(await ssoOf(email)).toBeNull();
    await everywhere(`the second replica knows ${what}`, email, (sso) => sso === null);
  });

  test("and returns with the restoration of the organization", async () => {
    const { domain, organizationId } = await companyWithSso(at);
    await suspend(organizationId, true);
    await suspend(organizationId, false);
    expect(await ssoOf(`ada@${domain}`)).not.toBeNull();
    await requestDeletion(organizationId);
    const { client } = await platformUser(at, "admin");
    await client.delete(`/v1/orgs/${organizationId}/deletion`);
    expect(await ssoOf(`ada@${domain}`)).not.toBeNull();
  });

  async function lose(owner: Client, organizationId: string, domainId: string) {
    await owner.delete(`/v1/orgs/${organizationId}/domains/${domainId}`);
  }
  async function suspend(organizationId: string, suspended: boolean) {
    const { client } = await platformUser(at, "admin");
    const changed = await client.patch(`/v1/admin/orgs/${organizationId}`, { suspended });
    expect([changed.status, changed.body.suspended]).toEqual([200, suspended]);
  }
  async function requestDeletion(organizationId: string) {
    const { client } = await platformUser(at, "admin");
    const requested = await client.post(`/v1/admin/orgs/${organizationId}/deletion`, { reason: "Ended contract" });
    expect(requested.status).toBe(202);
  }
});
