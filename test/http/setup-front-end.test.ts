/**
 * Set-up links by the endpoints of a front end, as deployments without pages serve links (G198, G199): the journey to a
 * request of the activation, and attacks on a link.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { type Answer, Client } from "../support/client.ts";
import { SETUP_ENDPOINTS, SetupHolder, setupHost } from "../support/setup-links.ts";
import { announceConnections, SsoBrowser, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { until } from "../support/waiting.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
});

const ALL_TASKS = ["domains", "connection", "directory"];
const SECRET = "a client secret of sixteen characters and more";

async function holderOf(intents: readonly string[] = ALL_TASKS) {
  const host = await setupHost(sso);
  const created = await host.create({ intents });
  const token = new URL(created.body.url).searchParams.get("token") ?? "";
  const holder = new SetupHolder(sso);
  return { host, token, holder, linkId: String(created.body.id) };
}

async function begun(intents?: readonly string[]) {
  const made = await holderOf(intents);
  expect((await made.holder.begin(made.token)).status).toBe(200);
  return made;
}

const statusOf = async (answer: Promise<Answer>) => (await answer).status;

test("A front end leads the holder of a link to the request of the activation (G199).", async () => {
  const { host, holder, token } = await holderOf();
  for (const _ of ["first", "again"]) {
    const invitation = await holder.client.post("/v1/setup/preview", { token });
    expect([invitation.status, invitation.body.intents]).toEqual([200, ALL_TASKS]);
  }
  const answer = await holder.begin(token);
  const [cookie = ""] = answer.setCookies;
  expect(cookie).toMatch(/^service_setup=[\w-]+; Max-Age=28800; Path=\/v1\/setup; HttpOnly; SameSite=Lax$/);
  const { body: link } = await holder.send("GET", "/v1/setup");
  expect(link).toMatchObject({ organization_id: host.organizationId, connection_id: null });
  const domain = `front-end-${crypto.randomUUID()}.test`;
  const claimed = await holder.send("POST", "/v1/setup/domains", { domain });
  expect([claimed.status, claimed.body.status]).toEqual([201, "pending"]);
  sso.at.dns.setTxt(claimed.body.record_name, claimed.body.record_value);
  const checked = await holder.send("POST", `/v1/setup/domains/${claimed.body.id}/verify`);
  expect([checked.status, checked.body.status]).toEqual([200, "verified"]);
  expect(await statusOf(holder.send("GET", "/v1/setup/connection"))).toBe(404);
  expect(await statusOf(holder.send("POST", "/v1/setup/connection/request-activation"))).toBe(404);
  const made = await holder.send("POST", "/v1/setup/connection", {
    protocol: "oidc",
    preset: "keycloak",
    name: "Acme ID",
  });
  expect([made.status, made.body.status]).toEqual([201, "draft"]);
  expect(await statusOf(holder.send("POST", "/v1/setup/connection", { protocol: "oidc", name: "B" }))).toBe(409);
  const settings = { issuer: sso.forged.provider.url, client_id: "identity-service", client_secret: SECRET };
  const changed = await holder.send("PATCH", "/v1/setup/connection", settings);
  expect([changed.status, changed.body.secret_set, changed.text.includes(SECRET)]).toEqual([200, true, false]);
  expect(await statusOf(holder.send("POST", "/v1/setup/connection/request-activation"))).toBe(409);
  expect(await statusOf(holder.send("POST", "/v1/setup/connection/metadata", { xml: "<x/>" }))).toBe(409);
  sso.forged.provider.claims = { sub: "ada", email: `ada@${domain}`, email_verified: true };
  let started: Answer | undefined;
  await until("the replica knows the connection", async () => {
    started = await holder.send("POST", "/v1/setup/connection/test");
    return started.status === 200;
  });
  const browser = Object.assign(new SsoBrowser(sso.at.one.url), { client: holder.client });
  const callback = await browser.visit(started?.body.url);
  const tested = await holder.client.get(`${callback.pathname}${callback.search}`);
  expect([tested.status, tested.headers.get("location")]).toEqual([302, "/setup/connection"]);
  const result = await holder.send("GET", "/v1/setup/connection/test");
  expect([result.status, result.body.succeeded, result.body.effect]).toEqual([200, true, null]);
  for (const _ of ["first", "again"]) {
    expect(await statusOf(holder.send("POST", "/v1/setup/connection/request-activation"))).toBe(204);
  }
  const key = await holder.send("POST", "/v1/setup/directory-token");
  expect([key.status, await statusOf(holder.send("POST", "/v1/setup/directory-token"))]).toEqual([201, 409]);
  const users = await fetch(`${sso.at.one.url}/v1/scim/v2/Users`, {
    headers: { authorization: `Bearer ${key.body.token}` },
  });
  expect(users.status).toBe(200);
  expect((await holder.send("GET", "/v1/setup")).text).not.toContain(key.body.token);
  expect(await statusOf(holder.send("POST", "/v1/setup/finish"))).toBe(204);
  expect(await statusOf(holder.send("GET", "/v1/setup"))).toBe(401);
  const records = await sso.at.sql`
    select distinct actor_type from audit_logs
    where organization_id = ${host.organizationId} and action in ('sso.domain.claimed', 'sso.connection.created')`;
  expect(records.map(({ actor_type: type }) => type)).toEqual(["setup_link"]);
  await announceConnections(sso.at);
});

describe("a link at every endpoint (G198)", () => {
  const calls = (id: string) =>
    SETUP_ENDPOINTS.map(({ method, path, body, intent }) => ({ method, path: path.replace("{id}", id), body, intent }));

  test("is unknown to a second browser, without the cookie, and after its end.", async () => {
    const { host, holder, token, linkId } = await begun();
    const [thief, stranger] = [new SetupHolder(sso), new SetupHolder(sso)];
    expect(await statusOf(thief.begin(token))).toBe(401);
    expect(await statusOf(thief.client.post("/v1/setup/preview", { token }))).toBe(401);
    const every = async (who: SetupHolder) => {
      const statuses = new Set<number>();
      for (const { method, path, body } of calls(linkId)) {
        statuses.add((await who.send(method, path, body, holder.csrf)).status);
      }
      return [...statuses];
    };
    expect([await every(thief), await every(stranger)]).toEqual([[401], [401]]);
    expect(await statusOf(holder.send("GET", "/v1/setup"))).toBe(200);
    await host.owner.delete(`${host.base}/${linkId}`);
    expect(await every(holder)).toEqual([401]);
    const expired = await begun();
    await sso.at.sql`update sso_setup_links set expires_at = now() where id = ${expired.linkId}`;
    expect(await statusOf(expired.holder.send("POST", "/v1/setup/domains", { domain: "expired.test" }))).toBe(401);
  });

  test("has no effect without the header, and with the header of a second link.", async () => {
    const [{ holder, linkId }, other] = [await begun(), await begun()];
    for (const { method, path, body } of calls(linkId).filter(({ method }) => method !== "GET")) {
      for (const csrf of ["", "nonce.binding", other.holder.csrf]) {
        const { status, body: refused } = await holder.send(method, path, body, csrf);
        expect([path, status, refused.error.code]).toEqual([path, 403, "csrf_failed"]);
      }
    }
    const [row] = await sso.at.sql`select connection_id, ended_at from sso_setup_links where id = ${linkId}`;
    expect(row).toEqual({ connection_id: null, ended_at: null });
  });

  test("has the own tasks alone, in the own organization.", async () => {
    for (const intent of ALL_TASKS) {
      const { holder, linkId } = await begun([intent]);
      for (const call of calls(linkId).filter((each) => each.intent && each.intent !== intent)) {
        const { status, body } = await holder.send(call.method, call.path, call.body);
        expect([intent, call.path, status, body.error.code]).toEqual([intent, call.path, 403, "forbidden"]);
      }
    }
    const [{ holder }, other] = [await begun(), await setupHost(sso)];
    const claim = await other.owner.post(`/v1/orgs/${other.organizationId}/domains`, { domain: "of-another.test" });
    expect(await statusOf(holder.send("POST", `/v1/setup/domains/${claim.body.id}/verify`))).toBe(404);
    for (const path of [`/v1/orgs/${other.organizationId}/members`, "/v1/users/me", "/v1/auth/session"]) {
      expect(await statusOf(holder.send("GET", path))).toBe(401);
    }
  });

  test("begins in one of 20 browsers at once, on two replicas.", async () => {
    const { token } = await holderOf();
    const begin = (index: number) =>
      new Client(index % 2 ? sso.at.one.url : sso.at.other.url).post("/v1/setup/begin", { token });
    const statuses = (await Promise.all(Array.from({ length: 20 }, (_, index) => begin(index)))).map(
      (each) => each.status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 401]));
  });
});
