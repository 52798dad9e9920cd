/** Scopes that follow the roles of the user, and claims for APIs (docs/contract.md, sections 23.25 and 23.26). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  basic,
  codeFor,
  exchange,
  introspectAt,
  makePkce,
  oauthAdmin,
  refreshAt,
  registerClient,
  sendForm,
  tokensFor,
} from "../support/oauth.ts";
import { founded, memberOf, memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

let apis = 0;
/** An API with a scope for everyone and a scope with a permission, and an application of the API. */
async function apiWithApplication(settings: Record<string, unknown> = {}) {
  apis += 1;
  const identifier = `https://roles-${apis}.example.test/mcp`;
  const permission = `reports${apis}.approve`;
  const scopes = [{ name: "reports:read" }, { name: "reports:write", permission }];
  const created = await admin.post("/v1/admin/resources", { identifier, name: "Reports", scopes, ...settings });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const granted = ["openid", "organization", "offline_access", "reports:read", "reports:write", "reports:other"];
  const application = await registerClient({ scopes: granted, resources: [identifier], audiences: [identifier] });
  const request = { scope: "reports:read reports:write reports:other", resource: identifier };
  return { id: String(created.body.id), identifier, permission, application, request };
}

type Owner = Awaited<ReturnType<typeof founded>>;

async function newRole(owner: Owner, permissions: readonly string[]) {
  const body = { key: `role-${crypto.randomUUID().slice(0, 8)}`, name: "Approver", permissions };
  const { status, body: role } = await owner.client.post(`/v1/orgs/${owner.organizationId}/roles`, body);
  expect(status).toBe(201);
  return { id: String(role.id), key: String(role.key) };
}

async function assign(owner: Owner, userId: string, roleIds: readonly string[]) {
  const path = `${memberOf(owner.organizationId, userId)}/roles`;
  expect((await owner.client.put(path, { role_ids: roleIds })).status).toBe(200);
}

/** A member with a browser and a session in the organization, with a role of the permissions. */
async function memberHolding(owner: Owner, permissions: readonly string[]) {
  const member = await memberWith(at, owner.organizationId, "member");
  const moved = await member.client.post("/v1/auth/organization", { organization_id: owner.organizationId });
  expect(moved.status).toBe(200);
  const role = permissions.length > 0 ? await newRole(owner, permissions) : undefined;
  if (role) await assign(owner, member.userId, [role.id]);
  const browser = new Browser(at.one.url);
  Object.assign(browser.client, { jar: member.client.jar });
  return { ...member, browser, role };
}

const both = () => [at.one.url, at.other.url];

