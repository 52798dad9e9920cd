/**
 * A member whom the identity provider of a weaker manager signs in, and who gets more power (G281): the provider signs
 * the member in no more, moves no address and vouches for no second factor, over two replicas.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import {
  Browser,
  introspectAt,
  refreshAt,
  registerClient,
  type TestClient,
  type Tokens,
  tokensFor,
} from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import {
  announceConnections,
  attemptsOf,
  changeConnection,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { browserOf, startIntent } from "../support/sso-intents.ts";
import { assignResponsibility } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let sso: SsoDeployment;
let subjects = 0;

/** A manager whose only permission is `sso.manage` activated the connection. */
beforeEach(async () => {
  sso = await ssoDeployment();
  const { at, forged } = sso;
  forged.provider.reset();
  await setPolicy(at, forged.organizationId, {});
  await stepUpSessions(at.sql, forged.ownerId);
  const manager = await memberWith(at, forged.organizationId, "member");
  const { organizationId, owner, ownerId } = forged;
  const role = await createdRole({ client: owner, userId: ownerId, organizationId }, ["sso.manage"]);
  await assignRoles({ client: owner, userId: ownerId }, organizationId, manager.userId, [role.id]);
  await changeConnection(at, forged.connectionId, { config: { mfa_trust: ["mfa"] } });
  await assignResponsibility(at.sql, forged.connectionId, manager.userId);
  await announceConnections(at);
});

/** The deployment is shared: the owner is responsible for the connection again. */
afterAll(async () => {
  const { at, forged } = sso;
  await changeConnection(at, forged.connectionId, { config: { mfa_trust: "never" } });
  await at.sql`
    update sso_connections set activated_by = ${forged.ownerId}, confirmed_power = null
    where id = ${forged.connectionId}`;
  await announceConnections(at);
});

async function employee() {
  const { at, forged } = sso;
  subjects += 1;
  const claims = { sub: `promoted-${subjects}`, email: `promoted-${subjects}@${forged.domain}`, amr: ["mfa"] };
  forged.provider.claims = claims;
  const browser = new SsoBrowser(at.one.url);
  const { body } = await browser.enter(forged.connectionId);
  const userId = body.user.user_id as string;
  const enter = async (changed: object = {}) => {
    forged.provider.claims = { ...claims, ...changed };
    return await new SsoBrowser(at.one.url).enter(forged.connectionId, "nobody", at.other.url);
  };
  const session = async (client: Client) => await client.get("/v1/auth/session");
  return { userId, claims, client: browser.client, enter, session };
}

const promote = async (userId: string, role: string, confirm = true) =>
  await sso.forged.owner.patch(`/v1/orgs/${sso.forged.organizationId}/members/${userId}`, { role, confirm });

