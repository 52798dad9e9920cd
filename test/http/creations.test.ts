/** The power of keys over owners, and what a removed or demoted person created (contract.md, 13.12 and 31.5). */
import { beforeAll, describe, expect, test } from "bun:test";
import { newEmail } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, userBody, verifyDomainOf } from "../support/directories.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { deleteMember } from "../support/states.ts";
import { memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const CREATIONS = /\/team\/members\/[0-9a-f-]{36}\/creations/;
const active = (value: boolean) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "replace", path: "active", value }],
});

/** A directory with a key of its owner, and a provisioned second owner. */
async function directoryWithOwner() {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const { scim, address, organizationId } = directory;
  const { body } = await scim("POST", "/Users", userBody(address("ada")));
  const [user] = await at.sql`select id from users where email = ${address("ada")}`;
  const userId = String(user?.id);
  await at.sql`update members set role = 'owner' where organization_id = ${organizationId} and user_id = ${userId}`;
  const setRole = (id: string, role: string) =>
    at.sql`update members set role = ${role} where organization_id = ${organizationId} and user_id = ${id}`;
  const roleOf = async (id: string) =>
    (await at.sql`select role from members where organization_id = ${organizationId} and user_id = ${id}`)[0]?.role;
  return { ...directory, recordId: String(body.id), adaId: userId, setRole, roleOf };
}

describe("a key of a directory", () => {
  test("that an admin created deactivates no owner, and the refused request is listed (G294)", async () => {
    const { scim, userId, recordId, adaId, setRole, roleOf, place, client, organizationId } =
      await directoryWithOwner();
    await memberWith(at, organizationId, "owner");
    await setRole(userId, "admin");
    const refused = await scim("PATCH", `/Users/${recordId}`, active(false));
    expect([refused.status, refused.body.scimType]).toEqual([400, "mutability"]);
    expect((await scim("DELETE", `/Users/${recordId}`)).status).toBe(400);
    expect(await roleOf(adaId)).toBe("owner");
    const { body } = await client.get(`${place}/requests`);
    expect(body.items[0]).toMatchObject({ status: 400, scim_type: "mutability" });
  });

  test("of an owner restores an owner, and any other key restores the person as member at most (G294)", async () => {
    const { scim, userId, recordId, adaId, setRole, roleOf } = await directoryWithOwner();
    expect((await scim("PATCH", `/Users/${recordId}`, active(false))).status).toBe(200);
    expect((await scim("PATCH", `/Users/${recordId}`, active(true))).status).toBe(200);
    expect(await roleOf(adaId)).toBe("owner");
    expect((await scim("PATCH", `/Users/${recordId}`, active(false))).status).toBe(200);
    await setRole(userId, "admin");
    expect((await scim("PATCH", `/Users/${recordId}`, active(true))).status).toBe(200);
    expect(await roleOf(adaId)).toBe("member");
  });

  test("of a person below the former role restores a member, and owners learn it (G370)", async () => {
    const { client, scim, email, userId, recordId, adaId, organizationId, setRole, roleOf } =
      await directoryWithOwner();
    const second = await memberWith(at, organizationId, "owner");
    const reactivate = async () => {
      expect((await scim("PATCH", `/Users/${recordId}`, active(false))).status).toBe(200);
      expect((await scim("PATCH", `/Users/${recordId}`, active(true))).status).toBe(200);
      return await roleOf(adaId);
    };
    await at.sql`update directories set role_source = 'none' where organization_id = ${organizationId}`;
    await setRole(adaId, "admin");
    const manual = await createdRole({ client, userId, organizationId }, ["audit.read"]);
    await assignRoles({ client, userId }, organizationId, adaId, [manual.id]);
    expect(await reactivate()).toBe("admin");
    expect((await at.sql`select 1 from member_roles where user_id = ${adaId}`).length).toBe(0);
    await setRole(userId, "member");
    expect(await reactivate()).toBe("member");
    const [record] = await at.sql`
      select metadata from audit_logs where organization_id = ${organizationId} and action = 'member.provisioned'
      order by id desc limit 1`;
    expect(record?.metadata).toEqual({
      role: "member",
      source: "directory",
      former_role: "admin",
      reason: "power_not_covered",
    });
    await at.mail.mailsTo(second.email, /activated a former member/);
    expect(await at.mail.delivered.some(({ to, text }) => to.includes(email) && /former member/.test(text))).toBe(
      false,
    );
    // A directory whose default role is admin makes admins of its users anyway.
    await at.sql`update directories set default_role = 'admin' where organization_id = ${organizationId}`;
    await setRole(adaId, "admin");
    expect(await reactivate()).toBe("admin");
  });

  test("does not make its own maker a member again (G294)", async () => {
    const { scim, email, userId, organizationId, roleOf } = await directoryWithOwner();
    const record = await scim("POST", "/Users", userBody(email));
    expect(record.status).toBe(201);
    await deleteMember(at.sql, organizationId, userId);
    const back = await scim("PATCH", `/Users/${record.body.id}`, active(true));
    expect([back.status, await roleOf(userId)]).toEqual([400, undefined]);
  });

  test("ends with the revocation of the set-up link that created it, and not after a completion (G295)", async () => {
    const { client, keyId, userId, organizationId, scim } = await directoryWithOwner();
    const linkOf = async (token: string) =>
      (
        await at.sql`
        insert into sso_setup_links (id, organization_id, intents, token_hash, created_by, by_platform, created_at,
                                     expires_at)
        values (gen_random_uuid(), ${organizationId}, '{directory}', sha256(${userId + token}::text::bytea), ${userId},
                false, now(), now() + interval '1 day') returning id`
      )[0]?.id;
    const [completed, live] = [await linkOf("a"), await linkOf("b")];
    const accessAfterRevocation = async (link: string) => {
      await at.sql`update api_keys set setup_link_id = ${link} where id = ${keyId}`;
      expect((await client.delete(`/v1/orgs/${organizationId}/sso/setup-links/${link}`)).status).toBe(204);
      return (await scim("GET", "/Users")).status;
    };
    await at.sql`update sso_setup_links set ended_at = now(), end_reason = 'completed' where id = ${completed}`;
    expect(await accessAfterRevocation(completed)).toBe(200);
    expect(await accessAfterRevocation(live)).toBe(401);
  });
});