describe("scopes that follow roles (G235)", () => {
  test("A member receives the scopes whose permission a role has; the response lists the scopes.", async () => {
    const { application, permission, request } = await apiWithApplication();
    const owner = await founded(at);
    const plain = await memberHolding(owner, []);
    const approver = await memberHolding(owner, [permission]);
    const narrow = await tokensFor(application, plain.browser, request);
    expect([narrow.scope, decodeJwt(narrow.access_token).scope]).toEqual(["reports:read", "reports:read"]);
    const wide = await tokensFor(application, approver.browser, request);
    expect(wide.scope).toBe("reports:read reports:write");
    const ownerBrowser = new Browser(at.one.url);
    Object.assign(ownerBrowser.client, { jar: owner.client.jar });
    expect((await tokensFor(application, ownerBrowser, request)).scope).toBe("reports:read reports:write");
  });

  test("Without a remaining scope the application receives invalid_scope.", async () => {
    const { application, identifier } = await apiWithApplication();
    const member = await memberHolding(await founded(at), []);
    for (const scope of ["reports:write", "reports:other"]) {
      const path = authorizePath(application, makePkce().challenge, { scope, resource: identifier });
      expect((await member.browser.follow(path)).location?.searchParams.get("error")).toBe("invalid_scope");
    }
  });

  test("The consent page displays the scopes that the user can grant, and no others.", async () => {
    const { identifier, permission } = await apiWithApplication();
    const settings = { first_party: false, scopes: ["reports:read", "reports:write"], resources: [identifier] };
    const application = await registerClient(settings);
    const more = { scope: "reports:read reports:write", resource: identifier };
    const owner = await founded(at);
    const landing = async (permissions: readonly string[]) => {
      const { browser } = await memberHolding(owner, permissions);
      return (await browser.follow(authorizePath(application, makePkce().challenge, more))).answer.text;
    };
    const narrow = await landing([]);
    expect([narrow.includes("reports:read"), narrow.includes("reports:write")]).toEqual([true, false]);
    expect(await landing([permission])).toContain("reports:write");
  });

  test("A withdrawn role ends the access token on both replicas; a refresh returns the narrower scopes.", async () => {
    const { application, permission, request } = await apiWithApplication();
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission]);
    const tokens = await tokensFor(application, member.browser, request);
    for (const url of both()) {
      expect((await introspectAt(url, application, tokens.access_token)).body).toMatchObject({ active: true });
    }
    await assign(owner, member.userId, []);
    for (const url of both()) {
      const { body } = await introspectAt(url, application, tokens.access_token);
      expect(body).toEqual({ active: false });
    }
    const { sid } = decodeJwt(tokens.access_token);
    const [event] = await at.sql`select reason from session_events where session_id = ${String(sid)}`;
    expect(event?.reason).toBe("permission_lost");
    const refreshed = await refreshAt(at.other.url, application, tokens.refresh_token);
    expect([refreshed.status, refreshed.body.scope]).toEqual([200, "reports:read"]);
    const claims = decodeJwt(refreshed.body.access_token);
    expect([claims.scope, claims.sid === sid]).toEqual(["reports:read", false]);
    expect((await introspectAt(at.one.url, application, refreshed.body.access_token)).body.active).toBe(true);
    const again = await refreshAt(at.one.url, application, refreshed.body.refresh_token);
    expect(again.status).toBe(200);
  });

  test("Of 100 withdrawals at one replica, introspection at the second replica misses none.", async () => {
    const { application, permission, request } = await apiWithApplication({ signing_alg: "ES256" });
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission]);
    let tokens = await tokensFor(application, member.browser, request);
    for (let round = 1; round <= 100; round += 1) {
      expect([round, tokens.scope]).toEqual([round, "reports:read reports:write"]);
      await assign(owner, member.userId, []);
      const { body: ended } = await introspectAt(at.other.url, application, tokens.access_token);
      expect([round, ended]).toEqual([round, { active: false }]);
      await assign(owner, member.userId, [member.role?.id ?? ""]);
      ({ body: tokens } = await refreshAt(at.one.url, application, tokens.refresh_token));
    }
  });

  test("A role with fewer permissions, and a demoted owner, end the tokens too.", async () => {
    const { application, permission, request } = await apiWithApplication();
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission]);
    const second = await memberWith(at, owner.organizationId, "owner");
    await second.client.post("/v1/auth/organization", { organization_id: owner.organizationId });
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: second.client.jar });
    const ofMember = await tokensFor(application, member.browser, request);
    const ofOwner = await tokensFor(application, browser, request);
    const role = `/v1/orgs/${owner.organizationId}/roles/${member.role?.id}`;
    expect((await owner.client.patch(role, { permissions: [] })).status).toBe(200);
    const demoted = await owner.client.patch(memberOf(owner.organizationId, second.userId), { role: "member" });
    expect(demoted.status).toBe(200);
    for (const { access_token } of [ofMember, ofOwner]) {
      expect((await introspectAt(at.other.url, application, access_token)).body).toEqual({ active: false });
    }
  });

  test("A withdrawn role ends no token while a further role has the permission.", async () => {
    const { application, permission, request } = await apiWithApplication();
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission]);
    const other = await newRole(owner, [permission, "members.list"]);
    await assign(owner, member.userId, [member.role?.id ?? "", other.id]);
    const tokens = await tokensFor(application, member.browser, request);
    await assign(owner, member.userId, [other.id]);
    await assign(owner, member.userId, [member.role?.id ?? ""]);
    expect((await introspectAt(at.one.url, application, tokens.access_token)).body).toMatchObject({
      active: true,
      scope: "reports:read reports:write",
    });
  });

  test("A token issued while a role is withdrawn is narrow, or ends.", async () => {
    const { application, permission, request } = await apiWithApplication();
    const owner = await founded(at);
    for (let round = 0; round < 6; round += 1) {
      const member = await memberHolding(owner, [permission]);
      const code = await codeFor(application, member.browser, request);
      const [{ status, body }] = await Promise.all([
        exchange(at.other.url, application, code, { resource: request.resource }),
        assign(owner, member.userId, []),
      ]);
      expect(status).toBe(200);
      const { body: state } = await introspectAt(at.one.url, application, body.access_token);
      expect(state.active ? state.scope : "ended").not.toContain("reports:write");
    }
  });

  test("A scope that receives a permission later ends the token, and is absent from the next refresh.", async () => {
    const { id, application, identifier, permission } = await apiWithApplication();
    const member = await memberHolding(await founded(at), []);
    const tokens = await tokensFor(application, member.browser, { scope: "openid reports:read", resource: identifier });
    const scopes = [{ name: "reports:read", permission }];
    expect((await admin.patch(`/v1/admin/resources/${id}`, { scopes })).status).toBe(200);
    await until("the replica knows the change", async () => {
      const { body } = await introspectAt(at.other.url, application, tokens.access_token);
      return body.active === false;
    });
    const refreshed = await refreshAt(at.one.url, application, tokens.refresh_token);
    expect([refreshed.status, refreshed.body.scope]).toEqual([200, "openid"]);
    expect((await introspectAt(at.one.url, application, refreshed.body.refresh_token)).body.scope).toBe("openid");
  });

  test("A refresh without a remaining scope is invalid_scope, and keeps the refresh token.", async () => {
    const { application, permission, identifier } = await apiWithApplication();
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission]);
    const tokens = await tokensFor(application, member.browser, { scope: "reports:write", resource: identifier });
    await assign(owner, member.userId, []);
    const refused = await refreshAt(at.one.url, application, tokens.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_scope"]);
    await assign(owner, member.userId, [member.role?.id ?? ""]);
    expect((await refreshAt(at.one.url, application, tokens.refresh_token)).body.scope).toBe("reports:write");
  });

  test("A client's own token has the scopes of the API only.", async () => {
    const { identifier } = await apiWithApplication();
    const scopes = ["reports:read", "reports:other"];
    const machine = await registerClient({
      grant_types: ["client_credentials"],
      redirect_uris: [],
      scopes,
      resources: [identifier],
    });
    const own = (scope: string) =>
      sendForm(
        at.one.url,
        "/oauth2/token",
        { grant_type: "client_credentials", scope, resource: identifier },
        { authorization: `Basic ${Buffer.from(`${machine.id}:${machine.secret}`).toString("base64")}` },
      );
    expect((await own(scopes.join(" "))).body.scope).toBe("reports:read");
    expect((await own("reports:other")).body.error).toBe("invalid_scope");
  });
});

