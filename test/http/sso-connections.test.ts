/** Connections and policies for single sign-on over two replicas (G149, G150). */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { type Client, newEmail, registered } from "../support/client.ts";
import { CONFIG_KEY } from "../support/console.ts";
import { type Deployment, deployment, eventually, ownDeployment } from "../support/deployment.ts";
import { startReplica } from "../support/replica.ts";
import { steppedUpMemberHolding } from "../support/roles.ts";
import { keyOf } from "../support/service-accounts.ts";
import { storePolicy } from "../support/sso-connections.ts";
import { deactivateConnection, enterEnterprise, presentFactor } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let at: Deployment;
let withoutKey: Deployment;
beforeAll(async () => {
  [at, withoutKey] = await Promise.all([ownDeployment({ SERVICE_CONFIG_KEY: CONFIG_KEY }), deployment()]);
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const SETTINGS = { issuer: "https://idp.acme.com/tenant", client_id: "service", client_secret: "a long client secret" };

async function stepUp(site: Deployment, userId: string): Promise<void> {
  await presentFactor(site.sql, userId);
}

/** An owner with a step-up. */
async function owner(site = at) {
  const person = await registered(site.one.url);
  await stepUp(site, person.userId);
  const base = `/v1/orgs/${person.organizationId}/sso`;
  const place = `${base}/connections`;
  return {
    ...person,
    base,
    place,
    create: (body: object = {}) => person.client.post(place, { name: "Acme", ...body }),
  };
}
type Owner = Awaited<ReturnType<typeof owner>>;

async function addDomain({ organizationId }: Owner, status = "verified"): Promise<string> {
  const id = randomUUID();
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status, created_at, verified_at, claimed_by)
    values (${id}, ${organizationId}, ${`${id}.test`}, 'token', ${status}, now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
  return id;
}
const pass = (id: string) => at.sql`update sso_connections set tested_at = now() where id = ${id}`;

/** An active connection with a verified domain. */
async function activated() {
  const host = await owner();
  const { id } = (await host.create(SETTINGS)).body;
  const domainId = await addDomain(host);
  await pass(id);
  const active = await host.client.post(`${host.place}/${id}/activate`);
  expect([active.status, active.body.status]).toEqual([200, "active"]);
  return { ...host, id, domainId, item: `${host.place}/${id}` };
}

/** Binds the session of a user to an organization, as a sign-in through a connection does. */
async function bindSession(userId: string, organizationId: string, connectionId: string): Promise<string> {
  const [row] = await at.sql`
    update sessions
    set organization_bound = true, organization_id = ${organizationId}, sso_connection_id = ${connectionId}
    where user_id = ${userId} returning id`;
  return String(row?.id);
}

const actionsOf = async (id: string) =>
  (await at.sql`select action, metadata from audit_logs where resource_id = ${id} order by timestamp, event_id`).map(
    ({ action, metadata }) => [action, metadata] as const,
  );

describe("a connection", () => {
  test("gives the addresses for the identity provider before the client id exists, and never the secret", async () => {
    const host = await owner();
    const created = await host.create({ preset: "entra_id" });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.body).toMatchObject({
      organization_id: host.organizationId,
      protocol: "oidc",
      preset: "entra_id",
      status: "draft",
      issuer: null,
      client_id: null,
      secret_set: false,
      token_auth: "client_secret",
      scopes: "openid profile email",
      claims_from: "id_token",
      subject_from: "oid",
      mfa_trust: "never",
      clock_skew_seconds: 60,
      idp_initiated: "off",
      id_jag: "off",
    });
    expect(created.body.redirect_uri.endsWith(`/v1/auth/sso/${id}/callback`)).toBe(true);
    const changed = await host.client.patch(`${host.place}/${id}`, SETTINGS);
    expect([changed.status, changed.body.secret_set, changed.body.issuer]).toEqual([200, true, SETTINGS.issuer]);
    for (const { text } of [changed, await host.client.get(`${host.place}/${id}`), await host.client.get(host.place)]) {
      expect(text).not.toContain(SETTINGS.client_secret);
    }
    const [row] = await at.sql`select sealed_secret, config from sso_connections where id = ${id}`;
    expect(Buffer.from(row?.sealed_secret).includes(SETTINGS.client_secret)).toBe(false);
    expect(JSON.stringify(row?.config)).not.toContain(SETTINGS.client_secret);
    expect(await actionsOf(id)).toEqual([
      ["sso.connection.created", { protocol: "oidc", preset: "entra_id" }],
      ["sso.connection.updated", { fields: "issuer client_id client_secret" }],
    ]);
    expect((await host.client.delete(`${host.place}/${id}`)).status).toBe(204);
    expect((await host.client.get(`${host.place}/${id}`)).status).toBe(404);
  });

  test("400 names the field and the rule, and changes nothing", async () => {
    const host = await owner();
    const { id } = (await host.create(SETTINGS)).body;
    for (const [body, field, rule] of [
      [{ protocol: "ldap" }, "protocol", "unknown_value"],
      [{ preset: "unknown" }, "preset", "unknown_value"],
      [{ issuer: "http://idp.acme.com" }, "issuer", "format"],
      [{ issuer: "https://10.0.0.1" }, "issuer", "not_allowed"],
      [{ issuer: "https://idp.acme.com?tenant=1" }, "issuer", "format"],
      [{ issuer: "https://login.microsoftonline.com/common/v2.0" }, "issuer", "format"],
      [{ issuer: "https://login.microsoftonline.com/{tenantid}/v2.0" }, "issuer", "format"],
      [{ client_id: "" }, "client_id", "required"],
      [{ client_id: "a\u0000b" }, "client_id", "format"],
      [{ client_secret: "" }, "client_secret", "required"],
      [{ client_secret: "x".repeat(1025) }, "client_secret", "too_long"],
      [{ client_secret_expires_on: "2027-02-30" }, "client_secret_expires_on", "format"],
      [{ client_secret_expires_on: "2027-02-01T00:00:00Z" }, "client_secret_expires_on", "format"],
      [{ scopes: "profile" }, "scopes", "required"],
      [{ claims_from: "both" }, "claims_from", "unknown_value"],
      [{ extra_parameters: { redirect_uri: "https://evil.test" } }, "extra_parameters", "not_allowed"],
      [{ extra_parameters: { State: "x" } }, "extra_parameters", "not_allowed"],
      [{ extra_parameters: Object.fromEntries([..."abcdefghijk"].map((n) => [n, n])) }, "extra_parameters", "too_long"],
      [{ subject_from: "" }, "subject_from", "required"],
      [{ mfa_trust: [] }, "mfa_trust", "required"],
      [{ mfa_trust: Array.from({ length: 11 }, (_, n) => `v${n}`) }, "mfa_trust", "too_long"],
      [{ clock_skew_seconds: 301 }, "clock_skew_seconds", "too_large"],
      [{ clock_skew_seconds: -1 }, "clock_skew_seconds", "too_small"],
      [{ attributes: Array.from({ length: 17 }, (_, n) => ({ name: `a${n}`, from: "a" })) }, "attributes", "too_long"],
      [
        {
          attributes: [
            { name: "a", from: "x" },
            { name: "a", from: "y" },
          ],
        },
        "attributes",
        "conflicting",
      ],
      [{ name: "" }, "name", "format"],
    ] as const) {
      const refused = await host.create(body);
      expect([body, refused.status, refused.body.error?.fields]).toEqual([body, 400, [{ field, rule }]]);
      if (!("protocol" in body)) expect((await host.client.patch(`${host.place}/${id}`, body)).status).toBe(400);
    }
    expect((await host.client.get(host.place)).body.total).toBe(1);
    const [row] = await at.sql`select revision from sso_connections where id = ${id}`;
    expect(row?.revision).toBe(1);
  });

  test("keeps the expiry of the secret until a new secret, and a change of the expiry ends no sign-in", async () => {
    const host = await owner();
    const expiry = { client_secret_expires_on: "2031-03-01" };
    const { id } = (await host.create({ ...SETTINGS, ...expiry })).body;
    const item = `${host.place}/${id}`;
    const change = async (body: object) => (await host.client.patch(item, body)).body.client_secret_expires_on;
    expect(await change({ name: "Renamed" })).toBe("2031-03-01");
    expect(await change({ client_secret_expires_on: "2031-04-01" })).toBe("2031-04-01");
    const [row] = await at.sql`select revision from sso_connections where id = ${id}`;
    expect(row?.revision).toBe(1);
    expect(await change({ client_secret: "another secret", client_secret_expires_on: "2032-04-01" })).toBe(
      "2032-04-01",
    );
    expect(await change({ client_secret: "a third secret" })).toBeNull();
    expect(await change(expiry)).toBe("2031-03-01");
    const saml = await host.create({ protocol: "saml", name: "SAML", ...expiry });
    expect(saml.body.error.fields).toEqual([{ field: "client_secret_expires_on", rule: "not_allowed" }]);
  });

  test("sends no secret to an issuer that the secret was not entered for (G300)", async () => {
    const host = await owner();
    const { id } = (await host.create({ ...SETTINGS, client_secret_expires_on: "2031-03-01" })).body;
    const item = `${host.place}/${id}`;
    const isStored = async () =>
      (await at.sql`select 1 from sso_connections where id = ${id} and sealed_secret is not null`).length === 1;
    for (const issuer of ["https://attacker.test", "https://idp.acme.com/other", "https://idp.acme.com/tenant/"]) {
      const refused = await host.client.patch(item, { issuer, client_id: "other" });
      expect([refused.status, refused.body.error.fields]).toEqual([
        400,
        [{ field: "client_secret", rule: "required" }],
      ]);
    }
    expect([(await host.client.get(item)).body.issuer, await isStored()]).toEqual([SETTINGS.issuer, true]);
    const replaced = await host.client.patch(item, { issuer: "https://new.acme.com", client_secret: "a new secret" });
    expect([replaced.status, replaced.body.secret_set]).toEqual([200, true]);
    const removed = await host.client.patch(item, { issuer: SETTINGS.issuer, client_secret: null });
    expect([removed.status, removed.body.secret_set]).toEqual([200, false]);
    // A connection with a key pair sends no secret: a new issuer ends the unused secret.
    await host.client.patch(item, { client_secret: "a third secret", token_auth: "private_key_jwt" });
    const moved = await host.client.patch(item, { issuer: "https://attacker.test" });
    expect([moved.status, moved.body.secret_set, await isStored()]).toEqual([200, false, false]);
    expect((await actionsOf(id)).at(-1)).toEqual(["sso.connection.updated", { fields: "issuer client_secret" }]);
  });

  test("without SERVICE_CONFIG_KEY stores no secret and no key (400)", async () => {
    const host = await owner(withoutKey);
    const refusedFields = async (body: object) => (await host.create(body)).body.error?.fields;
    expect(await refusedFields(SETTINGS)).toEqual([{ field: "client_secret", rule: "not_allowed" }]);
    expect(await refusedFields({ token_auth: "private_key_jwt" })).toEqual([
      { field: "token_auth", rule: "not_allowed" },
    ]);
    const draft = await host.create({ issuer: SETTINGS.issuer });
    expect(draft.status).toBe(201);
    expect((await host.client.post(`${host.place}/${draft.body.id}/service-key`)).status).toBe(400);
  });

  test("409 beyond ten connections, also in parallel at both replicas", async () => {
    const host = await owner();
    const other = host.client.at(at.other.url);
    const responses = await Promise.all(
      Array.from({ length: 14 }, (_, n) => (n % 2 ? host.client : other).post(host.place, { name: `Acme ${n}` })),
    );
    expect(responses.filter(({ status }) => status === 201).length).toBe(10);
    expect(responses.filter(({ status }) => status === 409).length).toBe(4);
  });
});

describe("activation", () => {
  test("needs settings, a verified domain and a test since the last change that concerns security (409)", async () => {
    const host = await owner();
    const { id } = (await host.create()).body;
    const item = `${host.place}/${id}`;
    const activate = async () => (await host.client.post(`${item}/activate`)).status;
    expect(await activate()).toBe(409);
    await host.client.patch(item, SETTINGS);
    expect(await activate()).toBe(409);
    await addDomain(host, "pending");
    await pass(id);
    expect(await activate()).toBe(409);
    await addDomain(host);
    await host.client.patch(item, { email_from: "upn" });
    expect((await host.client.get(item)).body.tested_at).toBeNull();
    expect(await activate()).toBe(409);
    await pass(id);
    await host.client.patch(item, { name: "Acme 2", groups_from: "groups" });
    expect(await activate()).toBe(200);
    expect((await host.client.get(item)).body).toMatchObject({ status: "active", activated_by: host.userId });
    const actions = (await actionsOf(id)).map(([action]) => action);
    expect(actions.at(-1)).toBe("sso.connection.activated");
  });

  test("reaches every replica, and a change of the settings gives a new revision on every replica", async () => {
    const { client, item, id } = await activated();
    const replicas = [at.one.url, at.other.url];
    const publishes = (count: number) =>
      eventually(`both replicas publish ${count} keys`, 5_000, async () => {
        const found = await Promise.all(replicas.map((url) => client.at(url).get(`/v1/auth/sso/${id}/jwks`)));
        return found.every(({ body }) => body.keys?.length === count);
      });
    await publishes(0);
    await client.patch(item, { token_auth: "private_key_jwt" });
    await publishes(1);
    const [row] = await at.sql`select revision, tested_at, status from sso_connections where id = ${id}`;
    expect([row?.revision, row?.tested_at, row?.status]).toEqual([2, null, "active"]);
  });
});

describe("linked users", () => {
  test("keep the meaning of their subjects: a change of the issuer is 409 without unlink_identities", async () => {
    const { client, item, id, userId, organizationId } = await activated();
    await at.sql`
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      values (${randomUUID()}, ${id}, '\\x01', 'subject', ${userId}, 'domain', now(), now())`;
    const change = (body: object) => client.patch(item, body);
    const moved = { issuer: "https://other.acme.com", client_secret: null };
    for (const body of [moved, { subject_from: "oid" }]) {
      expect((await change(body)).body.error?.code).toBe("conflict");
    }
    expect((await change({ name: "Acme 3" })).status).toBe(200);
    const unlinking = { ...moved, unlink_identities: true };
    const unlinked = await change(unlinking);
    expect([unlinked.status, unlinked.body.issuer]).toEqual([200, "https://other.acme.com"]);
    expect((await at.sql`select 1 from sso_identities where connection_id = ${id}`).length).toBe(0);
    // As after a crash between the change and the end of the sessions.
    const member = await memberWith(at, organizationId, "member");
    const sessionId = await bindSession(member.userId, organizationId, id);
    expect((await change(unlinking)).status).toBe(200);
    const [session] = await at.sql`select revoked_reason from sessions where id = ${sessionId}`;
    expect(session?.revoked_reason).toBe("sso_connection_ended");
  });
});

describe("a member with sso.manage (G191)", () => {
  test("changes no key, issuer or claim of a connection by which a member with more permissions signs in", async () => {
    const { item, id, userId, client, organizationId } = await activated();
    const admin = await memberWith(at, organizationId, "admin");
    await stepUp(at, admin.userId);
    const secret = { client_id: "another client" };
    expect((await admin.client.patch(item, secret)).status).toBe(200);
    await at.sql`
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      values (${randomUUID()}, ${id}, '\\x01', 'subject', ${userId}, 'user', now(), now())`;
    const changes = [{ client_id: "a third client" }, { email_from: "upn" }, { token_auth: "private_key_jwt" }];
    for (const change of changes) {
      const refused = await admin.client.patch(item, change);
      expect([refused.status, refused.body.error.code]).toEqual([403, "forbidden"]);
    }
    expect((await admin.client.patch(item, { name: "Acme 4" })).status).toBe(200);
    expect((await client.patch(item, changes[0])).status).toBe(200);
  });
});

describe("a requirement of the organization (G302)", () => {
  /** An owner, and an admin with `sso.manage` and without `policies.manage`. */
  async function withAdmin() {
    const host = await activated();
    const admin = await memberWith(at, host.organizationId, "admin");
    await stepUp(at, admin.userId);
    return { ...host, admin };
  }
  const noticesTo = (email: string, count: number) => at.mail.mailsTo(email, /part of this requirement/, count);

  test("single sign-on is ended by a holder of policies.manage alone, and the owners are informed", async () => {
    const { admin, client, email, item, domainId, organizationId } = await withAdmin();
    await storePolicy(at.sql, organizationId, { mode: "required" });
    const domain = `/v1/orgs/${organizationId}/domains/${domainId}`;
    const changes = (by: Client) => [
      () => by.delete(domain),
      () => by.post(`${item}/deactivate`),
      () => by.delete(item),
    ];
    for (const change of changes(admin.client)) {
      const refused = await change();
      expect([refused.status, refused.body.error.code]).toEqual([403, "forbidden"]);
    }
    expect(await noticesTo(email, 0)).toHaveLength(0);
    for (const change of changes(client)) expect([200, 204]).toContain((await change()).status);
    expect(await noticesTo(email, 2)).toHaveLength(2);
  });

  test("a second factor is replaced by values of mfa_trust with policies.manage alone, in drafts too", async () => {
    const { admin, client, email, item, id, organizationId } = await withAdmin();
    const settings = at.sql.json({ ...DEFAULT_POLICY, mfa: "phishing_resistant", mfaSince: new Date().toISOString() });
    await at.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${organizationId}, ${settings}, now() + interval '1 day', 1, now())`;
    const trust = { mfa_trust: ["pwd"] };
    expect((await admin.client.patch(item, trust)).body.error?.code).toBe("forbidden");
    expect((await admin.client.patch(item, { name: "Acme 5", clock_skew_seconds: 30 })).status).toBe(200);
    await deactivateConnection(at.sql, id);
    expect((await admin.client.patch(item, trust)).body.tested_at).toBeNull();
    await pass(id);
    expect((await admin.client.post(`${item}/activate`)).body.error?.code).toBe("forbidden");
    expect((await client.post(`${item}/activate`)).status).toBe(200);
    expect(await noticesTo(email, 1)).toHaveLength(1);
    expect((await admin.client.patch(item, { mfa_trust: "never" })).status).toBe(200);
  });

  test("another identity provider vouches for a second factor with policies.manage alone", async () => {
    const { admin, client, email, item, organizationId } = await withAdmin();
    expect((await client.patch(item, { mfa_trust: ["mfa"] })).status).toBe(200);
    const settings = at.sql.json({ ...DEFAULT_POLICY, mfa: "required", mfaSince: new Date().toISOString() });
    await at.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${organizationId}, ${settings}, now() + interval '1 day', 1, now())`;
    const moved = { issuer: "https://other.acme.com", client_secret: "another secret" };
    expect((await admin.client.patch(item, moved)).body.error?.code).toBe("forbidden");
    expect((await admin.client.patch(item, { email_from: "upn" })).status).toBe(200);
    expect((await client.patch(item, moved)).status).toBe(200);
    expect(await noticesTo(email, 1)).toHaveLength(1);
  });

  test("where single sign-on is required, a change that unlinks everybody needs policies.manage", async () => {
    const { admin, client, email, item, id, userId, organizationId } = await withAdmin();
    await at.sql`
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      values (${randomUUID()}, ${id}, '\\x01', 'subject', ${userId}, 'user', now(), now())`;
    await storePolicy(at.sql, organizationId, { mode: "required" });
    const moved = { subject_from: "oid", unlink_identities: true };
    expect((await admin.client.patch(item, moved)).body.error?.code).toBe("forbidden");
    expect((await client.patch(item, moved)).status).toBe(200);
    expect(await noticesTo(email, 1)).toHaveLength(1);
  });

  test("id_jag needs applications.manage too: in a new connection, a change and an activation (G303)", async () => {
    const host = await activated();
    const manager = await steppedUpMemberHolding(at, host, ["sso.manage"]);
    const access = { id_jag: ["an application"] };
    const refusals = [
      await manager.client.patch(host.item, access),
      await manager.client.post(host.place, { name: "Mine", ...access }),
    ];
    expect((await host.client.patch(host.item, access)).status).toBe(200);
    await at.sql`update sso_connections set status = 'inactive', tested_at = now() where id = ${host.id}`;
    refusals.push(await manager.client.post(`${host.item}/activate`));
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await host.client.post(`${host.item}/activate`)).status).toBe(200);
  });

  test("a member with more permissions than the caller stays linked", async () => {
    const { admin, client, id, userId, organizationId } = await withAdmin();
    const insert = async (linkedId: string) => {
      const identityId = randomUUID();
      await at.sql`
        insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                    last_used_at)
        values (${identityId}, ${id}, sha256(${linkedId}::bytea), 'subject', ${linkedId}, 'user', now(), now())`;
      return `/v1/orgs/${organizationId}/sso/identities/${identityId}`;
    };
    const member = await memberWith(at, organizationId, "member");
    const [ofOwner, ofMember] = [await insert(userId), await insert(member.userId)];
    expect((await admin.client.delete(ofOwner)).body.error?.code).toBe("forbidden");
    expect((await admin.client.delete(ofMember)).status).toBe(204);
    expect((await client.delete(ofOwner)).status).toBe(204);
  });
});