describe("a removal and a demotion", () => {
  test("by the withdrawal of an additional role mail the owners too (G296)", async () => {
    const { client, email, keyId, organizationId } = await directoryWithOwner();
    const member = await memberWith(at, organizationId, "member");
    await at.sql`update api_keys set created_by = ${member.userId} where id = ${keyId}`;
    const role = { name: "Rules", key: "rules", permissions: ["policies.manage"] };
    const { body } = await client.post(`/v1/orgs/${organizationId}/roles`, role);
    const roles = `/v1/orgs/${organizationId}/members/${member.userId}/roles`;
    expect((await client.put(roles, { role_ids: [body.id], confirm: true })).status).toBe(200);
    expect(at.mail.delivered.some(({ to, text }) => to.includes(email) && CREATIONS.test(text))).toBe(false);
    expect((await client.put(roles, { role_ids: [] })).status).toBe(200);
    await at.mail.mailsTo(email, CREATIONS);
  });

  test("mail the owners what the person created and is still valid (G296)", async () => {
    const directory = await directoryWithOwner();
    const { client, email, keyId, organizationId } = directory;
    const [first, second] = [
      await memberWith(at, organizationId, "admin"),
      await memberWith(at, organizationId, "admin"),
    ];
    await at.sql`update api_keys set created_by = ${first.userId} where id = ${keyId}`;
    const members = `/v1/orgs/${organizationId}/members`;
    expect((await client.patch(`${members}/${first.userId}`, { role: "member" })).status).toBe(200);
    await at.mail.mailsTo(email, CREATIONS);
    // The person without creations first: the mail about the second removal proves that none is on its way.
    expect((await client.delete(`${members}/${second.userId}`)).status).toBe(204);
    expect((await client.delete(`${members}/${first.userId}`)).status).toBe(204);
    await at.mail.mailsTo(email, CREATIONS, 2);
    const texts = at.mail.delivered.filter(({ to, text }) => to.includes(email) && CREATIONS.test(text));
    expect(texts.some(({ text }) => text.includes(second.userId))).toBe(false);
  });
});