describe("token exchange (G235)", () => {
  test("The issued token has scopes and claims of the next API by the roles, and ends with the role.", async () => {
    const first = await apiWithApplication();
    const next = await apiWithApplication({ claims: ["roles"] });
    const exchanges = [{ from: first.identifier, to: next.identifier, scopes: ["reports:read", "reports:write"] }];
    const service = await registerClient({
      grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
      redirect_uris: [],
      audiences: [first.identifier],
      resources: [],
      scopes: [],
      exchanges,
    });
    const owner = await founded(at);
    const member = await memberHolding(owner, [first.permission]);
    const subject = await tokensFor(first.application, member.browser, first.request);
    const exchanged = async () => {
      const type = "urn:ietf:params:oauth:token-type:access_token";
      const fields = {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: subject.access_token,
        subject_token_type: type,
        resource: next.identifier,
      };
      return (await sendForm(at.one.url, "/oauth2/token", fields, basic(service))).body;
    };
    const narrow = await exchanged();
    expect([narrow.scope, decodeJwt(narrow.access_token).roles]).toEqual([
      "reports:read",
      ["member", member.role?.key],
    ]);
    const role = await newRole(owner, [next.permission]);
    await assign(owner, member.userId, [member.role?.id ?? "", role.id]);
    const wide = await exchanged();
    expect(wide.scope).toBe("reports:read reports:write");
    await assign(owner, member.userId, [member.role?.id ?? ""]);
    expect((await introspectAt(at.one.url, service, wide.access_token)).body).toEqual({ active: false });
  });
});

describe("sensitive scopes (G235)", () => {
  test("Every authorization asks for a sensitive scope, first on the page, for first-party clients too.", async () => {
    const scopes = [
      { name: "reports:read", description_en: "see reports" },
      { name: "reports:write", description_en: "delete reports", sensitive: true },
    ];
    const { application, request } = await apiWithApplication({ scopes });
    const { browser } = await memberHolding(await founded(at), []);
    for (let round = 0; round < 2; round += 1) {
      const page = await browser.follow(authorizePath(application, makePkce().challenge, request));
      expect(page.path).toStartWith("/oauth2/consent");
      const text = page.answer.text;
      expect(text.indexOf("delete reports")).toBeWithin(0, text.indexOf("see reports"));
      const allowed = await browser.submit(page.path, { decision: "allow" });
      expect(allowed.location?.searchParams.get("code")).toBeString();
    }
    const silent = authorizePath(application, makePkce().challenge, { ...request, prompt: "none" });
    expect((await browser.follow(silent)).location?.searchParams.get("error")).toBe("consent_required");
    const plain = { ...request, scope: "reports:read" };
    expect((await tokensFor(application, browser, plain)).scope).toBe("reports:read");
  });
});