describe("a promoted member whom the provider of a weaker manager signs in", () => {
  test("403 link_required: the provider asserts the subject of a member who became owner or admin.", async () => {
    for (const role of ["admin", "owner"]) {
      const { userId, enter } = await employee();
      expect((await enter()).status).toBe(200);
      expect((await promote(userId, role)).status).toBe(200);
      const refused = await enter();
      expect([refused.status, refused.body.error.code]).toEqual([403, "forbidden"]);
      expect((await attemptsOf(sso.forged))[0]).toBe("failure link_required account");
      expect((await promote(userId, "member")).status).toBe(200);
      expect((await enter()).status).toBe(200);
    }
  });

  test("401: a bound session from before the promotion ends on both replicas; an own session goes on.", async () => {
    const { userId, client } = await employee();
    const { at, forged } = sso;
    expect((await client.at(at.other.url).get("/v1/auth/session")).status).toBe(200);
    const own = await memberWith(at, forged.organizationId, "member");
    expect((await promote(userId, "admin")).status).toBe(200);
    expect((await promote(own.userId, "admin")).status).toBe(200);
    for (const url of [at.one.url, at.other.url]) {
      expect((await client.at(url).get("/v1/auth/session")).status).toBe(401);
      expect((await own.client.at(url).get("/v1/auth/session")).status).toBe(200);
    }
    const [ended] = await at.sql`select revoked_reason from sessions where user_id = ${userId} and organization_bound`;
    expect(ended?.revoked_reason).toBe("power_not_covered");
  });

  test("The address of a member above the manager stays, and an admin has no managed account.", async () => {
    const { at, forged } = sso;
    const { userId, enter } = await employee();
    const moved = `moved-${subjects}@${forged.domain}`;
    const strong = await createdRole(
      { client: forged.owner, userId: forged.ownerId, organizationId: forged.organizationId },
      ["policies.manage"],
    );
    const user = async () => (await at.sql`select email, managed_by from users where id = ${userId}`)[0];
    await at.sql`
      insert into member_roles (organization_id, user_id, role_id, source, granted_at)
      values (${forged.organizationId}, ${userId}, ${strong.id}, 'manual', now())`;
    expect((await enter({ email: moved })).status).toBe(403);
    expect((await user())?.email).not.toBe(moved);
    await at.sql`delete from member_roles where user_id = ${userId}`;
    expect((await promote(userId, "admin")).status).toBe(200);
    expect((await user())?.managed_by).toBe(null);
    expect((await promote(userId, "member")).status).toBe(200);
    expect((await enter({ email: moved })).status).toBe(200);
    expect((await user())?.email).not.toBe(moved);
  });

  test("A member who linked in person signs in with one factor, and steps up by no value.", async () => {
    const { at, forged } = sso;
    const { userId, enter, claims, session } = await employee();
    await at.sql`update sso_identities set linked_by = 'user' where user_id = ${userId}`;
    expect((await promote(userId, "owner")).status).toBe(200);
    const entered = await enter();
    expect(entered.status).toBe(200);
    forged.provider.claims = { ...claims, auth_time: Math.floor(Date.now() / 1000) };
    const browser = new SsoBrowser(at.one.url);
    await browser.enter(forged.connectionId);
    expect((await session(browser.client)).body.session.aal).toBe("aal1");
    const started = await startIntent(browser.client, forged.connectionId, { intent: "step_up", redirect_to: "/" });
    const location = new URL(started.headers.get("location") ?? "");
    const callback = await browserOf(browser.client).visit(location.href);
    await browser.client.get(`${callback.pathname}${callback.search}`);
    expect((await session(browser.client)).body.session.aal).toBe("aal1");
  });

  test("401: a demotion of the responsible member ends sessions of members above, no others (G373).", async () => {
    const { at, forged } = sso;
    const admin = await memberWith(at, forged.organizationId, "admin");
    await assignResponsibility(at.sql, forged.connectionId, admin.userId);
    await announceConnections(at);
    const [strong, weak] = [await employee(), await employee()];
    expect((await promote(strong.userId, "admin")).status).toBe(200);
    expect((await strong.session(strong.client)).status).toBe(200);
    expect((await promote(admin.userId, "member")).status).toBe(200);
    for (const url of [at.one.url, at.other.url]) {
      expect((await strong.client.at(url).get("/v1/auth/session")).status).toBe(401);
      expect((await weak.client.at(url).get("/v1/auth/session")).status).toBe(200);
    }
    const [ended] = await at.sql`
      select revoked_reason from sessions where user_id = ${strong.userId} and organization_bound`;
    expect(ended?.revoked_reason).toBe("power_not_covered");
  });

  test("401: fewer permissions of a role of the responsible member end sessions of members above (G373).", async () => {
    const { at, forged } = sso;
    const { organizationId, owner, ownerId } = forged;
    const place = { client: owner, userId: ownerId, organizationId };
    const holder = await memberWith(at, organizationId, "member");
    const role = await createdRole(place, ["sso.manage", "audit.read"]);
    await assignRoles({ client: owner, userId: ownerId }, organizationId, holder.userId, [role.id]);
    await assignResponsibility(at.sql, forged.connectionId, holder.userId);
    await announceConnections(at);
    const auditor = await employee();
    const audit = await createdRole(place, ["audit.read"]);
    await assignRoles({ client: owner, userId: ownerId }, organizationId, auditor.userId, [audit.id]);
    expect((await auditor.session(auditor.client)).status).toBe(200);
    const narrowed = await owner.patch(`/v1/orgs/${organizationId}/roles/${role.id}`, { permissions: ["sso.manage"] });
    expect(narrowed.status).toBe(200);
    expect((await auditor.session(auditor.client)).status).toBe(401);
  });

  test("A responsible member who left and returned counts with the power of the new membership (G373).", async () => {
    const { at, forged } = sso;
    const { organizationId } = forged;
    const { userId, enter } = await employee();
    const admin = await memberWith(at, organizationId, "admin");
    await assignResponsibility(at.sql, forged.connectionId, admin.userId);
    await announceConnections(at);
    expect((await promote(userId, "admin")).status).toBe(200);
    expect((await forged.owner.delete(`/v1/orgs/${organizationId}/members/${admin.userId}`)).status).toBe(204);
    expect((await enter()).status).toBe(200);
    const comeBack = async (role: string) =>
      await at.sql`
        insert into members (organization_id, user_id, role, joined_at)
        values (${organizationId}, ${admin.userId}, ${role}, now())`;
    await comeBack("member");
    expect((await enter()).status).toBe(403);
    // The second departure keeps the power of the second membership.
    expect((await forged.owner.delete(`/v1/orgs/${organizationId}/members/${admin.userId}`)).status).toBe(204);
    expect((await enter()).status).toBe(403);
    await comeBack("admin");
    expect((await enter()).status).toBe(200);
  });

  test("The attempt of a member whose roles were left out carries roles_left_out (G378).", async () => {
    const { at, forged } = sso;
    const rules = [{ from: "groups", value: "leads", role: "admin" }];
    await setPolicy(at, forged.organizationId, { roleRules: rules });
    await changeConnection(at, forged.connectionId, { config: { groups_from: "groups" } });
    const { userId, enter } = await employee();
    const warningOf = async () =>
      (
        await at.sql`
          select warning from sso_attempts where connection_id = ${forged.connectionId} and user_id = ${userId}
          order by at desc, id desc limit 1`
      )[0]?.warning;
    expect((await enter()).status).toBe(200);
    expect(await warningOf()).toBeNull();
    expect((await enter({ groups: ["leads"] })).status).toBe(200);
    expect(await warningOf()).toBe("roles_left_out");
    const [member] = await at.sql`select role from members where user_id = ${userId}`;
    expect(member?.role).toBe("member");
    await setPolicy(at, forged.organizationId, {});
  });

  test("The sign-in goes on once a member with the power is responsible, and after that member left.", async () => {
    const { at, forged } = sso;
    const { userId, enter } = await employee();
    expect((await promote(userId, "admin")).status).toBe(200);
    expect((await enter()).status).toBe(403);
    const admin = await memberWith(at, forged.organizationId, "admin");
    await assignResponsibility(at.sql, forged.connectionId, admin.userId);
    await announceConnections(at);
    expect((await enter()).status).toBe(200);
    const removed = await forged.owner.delete(`/v1/orgs/${forged.organizationId}/members/${admin.userId}`);
    expect(removed.status).toBe(204);
    expect((await enter()).status).toBe(200);
    expect((await promote(userId, "owner")).status).toBe(200);
    expect((await enter()).status).toBe(403);
  });
});