describe("the end of a connection", () => {
  test.each(["deactivate", "delete"])("by %s ends its sessions on every replica", async (way) => {
    const { client, item, id, domainId, organizationId } = await activated();
    const member = await memberWith(at, organizationId, "member");
    const sessionId = await bindSession(member.userId, organizationId, id);
    await client.patch(`/v1/orgs/${organizationId}/domains/${domainId}`, { connection_id: id });
    const ended = way === "delete" ? await client.delete(item) : await client.post(`${item}/deactivate`);
    expect(ended.status).toBe(way === "delete" ? 204 : 200);
    const [row] = await at.sql`select revoked_at, revoked_reason from sessions where id = ${sessionId}`;
    expect([row?.revoked_at !== null, row?.revoked_reason]).toEqual([true, "sso_connection_ended"]);
    await eventually("no replica accepts the session", 1_000, async () => {
      const responses = await Promise.all(
        [at.one.url, at.other.url].map((url) => member.client.at(url).get("/v1/auth/session")),
      );
      return responses.every(({ status }) => status === 401);
    });
    const [domain] = await at.sql`select connection_id from organization_domains where id = ${domainId}`;
    expect(domain?.connection_id).toBe(way === "delete" ? null : id);
    const actions = (await actionsOf(id)).map(([action]) => action);
    expect(actions).toContain("sso.connection.deactivated");
    if (way === "delete") expect(actions.at(-1)).toBe("sso.connection.deleted");
  });
});

