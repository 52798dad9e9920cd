/** Directories by SCIM 2.0 over two replicas (G173 to G178). */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { createVerifier } from "../../clients/js/src/verifier.ts";
import { scimProblemReply } from "../../src/http/scim/scim-reply.ts";
import { userCondition } from "../../src/models/directory/filter-sql.ts";
import { parseCondition } from "../../src/models/directory/protocol/condition.ts";
import { fulfils } from "../../src/models/directory/protocol/evaluate-condition.ts";
import { USER_TYPE } from "../../src/models/directory/protocol/schemas.ts";
import type { JsonRecord } from "../../src/models/directory/protocol/scim-json.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import {
  directoryOf,
  groupBody,
  insertVerifiedDomain,
  scimClient,
  searchBody,
  signInAs,
  userBody,
  verifyDomainOf,
} from "../support/directories.ts";
import { Browser, introspectAt, refreshAt, registerClient, tokensFor } from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { insertMember, verifyAddress } from "../support/states.ts";
import { memberOf, membersOf, memberWith, stepUpSessions } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
const patch = (...operations: readonly unknown[]) => ({ Operations: operations });
const activeIs = (active: unknown) => patch({ op: "Replace", path: "active", value: active });

/** A directory whose domain is verified, so that users become members. */
async function verifiedDirectory(settings: Record<string, unknown> = {}) {
  const directory = await directoryOf(at, settings);
  await verifyDomainOf(at, directory);
  return directory;
}
type Directory = Awaited<ReturnType<typeof verifiedDirectory>>;

const roleOf = async ({ organizationId }: Directory, email: string) => {
  const [row] = await at.sql`
    select m.role from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and u.email = ${email}`;
  return row?.role;
};
const provision = async ({ scim, address }: Directory, name: string, fields = {}) => {
  const { status, body } = await scim("POST", "/Users", userBody(address(name), fields));
  if (status !== 201) throw new Error(`provisioning returned ${status}: ${JSON.stringify(body)}`);
  return body.id as string;
};

describe("the administration of a directory", () => {
  test("creates, replaces, pauses and deletes the directory of an organization", async () => {
    const { client, organizationId, scim, key } = await directoryOf(at);
    const other = scimClient(at.other.url, key);
    const place = `/v1/orgs/${organizationId}/directory`;
    const { body } = await client.get(place);
    expect(body).toMatchObject({
      organization_id: organizationId,
      status: "active",
      default_role: "member",
      outside_domains: "invite",
      role_source: "groups",
      revision: 1,
    });
    expect(body.base_url).toEndWith("/v1/scim/v2");
    expect((await client.delete(place)).status).toBe(409);
    const paused = await client.put(place, { status: "paused", default_role: "admin" });
    expect([paused.status, paused.body.status, paused.body.default_role, paused.body.revision]).toEqual([
      200,
      "paused",
      "admin",
      2,
    ]);
    const refused = await scim("POST", "/Users", userBody("x"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "3600"]);
    expect([(await scim("GET", "/Users")).status, (await other("GET", "/Users")).status]).toEqual([200, 200]);
    expect((await client.delete(place)).status).toBe(204);
    const unknown = await other("PUT", `/Users/${randomUUID()}`, userBody("x"));
    expect(unknown.status).toBeLessThan(500);
    expect((await client.get(place)).status).toBe(404);
    const without = await scim("GET", "/Users");
    expect([without.status, without.body.schemas]).toEqual([403, ["urn:ietf:params:scim:api:messages:2.0:Error"]]);
    await eventually("the other replica refuses the key", 10_000, async () => {
      return (await other("GET", "/Users")).status === 403;
    });
  });

  test("needs an owner or admin, and a step-up for changes", async () => {
    const { place, organizationId } = await directoryOf(at);
    const member = await memberWith(at, organizationId, "member");
    expect((await member.client.get(place)).status).toBe(403);
    const admin = await memberWith(at, organizationId, "admin");
    await stepUpSessions(at.sql, admin.userId, "an hour ago");
    expect((await admin.client.get(place)).status).toBe(200);
    expect((await admin.client.put(place, {})).status).toBe(401);
    const stranger = await directoryOf(at);
    expect((await stranger.client.get(place)).status).toBe(404);
  });

  test("lists refused requests without values, and users with their link", async () => {
    const directory = await verifiedDirectory();
    const { client, organizationId, scim, address } = directory;
    const id = await provision(directory, "ada");
    expect((await scim("POST", "/Users?secret=1", userBody(address("ADA")))).status).toBe(409);
    const { body } = await client.get(`/v1/orgs/${organizationId}/directory/requests`);
    expect(body.items).toEqual([
      {
        at: expect.any(String),
        method: "POST",
        path: "/Users",
        status: 409,
        scim_type: "uniqueness",
        detail: expect.any(String),
        request_id: expect.any(String),
      },
    ]);
    const users = await client.get(`/v1/orgs/${organizationId}/directory/users`);
    expect(users.body.items).toMatchObject([{ id, user_name: address("ada"), active: true, link: "domain" }]);
  });
});

