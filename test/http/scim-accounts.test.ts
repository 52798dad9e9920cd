/** Accounts, invitations and bounds of directories (G184, G185). */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import { hashToken } from "../../src/base/token-hash.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, groupBody, searchBody, signInAs, userBody, verifyDomainOf } from "../support/directories.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { type CycleStep, entraCycle, jumpCloudCycle, oktaCycle, oneLoginCycle } from "../support/scim-cycles.ts";
import { rfcExamples } from "../support/scim-examples.ts";
import { replayCycle } from "../support/scim-replay.ts";
import { deleteMember, deletePassword, disableUser } from "../support/states.ts";
import { accept, invite, memberWith, preview, stepUpSessions } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const patch = (...operations: readonly unknown[]) => ({ Operations: operations });
const replace = (path: string, value: unknown) => patch({ op: "replace", path, value });

async function verifiedDirectory(settings: Record<string, unknown> = {}) {
  const directory = await directoryOf(at, settings);
  await verifyDomainOf(at, directory);
  const { scim, address } = directory;
  const provision = async (name: string, fields = {}) => {
    const { status, body } = await scim("POST", "/Users", userBody(address(name), fields));
    if (status !== 201) throw new Error(`provisioning returned ${status}: ${JSON.stringify(body)}`);
    const [user] = await at.sql`select id from users where email = ${address(name)}`;
    return { id: body.id as string, userId: user?.id as string };
  };
  return { ...directory, provision };
}

describe("the address of a managed user", () => {
  test("follows the record within the verified domains: both mailboxes are told, and own sessions end", async () => {
    const owner = await verifiedDirectory();
    const { scim, address, provision, organizationId } = owner;
    const { id, userId } = await provision("ada");
    const ada = await signInAs(at, owner, address("ada"));
    await deletePassword(at.sql, userId);
    const moved = await scim("PATCH", `/Users/${id}`, replace("userName", address("countess")));
    expect([moved.status, moved.body.userName]).toEqual([200, address("countess")]);
    for (const { url } of [at.one, at.other]) expect((await ada.at(url).get("/v1/auth/session")).status).toBe(401);
    const emails = await at.sql`select email, "primary" from user_emails where user_id = ${userId}`;
    expect([...emails]).toEqual([{ email: address("countess"), primary: true }]);
    for (const name of ["ada", "countess"]) expect(await at.mail.mailsTo(address(name), /address/)).toHaveLength(1);
    const [entry] = await at.sql`
      select actor_type, metadata from audit_logs
      where organization_id = ${organizationId} and action = 'user.email.changed' and resource_id = ${userId}`;
    expect([entry?.actor_type, entry?.metadata]).toMatchObject(["api_key", { source: "directory", sessions: 1 }]);
  });

  test("is refused if taken or outside of the verified domains; the record stays as it was", async () => {
    const { scim, address, provision, organizationId } = await verifiedDirectory();
    const { id } = await provision("ada");
    const other = await memberWith(at, organizationId, "member");
    await at.sql`update users set email = ${address("taken")} where id = ${other.userId}`;
    for (const email of [address("taken"), `ada-${randomUUID()}@elsewhere.test`]) {
      const refused = await scim("PATCH", `/Users/${id}`, replace("emails", [{ value: email, primary: true }]));
      expect([email, refused.status, refused.body.scimType]).toEqual([email, 409, "uniqueness"]);
    }
    expect((await scim("GET", `/Users/${id}`)).body.meta.version).toBe('W/"1"');
  });
});

describe("a link in the mailbox of a former address", () => {
  test("takes no address back that the directory has moved, and has passed to another user", async () => {
    const { scim, address, provision } = await verifiedDirectory();
    const [{ id, userId }, client] = [await provision("ada"), new Client(at.one.url)];
    const [notMe, undo] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
    await at.sql`
      insert into sign_in_notices (user_id, browser_hash, token_hash, signed_in_at, expires_at)
      values (${userId}, ${randomBytes(32)}, ${hashToken(notMe)}, now() - interval '1 hour', now() + interval '1 day')`;
    await at.sql`
      insert into email_changes (id, user_id, kind, email, previous_email, undo_token_hash, requested_at, confirmed_at,
                                 expires_at)
      values (${randomUUID()}, ${userId}, 'switch', ${address("lovelace")}, ${address("ada")}, ${hashToken(undo)},
              now() - interval '1 minute', now(), now() + interval '7 days')`;
    expect((await scim("PATCH", `/Users/${id}`, replace("userName", address("countess")))).status).toBe(200);
    const successor = await provision("ada");
    expect((await client.post("/v1/auth/email/change/undo", { token: undo })).status).toBe(401);
    expect((await client.post("/v1/auth/sign-in/not-me", { token: notMe })).status).toBe(204);
    const holders = await at.sql`
      select user_id, email from user_emails where user_id = any(${[userId, successor.userId]}::uuid[]) order by email`;
    expect([...holders]).toEqual([
      { user_id: successor.userId, email: address("ada") },
      { user_id: userId, email: address("countess") },
    ]);
  });
});