describe("a domain", () => {
  test("belongs to one connection of the organization, or to every connection", async () => {
    const host = await activated();
    const stranger = await activated();
    const assign = (connection: string | null) =>
      host.client.patch(`/v1/orgs/${host.organizationId}/domains/${host.domainId}`, { connection_id: connection });
    expect((await assign(stranger.id)).status).toBe(404);
    expect((await assign(UNKNOWN)).status).toBe(404);
    expect((await assign(host.id)).body.connection_id).toBe(host.id);
    expect((await assign(null)).body.connection_id).toBeNull();
    expect((await actionsOf(host.id)).slice(-2).map(([action]) => action)).toEqual([
      "sso.connection.updated",
      "sso.connection.updated",
    ]);
  });
});

describe("a domain of an organization that requires single sign-on", () => {
  test("409 for an inactive connection, by which no member could sign in (G374)", async () => {
    const host = await activated();
    const inactive = (await host.create({ ...SETTINGS, name: "Second" })).body.id;
    await storePolicy(at.sql, host.organizationId, { mode: "required" });
    const place = `/v1/orgs/${host.organizationId}/domains/${host.domainId}`;
    const assign = (connection: string | null) => host.client.patch(place, { connection_id: connection });
    const refused = await assign(inactive);
    expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    const connectionOf = async () =>
      (await at.sql`select connection_id from organization_domains where id = ${host.domainId}`)[0]?.connection_id;
    expect(await connectionOf()).toBeNull();
    expect((await assign(host.id)).status).toBe(200);
    expect((await assign(null)).status).toBe(200);
    await storePolicy(at.sql, host.organizationId, { mode: "optional" });
    expect((await assign(inactive)).status).toBe(200);
  });
});