describe("the credential", () => {
  test("is an API key with a scope of directories; sessions and other keys are refused as SCIM errors", async () => {
    const { organizationId, client } = await directoryOf(at);
    const anonymous = await scimClient(at.one.url, undefined)("GET", "/Users");
    expect([anonymous.status, anonymous.headers.get("www-authenticate"), anonymous.body.status]).toEqual([
      401,
      "Bearer",
      "401",
    ]);
    const session = await client.get("/v1/scim/v2/Users");
    expect(session.status).toBe(401);
    const reader = await directoryOf(at, {}, ["scim.read"]);
    expect((await reader.scim("GET", "/Users")).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/Users"],
      ["PUT", `/Users/${organizationId}`],
      ["DELETE", `/Users/${organizationId}`],
    ] as const)
      expect([method, (await reader.scim(method, path, userBody("x"))).status]).toEqual([method, 403]);
    const other = await directoryOf(at, {}, ["members.list"]);
    expect((await other.scim("GET", "/Users")).status).toBe(403);
  });

  test("may live 730 days with scopes of directories only", async () => {
    const { client, organizationId } = await directoryOf(at);
    const accounts = `/v1/orgs/${organizationId}/service-accounts`;
    const { body } = await client.post(accounts, { name: "Directory" });
    const create = (scopes: string[]) => client.post(`${accounts}/${body.id}/keys`, { scopes, expires_in_days: 730 });
    expect((await create(["scim.write"])).status).toBe(201);
    const long = await create(["scim.write", "members.list"]);
    expect([long.status, long.body.error.fields]).toEqual([400, [{ field: "expires_in_days", rule: "too_large" }]]);
  });
});