describe("the address of an owner or a member above an admin", () => {
  test("stays: a directory key hands no owner's account to another mailbox", async () => {
    const { scim, address, provision, organizationId } = await verifiedDirectory();
    const { id, userId } = await provision("ada");
    await at.sql`
      update members set role = 'owner' where organization_id = ${organizationId} and user_id = ${userId}`;
    const emailOf = async () => {
      const [user] = await at.sql`select email, managed_by from users where id = ${userId}`;
      return user;
    };
    const moved = await scim("PATCH", `/Users/${id}`, replace("userName", address("mallory")));
    expect([moved.status, moved.body.userName]).toEqual([200, address("mallory")]);
    // Nobody manages the account of an owner, also after the role.
    expect(await emailOf()).toEqual({ email: address("ada"), managed_by: null });
    await at.sql`
      update members set role = 'member' where organization_id = ${organizationId} and user_id = ${userId}`;
    expect((await scim("PATCH", `/Users/${id}`, replace("displayName", "Ada"))).status).toBe(200);
    expect((await emailOf())?.email).toBe(address("ada"));
  });

  test("stays with a role beyond an admin too, unless the groups of the directory grant its permissions", async () => {
    const { scim, address, provision, organizationId, client } = await verifiedDirectory();
    const { id, userId } = await provision("ada");
    const roles = `/v1/orgs/${organizationId}/roles`;
    const role = await client.post(roles, { key: "rules", name: "Rules", permissions: ["policies.manage"] });
    const assigned = await client.put(`/v1/orgs/${organizationId}/members/${userId}/roles`, {
      role_ids: [role.body.id],
    });
    expect([role.status, assigned.status]).toEqual([201, 200]);
    const admin = await memberWith(at, organizationId, "admin");
    await at.sql`
      update api_keys k set created_by = ${admin.userId} from service_accounts a
      where a.id = k.service_account_id and a.organization_id = ${organizationId}`;
    const addressAfter = async (name: string) => {
      expect((await scim("PATCH", `/Users/${id}`, replace("userName", address(name)))).status).toBe(200);
      const [user] = await at.sql`select email from users where id = ${userId}`;
      return user?.email;
    };
    expect(await addressAfter("mallory")).toBe(address("ada"));
    const group = await scim("POST", "/Groups", groupBody("Rules"));
    const mapped = await client.patch(`/v1/orgs/${organizationId}/directory/groups/${group.body.id}`, {
      role: null,
      role_ids: [role.body.id],
      confirm: true,
    });
    expect(mapped.status).toBe(200);
    expect(await addressAfter("countess")).toBe(address("countess"));
  });
});

describe("a domain", () => {
  test("counts for accounts as PostgreSQL has its status, also where the memory of a replica is behind", async () => {
    const { scim, address, provision, organizationId } = await verifiedDirectory();
    const { id } = await provision("ada");
    const setStatus = (status: string) =>
      at.sql`update organization_domains set status = ${status} where organization_id = ${organizationId}`;
    await setStatus("lost");
    expect((await scim("POST", "/Users", userBody(address("eve")))).status).toBe(201);
    expect((await scim("PATCH", `/Users/${id}`, replace("userName", address("countess")))).status).toBe(409);
    const accounts = () => at.sql`select email from users where managed_by = ${organizationId} order by email`;
    expect([...(await accounts())]).toEqual([{ email: address("ada") }]);
    await setStatus("verified");
    await provision("mallory");
    expect([...(await accounts())]).toEqual([{ email: address("ada") }, { email: address("mallory") }]);
  });
});

describe("a record whose account was erased", () => {
  test("gives the next user of the record neither the role nor the beginning of the erased membership", async () => {
    const { scim, address, provision, organizationId } = await verifiedDirectory();
    const { id, userId } = await provision("ada");
    await at.sql`
      update members set role = 'owner', joined_at = '2020-01-01'
      where organization_id = ${organizationId} and user_id = ${userId}`;
    expect((await scim("PATCH", `/Users/${id}`, replace("active", false))).status).toBe(200);
    await at.sql`delete from users where id = ${userId}`;
    const next = patch(
      { op: "replace", path: "userName", value: address("eve") },
      { op: "replace", path: "active", value: true },
    );
    expect((await scim("PATCH", `/Users/${id}`, next)).status).toBe(200);
    const [member] = await at.sql`
      select m.role, m.joined_at > '2021-01-01' as fresh from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${address("eve")}`;
    expect(member).toEqual({ role: "member", fresh: true });
    expect((await scim("PATCH", `/Users/${id}`, replace("active", false))).status).toBe(200);
    expect((await scim("PATCH", `/Users/${id}`, replace("active", true))).status).toBe(200);
    const [returned] = await at.sql`
      select m.role from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${address("eve")}`;
    expect(returned?.role).toBe("member");
  });
});

