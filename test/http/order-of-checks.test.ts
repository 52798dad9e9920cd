import { hasPermission } from "../../src/vocabulary/member-power.ts";

/**
 * The service authorizes the role or membership before the service reads the input, so that a refusal reveals no rule
 * of the input.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { isPermission } from "../../src/vocabulary/permissions.ts";
import { organizationEndpoints } from "../../tools/contract-tables.ts";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { FOREIGN_TRUST, tenantWithEverything } from "../support/foreign-ids.ts";
import { platformUser, steppedUpAdmin, verifySessionsOf } from "../support/platform.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { assignPlatformRole, enterEnterprise, insertMember, suspendOrganization } from "../support/states.ts";
import { memberWith, newOwner } from "../support/team.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

type Call = readonly [method: string, path: string];
const BAD_QUERY = "page=x&q=%00&status=x&from=x&to=x";

/** Returns the response to input that every route refuses. */
async function ask(client: Client, [method, path]: Call, csrf = true) {
  const url = `${path}?${BAD_QUERY}`;
  const response = await client.request(method, url, method === "GET" ? {} : { body: { role: 7, email: 7 }, csrf });
  return [method, path, response.status, response.body?.error.code];
}

const inOrganization = (org: string, userId: string): Call[] => [
  ["POST", `/v1/orgs/${org}/invitations`],
  ["GET", `/v1/orgs/${org}/invitations`],
  ["DELETE", `/v1/orgs/${org}/invitations/${UNKNOWN}`],
  ["POST", `/v1/orgs/${org}/invitations/${UNKNOWN}/resend`],
  ["GET", `/v1/orgs/${org}/members`],
  ["PATCH", `/v1/orgs/${org}/members/${userId}`],
  ["DELETE", `/v1/orgs/${org}/members/${userId}`],
];
const READS: Call[] = [
  ["GET", "/v1/admin/orgs"],
  ["GET", `/v1/admin/orgs/${UNKNOWN}/members`],
  ["GET", `/v1/admin/orgs/${UNKNOWN}/invitations`],
  ["GET", "/v1/admin/users"],
  ["GET", "/v1/admin/feature-flags"],
  ["GET", "/v1/admin/integrations"],
  ["GET", "/v1/admin/social-providers"],
  ["GET", "/v1/admin/social-provider-presets"],
  ["GET", "/v1/admin/social-providers/nothing"],
  ["GET", "/v1/audit-logs"],
  ["GET", `/v1/users/${UNKNOWN}`],
];
const WRITES: Call[] = [
  ["POST", "/v1/admin/orgs"],
  ["PATCH", `/v1/admin/orgs/${UNKNOWN}`],
  ["PATCH", `/v1/admin/orgs/${UNKNOWN}/members/${UNKNOWN}`],
  ["DELETE", `/v1/admin/orgs/${UNKNOWN}/members/${UNKNOWN}`],
  ["POST", `/v1/admin/orgs/${UNKNOWN}/invitations`],
  ["DELETE", `/v1/admin/orgs/${UNKNOWN}/invitations/${UNKNOWN}`],
  ["POST", `/v1/admin/orgs/${UNKNOWN}/invitations/${UNKNOWN}/resend`],
  ["PATCH", `/v1/admin/users/${UNKNOWN}`],
  ["POST", `/v1/admin/users/${UNKNOWN}/mfa/reset`],
  ["POST", `/v1/admin/users/${UNKNOWN}/send-verification`],
  ["POST", `/v1/admin/users/${UNKNOWN}/send-password-reset`],
  ["PUT", "/v1/admin/feature-flags"],
  ["PUT", "/v1/admin/integrations/oauth_idp_a"],
  ["PUT", "/v1/admin/integrations/nothing"],
  ["POST", "/v1/admin/social-providers"],
  ["PATCH", "/v1/admin/social-providers/nothing"],
  ["DELETE", "/v1/admin/social-providers/nothing"],
  ["POST", "/v1/admin/social-providers/nothing/test"],
  ["POST", "/v1/admin/integrations/nothing/test"],
];