describe("tokens of applications from before the promotion, by the provider of a weaker manager", () => {
  let app: TestClient;
  beforeAll(async () => {
    const { at } = await ssoDeployment();
    app = await registerClient({}, (await steppedUpAdmin(at, "owner")).client);
  });

  async function applicationOf(client: Client) {
    const browser = new Browser(client.baseUrl);
    Object.assign(browser.client, { jar: client.jar });
    return await tokensFor(app, browser, { scope: "openid offline_access" });
  }

  const refreshed = async ({ refresh_token }: Tokens) => {
    const { status, body } = await refreshAt(sso.at.other.url, app, refresh_token);
    return [status, body.error];
  };
  const isActive = async ({ access_token }: Tokens) =>
    (await introspectAt(sso.at.one.url, app, access_token)).body.active as boolean;

  const endings: [string, (userId: string) => Promise<unknown>][] = [
    ["is live", async () => undefined],
    ["has expired", (userId) => sso.at.sql`update sessions set expires_at = created_at where user_id = ${userId}`],
    ["was deleted", (userId) => sso.at.sql`delete from sessions where user_id = ${userId}`],
  ];
  test.each(endings)(
    "400 invalid_grant: offline access of a session that %s at the promotion (G384).",
    async (_, end) => {
      const { userId, client } = await employee();
      const own = await memberWith(sso.at, sso.forged.organizationId, "member");
      const [tokens, ownTokens] = [await applicationOf(client), await applicationOf(own.client)];
      await end(userId);
      expect(await isActive(tokens)).toBe(true);
      expect((await promote(userId, "admin")).status).toBe(200);
      expect((await promote(own.userId, "admin")).status).toBe(200);
      expect([await isActive(tokens), await refreshed(tokens)]).toEqual([false, [400, "invalid_grant"]]);
      expect([await isActive(ownTokens), await refreshed(ownTokens)]).toEqual([true, [200, undefined]]);
      const [family] = await sso.at.sql`
      select revoked_reason as reason, (select count(*)::int from session_events e where e.session_id = f.id) as events
      from oauth_token_families f where user_id = ${userId}`;
      expect(family).toEqual({ reason: "power_not_covered", events: 1 });
    },
  );

  test("200: offline access by a link in person goes on.", async () => {
    const { userId, claims } = await employee();
    await sso.at.sql`update sso_identities set linked_by = 'user' where user_id = ${userId}`;
    sso.forged.provider.claims = { ...claims, amr: [] };
    const browser = new SsoBrowser(sso.at.one.url);
    expect((await browser.enter(sso.forged.connectionId)).status).toBe(200);
    const tokens = await applicationOf(browser.client);
    expect((await promote(userId, "admin")).status).toBe(200);
    expect(await refreshed(tokens)).toEqual([200, undefined]);
  });
});
