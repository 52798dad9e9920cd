/** The rules of programs hold for each kind of credential: a key, a token of a key, a token of a trust. */
import { beforeAll, describe, expect, test } from "bun:test";
import { testCertificate } from "../support/certificate.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, groupBody } from "../support/directories.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { CREDENTIALS, credentialFrom } from "../support/program-credentials.ts";
import { createdRole } from "../support/roles.ts";
import { accountsOf, steppedUpOwner } from "../support/service-accounts.ts";
import { presentFactor } from "../support/states.ts";
import { memberWith } from "../support/team.ts";

const PLATFORM = "/v1/admin/service-accounts";

let at: Deployment;
let platform: Awaited<ReturnType<typeof steppedUpAdmin>>;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let credentialOf: ReturnType<typeof credentialFrom>;
beforeAll(async () => {
  at = await deployment();
  platform = await steppedUpAdmin(at, "owner");
  owner = await steppedUpOwner(at);
  credentialOf = credentialFrom(at.one.url, new ForgedProvider(testCertificate()));
});

const as = (secret: string, url = at.other.url) => {
  const client = new Client(url);
  return (method: string, path: string, body?: object) =>
    client.request(method, path, { bearer: secret, ...(body ? { body } : {}) });
};

describe("a program", () => {
  test.each(CREDENTIALS)("with %s changes no user with a platform role (G477).", async (kind) => {
    const target = await platformUser(at, "viewer");
    const id = target.userId;
    const organization = target.organizationId;
    const member = await memberWith(at, organization, "member");
    await at.sql`update users set platform_role = 'viewer' where id = ${member.userId}`;
    const scopes = ["users.read", "users.write", "users.recover", "users.delete", "organizations.write"];
    const more = [
      "members.role",
      "members.remove",
      "members.invite",
      "sso.manage",
      "organization.delete",
      "members.list",
    ];
    const call = as((await credentialOf(kind, platform.client, PLATFORM, [...scopes, ...more])).secret);
    const before = await at.sql`select * from users where id = any(${[id, member.userId]}) order by id`;
    const inOrganization = `/v1/orgs/${organization}/members/${member.userId}`;
    const requests: readonly (readonly [string, string, object?])[] = [
      ["PATCH", `/v1/admin/users/${id}`, { disabled: true }],
      ["POST", `/v1/admin/users/${id}/mfa/reset`],
      ["POST", `/v1/admin/users/${id}/send-verification`],
      ["POST", `/v1/admin/users/${id}/send-password-reset`],
      ["POST", `/v1/admin/users/${id}/deletion`, { reason: "none" }],
      ["DELETE", `/v1/admin/users/${id}/deletion`],
      ["POST", `/v1/admin/users/${id}/export`, { reason: "none" }],
      ["PATCH", inOrganization, { role: "admin" }],
      ["DELETE", inOrganization],
      ["PUT", `${inOrganization}/roles`, { role_ids: [] }],
      ["PATCH", `${inOrganization}/metadata`, { public_metadata: { a: 1 } }],
      ["DELETE", `${inOrganization}/creations`],
      ["DELETE", `${inOrganization}/factor`],
      ["POST", `${inOrganization}/erasure`],
      ["PATCH", `/v1/admin/orgs/${organization}/members/${member.userId}`, { role: "admin" }],
      ["DELETE", `/v1/admin/orgs/${organization}/members/${member.userId}`],
      ["PATCH", `/v1/admin/orgs/${organization}`, { suspended: true }],
      ["POST", `/v1/admin/orgs/${organization}/deletion`, { reason: "none" }],
    ];
    for (const [method, path, body] of requests) {
      const { status, body: problem } = await call(method, path, body);
      expect([method, path, status, problem?.error?.code]).toEqual([method, path, 403, "forbidden"]);
    }
    const sessions = (await call("GET", `/v1/orgs/${organization}/sessions`)).body.items as { id: string }[];
    for (const session of sessions) {
      expect((await call("DELETE", `/v1/orgs/${organization}/sessions/${session.id}`)).status).toBe(403);
    }
    expect(sessions.length).toBeGreaterThan(0);
    expect(await at.sql`select * from users where id = any(${[id, member.userId]}) order by id`).toEqual(before);
    expect((await call("GET", `/v1/users/${id}`)).status).toBe(200);
    await at.sql`update users set disabled_at = now() where id = ${member.userId}`;
    expect((await call("DELETE", inOrganization)).status).toBe(403);
  });

  test.each(CREDENTIALS)(
    "with %s sets nothing up with the power of the owner who made the credential (G478).",
    async (kind) => {
      const scopes = ["sso.manage", "directory.manage"];
      const { secret } = await credentialOf(kind, owner.client, accountsOf(owner.organizationId), scopes);
      const call = as(secret);
      const base = `/v1/orgs/${owner.organizationId}`;
      const link = await call("POST", `${base}/sso/setup-links`, { intents: ["connection"] });
      expect([link.status, link.body.error.code]).toEqual([403, "forbidden"]);
      expect((await call("POST", `${base}/domains`, { domain: "taken.example" })).status).toBe(403);
      expect((await call("GET", `${base}/domains`)).status).toBe(200);
    },
  );

  test.each(CREDENTIALS)("with %s reaches its stream of events (G541).", async (kind) => {
    const scopes = ["ssf.read", "ssf.manage"];
    const { secret } = await credentialOf(kind, owner.client, accountsOf(owner.organizationId), scopes);
    const made = await as(secret)("POST", "/v1/ssf/stream", { delivery: { method: "urn:ietf:rfc:8936" } });
    expect(made.status).toBe(201);
  });

  test.each(CREDENTIALS)(
    "with %s changes the members that the maker of the credential may change (G541).",
    async (kind) => {
      const member = await memberWith(at, owner.organizationId, "member");
      const scopes = ["members.role", "members.remove", "members.list", "members.invite"];
      const { secret } = await credentialOf(kind, owner.client, accountsOf(owner.organizationId), scopes);
      const path = `/v1/orgs/${owner.organizationId}/members/${member.userId}`;
      expect((await as(secret)("PATCH", path, { role: "admin" })).status).toBe(200);
      expect((await as(secret)("DELETE", path)).status).toBe(204);
    },
  );

  test.each(CREDENTIALS)(
    "with %s and scim.write is a channel of the person who made the credential (G541).",
    async (kind) => {
      const host = await directoryOf(at);
      const { organizationId, client, scim, place } = host;
      const admin = await memberWith(at, organizationId, "admin");
      await presentFactor(at.sql, admin.userId);
      const made = await credentialOf(kind, admin.client, accountsOf(organizationId), ["scim.write"]);
      const role = await createdRole(host, ["policies.manage"]);
      const group = await scim("POST", "/Groups", groupBody("Security"));
      const mapped = await client.patch(`${place}/groups/${group.body.id}`, { role: null, role_ids: [role.id] });
      expect([mapped.status, mapped.body.error.channels]).toMatchObject([
        409,
        [{ kind: "directory_key", id: made.id, person: { id: admin.userId } }],
      ]);
    },
  );
});