describe("a provisioned user", () => {
  test("of the verified domain becomes a managed member, with name, language, version and location", async () => {
    const directory = await verifiedDirectory();
    const { scim, address, organizationId } = directory;
    const created = await scim("POST", "/Users", {
      ...userBody("ada", { externalId: "e-1", password: "never stored", active: "True" }),
      emails: [{ value: address("Ada"), type: "work", primary: true }],
      name: { givenName: "Ada", familyName: "Lovelace" },
      preferredLanguage: "de",
    });
    expect([created.status, created.body.userName, created.body.active]).toEqual([201, "ada", true]);
    expect(created.headers.get("etag")).toBe('W/"1"');
    expect(created.headers.get("location")).toBe(created.body.meta.location);
    expect(JSON.stringify(created.body)).not.toContain("never stored");
    const [user] = await at.sql`
      select u.id, u.display_name, u.locale, u.managed_by, u.password_hash, u.email_verified_at, m.role
      from users u join members m on m.user_id = u.id where u.email = ${address("ada")}`;
    expect(user).toMatchObject({
      display_name: "Ada Lovelace",
      locale: "de",
      managed_by: organizationId,
      password_hash: null,
      role: "member",
    });
    expect(created.body.id).not.toBe(user?.id);
    const path = `/Users/${created.body.id}`;
    const renamed = await scim("PATCH", path, patch({ op: "replace", path: "displayName", value: "Countess" }));
    expect([renamed.status, renamed.headers.get("etag")]).toEqual([200, 'W/"2"']);
    const [after] = await at.sql`select display_name from users where id = ${user?.id}`;
    expect(after?.display_name).toBe("Countess");
    const current = await scim("GET", path, undefined, { "if-none-match": 'W/"2"' });
    expect([current.status, current.headers.get("etag")]).toEqual([304, 'W/"2"']);
    expect((await scim("PUT", path, userBody("ada"), { "if-match": 'W/"1"' })).status).toBe(412);
    const unchanged = await scim("PATCH", path, patch({ op: "remove", path: "nickName" }));
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([200, 'W/"2"']);
  });

  test("with a password of the user's own is managed no longer: the account keeps its name", async () => {
    const directory = await verifiedDirectory();
    const { scim, address } = directory;
    const id = await provision(directory, "ada");
    await at.sql`update users set password_hash = 'x', display_name = 'Ada' where email = ${address("ada")}`;
    const renaming = patch({ op: "replace", path: "displayName", value: "Countess" });
    expect((await scim("PATCH", `/Users/${id}`, renaming)).status).toBe(200);
    const [user] = await at.sql`select display_name, managed_by from users where email = ${address("ada")}`;
    expect(user).toEqual({ display_name: "Ada", managed_by: null });
  });

  test("loses sessions on every replica within a second of the deactivation, and returns without them", async () => {
    const directory = await verifiedDirectory();
    const { scim, address, organizationId, client } = directory;
    const id = await provision(directory, "ada");
    const ada = await signInAs(at, directory, address("ada"));
    const elsewhere = ada.at(at.other.url);
    expect((await elsewhere.get("/v1/auth/session")).status).toBe(200);
    const deactivated = await scim("PATCH", `/Users/${id}`, activeIs("False"));
    expect([deactivated.status, deactivated.body.active]).toEqual([200, false]);
    const took = await eventually("the other replica refuses the session", 1_000, async () => {
      return (await elsewhere.get("/v1/auth/session")).status === 401;
    });
    expect(took).toBeLessThan(1_000);
    expect((await ada.get("/v1/auth/session")).status).toBe(401);
    for (const replica of [ada, elsewhere]) {
      const page = await replica.get("/account", { documented: false });
      // The refresh behind this address fails, and the browser reaches /sign-in.
      expect([page.status, page.headers.get("location")]).toEqual([303, "/v1/auth/continue?to=%2Faccount"]);
      expect((await replica.post("/v1/auth/refresh")).status).toBe(401);
    }
    await expect(signInAs(at, directory, address("ada"))).rejects.toThrow("401");
    const listed = await client.get(membersOf(organizationId));
    expect(listed.body.items.map(({ email, role, active }: Record<string, unknown>) => [email, role, active])).toEqual([
      [expect.any(String), "owner", undefined],
      [address("ada"), "member", false],
    ]);
    const [removal] = await at.sql`select 1 from member_removals where organization_id = ${organizationId}`;
    expect(removal).toBeDefined();
    const invited = await client.post(`/v1/orgs/${organizationId}/invitations`, {
      email: address("ada"),
      role: "member",
    });
    expect(invited.status).toBe(409);
    const restored = await scim("PATCH", `/Users/${id}`, activeIs("True"));
    expect([restored.status, restored.body.active]).toEqual([200, true]);
    expect((await ada.get("/v1/auth/session")).status).toBe(401);
    await signInAs(at, directory, address("ada"));
    const actions = await at.sql`
      select action, actor_type from audit_logs
      where organization_id = ${organizationId} and action like 'member.%' order by timestamp, id`;
    expect(actions.map(({ action }) => action)).toEqual([
      "member.provisioned",
      "member.deactivated",
      "member.provisioned",
    ]);
    expect(new Set(actions.map(({ actor_type }) => actor_type))).toEqual(new Set(["api_key"]));
  });

  test("is refused within a second by verifiers and applications at both replicas, also if deleted", async () => {
    const directory = await verifiedDirectory();
    const { scim, address } = directory;
    const application = await registerClient();
    const replicas = [at.one, at.other];
    const verifiers = replicas.map(({ url: baseUrl }) =>
      createVerifier({ issuer: ISSUER, baseUrl, whenBlind: "deny" }),
    );
    for (const [name, end] of [
      ["ada", (path: string) => scim("PATCH", path, activeIs(false))],
      ["grace", (path: string) => scim("DELETE", path)],
    ] as const) {
      const id = await provision(directory, name);
      const client = await signInAs(at, directory, address(name));
      const browser = Object.assign(new Browser(at.one.url), { client });
      const tokens = await tokensFor(application, browser);
      const accepting = [
        ...verifiers.map((verifier) => async () => (await verifier.verify(String(client.cookie("service_at")))).ok),
        ...replicas.map(({ url }) => async () => {
          return (await introspectAt(url, application, tokens.access_token)).body.active as boolean;
        }),
      ];
      expect(await Promise.all(accepting.map((accepts) => accepts()))).toEqual([true, true, true, true]);
      expect((await end(`/Users/${id}`)).status).toBeLessThan(300);
      const refused = accepting.map((accepts) => eventually("refused", 1_000, async () => !(await accepts())));
      expect(Math.max(...(await Promise.all(refused)))).toBeLessThan(1_000);
      for (const { url } of replicas)
        expect((await refreshAt(url, application, tokens.refresh_token)).body.error).toBe("invalid_grant");
    }
    for (const verifier of verifiers) verifier.close();
  });

  test("is deleted with the membership; every later request is 404", async () => {
    const directory = await verifiedDirectory();
    const { scim, address } = directory;
    const id = await provision(directory, "ada");
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect(await roleOf(directory, address("ada"))).toBeUndefined();
    for (const [method, body] of [["GET"], ["DELETE"], ["PATCH", activeIs(true)], ["PUT", userBody("x")]] as const)
      expect([method, (await scim(method, `/Users/${id}`, body)).status]).toEqual([method, 404]);
    const again = await provision(directory, "ada");
    expect(again).not.toBe(id);
    expect(await roleOf(directory, address("ada"))).toBe("member");
  });

  test("outside of the verified domains is invited, or refused by the setting", async () => {
    const inviting = await verifiedDirectory();
    await verifyAddress(at.sql, inviting.userId);
    const email = `outside-${randomUUID()}@example.test`;
    const created = await inviting.scim("POST", "/Users", userBody(email));
    expect(created.status).toBe(201);
    const [invitation] = await at.sql`
      select role from invitations where organization_id = ${inviting.organizationId} and email = ${email}`;
    expect(invitation?.role).toBe("member");
    await inviting.scim("PATCH", `/Users/${created.body.id}`, activeIs(false));
    const [revoked] = await at.sql`
      select revoked_at from invitations where organization_id = ${inviting.organizationId} and email = ${email}`;
    expect(revoked?.revoked_at).not.toBeNull();
    await inviting.scim("PATCH", `/Users/${created.body.id}`, activeIs(true));
    const again = await at.sql`
      select sent_by, invited_by from invitations
      where organization_id = ${inviting.organizationId} and email = ${email} and revoked_at is null`;
    expect([...again]).toEqual([{ sent_by: "organization", invited_by: null }]);
    const refusing = await verifiedDirectory({ outside_domains: "refuse" });
    const refused = await refusing.scim("POST", "/Users", userBody(email));
    expect([refused.status, refused.body.scimType]).toEqual([400, "invalidValue"]);
    const total = await refusing.scim("GET", "/Users?count=0");
    expect([total.body.totalResults, total.body.Resources]).toEqual([0, []]);
  });

  test("an address that normalisation makes the address of another person gets no account (G304)", async () => {
    const directory = await verifiedDirectory();
    const { scim, address, organizationId } = directory;
    const asserted = address("\u212Aate");
    const created = await scim("POST", "/Users", userBody(asserted, { emails: [{ value: asserted, primary: true }] }));
    expect(created.status).toBe(201);
    const kate = await scim("POST", "/Users", userBody(address("kate-2"), { emails: [{ value: address("kate") }] }));
    await scim(
      "PATCH",
      `/Users/${kate.body.id}`,
      patch({ op: "Replace", path: "emails", value: [{ value: asserted }] }),
    );
    const users = await at.sql`
      select u.email from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.role <> 'owner'`;
    expect(users.map(({ email }) => email)).toEqual([address("kate")]);
  });

  test("both forms of an internationalized domain are one address, for accounts and filters (G305)", async () => {
    const directory = await verifiedDirectory();
    const { scim, organizationId, client } = directory;
    const label = `bücher-${organizationId}`;
    const ascii = new URL(`http://${label}.test`).hostname;
    await insertVerifiedDomain(at, organizationId, ascii);
    const emails = [{ value: `Ada@${label}.test`, type: "work" }];
    const created = await scim("POST", "/Users", userBody(`ada@${label}.test`, { emails }));
    expect([created.status, created.body.emails]).toEqual([201, emails]);
    expect(await roleOf(directory, `ada@${ascii}`)).toBe("member");
    for (const domain of [`${label}.test`, ascii]) {
      for (const filter of [`emails.value eq "ada@${domain}"`, `userName eq "ADA@${domain}"`]) {
        const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`);
        expect([filter, body.totalResults]).toEqual([filter, 1]);
      }
    }
    await scim("PATCH", `/Users/${created.body.id}`, activeIs(false));
    await at.sql`update directory_users set user_id = null where id = ${created.body.id}`;
    const invited = await client.post(`/v1/orgs/${organizationId}/invitations`, {
      email: `ada@${ascii}`,
      role: "member",
    });
    expect([invited.status, invited.body.error?.code]).toEqual([409, "conflict"]);
  });

  test("who is the last owner stays, and people do not remove a provisioned member", async () => {
    const directory = await verifiedDirectory();
    const { scim, client, userId, organizationId, address } = directory;
    const [own] = await at.sql`select email from users where id = ${userId}`;
    const owner = await scim("POST", "/Users", userBody(own?.email));
    expect(owner.status).toBe(201);
    const refused = await scim("PATCH", `/Users/${owner.body.id}`, activeIs(false));
    expect([refused.status, refused.body.scimType]).toEqual([400, "mutability"]);
    expect((await scim("GET", `/Users/${owner.body.id}`)).body.active).toBe(true);
    expect((await scim("DELETE", `/Users/${owner.body.id}`)).status).toBe(400);
    await provision(directory, "ada");
    const [ada] = await at.sql`select id from users where email = ${address("ada")}`;
    const removed = await client.delete(memberOf(organizationId, ada?.id));
    expect([removed.status, removed.body?.error.code]).toEqual([409, "conflict"]);
  });
});

describe("two organizations with the same people", () => {
  test("never learn of each other, and a deactivation by one organization leaves the second membership", async () => {
    const [first, second] = [await verifiedDirectory(), await verifiedDirectory()];
    const email = first.address("ada");
    const id = await provision(first, "ada");
    const [ada] = await at.sql`select id from users where email = ${email}`;
    await insertMember(at.sql, second.organizationId, ada?.id);
    const foreign = await second.scim("POST", "/Users", userBody(email, { externalId: "theirs" }));
    expect(foreign.status).toBe(201);
    expect(foreign.body.id).not.toBe(id);
    expect(foreign.body.externalId).toBe("theirs");
    for (const method of ["GET", "DELETE"]) expect((await second.scim(method, `/Users/${id}`)).status).toBe(404);
    expect((await second.scim("GET", `/Users?filter=id eq "${id}"`)).body.totalResults).toBe(0);
    const group = await second.scim("POST", "/Groups", groupBody("Spies", [id]));
    expect([group.status, group.body.scimType]).toEqual([400, "invalidValue"]);
    expect((await second.scim("GET", "/Groups?count=0")).body.totalResults).toBe(0);
    expect((await second.scim("PATCH", `/Users/${foreign.body.id}`, activeIs(false))).status).toBe(200);
    expect(await roleOf(first, email)).toBe("member");
    expect(await roleOf(second, email)).toBeUndefined();
  });
});

describe("groups", () => {
  test("grant the mapped role on every replica at once, and lose it with the membership in the group", async () => {
    const directory = await verifiedDirectory();
    const { scim, client, address, organizationId } = directory;
    const id = await provision(directory, "ada");
    const created = await scim("POST", "/Groups", groupBody("Admins", [id]));
    expect([created.status, created.body.members]).toMatchObject([201, [{ value: id, type: "User" }]]);
    const ada = await signInAs(at, directory, address("ada"), at.other.url);
    expect(await roleOf(directory, address("ada"))).toBe("member");
    const map = (role: string) =>
      client.patch(`/v1/orgs/${organizationId}/directory/groups/${created.body.id}`, { role });
    const mapped = await map("admin");
    expect([mapped.status, mapped.body.role, mapped.body.member_count]).toEqual([200, "admin", 1]);
    const listed = await client.get(`/v1/orgs/${organizationId}/directory/groups`);
    expect(listed.body.items).toEqual([mapped.body]);
    await eventually("the session has the role", 1_000, async () => {
      return (await ada.get("/v1/auth/session")).body.capabilities.role === "admin";
    });
    expect((await scim("GET", `/Users/${id}`)).body.groups).toMatchObject([
      { value: created.body.id, display: "Admins" },
    ]);
    const removed = await scim(
      "PATCH",
      `/Groups/${created.body.id}`,
      patch({ op: "Remove", path: "members", value: [{ value: id }] }),
    );
    expect(removed.status).toBe(204);
    expect(await roleOf(directory, address("ada"))).toBe("member");
    const owner = await map("owner");
    expect(owner.status).toBe(400);
    const changes = await at.sql`
      select metadata from audit_logs where organization_id = ${organizationId} and action = 'member.role_changed'
      order by timestamp`;
    expect(changes.map(({ metadata }) => metadata)).toEqual([
      { from: "member", to: "admin", source: "directory" },
      { from: "admin", to: "member", source: "directory" },
    ]);
  });

  test("apply a patch as a whole or not at all", async () => {
    const directory = await verifiedDirectory();
    const { scim } = directory;
    const [one, two] = [await provision(directory, "one"), await provision(directory, "two")];
    const { body } = await scim("POST", "/Groups", groupBody("Team", [one]));
    const path = `/Groups/${body.id}`;
    const before = (await scim("GET", path)).body;
    const refused = await scim(
      "PATCH",
      path,
      patch(
        { op: "add", path: "members", value: [{ value: two }] },
        { op: "replace", path: "displayName", value: "Renamed" },
        { op: "replace", path: "members", value: [{ value: randomUUID() }] },
      ),
    );
    expect([refused.status, refused.body.scimType]).toEqual([400, "invalidValue"]);
    expect((await scim("GET", path)).body).toEqual(before);
    const twice = patch({ op: "add", path: "members", value: [{ value: one }] });
    expect((await scim("PATCH", path, twice)).status).toBe(204);
    expect((await scim("GET", path)).body.meta.version).toBe(before.meta.version);
    const replaced = await scim("PUT", path, groupBody("Team", [two]));
    expect([replaced.status, replaced.body.members.map(({ value }: { value: string }) => value)]).toEqual([200, [two]]);
    const [{ metadata } = {}] = await at.sql`
      select metadata from audit_logs where resource_id = ${body.id} and action = 'directory_group.members_changed'
      order by id desc limit 1`;
    expect(metadata).toEqual({ added: 1, removed: 1, added_ids_1: two, removed_ids_1: one });
    expect((await scim("POST", "/Groups", groupBody("TEAM"))).body.scimType).toBe("uniqueness");
    expect((await scim("DELETE", path)).status).toBe(204);
    expect((await scim("GET", path)).status).toBe(404);
  });
});

describe("lists", () => {
  const FILTERS: readonly (readonly [string, number])[] = [
    ['userName eq "USER-1"', 1],
    ['userName sw "user-" and active eq true', 5],
    ['emails[type eq "work" and value eq "mail-2@example.test"]', 1],
    ['emails[type eq "work"].value eq "mail-2@example.test"', 1],
    ['emails.value co "MAIL-"', 5],
    ['not (emails.value eq "mail-2@example.test")', 4],
    ["active eq false", 0],
    ['externalId eq "e-3"', 1],
    ['externalId eq "E-3"', 0],
    ['name.familyName ne "Family 1"', 4],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "d-4"', 1],
    ["displayName pr", 5],
    ['meta.created gt "2020-01-01T00:00:00Z"', 5],
    // Years that PostgreSQL does not parse.
    ['meta.created gt "0000-01-01T00:00:00Z"', 5],
    ['meta.created lt "9999-12-31T23:59:59-12:00"', 5],
    ['userName eq "%" or userName eq "\' or true --"', 0],
  ];

  async function five() {
    const directory = await directoryOf(at);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { status, body } = await directory.scim("POST", "/Users", {
        ...userBody(`user-${n}`, { externalId: `e-${n}`, displayName: `User ${n}` }),
        emails: [{ value: `mail-${n}@example.test`, type: "work" }],
        name: { familyName: `Family ${n}` },
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: `D-${n}` },
      });
      expect(status).toBe(201);
      ids.push(body.id);
    }
    return { ...directory, ids };
  }

  test("are filtered by every supported condition, paged by index and by cursor, and projected", async () => {
    const { scim, ids } = await five();
    for (const [filter, expected] of FILTERS) {
      const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`);
      expect([filter, body.totalResults]).toEqual([filter, expected]);
    }
    const unsupported = await scim("GET", "/Users?filter=title%20pr");
    expect([unsupported.status, unsupported.body.scimType]).toEqual([400, "invalidFilter"]);
    const page = await scim("GET", "/Users?STARTINDEX=2&count=2&attributes=userName");
    expect(page.body).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 2 });
    expect(page.body.Resources).toEqual(
      [1, 2].map((n) => ({
        schemas: expect.any(Array),
        id: ids[n],
        userName: `user-${n}`,
      })),
    );
    const seen: string[] = [];
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      const { body } = await scim("GET", `/Users?count=2&cursor=${cursor}`);
      seen.push(...body.Resources.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      if (seen.length === 2) await scim("DELETE", `/Users/${ids[0]}`);
    }
    expect(seen).toEqual(ids);
    expect((await scim("GET", "/Users?cursor=x")).body.scimType).toBe("invalidCursor");
  });

  test("have the users that fulfil 60 generated filters in memory too", async () => {
    const { scim } = await five();
    const value = fc.constantFrom(
      "user-1",
      "USER",
      "mail-2@example.test",
      "family",
      "work",
      "e-3",
      "D-4",
      "%",
      "_",
      "'",
    );
    const path = fc.constantFrom(
      ...["userName", "externalId", "displayName", "name.familyName", "emails.value", "emails.type", "id"],
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
    );
    const operator = fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le");
    const compared = fc.tuple(path, operator, value).map(([name, compare, text]) => `${name} ${compare} "${text}"`);
    const term = fc.oneof(
      compared,
      path.map((name) => `${name} pr`),
      compared.map((each) => `not (${each})`),
      fc.tuple(operator, value).map(([compare, text]) => `emails[type eq "work" and value ${compare} "${text}"]`),
    );
    const filter = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(" or "));
    const { body: all } = await scim("GET", "/Users");
    for (const text of fc.sample(filter, { numRuns: 60, seed: 31 })) {
      const condition = parseCondition(text, USER_TYPE);
      if (!condition.ok) throw new Error(`${text}: ${condition.error.detail}`);
      const expected = all.Resources.filter((each: JsonRecord) => fulfils(condition.value, each));
      const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(text)}`);
      expect([text, body.Resources]).toEqual([text, expected]);
    }
  });

  test("find users by name, external id, id and email by an index", async () => {
    const { scim, organizationId } = await five();
    expect((await scim("GET", "/Users?count=0")).body.totalResults).toBe(5);
    for (const [filter, index] of [
      ['userName eq "user-1"', "directory_users_user_name_key"],
      ['externalId eq "e-3" and active eq true', "directory_users_external_id_idx"],
      [`id eq "${organizationId}"`, "directory_users_pkey"],
      ['emails[type eq "work" and value eq "mail-2@example.test"]', "directory_users_email_keys_idx"],
    ] as const) {
      const condition = parseCondition(filter, USER_TYPE);
      if (!condition.ok) throw new Error(condition.error.detail);
      const plan = await at.sql.begin(async (sql) => {
        const matches = userCondition(sql, condition.value);
        if (!matches.ok) throw new Error(matches.error.detail);
        await sql`set local enable_seqscan = off`;
        return await sql`explain select from directory_users r where r.directory_id = uuidv7() and ${matches.value}`;
      });
      const text = plan.map((row) => row["QUERY PLAN"]).join();
      expect([filter, text.includes(index)]).toEqual([filter, true]);
    }
  });

  test("are searched by POST, over one type or both types", async () => {
    const { scim, ids } = await five();
    await scim("POST", "/Groups", groupBody("Team", ids));
    const users = await scim(
      "POST",
      "/Users/.search",
      searchBody({ filter: 'userName eq "user-1"', attributes: ["userName"] }),
    );
    expect(users.body.Resources).toMatchObject([{ id: ids[1], userName: "user-1" }]);
    const members = await scim(
      "POST",
      "/Groups/.search",
      searchBody({ filter: `members.value eq "${ids[2]}"`, count: 1 }),
    );
    expect([members.status, members.body.totalResults]).toEqual([200, 1]);
    const all = await scim(
      "POST",
      "/.search",
      searchBody({ startIndex: 5, count: 2, excludedAttributes: ["members"] }),
    );
    expect(all.body.Resources.map(({ meta }: { meta: { resourceType: string } }) => meta.resourceType)).toEqual([
      "User",
      "Group",
    ]);
    expect(all.body.totalResults).toBe(6);
    expect(all.body.Resources[1].members).toBeUndefined();
  });
});

describe("the protocol", () => {
  test("is described by ServiceProviderConfig, ResourceTypes and Schemas", async () => {
    const { scim } = await directoryOf(at);
    const config = await scim("GET", "/ServiceProviderConfig");
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    });
    expect((await scim("GET", "/ResourceTypes")).body.totalResults).toBe(2);
    expect((await scim("GET", "/ResourceTypes/User")).body.schema).toBe("urn:ietf:params:scim:schemas:core:2.0:User");
    const schemas = await scim("GET", "/Schemas");
    for (const { id } of schemas.body.Resources) expect((await scim("GET", `/Schemas/${id}`)).body.id).toBe(id);
    expect((await scim("GET", "/Schemas/urn:unknown")).status).toBe(404);
  });

  test("has each documented path, and every path refuses a caller without a key by a SCIM error", async () => {
    const scim = scimClient(at.one.url, undefined);
    const document = (await new Client(at.one.url).get("/openapi.json")).body.paths;
    const id = randomUUID();
    const documented = [
      ...["/v1/scim/v2/ServiceProviderConfig", "/v1/scim/v2/ResourceTypes", "/v1/scim/v2/Schemas"],
      ...[`/v1/scim/v2/ResourceTypes/${"User"}`, `/v1/scim/v2/Schemas/${"urn:x"}`, "/v1/scim/v2/.search"],
      ...["/v1/scim/v2/Users", `/v1/scim/v2/Users/${id}`, "/v1/scim/v2/Users/.search"],
      ...["/v1/scim/v2/Groups", `/v1/scim/v2/Groups/${id}`, "/v1/scim/v2/Groups/.search"],
    ];
    const templates = documented.map((path) => path.replace(/\/(?:User|urn:x|[0-9a-f-]{36})$/, "/{id}"));
    expect(templates.toSorted()).toEqual(
      Object.keys(document)
        .filter((path) => path.includes("/scim/"))
        .toSorted(),
    );
    for (const path of [...documented, "/v1/scim/v2", "/v1/scim/v2/", "/v1/scim/v2/Nothing/at/all"]) {
      const refused = await scim("GET", path.slice("/v1/scim/v2".length));
      expect([path, refused.status, refused.body.schemas]).toEqual([path, 401, [ERROR]]);
    }
  });

  test("refuses malformed requests with the documented status and type, and changes nothing", async () => {
    const { scim } = await directoryOf(at);
    const cases: readonly (readonly [string, string, unknown, number, string?])[] = [
      ["POST", "/Users", "{", 400, "invalidSyntax"],
      ["POST", "/Users", '{"userName":"a","userName":"b"}', 400, "invalidSyntax"],
      ["POST", "/Users", '{"__proto__":{}}', 400, "invalidSyntax"],
      ["POST", "/Users", { userName: "x" }, 400, "invalidSyntax"],
      ["POST", "/Users", userBody("a\u0000b"), 400, "invalidValue"],
      ["POST", "/Users", `{"schemas":[],"userName":"${"x".repeat(2 * 1024 * 1024)}"}`, 413],
      ["POST", "/Bulk", {}, 501],
      ["GET", "/Me", undefined, 501],
      ["GET", "/Nothing", undefined, 404],
      ["GET", "/Users/not-an-id", undefined, 404],
      ["GET", "/Users?startIndex=x", undefined, 400, "invalidValue"],
      ["GET", `/Users?filter=${"(".repeat(11)}title%20pr${")".repeat(11)}`, undefined, 400, "invalidFilter"],
      ["POST", "/Users/.search", searchBody({ filter: "title pr or ".repeat(400) }), 400, "invalidFilter"],
      ["POST", "/Users/.search", searchBody({ filter: `userName eq "${"\\".repeat(901)}"` }), 400, "invalidFilter"],
      ["POST", "/Users/.search", {}, 400, "invalidSyntax"],
      ["POST", "/.search", { filter: "title pr" }, 400, "invalidSyntax"],
      ["POST", "/Users", userBody("x", { addresses: "x" }), 400, "invalidSyntax"],
      ["DELETE", "", undefined, 405],
      ["GET", "/Users/a/b", undefined, 404],
      ["PATCH", "/Users/0198c000-0000-7000-8000-000000000001", { Operations: [] }, 400, "invalidSyntax"],
      ["GET", '/Users?filter=userName%20eq%20"%5Cu0000"', undefined, 400, "invalidFilter"],
    ];
    for (const [method, path, body, status, scimType] of cases) {
      const refused = await scim(method, path, body);
      expect([method, path, refused.status, refused.body?.scimType]).toEqual([method, path, status, scimType]);
      expect(refused.body.status).toBe(String(status));
    }
    const wrongMethod = await scim("PUT", "/Users", userBody("x"));
    expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET, POST"]);
    const wrongType = await scim("POST", "/Users", userBody("x"), { "content-type": "text/plain" });
    expect(wrongType.status).toBe(415);
    expect((await scim("GET", "/Users/?aadOptscim062020")).body.totalResults).toBe(0);
  });

  test("are counted by the kind of the refusal: a paused directory and an unknown method are no invalid input", () => {
    const recorded = ([405, 413, 415, 501] as const).map((status) => [
      status,
      scimProblemReply({ status, detail: "" }).refused?.code,
    ]);
    expect(recorded).toEqual([
      [405, "not_found"],
      [413, "invalid_input"],
      [415, "invalid_input"],
      [501, "not_found"],
    ]);
    const paused = scimProblemReply({ status: 503, detail: "", retryAfterSeconds: 3600 });
    expect(paused.refused).toMatchObject({ code: "internal_error", retryAfterSeconds: 3600 });
  });

  test("parallel requests for one user make one record and one membership", async () => {
    const directory = await verifiedDirectory();
    const { address, organizationId } = directory;
    const clients = [directory.scim, scimClient(at.other.url, directory.key)];
    const created = await race(async (index) => {
      const scim = clients[index % 2] ?? directory.scim;
      return (await scim("POST", "/Users", userBody(address("ada")))).status;
    }, 10);
    expect(created.filter((status) => status === 201)).toHaveLength(1);
    expect(created.filter((status) => status === 409)).toHaveLength(9);
    const { body } = await directory.scim("GET", "/Users");
    const states = await race(async (index) => {
      const scim = clients[index % 2] ?? directory.scim;
      return (await scim("PATCH", `/Users/${body.Resources[0].id}`, activeIs(index % 4 < 2))).status;
    }, 12);
    expect(new Set(states)).toEqual(new Set([200]));
    const { active } = (await directory.scim("GET", `/Users/${body.Resources[0].id}`)).body;
    const members = await directory.client.get(membersOf(organizationId));
    expect(members.body.items.map((member: { active?: boolean }) => member.active ?? true)).toEqual([true, active]);
  });

  test("parallel changes of one group on two replicas are all applied, and If-Match admits one writer", async () => {
    const directory = await verifiedDirectory();
    const { scim, key } = directory;
    const clients = [scim, scimClient(at.other.url, key)];
    const ids = await Promise.all([1, 2, 3, 4].map((number) => provision(directory, `user-${number}`)));
    const group = await scim("POST", "/Groups", groupBody("Team", ids.slice(0, 2)));
    const path = `/Groups/${group.body.id}`;
    const change = (index: number) =>
      patch({ op: index < 2 ? "Remove" : "Add", path: "members", value: [{ value: ids[index] }] });
    const changed = await race(
      async (index) => (await clients[index % 2]?.("PATCH", path, change(index % 4)))?.status,
      8,
    );
    expect(new Set(changed)).toEqual(new Set([204]));
    const after = await scim("GET", path);
    const valuesOf = (members: { value: string }[]) => members.map(({ value }) => value).sort();
    expect(valuesOf(after.body.members)).toEqual(ids.slice(2).sort());
    expect(after.headers.get("etag")).toBe('W/"5"');
    const writes = await race(async (index) => {
      const headers = { "if-match": 'W/"5"' };
      return (await clients[index % 2]?.("PATCH", path, change(index % 2), headers))?.status;
    }, 2);
    // The first write changes nothing: the version stays, and the second write matches too.
    expect(writes).toEqual([204, 204]);
    const renamed = await race(async (index) => {
      const renaming = patch({ op: "Replace", path: "displayName", value: `Team ${index}` });
      return (await clients[index % 2]?.("PATCH", path, renaming, { "if-match": 'W/"5"' }))?.status;
    }, 6);
    expect(renamed.sort()).toEqual([204, 412, 412, 412, 412, 412]);
  });

  test("the removal of 2,000 members in one request changes roles at once, and no role of another member", async () => {
    const directory = await verifiedDirectory();
    const { scim, client, address, place } = directory;
    const ids = [await provision(directory, "ada"), await provision(directory, "grace")];
    const group = await scim("POST", "/Groups", groupBody("Admins", ids));
    await client.patch(`${place}/groups/${group.body.id}`, { role: "admin" });
    const strangers = Array.from({ length: 2_000 }, () => ({ value: randomUUID() }));
    const removal = patch({ op: "Remove", path: "members", value: [...strangers, { value: ids[0] }] });
    expect((await scim("PATCH", `/Groups/${group.body.id}`, removal)).status).toBe(204);
    expect(await Promise.all(["ada", "grace"].map((name) => roleOf(directory, address(name))))).toEqual([
      "member",
      "admin",
    ]);
    const beyond = patch({ op: "Add", path: "members", value: Array.from({ length: 10_001 }, () => strangers[0]) });
    expect((await scim("PATCH", `/Groups/${group.body.id}`, beyond)).status).toBe(413);
  });

  test("lists of one organization occupy one connection of a replica and delay no further organization", async () => {
    const [slow, other] = [await directoryOf(at), await directoryOf(at)];
    const gate = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = at.sql.begin(async (sql) => {
      await sql`lock table directory_users in access exclusive mode`;
      locked.resolve();
      await gate.promise;
    });
    await locked.promise;
    const lists = race(async () => (await slow.scim("GET", '/Users?filter=userName%20co%20"x"')).status, 60);
    const waitingLists = async () => {
      const [row] = await at.sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query not like 'with changed%'`;
      return row?.count;
    };
    try {
      await eventually("a list waits for the lock", 5_000, async () => (await waitingLists()) > 0);
      expect((await other.client.get("/v1/auth/sessions")).status).toBe(200);
      expect(await waitingLists()).toBe(1);
    } finally {
      gate.resolve();
      await lock;
    }
    expect(new Set(await lists)).toEqual(new Set([200]));
  });
});