describe("an open invitation of a member", () => {
  test("gives its role at the activation by a directory only while the inviter may grant the role", async () => {
    const { address, provision, organizationId } = await verifiedDirectory();
    const admin = await memberWith(at, organizationId, "admin");
    for (const name of ["ada", "eve"]) {
      expect((await invite(admin.client, organizationId, address(name), "admin")).status).toBe(201);
    }
    const roleOf = async (userId: string) => {
      const [member] = await at.sql`
        select role from members where organization_id = ${organizationId} and user_id = ${userId}`;
      return member?.role;
    };
    expect(await roleOf((await provision("ada")).userId)).toBe("admin");
    await disableUser(at.sql, admin.userId);
    expect(await roleOf((await provision("eve")).userId)).toBe("member");
  });
});

describe("an invitation of a directory", () => {
  test("has the organization as sender, outlives the creator of the key, and links the record", async () => {
    const { scim, address, provision, organizationId, client, userId } = await verifiedDirectory();
    const { id: member } = await provision("ada");
    const email = `guest-${randomUUID()}@example.test`;
    const { id } = (await scim("POST", "/Users", userBody(email))).body;
    const group = (await scim("POST", "/Groups", groupBody("Admins", [member, id]))).body.id;
    expect((await client.patch(`/v1/orgs/${organizationId}/directory/groups/${group}`, { role: "admin" })).status).toBe(
      200,
    );
    await signInAs(at, { userId, organizationId }, address("ada"));
    await at.sql`update members set role = 'owner' where organization_id = ${organizationId} and user_id <> ${userId}`;
    await deleteMember(at.sql, organizationId, userId);
    const token = await tokenTo(at.mail, email, INVITE_LINK);
    const previewed = await preview(at.one.url, token);
    expect([previewed.status, previewed.body.invited_by_name]).toEqual([200, null]);
    const accepted = await accept(new Client(at.one.url), token);
    expect(accepted.status).toBe(201);
    const [record] = await at.sql`
      select r.link, m.role from directory_users r
      join members m on m.user_id = r.user_id and m.organization_id = ${organizationId} where r.id = ${id}`;
    expect(record).toEqual({ link: "member", role: "admin" });
    expect((await scim("PATCH", `/Users/${id}`, replace("active", false))).status).toBe(200);
    const [left] = await at.sql`
      select 1 from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${email}`;
    expect(left).toBeUndefined();
  });

  test("moves with the address of the record", async () => {
    const { scim, organizationId } = await verifiedDirectory();
    const [first, second] = [`a-${randomUUID()}@example.test`, `b-${randomUUID()}@example.test`];
    const { id } = (await scim("POST", "/Users", userBody(first))).body;
    expect((await scim("PATCH", `/Users/${id}`, replace("userName", second))).status).toBe(200);
    const invitations = await at.sql`
      select email, revoked_at is not null as revoked from invitations
      where organization_id = ${organizationId} order by email`;
    expect([...invitations]).toEqual([
      { email: first, revoked: true },
      { email: second, revoked: false },
    ]);
  });

  test("beyond the limit waits in the outbox: five a day without an owner or domain that is verified", async () => {
    const { scim, organizationId } = await directoryOf(at);
    const emails = Array.from({ length: 6 }, (_, index) => `${index}-${randomUUID()}@example.test`);
    for (const email of emails) expect((await scim("POST", "/Users", userBody(email))).status).toBe(201);
    const invitations = await at.sql`
      select expires_at - created_at > interval '7 days' as delayed from invitations
      where organization_id = ${organizationId} order by created_at`;
    expect(invitations.map(({ delayed }) => delayed)).toEqual([false, false, false, false, false, true]);
    const [waiting] = await at.sql`
      select next_attempt_at > now() + interval '23 hours' as waits, expires_at > next_attempt_at as lives
      from outbox where kind = 'invitation' and next_attempt_at > now() + interval '1 hour'
      order by created_at desc limit 1`;
    expect(waiting).toEqual({ waits: true, lives: true });
    const links = (await scim("GET", "/Users")).body.Resources;
    expect(links).toHaveLength(6);
  });
});

