/**
 * Sessions that are bound to an organization (docs/contract.md, section 3.13): no endpoint and no page serves them
 * another organization, the platform, or the credentials of the user (G145).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { type Operation, operationsOf } from "../support/fuzz.ts";
import { INVITE_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { PAGES } from "../support/page-list.ts";
import { signedInForms } from "../support/pages.ts";
import { assignPlatformRole, deleteMember, insertMember } from "../support/states.ts";
import { accept, founded, invite } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** Endpoints outside `/v1/orgs/{org_id}` that serve a bound session. */
const SERVED = [
  "POST /v1/auth/logout",
  "GET /v1/auth/session",
  "POST /v1/auth/organization",
  "GET /v1/users/me",
  "GET /v1/users/me/grants",
  "DELETE /v1/users/me/grants/{id}",
  "GET /v1/auth/sessions",
  "PATCH /v1/auth/sessions/{id}",
  "DELETE /v1/auth/sessions/{id}",
  "DELETE /v1/auth/sessions",
  "GET /v1/auth/sso/{connection_id}/start",
  "POST /v1/auth/sso/{connection_id}/start",
  // A device receives tokens of the organization of the session only.
  "POST /v1/auth/device",
  "POST /v1/auth/device/{id}/approve",
  "POST /v1/auth/device/{id}/deny",
];
/** Endpoints that count a bound session as anonymous. */
const ANONYMOUS = ["POST /v1/auth/email/verify", "POST /v1/auth/invitations/accept"];
/** Pages of the platform and of credentials. */
const CLOSED_PAGES = ["/admin", "/account/security", "/account/password", "/account/email", "/account/delete"];
/** 404 and 405: a page without a GET, or without a form. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 405]);
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

async function latestSession(userId: string): Promise<string> {
  const [row] = await at.sql`select id from sessions where user_id = ${userId} order by created_at desc limit 1`;
  return String(row?.id);
}

/** Binds a session to its organization, as a sign-in by single sign-on does. No cache has the session yet. */
async function bind(sessionId: string): Promise<void> {
  await at.sql`
    update sessions set organization_bound = true, auth_method = 'sso', aal = 'aal2', mfa_verified_at = now()
    where id = ${sessionId}`;
}

/** An owner of two organizations and of the platform, in a session that is bound to the first organization. */
async function boundOwner() {
  const person = await registered(at.one.url);
  const other = await founded(at, { organization_name: "Hooli" });
  await insertMember(at.sql, other.organizationId, person.userId, "owner");
  await assignPlatformRole(at.sql, person.userId, "owner");
  const sessionId = await latestSession(person.userId);
  await bind(sessionId);
  return { ...person, client: person.client.at(at.other.url), sessionId, other };
}

async function callerOperations(): Promise<Operation[]> {
  const document = (await new Client(at.one.url).get("/openapi.json")).body;
  return operationsOf(document).filter(({ description }) =>
    description.security?.some((each: object) => "bearer" in each),
  );
}