describe("a change that takes permissions from several members", () => {
  /** Two holders of a role with open invitations, one without, and the owner. */
  async function holders() {
    const { client, email, userId, organizationId } = await directoryWithOwner();
    const host = { client, userId, organizationId };
    const role = await createdRole(host, ["members.invite", "audit.read"]);
    const people: Awaited<ReturnType<typeof memberWith>>[] = [];
    for (const name of ["First", "Second", "Third"]) {
      const person = await memberWith(at, organizationId, "member");
      people.push(person);
      await at.sql`update users set display_name = ${`${name} Holder`} where id = ${person.userId}`;
      if (name === "Third") continue;
      await at.sql`
        insert into invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
        values (gen_random_uuid(), ${organizationId}, ${newEmail()}, 'member', sha256(${person.userId}::text::bytea),
                ${person.userId}, now(), now() + interval '1 day')`;
    }
    const mails = async () => {
      await at.mail.mailsTo(email, /have fewer permissions now/);
      return at.mail.delivered.filter(({ to, text }) => to.includes(email) && /fewer permissions/.test(text));
    };
    const assign = async () => {
      for (const { userId: id } of people)
        expect((await assignRoles(host, organizationId, id, [role.id])).status).toBe(200);
    };
    const group = async () => {
      const { body } = await client.post(`/v1/orgs/${organizationId}/groups`, { name: "All", role_ids: [role.id] });
      const path = `/v1/orgs/${organizationId}/groups/${body.id}`;
      for (const { userId: id } of people) expect((await client.put(`${path}/members/${id}`)).status).toBe(204);
      return path;
    };
    const rule = async () => {
      for (const { userId: id } of people)
        await at.sql`
          insert into member_roles (organization_id, user_id, role_id, source, granted_at)
          values (${organizationId}, ${id}, ${role.id}, 'sso', now())`;
    };
    const of = (path: string) => `/v1/orgs/${organizationId}${path}`;
    return { client, role, assign, group, rule, mails, of };
  }

  type Holders = Awaited<ReturnType<typeof holders>>;
  const changes: [string, (from: Holders) => Promise<{ status: number }>][] = [
    [
      "narrowed role",
      async ({ assign, client, of, role }) => {
        await assign();
        return await client.patch(of(`/roles/${role.id}`), { permissions: ["audit.read"] });
      },
    ],
    [
      "deleted role",
      async ({ assign, client, of, role }) => {
        await assign();
        return await client.request("DELETE", of(`/roles/${role.id}`), { body: { reassign: true } });
      },
    ],
    ["group without roles", async ({ group, client }) => await client.patch(await group(), { role_ids: [] })],
    ["deleted group", async ({ group, client }) => await client.delete(await group())],
    [
      "removed rule for single sign-on",
      async ({ rule, client, of }) => {
        await rule();
        return await client.put(of("/sso/policy"), { mode: "off" });
      },
    ],
  ];

  test.each(changes)("mails the owners once, with the members who created something: %s (G419)", async (_, change) => {
    const from = await holders();
    expect((await change(from)).status).toBeLessThan(300);
    const mails = await from.mails();
    expect(mails).toHaveLength(1);
    const text = String(mails[0]?.text);
    const named = ["First", "Second", "Third"].filter((name) => text.includes(`${name} Holder`));
    expect(named).toEqual(["First", "Second"]);
  });
});