describe("an account that a directory adds to an organization", () => {
  test("stays unchanged, and its owner is told", async () => {
    const directory = await verifiedDirectory();
    const { scim, address } = directory;
    const person = await memberWith(at, (await directoryOf(at)).organizationId, "member");
    await at.sql`update users set email = ${address("ada")}, controlled_at = now() where id = ${person.userId}`;
    const before = await at.sql`select display_name, locale, password_hash from users where id = ${person.userId}`;
    expect((await scim("POST", "/Users", userBody(address("ada"), { displayName: "Renamed" }))).status).toBe(201);
    const after = await at.sql`select display_name, locale, password_hash from users where id = ${person.userId}`;
    expect([...after]).toEqual([...before]);
    expect(await at.mail.mailsTo(address("ada"), /added your account/)).toHaveLength(1);
  });
});

describe("a refused change of a user", () => {
  test("is in the audit trail without values; a protected owner is also reported by mail", async () => {
    const { scim, address, organizationId, userId, provision } = await verifiedDirectory();
    await provision("ada");
    expect((await scim("POST", "/Users", userBody(address("ADA")))).status).toBe(409);
    expect((await scim("POST", "/Users/.search", searchBody({ filter: "x" }))).status).toBe(400);
    const [own] = await at.sql`select email from users where id = ${userId}`;
    const owner = (await scim("POST", "/Users", userBody(own?.email))).body.id;
    expect((await scim("DELETE", `/Users/${owner}`)).status).toBe(400);
    const refused = await at.sql`
      select outcome, actor_type, resource_id, metadata from audit_logs
      where organization_id = ${organizationId} and action = 'directory_user.refused' order by timestamp, event_id`;
    expect([...refused]).toEqual([
      {
        outcome: "failure",
        actor_type: "api_key",
        resource_id: null,
        metadata: { method: "POST", status: 409, scim_type: "uniqueness" },
      },
      {
        outcome: "failure",
        actor_type: "api_key",
        resource_id: owner,
        metadata: { method: "DELETE", status: 400, scim_type: "mutability" },
      },
    ]);
    expect(await at.mail.mailsTo(own?.email, /emergency access/)).toHaveLength(1);
  });
});

describe("the documented cycle", () => {
  /** Sends every request twice: directories repeat a request whose response was lost. */
  async function replay(name: string, cycle: (domain: string) => readonly CycleStep[]) {
    const directory = await verifiedDirectory();
    return {
      ...directory,
      ids: await replayCycle(name, cycle(directory.domain), directory.scim, { isRepeated: true }),
    };
  }
  const stateOf = (organizationId: string) => at.sql`
    select r.user_name as name, r.active, m.role, array_remove(array_agg(g.display_name), null) as groups
    from directories d join directory_users r on r.directory_id = d.id
    left join members m on m.user_id = r.user_id and m.organization_id = d.organization_id
    left join directory_group_members gm on gm.record_id = r.id left join directory_groups g on g.id = gm.group_id
    where d.organization_id = ${organizationId} group by r.id, m.role order by r.user_name`;

  test("of Entra ID ends with the documented state, also with every request repeated", async () => {
    const { organizationId, address } = await replay("Entra ID", entraCycle);
    expect([...(await stateOf(organizationId))]).toEqual([
      { name: address("entra-1"), active: true, role: "member", groups: ["Entra renamed"] },
    ]);
  });

  test("of Okta ends with the documented state, also with every request repeated", async () => {
    const { organizationId, address } = await replay("Okta", oktaCycle);
    expect([...(await stateOf(organizationId))]).toEqual([
      { name: address("okta-1"), active: true, role: "member", groups: ["Okta 2"] },
    ]);
  });
  test("of OneLogin and JumpCloud end with the documented state, also with every request repeated", async () => {
    const oneLogin = await replay("OneLogin", oneLoginCycle);
    expect([...(await stateOf(oneLogin.organizationId))]).toEqual([
      { name: oneLogin.address("onelogin-1"), active: true, role: "member", groups: ["Admin Role"] },
    ]);
    const jumpCloud = await replay("JumpCloud", jumpCloudCycle);
    expect([...(await stateOf(jumpCloud.organizationId))]).toEqual([
      { name: jumpCloud.address("jumpcloud-1"), active: false, role: null, groups: [] },
    ]);
  });

  test("of RFC 7644 and RFC 7643, section 8, have the documented responses", async () => {
    await replay("RFC 7644", rfcExamples);
  });
});