describe("routes of an organization, asked with bad input", () => {
  test("404 for a non-member, for an existing and for an unknown organization (G16)", async () => {
    const [host, stranger] = [await registered(at.one.url), await registered(at.one.url)];
    for (const org of [host.organizationId, host.organizationId.toUpperCase(), UNKNOWN]) {
      for (const call of inOrganization(org, host.userId)) {
        expect(await ask(stranger.client, call)).toEqual([...call, 404, "not_found"]);
      }
    }
  });

  test("403 for a member without the permission", async () => {
    const host = await registered(at.one.url);
    const member = await memberWith(at, host.organizationId, "member");
    for (const call of inOrganization(host.organizationId, host.userId)) {
      expect(await ask(member.client, call)).toEqual([...call, 403, "forbidden"]);
    }
  });

  test("403 for the owner while the organization is suspended, in a session of another one", async () => {
    const [host, owner] = [await registered(at.one.url), await registered(at.one.url)];
    await insertMember(at.sql, host.organizationId, owner.userId, "owner");
    await suspendOrganization(at.sql, host.organizationId);
    for (const call of inOrganization(host.organizationId, host.userId)) {
      expect(await ask(owner.client, call)).toEqual([...call, 403, "forbidden"]);
    }
  });

  test("csrf_failed before the membership, 401 before that, and 400 for whoever may", async () => {
    const [host, stranger] = [await registered(at.one.url), await registered(at.one.url)];
    const invite: Call = ["POST", `/v1/orgs/${host.organizationId}/invitations`];
    expect(await ask(stranger.client, invite, false)).toEqual([...invite, 403, "csrf_failed"]);
    expect(await ask(new Client(at.one.url), invite)).toEqual([...invite, 401, "authentication_required"]);
    expect(await ask(host.client, invite)).toEqual([...invite, 400, "invalid_input"]);
  });
});

describe("the permission of every endpoint of an organization, as the routes declare (G190)", () => {
  const callsIn = (organizationId: string) =>
    organizationEndpoints().map(({ method, path, operationId, permission, servesWithout }) => {
      const filled = path.replace(":org_id", organizationId).replaceAll(/:\w+/g, UNKNOWN);
      return { call: [method, `/v1${filled}`] as const, operationId, permission, servesWithout };
    });
  const send = async (client: Client, [method, path]: Call) =>
    await client.request(method, `${path}?${BAD_QUERY}`, method === "GET" ? {} : { body: { role: 7, email: 7 } });

  for (const role of ["member", "admin"] as const) {
    test(`A ${role} without the permission is refused by the name of the permission, before the input.`, async () => {
      const host = await registered(at.one.url);
      const { client } = await memberWith(at, host.organizationId, role);
      const guarded = callsIn(host.organizationId).filter(
        ({ permission, operationId, servesWithout }) =>
          servesWithout === undefined &&
          isPermission(permission) &&
          !hasPermission(role, permission) &&
          operationId !== "cancelOrganizationDeletion",
      );
      expect(guarded.length).toBeGreaterThan(2);
      const own = /\/sso\/identities(\/|$)/;
      for (const { call, permission } of guarded.filter(({ call: [, path] }) => !own.test(path))) {
        const { status, body } = await send(client, call);
        expect([call, status, body.error.message]).toEqual([call, 403, `This needs the permission ${permission}.`]);
      }
    });
  }

  test("An owner passes the check of every permission.", async () => {
    const host = await registered(at.one.url);
    for (const { call } of callsIn(host.organizationId)) {
      const { text } = await send(host.client, call);
      expect([call, text.includes("This needs the permission")]).toEqual([call, false]);
    }
  });

  test("A non-member finds no organization at any endpoint (G16).", async () => {
    const [host, stranger] = [await registered(at.one.url), await registered(at.one.url)];
    for (const { call, operationId } of callsIn(host.organizationId)) {
      const expected = operationId === "cancelOrganizationDeletion" ? [403, "forbidden"] : [404, "not_found"];
      expect(await ask(stranger.client, call)).toEqual([...call, ...expected]);
    }
  });
});