describe("the responsibility for an active connection", () => {
  test("goes to a member with every permission behind the connection, once, with a record (G376)", async () => {
    const host = await activated();
    const admin = await memberWith(at, host.organizationId, "admin");
    await presentFactor(at.sql, admin.userId);
    const { item, id } = host;
    const path = `${item}/take-over`;
    expect((await admin.client.post(path)).status).toBe(403);
    expect(
      (await host.client.post(`/v1/orgs/${host.organizationId}/sso/connections/${UNKNOWN}/take-over`)).status,
    ).toBe(404);
    await at.sql`update sso_connections set activated_by = ${admin.userId}, claims_set_at = now() where id = ${id}`;
    const read = await host.client.get(item);
    expect(read.body.activated_by).toBe(admin.userId);
    expect((await host.client.patch(item, { name: "Renamed" })).status).toBe(200);
    const stale = await host.client.post(path, { updated_at: read.body.updated_at });
    expect([stale.status, stale.body.error.code]).toEqual([409, "conflict"]);
    expect((await host.client.post(path, { updated_at: "yesterday" })).status).toBe(400);
    const { updated_at } = (await host.client.get(item)).body;
    const outcome = await host.client.post(path, { updated_at });
    expect([outcome.status, outcome.body.activated_by, outcome.body.status]).toEqual([200, host.userId, "active"]);
    expect((await actionsOf(id)).at(-1)).toEqual(["sso.connection.updated", { fields: "activated_by" }]);
    const count = (await actionsOf(id)).length;
    expect((await host.client.post(path)).status).toBe(200);
    expect((await actionsOf(id)).length).toBe(count);
    const [row] = await at.sql`select claims_set_at from sso_connections where id = ${id}`;
    expect(row?.claims_set_at).toBeNull();
    await deactivateConnection(at.sql, id);
    expect((await host.client.post(path)).status).toBe(409);
  });
});

