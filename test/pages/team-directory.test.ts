/** The page of an organization's directory (G187). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { registered } from "../support/client.ts";
import { administrator } from "../support/console.ts";
import { groupBody, scimClient, userBody } from "../support/directories.ts";
import { mainOf, type PageSite, redirectOf, signedInForms, startSite } from "../support/pages.ts";
import { insertMember, presentFactor } from "../support/states.ts";

const { en: texts } = TEXTS;

const PLACE = "/team/directory";
const CONFIRM = "/team/directory/confirm";
const t = texts.provisioning;

let site: PageSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await site.sql.end();
});

/** An owner with a step-up. */
async function owner() {
  const host = await registered(site.origin);
  await presentFactor(site.sql, host.userId);
  const { forms, send } = await signedInForms(site.origin, host.client.jar);
  const show = async (section = "") => mainOf((await forms.get(section ? `${PLACE}?section=${section}` : PLACE)).text);
  const stored = async () =>
    (await site.sql`select * from directories where organization_id = ${host.organizationId}`)[0];
  return { ...host, forms, send, show, stored };
}

/** An owner with a directory, and a key created on the page. */
async function connected() {
  const host = await owner();
  expect((await host.send(PLACE, { step: "create" })).status).toBe(303);
  const created = (await host.send(PLACE, { step: "create-key" })).text;
  const key = /<code id="key">([^<]+)<\/code>/.exec(created)?.[1] ?? "";
  return { ...host, key, created, scim: scimClient(site.origin, key) };
}

test("creates the keys of parallel requests in one service account", async () => {
  const host = await owner();
  await host.send(PLACE, { step: "create" });
  const sent = await Promise.all([1, 2].map((each) => host.send(PLACE, { step: "create-key", press: `page-${each}` })));
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  const accounts = await site.sql`
    select a.name, count(k.id)::int as keys from service_accounts a join api_keys k on k.service_account_id = a.id
    where a.organization_id = ${host.organizationId} group by a.id, a.name`;
  expect([...accounts]).toEqual([{ name: "Directory", keys: 2 }]);
});

test("creates the directory and keys, which are displayed once with the base URL, and revokes a key", async () => {
  const host = await connected();
  expect(host.created).toContain(`${site.origin}/v1/scim/v2`);
  expect((await host.scim("GET", "/Users")).status).toBe(200);
  const page = await host.show();
  expect(page).not.toContain(host.key);
  for (const name of ["Microsoft Entra ID", "Okta", "OneLogin", "JumpCloud", "PingOne", "Google Workspace"])
    expect(page).toContain(name);
  expect((await host.send(PLACE, { step: "create-key" })).status).toBe(200);
  expect((await host.send(PLACE, { step: "create-key" })).status).toBe(409);
  const [row] = await site.sql`
    select k.id, k.service_account_id, k.scopes from api_keys k join service_accounts a on a.id = k.service_account_id
    where a.organization_id = ${host.organizationId} order by k.created_at limit 1`;
  expect(row?.scopes).toEqual(["scim.write"]);
  const id = `${row?.service_account_id}/${row?.id}`;
  expect((await host.forms.get(`${CONFIRM}?step=revoke-key&id=${id}`)).text).toContain("Revoke the key");
  expect(redirectOf(await host.send(PLACE, { step: "revoke-key", id }))[0]).toBe(PLACE);
  expect((await host.scim("GET", "/Users")).status).toBe(401);
});

test("changes settings, pauses, resumes and deletes the directory, without scripts", async () => {
  const host = await connected();
  const settings = { step: "save", default_role: "admin", outside_domains: "refuse", role_source: "none" };
  expect((await host.send(PLACE, settings)).status).toBe(303);
  expect(await host.stored()).toMatchObject({
    status: "active",
    default_role: "admin",
    outside_domains: "refuse",
    role_source: "none",
  });
  expect((await host.send(PLACE, { step: "delete" })).status).toBe(409);
  expect((await host.forms.get(`${CONFIRM}?step=pause`)).text).toContain(t.pauseTitle);
  expect((await host.send(PLACE, { step: "pause" })).status).toBe(303);
  expect(await host.stored()).toMatchObject({ status: "paused", default_role: "admin" });
  expect((await host.scim("POST", "/Users", userBody("ada"))).status).toBe(503);
  expect((await host.send(PLACE, { step: "resume" })).status).toBe(303);
  expect((await host.scim("POST", "/Users", userBody("ada"))).status).toBe(201);
  await host.send(PLACE, { step: "pause" });
  expect((await host.forms.get(`${CONFIRM}?step=delete`)).text).toContain(t.removeTitle);
  expect((await host.send(PLACE, { step: "delete" })).status).toBe(303);
  expect(await host.stored()).toBeUndefined();
  expect((await host.send(PLACE, { step: "save" })).status).toBe(404);
});