describe("ids of another tenant below the own organization, for every endpoint as the routes declare", () => {
  /** Bodies that the input checks accept. */
  const BODIES: Readonly<Record<string, object>> = {
    "PATCH /members/:user_id": { role: "member" },
    "PUT /members/:user_id/roles": { role_ids: [] },
    "POST /service-accounts/:id/keys": { scopes: ["members.list"] },
    "POST /service-accounts/:id/trusts": FOREIGN_TRUST,
    "POST /service-accounts/:id/trusts/:trust_id/test": { assertion: "e30.e30.e30" },
    "PATCH /domains/:id": { connection_id: null },
    "PATCH /directory/groups/:id": { role: null },
    "POST /webhooks/:id/recover": { since: new Date().toISOString() },
  };
  /**
   * Without SERVICE_CONFIG_KEY every id has one response. An organization decides about any application. A stranger has
   * created nothing in the organization, like a former member without items.
   */
  const EXEMPT = [
    "GET /members/:user_id/creations",
    "DELETE /members/:user_id/creations",
    "POST /sso/connections/:id/service-key",
    "POST /applications/:id/approve",
    "POST /applications/:id/deny",
  ];

  test("are not found, and change nothing (G16).", async () => {
    const foreign = await tenantWithEverything(at);
    const host = await steppedUpOwner(at);
    const directory = await host.client.put(`/v1/orgs/${host.organizationId}/directory`, {});
    expect(directory.status).toBeLessThan(300);
    const recordsOf = async () =>
      (await at.sql`select count(*)::int as count from audit_logs where organization_id = ${foreign.organizationId}`)[0]
        ?.count;
    const before = await recordsOf();
    const nested = organizationEndpoints().filter(({ path }) => /:/.test(path.slice("/orgs/:org_id".length)));
    expect(nested.length).toBeGreaterThan(40);
    const found: unknown[] = [];
    for (const { method, path } of nested) {
      const below = path.slice("/orgs/:org_id".length);
      const filled = below.replaceAll(/\/:\w+/g, (parameter, offset: number) => {
        const id = foreign.ids[below.slice(0, offset)];
        if (id === undefined) throw new Error(`${path}: no foreign id for ${parameter} in tenantWithEverything`);
        return `/${id}`;
      });
      const call = `/v1/orgs/${host.organizationId}${filled}`;
      const options = method === "GET" ? {} : { body: BODIES[`${method} ${below}`] ?? {} };
      const { status, body, text } = await host.client.request(method, call, options);
      if (EXEMPT.includes(`${method} ${below}`)) continue;
      if (status !== 404 || body?.error?.code !== "not_found") found.push([method, path, status, text.slice(0, 160)]);
    }
    expect(found).toEqual([]);
    expect(await recordsOf()).toBe(before);
  });
});

describe("routes of the platform, asked with bad input", () => {
  test("403 without a platform role; the response reveals no user, organization or provider", async () => {
    const { client } = await registered(at.one.url);
    for (const call of [...READS, ...WRITES]) expect(await ask(client, call)).toEqual([...call, 403, "forbidden"]);
  });

  test("403 for a viewer who writes; 400 for one who reads with bad input", async () => {
    const { client } = await platformUser(at, "viewer");
    for (const call of WRITES) expect(await ask(client, call)).toEqual([...call, 403, "forbidden"]);
    const list: Call = ["GET", "/v1/admin/orgs"];
    expect(await ask(client, list)).toEqual([...list, 400, "invalid_input"]);
  });

  test("integrations ask for the step-up next, and only then look at provider and body", async () => {
    const { client } = await platformUser(at, "admin");
    const put: Call = ["PUT", "/v1/admin/integrations/nothing"];
    const probe: Call = ["POST", "/v1/admin/integrations/nothing/test"];
    for (const call of [put, probe]) expect(await ask(client, call)).toEqual([...call, 401, "mfa_required"]);
    const steppedUp = await steppedUpAdmin(at);
    for (const call of [put, probe]) expect(await ask(steppedUp.client, call)).toEqual([...call, 400, "invalid_input"]);
  });

  test("the audit export asks for the entitlement, then the role, then the bounds", async () => {
    const call: Call = ["GET", "/v1/admin/audit-export"];
    const person = await registered(at.one.url);
    await verifySessionsOf(at, person.userId);
    expect(await ask(person.client, call)).toEqual([...call, 402, "payment_required"]);
    await enterEnterprise(at.sql, person.organizationId);
    expect(await ask(person.client, call)).toEqual([...call, 403, "forbidden"]);
    await assignPlatformRole(at.sql, person.userId, "admin");
    expect(await ask(person.client, call)).toEqual([...call, 400, "invalid_input"]);
  });
});

describe("identifiers in a path", () => {
  test("mean the same in upper case: of organizations and of users", async () => {
    const host = await newOwner(at);
    const member = await memberWith(at, host.organizationId, "member");
    const [org, user] = [host.organizationId.toUpperCase(), member.userId.toUpperCase()];
    expect((await member.client.get(`/v1/users/${user}`)).body.user_id).toBe(member.userId);
    const invited = await host.client.post(`/v1/orgs/${org}/invitations`, { email: `a-${member.email}` });
    expect(invited.body.organization_id).toBe(host.organizationId);
    const changed = await host.client.patch(`/v1/orgs/${org}/members/${user}`, { role: "admin" });
    expect(changed.body).toMatchObject({ user_id: member.userId, role: "admin" });
    expect((await member.client.delete(`/v1/orgs/${org}/members/${user}`)).status).toBe(204);
  });
});