describe("a session that is bound to an organization", () => {
  test("403 and 404: no endpoint serves another organization, the platform or credentials (G145)", async () => {
    const { client, accessToken, userId, other } = await boundOwner();
    const operations = await callerOperations();
    expect(operations.length).toBeGreaterThan(90);
    for (const operation of operations) {
      const { method, path } = operation;
      const name = nameOf(operation);
      if (SERVED.includes(name) || ANONYMOUS.includes(name)) continue;
      const target = path
        .replace("{org_id}", other.organizationId)
        .replace("{user_id}", userId)
        .replace(/\{\w+\}/g, path.startsWith("/v1/admin/orgs/") ? other.organizationId : userId);
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      const asked = [
        client.request(method, target, { body }),
        new Client(at.other.url).request(method, target, { body, bearer: accessToken }),
      ];
      const expected = path.includes("{org_id}") ? 404 : 403;
      for (const { status } of await Promise.all(asked)) expect([name, status]).toEqual([name, expected]);
    }
  });

  test("no page displays another organization, the platform or credentials (P1)", async () => {
    const { client, userId, other } = await boundOwner();
    const { forms: pages, send } = await signedInForms(at.other.url, client.jar);
    for (const page of PAGES) {
      const path = page.replace(":slug", other.organizationId).replace(/:\w+/g, other.organizationId);
      const { status, text } = await pages.get(`${path}?id=${other.organizationId}&user=${userId}`);
      const isRefused = CLOSED_PAGES.some((closed) => page === closed || page.startsWith(`${closed}/`));
      if (isRefused) {
        const posted = await send(path, { id: other.organizationId, user_id: userId });
        expect([page, REFUSED.has(status), REFUSED.has(posted.status)]).toEqual([page, true, true]);
      }
      expect([page, text.includes("Hooli"), status < 500]).toEqual([page, false, true]);
    }
  });

  test("the lists above name existing endpoints", async () => {
    const names = (await callerOperations()).map(nameOf);
    expect([...SERVED, ...ANONYMOUS].filter((name) => !names.includes(name))).toEqual([]);
  });

  test("200: the organization of the session is served as to every member", async () => {
    const { client, organizationId } = await boundOwner();
    const members = await client.get(`/v1/orgs/${organizationId}/members`);
    expect([members.status, members.body.total]).toEqual([200, 1]);
    const moved = await client.post("/v1/auth/organization", { organization_id: organizationId });
    expect([moved.status, moved.body.user.organization_id]).toEqual([200, organizationId]);
    expect((await client.at(at.one.url).get("/v1/auth/session")).body.session.organization_bound).toBe(true);
  });

  test("403: the session does not move to another organization of the user", async () => {
    const { client, other } = await boundOwner();
    const moved = await client.post("/v1/auth/organization", { organization_id: other.organizationId });
    expect([moved.status, moved.body.error.code]).toEqual([403, "forbidden"]);
    const unknown = await client.post("/v1/auth/organization", { organization_id: UNKNOWN });
    expect(unknown.text.replace(unknown.body.error.request_id, "")).toBe(
      moved.text.replace(moved.body.error.request_id, ""),
    );
  });

  test("200: the profile has neither other organizations nor platform role nor credentials", async () => {
    const { client, organizationId } = await boundOwner();
    const { status, body } = await client.get("/v1/users/me");
    expect(status).toBe(200);
    expect(body).toMatchObject({ organization_bound: true, platform_role: null, has_password: false });
    expect(body).toMatchObject({ mfa_enabled: false, organizations: [{ id: organizationId }] });
    const session = await client.get("/v1/auth/session");
    expect(session.body.session).toMatchObject({ auth_method: "sso", organization_bound: true });
    expect(session.body.user.auth_method).toBe("sso");
  });

  test("200, 204 and 404: a bound session lists, names and ends sessions of its bound alone", async () => {
    const { client, email, userId, sessionId } = await boundOwner();
    const own = await signedIn(at.one.url, email);
    const unbound = await latestSession(userId);
    expect((await client.get("/v1/auth/sessions")).body.items.map((item: { id: string }) => item.id)).toEqual([
      sessionId,
    ]);
    expect((await client.patch(`/v1/auth/sessions/${unbound}`, { name: "mine" })).status).toBe(404);
    expect((await client.delete(`/v1/auth/sessions/${unbound}`)).status).toBe(404);
    expect((await client.delete("/v1/auth/sessions?end_applications=true")).status).toBe(403);
    expect((await client.delete("/v1/auth/sessions?revoke_api_keys=true")).status).toBe(403);
    expect((await client.delete("/v1/auth/sessions")).status).toBe(204);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    expect((await own.client.get("/v1/auth/sessions")).body.items).toHaveLength(1);
  });

  test("401 and 204: an invitation and a verification link find nobody signed in, so no proof of control", async () => {
    const { client, email, userId, other } = await boundOwner();
    await deleteMember(at.sql, other.organizationId, userId);
    await invite(other.client, other.organizationId, email);
    const joined = await accept(client, await tokenTo(at.mail, email, INVITE_LINK), {});
    expect([joined.status, joined.body.error.code]).toEqual([401, "authentication_required"]);
    const token = await tokenTo(at.mail, email, VERIFY_LINK);
    expect((await client.post("/v1/auth/email/verify", { token })).status).toBe(204);
    const [user] = await at.sql`select controlled_at from users where id = ${userId}`;
    expect(user?.controlled_at).toBeNull();
  });

  test("a refresh keeps the session bound", async () => {
    const { client } = await boundOwner();
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    expect((await client.get("/v1/users/me")).body.organization_bound).toBe(true);
  });
});

test("an ordinary session of the same user is not bound", async () => {
  const { email } = await boundOwner();
  const { client } = await signedIn(at.one.url, email, PASSWORD);
  const { body } = await client.get("/v1/users/me");
  expect(body.organization_bound).toBeUndefined();
  expect(body).toMatchObject({ platform_role: "owner", has_password: true });
  expect(body.organizations).toHaveLength(2);
});