describe("a change with the version that the caller has read", () => {
  test("409 after another change: of the activation and of the policy (G377)", async () => {
    const host = await activated();
    const { item } = host;
    expect((await host.client.post(`${item}/deactivate`)).status).toBe(200);
    const { updated_at } = (await host.client.get(item)).body;
    expect((await host.client.patch(item, { name: "Other" })).status).toBe(200);
    expect((await host.client.post(`${item}/activate`, { updated_at })).status).toBe(409);
    const present = (await host.client.get(item)).body.updated_at;
    expect((await host.client.post(`${item}/activate`, { updated_at: present })).status).toBe(200);
    const path = `/v1/orgs/${host.organizationId}/sso/policy`;
    expect((await host.client.put(path, { mode: "optional", updated_at: null })).status).toBe(200);
    expect((await host.client.put(path, { mode: "off", updated_at: null })).status).toBe(409);
    expect((await host.client.put(path, { mode: "off", updated_at: "2026-01-02T03:04:05.678Z" })).status).toBe(409);
    const policy = (await host.client.get(path)).body;
    expect(policy.mode).toBe("optional");
    expect((await host.client.put(path, { mode: "off", updated_at: policy.updated_at })).status).toBe(200);
  });
});

describe("a deletion beside an activation", () => {
  test("is refused (409) and leaves the active connection, or the activation finds no connection (404)", async () => {
    const { client, item, id } = await activated();
    let requests: Promise<number[]> | undefined;
    const waiting = async () => {
      const [row] = await at.sql`
        select count(*)::int as n from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and query like '%sso_connections%'`;
      return Number(row?.n);
    };
    await at.sql.begin(async (sql) => {
      await sql`select 1 from sso_connections where id = ${id} for update`;
      const deletion = client.delete(item);
      await eventually("the deletion waits", 10_000, async () => (await waiting()) === 1);
      const activation = client.post(`${item}/activate`);
      await eventually("the activation waits", 10_000, async () => (await waiting()) === 2);
      requests = Promise.all([deletion, activation].map(async (sent) => (await sent).status));
    });
    const [deleted = 0, reactivated = 0] = (await requests) ?? [];
    expect(["204 404", "409 200"]).toContain(`${deleted} ${reactivated}`);
    const [stored] = await at.sql`select status from sso_connections where id = ${id}`;
    expect(stored?.status).toBe(deleted === 409 ? "active" : undefined);
    expect((await actionsOf(id)).filter(([action]) => action === "sso.connection.deleted").length).toBe(
      deleted === 204 ? 1 : 0,
    );
  });
});