describe("APIs of organizations, and lifetimes (G236)", () => {
  test("An API for named organizations is invalid_target for members of other organizations.", async () => {
    const owner = await founded(at);
    const inside = await memberHolding(owner, []);
    const { application, id, request } = await apiWithApplication({ organizations: [owner.organizationId] });
    const outside = await memberHolding(await founded(at), []);
    const tokens = await tokensFor(application, inside.browser, request);
    const path = authorizePath(application, makePkce().challenge, request);
    expect((await outside.browser.follow(path)).location?.searchParams.get("error")).toBe("invalid_target");
    await admin.patch(`/v1/admin/resources/${id}`, { organizations: [outside.organizationId] });
    await eventually("the replica knows the change", 5000, async () => {
      const { body } = await introspectAt(at.other.url, application, tokens.access_token);
      return body.active === false;
    });
    expect((await refreshAt(at.one.url, application, tokens.refresh_token)).body.error).toBe("invalid_target");
  });

  test("Access tokens have the lifetime of the API, longer or shorter than the lifetime for sessions.", async () => {
    for (const token_lifetime_seconds of [60, 3600]) {
      const { application, request } = await apiWithApplication({ token_lifetime_seconds });
      const { browser } = await memberHolding(await founded(at), []);
      const { access_token, refresh_token } = await tokensFor(application, browser, request);
      const { iat = 0, exp = 0, sid } = decodeJwt(access_token);
      expect(exp - iat).toBe(token_lifetime_seconds);
      const refreshed = await refreshAt(at.one.url, application, refresh_token);
      expect(refreshed.body.expires_in).toBe(token_lifetime_seconds);
      // The log keeps the end of a token as long as the token would be valid.
      const [row] = await at.sql`select access_expires_at from oauth_token_families where id = ${String(sid)}`;
      expect(row?.access_expires_at.getTime()).toBeGreaterThanOrEqual(exp * 1000);
    }
  });
});

describe("resource indicators", () => {
  test("are compared as URIs at each endpoint; aud is the registered identifier (G408)", async () => {
    const owner = await founded(at);
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: owner.client.jar });
    const host = `tools-${crypto.randomUUID()}.example.test`;
    const identifier = `https://${host}/`;
    const scopes = [{ name: "tools:read" }];
    expect((await admin.post("/v1/admin/resources", { identifier, name: "Tools", scopes })).status).toBe(201);
    const spellings = [`https://${host}`, `HTTPS://${host.toUpperCase()}:443/`];
    const settings = { scopes: ["openid", "tools:read"], resources: [spellings[0]], audiences: [spellings[0]] };
    const application = await registerClient(settings);
    for (const resource of [identifier, ...spellings]) {
      const code = await codeFor(application, browser, { scope: "tools:read", resource });
      const { body } = await exchange(at.one.url, application, code, { resource: spellings[1] });
      expect([resource, decodeJwt(body.access_token).aud]).toEqual([resource, identifier]);
      expect((await introspectAt(at.other.url, application, body.access_token)).body.active).toBe(true);
      const refreshed = await refreshAt(at.other.url, application, body.refresh_token, { resource });
      expect([resource, refreshed.status]).toEqual([resource, 200]);
    }
    const code = await codeFor(application, browser, { scope: "tools:read", resource: identifier });
    const other = await exchange(at.one.url, application, code, { resource: `${identifier}mcp` });
    expect([other.status, other.body.error]).toEqual([400, "invalid_target"]);
  });
});