test("assigns a role to a group after a preview, which changes nothing", async () => {
  const host = await connected();
  const [own] = await site.sql`select email from users where id = ${host.userId}`;
  const other = await registered(site.origin);
  const { organizationId } = host;
  await insertMember(site.sql, organizationId, other.userId);
  const [user] = await site.sql`select email from users where id = ${other.userId}`;
  const ids: string[] = [];
  for (const email of [own?.email, user?.email]) {
    ids.push((await host.scim("POST", "/Users", userBody(email))).body.id);
  }
  const group = (await host.scim("POST", "/Groups", groupBody("Admins", ids))).body.id;
  const roleOf = async () => {
    const [row] = await site.sql`
      select role from members where organization_id = ${organizationId} and user_id = ${other.userId}`;
    return row?.role;
  };
  const preview = mainOf((await host.forms.get(`${PLACE}?section=groups&group=${group}&role=admin`)).text);
  for (const text of ["Admins: Admin", t.previewText({ count: 1 }), `${user?.email}: Member → Admin`])
    expect(preview).toContain(text);
  expect(preview).not.toContain(`${own?.email}: `);
  expect(await roleOf()).toBe("member");
  const version = /name="version" value="([\w-]+)"/.exec(preview)?.[1] ?? "";
  await site.sql`update directory_groups set display_name = 'Administrators' where id = ${group}`;
  // The confirmation applies the displayed changes alone (G313).
  const changed = await host.send(PLACE, { step: "map", group, role: "admin", version });
  expect([changed.status, await roleOf()]).toEqual([409, "member"]);
  await site.sql`update directory_groups set display_name = 'Admins' where id = ${group}`;
  const mapped = await host.send(PLACE, { step: "map", group, role: "admin", version });
  expect(redirectOf(mapped)[0]).toBe(`${PLACE}?section=groups`);
  expect(await roleOf()).toBe("admin");
  expect(await host.show("users")).toContain(t.links.member);
});

test("lists users with their link, and refused requests with the cause", async () => {
  const host = await connected();
  await host.scim("POST", "/Users", userBody("no-address"));
  await host.scim("POST", "/Users", userBody("<script>"));
  await host.scim("POST", "/Users", userBody("NO-ADDRESS"));
  const users = await host.show("users");
  for (const text of ["no-address", "&lt;script>", t.links.none, t.notLinked]) expect(users).toContain(text);
  const requests = await host.show("requests");
  for (const text of ["POST /Users", "409 uniqueness", "Another user of the directory has this userName."])
    expect(requests).toContain(text);
  const admin = await administrator(site, "admin");
  const path = `/admin/organizations/${host.organizationId}?section=scim`;
  const console = mainOf((await admin.forms.get(path)).text);
  for (const text of [t.statuses.active, "409 uniqueness"]) expect(console).toContain(text);
  expect(console).not.toContain("<form");
});

test("refuses values that no form offers with a message, and changes nothing", async () => {
  const host = await connected();
  const id = (await host.scim("POST", "/Users", userBody("ada"))).body.id;
  const group = (await host.scim("POST", "/Groups", groupBody("Admins", [id]))).body.id;
  expect((await host.send(PLACE, { step: "map", group, role: "admin" })).status).toBe(303);
  expect((await host.send(PLACE, { step: "save", outside_domains: "refuse" })).status).toBe(303);
  await host.send(PLACE, { step: "pause" });
  const stateOf = async () => [
    await host.stored(),
    ...(await site.sql`select display_name, role, version from directory_groups where id = ${group}`),
    ...(await site.sql`
      select k.id, k.revoked_at from api_keys k join service_accounts a on a.id = k.service_account_id
      where a.organization_id = ${host.organizationId} order by k.id`),
  ];
  const before = await stateOf();
  const settings = { step: "save", default_role: "member", outside_domains: "invite", role_source: "groups" };
  const forms: readonly (readonly [Record<string, string>, number])[] = [
    [{ ...settings, default_role: "owner" }, 400],
    [{ ...settings, outside_domains: "constructor" }, 400],
    [{ ...settings, role_source: "" }, 400],
    [{ step: "map", group, role: "owner" }, 400],
    [{ step: "map", group, role: "__proto__" }, 400],
    [{ step: "map", group: "' or true --", role: "member" }, 404],
    [{ step: "map", role: "member" }, 404],
    [{ step: "revoke-key", id: "' or true --/x" }, 404],
    [{ step: "revoke-key" }, 404],
    [{ step: "constructor" }, 404],
    [{}, 404],
    [{ ...settings, csrf: "forged" }, 403],
  ];
  for (const [form, status] of forms) {
    const refused = await host.send(PLACE, form);
    expect([form, refused.status, refused.text.includes("<h1")]).toEqual([form, status, true]);
    if (status === 400) expect(refused.text).toContain(texts.problems.invalid_input);
  }
  // A form that is sent again creates no second directory and resumes nothing.
  expect(redirectOf(await host.send(PLACE, { step: "create" }))[0]).toBe(PLACE);
  for (const query of [
    "section=constructor&page=-1",
    `section=groups&group=${group}&role=owner`,
    "section=groups&group=x",
  ])
    expect([query, (await host.forms.get(`${PLACE}?${query}`)).status]).toEqual([query, 200]);
  for (const query of ["step=constructor", "step=revoke-key&id=x", ""])
    expect([query, (await host.forms.get(`${CONFIRM}?${query}`)).status]).toEqual([query, 404]);
  expect(await stateOf()).toEqual(before);
});

test("is for owners and admins with a step-up, and displays no other organization", async () => {
  const host = await connected();
  const stranger = await owner();
  expect(await stranger.show()).toContain(t.none);
  const group = (await host.scim("POST", "/Groups", groupBody("Secret"))).body.id;
  await stranger.send(PLACE, { step: "create" });
  expect((await stranger.send(PLACE, { step: "map", group, role: "admin" })).status).toBe(404);
  expect(await stranger.show("groups")).not.toContain("Secret");
  await site.sql`update sessions set mfa_verified_at = null where user_id = ${stranger.userId}`;
  await site.sql`update members set role = 'member' where user_id = ${host.userId}`;
  const refused = await host.forms.get(PLACE);
  expect([refused.status, refused.text.includes(t.notYours)]).toEqual([403, true]);
});