describe("service keys", () => {
  test("roll over: next is published first, signs after the promotion, and previous is withdrawn", async () => {
    const host = await owner();
    const created = await host.create({ token_auth: "private_key_jwt" });
    const item = `${host.place}/${created.body.id}`;
    const statuses = ({ body }: { body: { service_keys: { status: string }[] } }) =>
      body.service_keys.map(({ status }) => status).sort();
    const published = async () => (await host.client.get(`/v1/auth/sso/${created.body.id}/jwks`)).body.keys;
    expect(statuses(created)).toEqual(["current"]);
    expect((await host.client.post(`${item}/service-key/promote`)).status).toBe(409);
    expect((await host.client.delete(`${item}/service-key/previous`)).status).toBe(404);
    const added = await host.client.post(`${item}/service-key`);
    expect([added.status, statuses(added)]).toEqual([201, ["current", "next"]]);
    expect((await host.client.post(`${item}/service-key`)).status).toBe(409);
    expect((await host.client.post(`${host.place}/${UNKNOWN}/service-key`)).status).toBe(404);
    expect((await published()).length).toBe(2);
    const next = added.body.service_keys.find(({ status }: { status: string }) => status === "next").kid;
    const promoted = await host.client.post(`${item}/service-key/promote`);
    expect([promoted.status, statuses(promoted)]).toEqual([200, ["current", "previous"]]);
    expect(promoted.body.service_keys).toContainEqual(expect.objectContaining({ kid: next, status: "current" }));
    expect((await host.client.delete(`${item}/service-key/previous`)).status).toBe(204);
    const keys = await published();
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([next]);
    expect(Object.keys(keys[0]).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    expect((await host.client.get(`/v1/auth/sso/${UNKNOWN}/jwks`)).status).toBe(404);
  });
});

describe("a change of the service keys", () => {
  test("ends a requested activation, as each change of the settings does (G375)", async () => {
    const host = await owner();
    const created = await host.create({ token_auth: "private_key_jwt" });
    const item = `${host.place}/${created.body.id}`;
    const changes = [
      () => host.client.post(`${item}/service-key`),
      () => host.client.post(`${item}/service-key/promote`),
      () => host.client.delete(`${item}/service-key/previous`),
    ];
    for (const change of changes) {
      await at.sql`update sso_connections set activation_requested_at = now() where id = ${created.body.id}`;
      expect((await change()).status).toBeLessThan(300);
      const [row] = await at.sql`select activation_requested_at from sso_connections where id = ${created.body.id}`;
      expect(row?.activation_requested_at).toBeNull();
    }
  });
});

describe("attempts", () => {
  test("are listed newest first, for 30 days", async () => {
    const { client, item, id, userId } = await activated();
    const insert = (minutes: number, reason: string | null) => at.sql`
      insert into sso_attempts (id, connection_id, at, outcome, reason, step, requested, email, request_id, user_id)
      values (${randomUUID()}, ${id}, now() - ${`${minutes} minutes`}::interval, ${reason ? "failure" : "success"},
              ${reason}, 'callback', true, 'ada@acme.test', ${UNKNOWN}, ${userId})`;
    await insert(5, null);
    await insert(1, "domain");
    await insert(31 * 24 * 60, "nonce");
    const { body } = await client.get(`${item}/attempts`);
    expect(body.items.map(({ reason }: { reason: string }) => reason)).toEqual(["domain", null]);
    expect(Object.keys(body.items[0])).toEqual(["at", "outcome", "reason", "step", "email", "request_id", "user_id"]);
  });
});

describe("the policy", () => {
  test("has the defaults, is replaced by an owner with a step-up, and refuses unsupported rules with 409", async () => {
    const host = await owner();
    const path = `${host.base}/policy`;
    const DEFAULTS = {
      mode: "off",
      required_at: null,
      paused_until: null,
      guests: "own_methods",
      break_glass: [],
      jit: "on",
      default_role: "member",
      role_rules: [],
      sync: "always",
      require_own_factor: false,
    };
    expect((await host.client.get(path)).body).toEqual({ ...DEFAULTS, updated_at: null });
    const rules = [{ from: "groups", value: "it-admins", role: "admin" }];
    const put = await host.client.put(path, { mode: "optional", jit: "invited_only", role_rules: rules });
    expect([put.status, put.body]).toMatchObject([
      200,
      { ...DEFAULTS, mode: "optional", jit: "invited_only", role_rules: rules },
    ]);
    expect((await host.client.put(path, { mode: "required" })).status).toBe(409);
    const withFactor = await host.client.put(path, { mode: "optional", require_own_factor: true });
    expect([withFactor.status, withFactor.body.require_own_factor]).toEqual([200, true]);
    const fieldsOf = async (body: object) => (await host.client.put(path, body)).body.error?.fields;
    expect(await fieldsOf({ mode: "sometimes" })).toEqual([{ field: "mode", rule: "unknown_value" }]);
    expect(await fieldsOf({ default_role: "owner" })).toEqual([{ field: "default_role", rule: "unknown_value" }]);
    expect(await fieldsOf({ role_rules: [{ from: "groups", value: "a", role: "owner" }] })).toEqual([
      { field: "role_rules.role", rule: "unknown_value" },
    ]);
    expect(await fieldsOf({ role_rules: Array.from({ length: 51 }, () => rules[0]) })).toEqual([
      { field: "role_rules", rule: "too_long" },
    ]);
    expect(await fieldsOf({ mode: "optional", required_at: "2026-01-02T03:04:05Z" })).toEqual([
      { field: "required_at", rule: "conflicting" },
    ]);
    expect((await host.client.get(path)).body.mode).toBe("optional");
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'sso.policy.updated' and organization_id = ${host.organizationId}`;
    expect(record?.metadata).toEqual({ fields: "mode jit role_rules", mode: "optional" });
  });
});

test("SERVICE_ENTERPRISE_ONLY: 402 for an organization of the tier standard, and none for enterprise", async () => {
  const settings = {
    DATABASE_URL: at.databaseUrl,
    SERVICE_CONFIG_KEY: CONFIG_KEY,
    SERVICE_ENTERPRISE_ONLY: "sso,roles",
  };
  const replica = await startReplica(settings);
  const host = await owner();
  const client = host.client.at(replica.url);
  const statuses = async () =>
    (
      await Promise.all([
        client.get(host.place),
        client.post(host.place, { name: "Acme" }),
        client.get(`${host.base}/policy`),
        client.get(`/v1/orgs/${host.organizationId}/roles`),
        client.post(`/v1/orgs/${host.organizationId}/groups`, { name: "Engineers" }),
        client.post(`/v1/orgs/${host.organizationId}/invitations`, { email: newEmail(), role_ids: [host.userId] }),
        client.post(`/v1/orgs/${host.organizationId}/invitations`, { email: newEmail(), role_ids: [] }),
      ])
    ).map(({ status }) => status);
  expect(await statuses()).toEqual([402, 402, 402, 402, 402, 402, 201]);
  await enterEnterprise(at.sql, host.organizationId);
  expect(await statuses()).toEqual([200, 201, 200, 200, 201, 400, 201]);
});

describe("everyone else", () => {
  test("is refused: members 403, other organizations 404, no step-up 401, an admin at the policy 403", async () => {
    const host = await activated();
    const member = await memberWith(at, host.organizationId, "member");
    const admin = await memberWith(at, host.organizationId, "admin");
    await stepUpSessions(at.sql, admin.userId, "an hour ago");
    const stranger = await owner();
    const { organizationId: org, id } = host;
    const changes = (client: Client) => [
      client.post(`/v1/orgs/${org}/sso/connections`, { name: "Acme" }),
      client.patch(`/v1/orgs/${org}/sso/connections/${id}`, { name: "Acme" }),
      client.post(`/v1/orgs/${org}/sso/connections/${id}/activate`),
      client.post(`/v1/orgs/${org}/sso/connections/${id}/deactivate`),
      client.post(`/v1/orgs/${org}/sso/connections/${id}/service-key`),
      client.post(`/v1/orgs/${org}/sso/connections/${id}/service-key/promote`),
      client.delete(`/v1/orgs/${org}/sso/connections/${id}/service-key/previous`),
      client.delete(`/v1/orgs/${org}/sso/connections/${id}`),
    ];
    const reads = (client: Client) => [
      client.get(`/v1/orgs/${org}/sso/connections`),
      client.get(`/v1/orgs/${org}/sso/connections/${id}`),
      client.get(`/v1/orgs/${org}/sso/connections/${id}/attempts`),
      client.get(`/v1/orgs/${org}/sso/policy`),
    ];
    const statuses = async (requests: Promise<{ readonly status: number }>[]) =>
      new Set((await Promise.all(requests)).map(({ status }) => status));
    await stepUp(at, member.userId);
    expect(await statuses([...changes(member.client), ...reads(member.client)])).toEqual(new Set([403]));
    expect(await statuses([...changes(stranger.client), ...reads(stranger.client)])).toEqual(new Set([404]));
    expect(await statuses(changes(admin.client))).toEqual(new Set([401]));
    expect(await statuses(reads(admin.client))).toEqual(new Set([200]));
    await stepUp(at, admin.userId);
    expect((await admin.client.put(`${host.base}/policy`, {})).status).toBe(403);
    expect((await stranger.client.get(`${stranger.place}/${host.id}`)).status).toBe(404);
    expect((await stranger.client.patch(`${stranger.place}/${host.id}`, { name: "Acme" })).status).toBe(404);
    expect((await host.client.get(host.item)).body.status).toBe("active");
  });

  test("an API key with sso.read reads connections, attempts and the policy, and changes nothing", async () => {
    const host = await activated();
    const { key } = await keyOf(host.client, `/v1/orgs/${host.organizationId}/service-accounts`, ["sso.read"]);
    const call = async (method: string, path: string) =>
      (await fetch(`${at.other.url}${path}`, { method, headers: { authorization: `Bearer ${key}` } })).status;
    const paths = [host.place, host.item, `${host.item}/attempts`, `${host.base}/policy`];
    expect(await Promise.all(paths.map((path) => call("GET", path)))).toEqual([200, 200, 200, 200]);
    expect(await call("POST", host.place)).toBe(403);
    expect(await call("PUT", `${host.base}/policy`)).toBe(403);
    expect(await call("DELETE", host.item)).toBe(403);
  });
});