describe("/v1/orgs/:org_id/members/:user_id/creations", () => {
  /** A former admin with a key, an open invitation and a claimed domain. */
  async function formerAdmin() {
    const directory = await directoryWithOwner();
    const { client, keyId, organizationId } = directory;
    const person = await memberWith(at, organizationId, "admin");
    await at.sql`update api_keys set created_by = ${person.userId} where id = ${keyId}`;
    await at.sql`
      update organization_domains set claimed_by = ${person.userId} where organization_id = ${organizationId}`;
    expect((await client.delete(`/v1/orgs/${organizationId}/members/${person.userId}`)).status).toBe(204);
    return { ...directory, person, creations: `/v1/orgs/${organizationId}/members/${person.userId}/creations` };
  }

  test("200: what a former member created is listed by kind, with what a request ends (G421).", async () => {
    const { client, creations, keyId, person } = await formerAdmin();
    const { status, body } = await client.get(creations);
    expect(status).toBe(200);
    expect(body.person).toEqual(expect.any(String));
    const kinds = body.items.map(({ kind, ends }: { kind: string; ends: boolean }) => `${kind} ${ends}`);
    expect(kinds.sort()).toEqual(["api_key true", "domain false"]);
    expect(body.items.find(({ kind }: { kind: string }) => kind === "api_key").id).toBe(keyId);
    expect((await person.client.get(creations)).status).toBe(404);
  });

  test("204: one request ends the keys on every replica, with a record, once; domains remain (G421).", async () => {
    const { client, scim, creations, keyId } = await formerAdmin();
    expect((await scim("GET", "/Users")).status).toBe(200);
    expect((await client.at(at.other.url).delete(creations)).status).toBe(204);
    expect((await client.delete(creations)).status).toBe(204);
    expect((await scim("GET", "/Users")).status).toBe(401);
    const { body } = await client.get(creations);
    expect(body.items.map(({ kind }: { kind: string }) => kind)).toEqual(["domain"]);
    const records = await at.sql`
      select metadata from audit_logs where action = 'api_key.revoked' and resource_id = ${keyId}`;
    expect(records.map(({ metadata }) => metadata)).toEqual([{ reason: "creator_reviewed" }]);
  });

  test("An unknown user, and a user of another organization, have an empty list without a name.", async () => {
    const { client, organizationId } = await directoryWithOwner();
    const stranger = await memberWith(at, (await directoryOf(at)).organizationId, "admin");
    for (const id of [stranger.userId, "019a0000-0000-7000-8000-000000000000"]) {
      const { status, body } = await client.get(`/v1/orgs/${organizationId}/members/${id}/creations`);
      expect([status, body]).toEqual([200, { person: null, items: [] }]);
    }
  });

  test("403: a member without members.remove reads and ends nothing, nor an admin what an owner made.", async () => {
    const { client, keyId, userId, organizationId } = await directoryWithOwner();
    const [plain, admin] = [
      await memberWith(at, organizationId, "member"),
      await memberWith(at, organizationId, "admin"),
    ];
    const creations = `/v1/orgs/${organizationId}/members/${userId}/creations`;
    for (const { client: person } of [plain, admin])
      expect((await person.post("/v1/auth/organization", { organization_id: organizationId })).status).toBe(200);
    expect((await plain.client.get(creations)).status).toBe(403);
    expect((await plain.client.delete(creations)).status).toBe(403);
    expect((await admin.client.get(creations)).status).toBe(200);
    expect((await admin.client.delete(creations)).status).toBe(403);
    const [key] = await at.sql`select revoked_at from api_keys where id = ${keyId}`;
    expect(key?.revoked_at).toBeNull();
    expect((await client.get("/v1/orgs/019a0000-0000-7000-8000-000000000000/members")).status).toBe(404);
  });
});
