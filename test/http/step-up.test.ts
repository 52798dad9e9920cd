import { beforeAll, describe, expect, test } from "bun:test";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { allEndpoints, type ServerDeps } from "../../src/http/server.ts";
import { Client, newEmail } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { platformUser } from "../support/platform.ts";
import { keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { enterEnterprise } from "../support/states.ts";
import { founded, invitationsOf, memberOf, memberWith, stepUpSessions } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const STEPPED_UP = allEndpoints({} as ServerDeps).filter(({ stepUp }) => stepUp !== undefined);

const POWERFUL_MEMBERSHIP = { organization_id: UNKNOWN, role: "admin" };
/** The bodies that need the step-up, of endpoints that serve other bodies without. */
const POWERFUL: Readonly<Record<string, object>> = {
  changeMemberRole: { role: "owner" },
  changeOrganizationMemberRole: { role: "admin" },
  createInvitation: { email: "guest@example.test", role_ids: [UNKNOWN] },
  inviteToOrganization: { email: "guest@example.test", role: "admin" },
  assignMemberRoles: { role_ids: [UNKNOWN] },
  createGroup: { name: "Engineers", role_ids: [UNKNOWN] },
  changeGroup: { role_ids: [UNKNOWN] },
  changeOrganizationWebhook: { enabled: true },
  changePlatformWebhook: { url: "https://example.test/hook" },
  createUser: { email: "guest@example.test", memberships: [POWERFUL_MEMBERSHIP] },
  createUsers: { users: [{ email: "guest@example.test", memberships: [POWERFUL_MEMBERSHIP] }] },
  upsertUser: { email: "guest@example.test", memberships: [POWERFUL_MEMBERSHIP] },
  putOrganizationMember: { role: "admin" },
};

function pathFor({ path }: Endpoint, organizationId: string): string {
  const isOfOrganization = path.startsWith("/admin/orgs/:id");
  return `/v1${path}`
    .replace(":org_id", organizationId)
    .replace(":id", isOfOrganization ? organizationId : UNKNOWN)
    .replace(":provider", "oauth_idp_a")
    .replace(/:\w+/g, UNKNOWN);
}

describe("a step-up (G311)", () => {
  test("Endpoints with a condition of the body have a sample here.", () => {
    const conditional = STEPPED_UP.filter(({ stepUpFor }) => stepUpFor).map(({ operationId }) => operationId);
    expect(Object.keys(POWERFUL).toSorted()).toEqual(conditional.toSorted());
  });

  test("Whatever grants power, adds a credential or takes data out is 401 without a step-up.", async () => {
    const person = await platformUser(at, "owner");
    await enterEnterprise(at.sql, person.organizationId);
    const outcomes: string[] = [];
    for (const endpoint of STEPPED_UP) {
      const body = POWERFUL[endpoint.operationId] ?? (endpoint.method === "GET" ? undefined : {});
      const path = pathFor(endpoint, person.organizationId);
      const response = await person.client.request(endpoint.method, path, { body });
      const { status, body: refused } = response;
      outcomes.push(`${endpoint.operationId} ${status} ${refused?.error?.code}`);
    }
    expect(outcomes).toEqual(STEPPED_UP.map(({ operationId }) => `${operationId} 401 mfa_required`));
  });

  test("Membership without power needs no step-up: an invitation, a demotion, a group without roles.", async () => {
    const host = await founded(at);
    const admin = await memberWith(at, host.organizationId, "admin");
    await stepUpSessions(at.sql, host.userId, "an hour ago");
    const { client, organizationId } = host;
    const groups = `/v1/orgs/${organizationId}/groups`;
    expect((await client.post(invitationsOf(organizationId), { email: newEmail() })).status).toBe(201);
    expect((await client.patch(memberOf(organizationId, admin.userId), { role: "member" })).status).toBe(200);
    const group = await client.post(groups, { name: "Readers" });
    expect(group.status).toBe(201);
    const renamed = await client.patch(`${groups}/${group.body.id}`, { name: "Writers", role_ids: [] });
    expect(renamed.status).toBe(200);
    const promoted = await client.patch(memberOf(organizationId, admin.userId), { role: "admin" });
    expect([promoted.status, promoted.body.error.code]).toEqual([401, "mfa_required"]);
    expect(promoted.headers.get("www-authenticate")).toContain("insufficient_user_authentication");
  });

  test("A key needs none: a user created the key with a step-up.", async () => {
    const owner = await steppedUpOwner(at);
    const { key } = await keyOf(owner.client, `/v1/orgs/${owner.organizationId}/service-accounts`, ["members.invite"]);
    const body = { email: newEmail(), role: "admin" };
    const invited = await new Client(at.one.url).post(invitationsOf(owner.organizationId), body, { bearer: key });
    expect(invited.status).toBe(201);
  });
});
