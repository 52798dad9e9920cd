/** Users that programs create, read, change and upsert (docs/contract.md, sections 14.5, 14.6 and 36.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { platformUser } from "../support/platform.ts";
import { type Program, program, programAt } from "../support/programs.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { proveMailbox } from "../support/states.ts";
import { founded, memberWith } from "../support/team.ts";

let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "users.delete", "members.add", "organizations.write"]);
});

const USERS = "/v1/admin/users";
const byExternalId = (id: string) => `${USERS}/by-external-id/${encodeURIComponent(id)}`;
const newId = () => `crm|${crypto.randomUUID()}`;

async function slugOf(organizationId: string): Promise<string> {
  const [row] = await at.sql`select slug from organizations where id = ${organizationId}`;
  return row?.slug;
}

async function recordsOf(userId: string, action: string) {
  return await at.sql`select metadata from audit_logs where resource_id = ${userId} and action = ${action}`;
}

describe("POST /v1/admin/users (G490)", () => {
  test("A program creates a user with every field, and the user signs in with the password.", async () => {
    const host = await founded(at);
    const [email, external_id] = [newEmail(), newId()];
    const created = await robot.post(USERS, {
      email: email.toUpperCase(),
      email_verified: true,
      external_id,
      display_name: "Ada Lovelace",
      locale: "de-AT",
      time_zone: "Europe/Vienna",
      password: PASSWORD,
      created_at: "2020-01-31T12:00:00Z",
      public_metadata: { plan: "gold" },
      private_metadata: { crm: 7 },
      memberships: [{ organization_slug: await slugOf(host.organizationId), role: "admin" }],
    });
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        email,
        email_verified: true,
        external_id,
        display_name: "Ada Lovelace",
        locale: "de-at",
        time_zone: "Europe/Vienna",
        has_password: true,
        created_at: "2020-01-31T12:00:00.000Z",
        organizations: [{ id: host.organizationId, role: "admin" }],
        public_metadata: { plan: "gold" },
        private_metadata: { crm: 7 },
      },
    ]);
    const { user_id: userId } = created.body;
    expect((await robot.get(`${USERS}/${userId}`)).body).toEqual(created.body);
    expect((await robot.get(byExternalId(external_id))).body).toEqual(created.body);
    const { client } = await signedIn(at.one.url, email);
    const me = await client.get("/v1/users/me");
    expect(me.body).toMatchObject({ user_id: userId, public_metadata: { plan: "gold" } });
    expect(me.text).not.toContain("crm");
    expect(await recordsOf(userId, "user.created")).toEqual([{ metadata: { source: "api" } }] as never);
    expect((await recordsOf(userId, "member.added")).length).toBe(1);
  });

  test("Every invalid field is named, and nothing is created.", async () => {
    const email = newEmail();
    const refused = await robot.post(USERS, {
      email,
      external_id: "a\u0007b",
      locale: "no language",
      time_zone: "Mars/Olympus",
      password: PASSWORD,
      password_hash: "md5",
      created_at: "2999-01-01T00:00:00Z",
      public_metadata: { text: "x".repeat(9_000) },
      private_metadata: { a: { b: { c: { d: { e: { f: { g: { h: {} } } } } } } } },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.fields.map(({ field }: { field: string }) => field).sort()).toEqual([
      "created_at",
      "external_id",
      "locale",
      "password_hash",
      "private_metadata",
      "public_metadata",
      "time_zone",
    ]);
    const hashes = [{ password_hash: "{SSHA}xyz" }, { password: "short" }, { password: "password1234" }];
    for (const fields of hashes) expect((await robot.post(USERS, { email, ...fields })).status).toBe(400);
    expect((await robot.post(USERS, { external_id: "a" })).status).toBe(400);
    const unknown = { memberships: [{ organization_slug: "no-such-organization" }] };
    expect((await robot.post(USERS, { email, ...unknown })).status).toBe(400);
    expect(await at.sql`select 1 from users where email = ${email}`).toHaveLength(0);
  });

  test("409 for a taken address and a taken external id; ids compare exactly.", async () => {
    const [email, external_id] = [newEmail(), `Key-${crypto.randomUUID()}`];
    expect((await robot.post(USERS, { email, external_id })).status).toBe(201);
    expect((await robot.post(USERS, { email })).status).toBe(409);
    expect((await robot.post(USERS, { email: newEmail(), external_id })).status).toBe(409);
    expect((await robot.post(USERS, { email: newEmail(), external_id: external_id.toLowerCase() })).status).toBe(201);
  });

  test("A foreign hash signs in: bcrypt of another service.", async () => {
    const email = newEmail();
    const password_hash = await Bun.password.hash(PASSWORD, { algorithm: "bcrypt", cost: 4 });
    const host = await founded(at);
    const memberships = [{ organization_id: host.organizationId }];
    expect((await robot.post(USERS, { email, password_hash, memberships })).status).toBe(201);
    const { client } = await signedIn(at.one.url, email);
    expect((await client.get("/v1/users/me")).body.email).toBe(email);
  });

  test("Forty parallel creations of one external id leave one user and one record (P6).", async () => {
    const external_id = newId();
    const answers = await race(() => robot.post(USERS, { email: newEmail(), external_id }), 40);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 39 }, () => 409)]);
    const users = await at.sql`select id from users where external_id = ${external_id}`;
    expect(users.length).toBe(1);
    expect((await recordsOf(users[0]?.id, "user.created")).length).toBe(1);
  });

  test("A program without members.add, or without organizations.write for an owner, gives no membership.", async () => {
    const host = await founded(at);
    const memberships = (role: string) => [{ organization_id: host.organizationId, role }];
    const writer = await program(at, ["users.write"]);
    const adder = await program(at, ["users.write", "members.add"]);
    const email = newEmail();
    expect((await writer.post(USERS, { email, memberships: memberships("member") })).status).toBe(403);
    expect((await adder.post(USERS, { email, memberships: memberships("owner") })).status).toBe(403);
    expect((await adder.post(USERS, { email, memberships: memberships("admin") })).status).toBe(403);
    expect(await at.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    expect((await adder.post(USERS, { email, memberships: memberships("member") })).status).toBe(201);
    expect((await robot.post(USERS, { email: newEmail(), memberships: memberships("owner") })).status).toBe(201);
  });
});

describe("PATCH /v1/admin/users/:id (G491)", () => {
  test("Given members change, metadata merge, null clears; an equal change is not recorded.", async () => {
    const external_id = newId();
    const { body: user } = await robot.post(USERS, {
      email: newEmail(),
      external_id,
      display_name: "Ada",
      private_metadata: { crm: 7, a: { b: 1 } },
    });
    const path = `${USERS}/${user.user_id}`;
    const change = { display_name: null, locale: "fr", private_metadata: { crm: null, a: { c: 2 } } };
    const changed = await robot.patch(path, change);
    expect(changed.body).toMatchObject({
      display_name: null,
      locale: "fr",
      external_id,
      private_metadata: { a: { b: 1, c: 2 } },
    });
    const again = await robot.patch(path, change);
    expect(again.body.updated_at).toBe(changed.body.updated_at);
    expect(await recordsOf(user.user_id, "user.updated")).toEqual([
      { metadata: { fields: "display_name locale private_metadata" } },
    ] as never);
    expect((await robot.patch(path, { external_id: null })).body.external_id).toBeNull();
    expect((await robot.patch(path, { private_metadata: { a: "x".repeat(9_000) } })).status).toBe(400);
    expect((await robot.patch(`${USERS}/${crypto.randomUUID()}`, { locale: "fr" })).status).toBe(404);
  });

  test("Two programs that merge at once lose no change, and a taken external id is 409.", async () => {
    const { body: user } = await robot.post(USERS, { email: newEmail() });
    const path = `${USERS}/${user.user_id}`;
    await race((index) => robot.patch(path, { public_metadata: { [`k${index}`]: index } }), 8);
    expect(Object.keys((await robot.get(path)).body.public_metadata).length).toBe(8);
    const taken = newId();
    await robot.post(USERS, { email: newEmail(), external_id: taken });
    expect((await robot.patch(path, { external_id: taken })).status).toBe(409);
  });

  test("Disabling ends sessions, and DELETE closes the account.", async () => {
    const host = await founded(at);
    expect((await robot.patch(`${USERS}/${host.userId}`, { disabled: true })).body.disabled).toBe(true);
    expect((await host.client.get("/v1/users/me")).status).toBe(401);
    const { body: user } = await robot.post(USERS, { email: newEmail() });
    const deleted = await robot.delete(`${USERS}/${user.user_id}`);
    expect([deleted.status, typeof deleted.body.deletion_at]).toEqual([202, "string"]);
    expect((await robot.get(`${USERS}/${user.user_id}`)).body.deletion_at).toBe(deleted.body.deletion_at);
  });
});

describe("PUT /v1/admin/users/by-external-id/:external_id (G492)", () => {
  test("An unknown id creates, a known id changes, and a repetition changes nothing (P6).", async () => {
    const path = byExternalId(newId());
    const email = newEmail();
    const fields = { email, display_name: "Ada", public_metadata: { a: 1 }, private_metadata: { b: 2 } };
    const created = await robot.put(path, fields);
    expect(created.status).toBe(201);
    const repeated = await robot.put(path, fields);
    expect([repeated.status, repeated.body]).toEqual([200, created.body]);
    const replaced = await robot.put(path, { public_metadata: { c: 3 } });
    expect([replaced.status, replaced.body.public_metadata]).toEqual([200, { c: 3 }]);
    expect(replaced.body).toMatchObject({ display_name: "Ada", private_metadata: { b: 2 } });
    expect((await recordsOf(created.body.user_id, "user.updated")).length).toBe(1);
    expect((await robot.put(byExternalId(newId()), { display_name: "Ada" })).status).toBe(400);
    expect((await robot.put(path, { external_id: "other" })).status).toBe(400);
    expect((await robot.get(byExternalId("no such id"))).status).toBe(404);
  });

  test("Ids with slashes, percent signs, spaces and letters of any script find their user.", async () => {
    for (const suffix of ["a/b", "100%", "a b", "ü|日本", "..", "a?b#c", "%2F"]) {
      const id = `${crypto.randomUUID()}${suffix}`;
      const created = await robot.put(byExternalId(id), { email: newEmail() });
      expect([created.status, created.body.external_id]).toEqual([201, id]);
      expect((await robot.get(byExternalId(id))).body.user_id).toBe(created.body.user_id);
      const listed = await robot.get(`${USERS}?external_id=${encodeURIComponent(id)}`);
      expect(listed.body.total).toBe(1);
    }
  });

  test("An id that is also the last segment of another path (`sessions`) finds its user.", async () => {
    for (const id of ["deletion", "email", "factors", "identities", "password", "sessions"]) {
      const created = await robot.put(byExternalId(id), { email: newEmail() });
      expect([created.status, created.body.external_id]).toEqual([201, id]);
      expect((await robot.get(byExternalId(id))).body.user_id).toBe(created.body.user_id);
    }
  });

  test("Forty parallel upserts of one user leave one user and one record of the creation (P6).", async () => {
    const id = newId();
    const email = newEmail();
    const answers = await race(() => robot.put(byExternalId(id), { email, display_name: "Ada" }), 40);
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(39);
    const users = await at.sql`select id from users where email = ${email}`;
    expect(users.length).toBe(1);
    expect((await recordsOf(users[0]?.id, "user.created")).length).toBe(1);
    expect((await recordsOf(users[0]?.id, "user.updated")).length).toBe(0);
  });

  test("A user without external id is adopted only on request; another address needs users.credentials.", async () => {
    const email = newEmail();
    const { body: user } = await robot.post(USERS, { email });
    const path = byExternalId(newId());
    expect((await robot.put(path, { email })).status).toBe(409);
    const adopted = await robot.put(path, { email, adopt_by_email: true });
    expect([adopted.status, adopted.body.user_id]).toEqual([200, user.user_id]);
    expect((await robot.put(byExternalId(newId()), { email, adopt_by_email: true })).status).toBe(409);
    const next = newEmail();
    expect((await robot.put(path, { email: next })).status).toBe(403);
    const credentials = await program(at, ["users.write", "users.credentials"]);
    const moved = await credentials.put(path, { email: next });
    expect([moved.status, moved.body.email, moved.body.email_verified]).toEqual([200, next, false]);
  });

  test("A stranger's unproven account is not adopted, nor the account of a look-alike address (G534).", async () => {
    const [stranger, owner] = [await registered(at.one.url), await registered(at.one.url)];
    const put = (email: string) => robot.put(byExternalId(newId()), { email, adopt_by_email: true });
    expect((await put(stranger.email)).status).toBe(409);
    await proveMailbox(at.sql, owner.userId);
    expect((await put(owner.email.replace("s", "\u017f"))).status).toBe(400);
    expect((await put(owner.email.toUpperCase())).body.user_id).toBe(owner.userId);
  });

  test("Memberships are added and changed, never removed; a refused membership changes nothing.", async () => {
    const [one, two] = [await founded(at), await founded(at)];
    const path = byExternalId(newId());
    await robot.put(path, { email: newEmail(), memberships: [{ organization_id: one.organizationId }] });
    const added = await robot.put(path, { memberships: [{ organization_id: two.organizationId }] });
    const ids = added.body.organizations.map(({ id }: { id: string }) => id).sort();
    expect(ids).toEqual([one.organizationId, two.organizationId].sort());
    const same = await robot.put(path, { memberships: [{ organization_id: two.organizationId, role: "member" }] });
    expect(same.body).toEqual(added.body);
    const three = await founded(at);
    const refused = await robot.put(path, {
      display_name: "Changed",
      memberships: [
        { organization_id: three.organizationId },
        { organization_id: two.organizationId, role_ids: [crypto.randomUUID()] },
      ],
    });
    expect(refused.status).toBe(400);
    expect((await robot.get(path)).body).toEqual(added.body);
  });
});

describe("protected users and reserved addresses (G493)", () => {
  test("A program reads a user with a platform role, and changes nothing of the user (P3).", async () => {
    const all = await program(at, ["users.write", "users.credentials", "users.recover", "users.delete", "members.add"]);
    const viewer = await platformUser(at, "viewer");
    const path = `${USERS}/${viewer.userId}`;
    expect((await all.get(path)).status).toBe(200);
    const [before] = await at.sql`select * from users where id = ${viewer.userId}`;
    const attempts = [
      all.patch(path, { display_name: "Changed" }),
      all.patch(path, { disabled: true }),
      all.patch(path, { external_id: newId() }),
      all.patch(path, { private_metadata: { a: 1 } }),
      all.delete(path),
      all.put(`${path}/password`, { password: "another long password" }),
      all.put(`${path}/email`, { email: newEmail() }),
      all.delete(`${path}/sessions`),
      all.post(`${path}/send-password-reset`),
      all.post(`${path}/mfa/reset`),
      all.put(byExternalId(newId()), { email: viewer.email, adopt_by_email: true }),
    ];
    for (const attempt of attempts) expect((await attempt).status).toBe(403);
    const [after] = await at.sql`select * from users where id = ${viewer.userId}`;
    expect(after).toEqual(before as never);
    expect((await viewer.client.get("/v1/users/me")).status).toBe(200);
  });

  test("A program neither deletes a role of a user with a platform role nor changes the role (G553).", async () => {
    const owner = await steppedUpOwner(at);
    const { organizationId } = owner;
    const member = await memberWith(at, organizationId, "member");
    const manager = await program(at, ["roles.manage", "members.list", "audit.read", "members.invite"]);
    const roles = `/v1/orgs/${organizationId}/roles`;
    const permissions = ["audit.read", "members.list"];
    const { body: role } = await owner.client.post(roles, { key: "helper", name: "Helper", permissions });
    const assigned = await owner.client.put(`/v1/orgs/${organizationId}/members/${member.userId}/roles`, {
      role_ids: [role.id],
    });
    expect([typeof role.id, assigned.status]).toEqual(["string", 200]);
    await at.sql`update users set platform_role = 'viewer' where id = ${member.userId}`;
    const path = `${roles}/${role.id}`;
    const refused = [
      await manager.patch(path, { permissions: ["members.list"] }),
      await manager.patch(path, { permissions: [...permissions, "members.invite"] }),
      await manager.delete(path, { reassign: true }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error.message]).toEqual([403, expect.stringContaining("has this role")]);
    }
    expect((await manager.patch(path, { name: "Helpers" })).status).toBe(200);
    const held = await at.sql`
      select o.permissions from member_roles h join organization_roles o on o.id = h.role_id
      where h.user_id = ${member.userId}`;
    expect(held).toEqual([{ permissions }] as never);
    expect((await owner.client.request("DELETE", path, { body: { reassign: true } })).status).toBe(204);
  });

  test("A key without the permission learns nothing: 403 before ids and input.", async () => {
    const reader = await program(at, ["users.read"]);
    expect((await reader.post(USERS, {})).status).toBe(403);
    expect((await reader.patch(`${USERS}/${crypto.randomUUID()}`, { locale: 7 })).status).toBe(403);
    expect((await reader.put(byExternalId("x"), {})).status).toBe(403);
    const anonymous = programAt(at.one.url, { id: "", key: "sk_none" });
    expect((await anonymous.get(USERS)).status).toBe(401);
    expect((await new Client(at.one.url).get(USERS)).status).toBe(401);
  });
});