describe("claims for APIs (G236)", () => {
  const claims = ["email", "name", "organization", "roles", "permissions", "groups"];

  test("The access token has the listed claims; permissions of the service itself are absent.", async () => {
    const { application, permission, request } = await apiWithApplication({ claims });
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission, "members.list"]);
    await at.sql`update users set display_name = 'Ada Member' where id = ${member.userId}`;
    const [organization] = await at.sql`select slug from organizations where id = ${owner.organizationId}`;
    const { access_token } = await tokensFor(application, member.browser, request);
    expect(decodeJwt(access_token)).toMatchObject({
      org: owner.organizationId,
      org_slug: organization?.slug,
      email: member.email,
      name: "Ada Member",
      roles: ["member", member.role?.key],
      permissions: [permission],
      groups: [],
    });
    const { body } = await introspectAt(at.one.url, application, access_token);
    expect(body).toMatchObject({ active: true, roles: ["member", member.role?.key], permissions: [permission] });
    const none = await apiWithApplication();
    const other = decodeJwt((await tokensFor(none.application, member.browser, none.request)).access_token);
    expect([...claims, "org_slug"].filter((claim) => claim in other)).toEqual([]);
  });

  test("A withdrawn role ends tokens that name the role, also without a scope of the role.", async () => {
    const { application, identifier } = await apiWithApplication({ claims: ["roles"] });
    const owner = await founded(at);
    const member = await memberHolding(owner, ["members.list"]);
    const tokens = await tokensFor(application, member.browser, { scope: "reports:read", resource: identifier });
    await assign(owner, member.userId, []);
    expect((await introspectAt(at.other.url, application, tokens.access_token)).body).toEqual({ active: false });
    const refreshed = await refreshAt(at.one.url, application, tokens.refresh_token);
    expect(decodeJwt(refreshed.body.access_token).roles).toEqual(["member"]);
  });

  test("UserInfo has the keys of additional roles with the scope organization.", async () => {
    const { application, identifier } = await apiWithApplication();
    const owner = await founded(at);
    const member = await memberHolding(owner, ["members.list"]);
    const tokens = await tokensFor(application, member.browser, { scope: "openid organization", resource: identifier });
    const info = await fetch(`${at.one.url}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(await info.json()).toMatchObject({
      organization: { id: owner.organizationId, role: "member", roles: [member.role?.key] },
    });
  });

  test("An access token of more than 4 KiB loses permissions; the code and the revocation work (G400).", async () => {
    const scopes = Array.from({ length: 100 }, (_, index) => ({
      name: `s${index}`,
      permission: `area${index}.${"p".repeat(80)}`,
    }));
    const { application, identifier } = await apiWithApplication({ claims: ["permissions"], scopes });
    const owner = await founded(at);
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: owner.client.jar });
    const code = await codeFor(application, browser, { scope: "openid", resource: identifier });
    const issued = await exchange(at.one.url, application, code);
    const token = String(issued.body.access_token);
    expect([issued.status, token.length <= 4_096]).toEqual([200, true]);
    expect(decodeJwt(token)).toMatchObject({ permissions_truncated: true });
    expect((await introspectAt(at.other.url, application, token)).body).toMatchObject({
      active: true,
      permissions_truncated: true,
    });
    expect((await sendForm(at.one.url, "/oauth2/revoke", { token }, basic(application))).status).toBe(200);
    expect((await introspectAt(at.other.url, application, token)).body).toEqual({ active: false });
    expect((await refreshAt(at.one.url, application, issued.body.refresh_token)).status).toBe(400);
  });

  test("A user in many groups signs in, refreshes and signs out; groups are cut by size (G400).", async () => {
    const { application, identifier } = await apiWithApplication({ claims: ["groups"] });
    const owner = await founded(at);
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: owner.client.jar });
    await at.sql`
      with groups as (
        insert into member_groups (id, organization_id, name, name_key, description, created_at, updated_at)
        select gen_random_uuid(), ${owner.organizationId}, lpad(i::text, 4, '0') || repeat('g', 56), i::text, '',
               now(), now()
        from generate_series(1, 40) i returning id
      )
      insert into member_group_members (group_id, organization_id, user_id, added_at)
      select id, ${owner.organizationId}, ${owner.userId}, now() from groups`;
    const { access_token, refresh_token } = await tokensFor(application, browser, {
      scope: "openid reports:read",
      resource: identifier,
    });
    const { groups, groups_truncated } = decodeJwt(access_token) as { groups: string[]; groups_truncated: boolean };
    expect([groups.length > 20, groups.length < 40, groups_truncated]).toEqual([true, true, true]);
    const refreshed = await refreshAt(at.one.url, application, refresh_token);
    expect(refreshed.status).toBe(200);
    const info = await fetch(`${at.one.url}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${refreshed.body.access_token}` },
    });
    expect(info.status).toBe(200);
  });

  test("A refusal that can be repaired uses neither code nor refresh token (G401).", async () => {
    const { application, permission, identifier } = await apiWithApplication();
    const owner = await founded(at);
    const member = await memberHolding(owner, [permission]);
    const request = { scope: "reports:write", resource: identifier };
    const { refresh_token } = await tokensFor(application, member.browser, request);
    const code = await codeFor(application, member.browser, request);
    const roleIds = [member.role?.id ?? ""];
    await assign(owner, member.userId, []);
    const early = await exchange(at.one.url, application, code);
    expect([early.status, early.body.error]).toEqual([400, "invalid_scope"]);
    const refused = await refreshAt(at.one.url, application, refresh_token);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_scope"]);
    await assign(owner, member.userId, roleIds);
    expect((await exchange(at.other.url, application, code)).status).toBe(200);
    expect((await refreshAt(at.other.url, application, refresh_token)).status).toBe(200);
  });
});