describe("the bounds of a directory", () => {
  test("are 100,000 users, 5,000 groups, 50,000 members of a group and 200 groups of a user", async () => {
    const { scim, organizationId, provision } = await verifiedDirectory();
    const { id } = await provision("ada");
    const [{ id: directoryId } = {}] = await at.sql`
      select id from directories where organization_id = ${organizationId} and user_count = 1`;
    await at.sql`
      insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
      select gen_random_uuid(), ${directoryId}, 'Group ' || n, 'group ' || n, 1, now(), now()
      from generate_series(1, 4999) n`;
    await at.sql`
      insert into directory_group_members (group_id, record_id)
      select g.id, ${id} from directory_groups g where g.directory_id = ${directoryId} limit 200`;
    const last = await scim("POST", "/Groups", groupBody("Last"));
    expect(last.status).toBe(201);
    expect((await scim("POST", "/Groups", groupBody("Beyond"))).status).toBe(413);
    const add = patch({ op: "add", path: "members", value: [{ value: id }] });
    expect((await scim("PATCH", `/Groups/${last.body.id}`, add)).status).toBe(413);
    await at.sql`
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                   version, created_at, updated_at)
      select gen_random_uuid(), ${directoryId}, 'u' || n, 'u' || n, false, jsonb_build_object('userName', 'u' || n,
             'active', false), '{}', 'none', 1, now(), now()
      from generate_series(1, 50000) n`;
    await at.sql`update directories set user_count = user_count + 50000 where id = ${directoryId}`;
    await at.sql`
      insert into directory_group_members (group_id, record_id)
      select ${last.body.id}, r.id from directory_users r where r.directory_id = ${directoryId} and r.id <> ${id}`;
    const [other] = await at.sql`
      select id from directory_groups where directory_id = ${directoryId} and display_name = 'Group 1'`;
    await at.sql`delete from directory_group_members where group_id = ${other?.id} and record_id = ${id}`;
    expect((await scim("PATCH", `/Groups/${last.body.id}`, add)).status).toBe(413);
    const whole = await scim("GET", `/Groups/${last.body.id}`);
    const idsOf = (group: { members: { value: string }[] }) => new Set(group.members.map(({ value }) => value));
    expect([whole.status, whole.body.displayName, idsOf(whole.body).size]).toEqual([200, "Last", 50_000]);
    expect(whole.body.members[0]).toMatchObject({ display: expect.stringMatching(/^u\d+$/), type: "User" });
    const current = { "if-none-match": String(whole.headers.get("etag")) };
    expect((await scim("GET", `/Groups/${last.body.id}`, undefined, current)).status).toBe(304);
    const listed = await scim("GET", '/Groups?filter=displayName%20eq%20"Last"&attributes=members.value');
    expect([listed.body.totalResults, idsOf(listed.body.Resources[0]).size]).toEqual([1, 50_000]);
    expect(Object.keys(listed.body.Resources[0].members[0])).toEqual(["value"]);
    await at.sql`update directories set user_count = 100000 where id = ${directoryId}`;
    expect((await scim("POST", "/Users", userBody("one-more"))).status).toBe(413);
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await scim("POST", "/Users", userBody("one-more"))).status).toBe(201);
  });
});

describe("POST /orgs/:org_id/members/:user_id/erasure", () => {
  test("closes the account of a managed user, by an owner with a step-up", async () => {
    const { client, organizationId, provision, userId, address } = await verifiedDirectory();
    const ada = await provision("ada");
    const path = (id: string) => `/v1/orgs/${organizationId}/members/${id}/erasure`;
    const session = await signInAs(at, { userId, organizationId }, address("ada"));
    await deletePassword(at.sql, ada.userId);
    const admin = await memberWith(at, organizationId, "admin");
    expect((await admin.client.post(path(ada.userId))).status).toBe(403);
    expect((await client.post(path(randomUUID()))).status).toBe(404);
    const independent = await client.post(path(admin.userId));
    expect([independent.status, independent.body.error.code]).toEqual([409, "conflict"]);
    const owner = await memberWith(at, organizationId, "owner");
    await stepUpSessions(at.sql, owner.userId, "an hour ago");
    expect((await owner.client.post(path(ada.userId))).status).toBe(401);
    const erased = await client.post(path(ada.userId));
    expect([erased.status, erased.body.organizations]).toEqual([202, []]);
    expect((await session.get("/v1/auth/session")).status).toBe(401);
    const [deletion] = await at.sql`select subject_id, requested_by from deletions where id = ${erased.body.id}`;
    expect(deletion).toEqual({ subject_id: ada.userId, requested_by: userId });
    expect((await client.post(path(ada.userId))).status).toBe(409);
  });
});
