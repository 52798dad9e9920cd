/** An organization in which a holder of a higher platform role is a member cannot be suspended. */
import { beforeAll, describe, expect, test } from "bun:test";
import { setPlatformRole } from "../../src/models/user/platform-role.ts";
import { type Answer, type Client, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { API, personWithBrowser, refreshAt, registerClient, tokensFor } from "../support/oauth.ts";
import { platformUser } from "../support/platform.ts";
import { runService } from "../support/replica.ts";
import { insertMember, suspendOrganization } from "../support/states.ts";
import { statementsWait } from "../support/team.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = (await platformUser(at, "admin")).client;
});

const suspend = (id: string, by = admin, url = at.one.url) =>
  by.at(url).patch(`/v1/admin/orgs/${id}`, { suspended: true });
const isSuspended = async (id: string) => {
  const [row] = await at.sql`select suspended_at is not null as suspended from organizations where id = ${id}`;
  return row?.suspended;
};

describe("PATCH /v1/admin/orgs/:id with suspended", () => {
  test.each(["owner", "admin", "member"])("403 where a platform owner is %s, and nothing changes", async (role) => {
    const host = await registered(at.one.url);
    const owner = await platformUser(at, "owner");
    await at.sql`insert into members values (${host.organizationId}, ${owner.userId}, ${role}, now())`;
    const response = await admin.patch(`/v1/admin/orgs/${host.organizationId}`, { suspended: true, name: "Renamed" });
    expect([response.status, response.body.error.code]).toEqual([403, "forbidden"]);
    const [row] = await at.sql`select name, suspended_at from organizations where id = ${host.organizationId}`;
    expect({ ...row }).toEqual({ name: "Acme", suspended_at: null });
    expect((await host.client.get("/v1/auth/session")).status).toBe(200);
    expect((await owner.client.get("/v1/auth/session")).status).toBe(200);
  });

  test("200 where the roles of its members are no higher than the caller's, and for a platform owner", async () => {
    for (const [role, by] of [
      ["viewer", admin],
      ["admin", admin],
      ["owner", (await platformUser(at, "owner")).client],
    ] as const) {
      const { organizationId } = await platformUser(at, role);
      expect((await suspend(organizationId, by)).status).toBe(200);
    }
  });

  test("200 for all else that an admin does to such an organization: renaming, and ending a suspension", async () => {
    const { organizationId } = await platformUser(at, "owner");
    expect((await admin.patch(`/v1/admin/orgs/${organizationId}`, { name: "Beta" })).body.name).toBe("Beta");
    await suspendOrganization(at.sql, organizationId);
    expect((await admin.patch(`/v1/admin/orgs/${organizationId}`, { suspended: false })).status).toBe(200);
  });

  test("waits for a promotion under way, and then refuses: 20 at once over two replicas", async () => {
    const person = await registered(at.one.url);
    const change = { email: person.email, role: "owner", controlledOnly: false, at: new Date() } as const;
    let suspending: Promise<Answer[]> = Promise.resolve([]);
    await at.sql.begin(async (transaction) => {
      await transaction`with changed as (${setPlatformRole(transaction, change)}) select 1 from changed`;
      suspending = race((index) => suspend(person.organizationId, admin, index % 2 ? at.one.url : at.other.url));
      await statementsWait(at.sql, 20);
    });
    expect((await suspending).map(({ status }) => status)).toEqual(Array(20).fill(403));
    expect(await isSuspended(person.organizationId)).toBe(false);
  });

  test("before a promotion leaves the promotion to a later transaction", async () => {
    const person = await registered(at.one.url);
    const [answer, granted] = await Promise.all([
      suspend(person.organizationId),
      runService(["admin", "grant", person.email, "owner"], { DATABASE_URL: at.databaseUrl }),
    ]);
    expect(granted.code).toBe(0);
    expect(await isSuspended(person.organizationId)).toBe(answer.status === 200);
    expect([200, 403]).toContain(answer.status);
    expect((await suspend(person.organizationId)).status).toBe(403);
  });

  test("refuses sessions on every replica within a second, before any of them is revoked (G69)", async () => {
    const { client, email, organizationId, sessionId } = await registered(at.one.url);
    const elsewhere = (await signedIn(at.other.url, email)).client;
    expect((await elsewhere.get("/v1/auth/session")).status).toBe(200);
    let suspending: Promise<Answer> | undefined;
    await at.sql.begin(async (transaction) => {
      await transaction`select 1 from sessions where id = ${sessionId} for update`;
      suspending = suspend(organizationId);
      await statementsWait(at.sql, 1);
      for (const person of [client, elsewhere]) {
        await eventually("refused", 1000, async () => (await person.get("/v1/auth/session")).status === 401);
      }
      const live = await at.sql`
        select 1 from sessions where organization_id = ${organizationId} and revoked_at is null`;
      expect(live).toHaveLength(2);
    });
    expect((await suspending)?.status).toBe(200);
  });

  test("ends the access of applications by sessions now elsewhere, for good (G69)", async () => {
    const application = await registerClient({ audiences: [API] });
    const person = await personWithBrowser(at);
    const tokens = await tokensFor(application, person.browser);
    const elsewhere = await registered(at.one.url);
    await insertMember(at.sql, elsewhere.organizationId, person.userId);
    await person.client.post("/v1/auth/organization", { organization_id: elsewhere.organizationId });
    // The session switched organizations longer ago than the lifetime of an access token.
    await at.sql`
      update session_departures set left_at = now() - interval '1 hour' where session_id = ${person.sessionId}`;
    const { body } = await refreshAt(at.one.url, application, tokens.refresh_token);
    const { org, sid } = decodeClaims(body.access_token);
    expect(org).toBe(person.organizationId);
    expect((await suspend(person.organizationId)).status).toBe(200);
    const { revocations } = (await person.client.get("/.well-known/service-revocations.json")).body;
    expect(revocations).toContainEqual(expect.objectContaining({ sid, reason: "organization_suspended" }));
    await admin.patch(`/v1/admin/orgs/${person.organizationId}`, { suspended: false });
    expect((await refreshAt(at.one.url, application, body.refresh_token)).body.error).toBe("invalid_grant");
    expect((await person.client.get("/v1/auth/session")).status).toBe(200);
  });

  test("false brings back no session that a suspension could not revoke, its replica being dead (G69)", async () => {
    const { client, organizationId, sessionId } = await registered(at.one.url);
    await suspendOrganization(at.sql, organizationId);
    expect((await admin.patch(`/v1/admin/orgs/${organizationId}`, { suspended: false })).status).toBe(200);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    expect((await client.post("/v1/auth/refresh")).status).toBe(401);
    const [row] = await at.sql`
      select metadata from audit_logs where resource_id = ${sessionId} and action = 'auth.session.revoked'`;
    expect(row?.metadata).toEqual({ reason: "organization_suspended" });
  });
});
