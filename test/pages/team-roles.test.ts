/** The pages of roles of an organization (G251). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { storeIdentity } from "../support/channels.ts";
import { registered } from "../support/client.ts";
import type { Deployment } from "../support/deployment.ts";
import { mainOf, type PageSite, redirectOf, signedInForms, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { storeConnection } from "../support/sso-connections.ts";
import { assignResponsibility, insertMember } from "../support/states.ts";
import { stepUpSessions, verify } from "../support/team.ts";

const { en: texts } = TEXTS;

const PLACE = "/team/roles";
const NEW = "/team/roles/new";
const CONFIRM = "/team/roles/confirm";
const t = texts.customRoles;

let site: PageSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await site.sql.end();
});

async function owner() {
  const host = await registered(site.origin);
  await stepUpSessions(site.sql, host.userId);
  const { forms, send } = await signedInForms(site.origin, host.client.jar);
  const show = async (path = PLACE) => mainOf((await forms.get(path)).text);
  return { ...host, forms, send, show };
}
type Host = Awaited<ReturnType<typeof owner>>;

async function created(host: Host, values: Record<string, string>): Promise<string> {
  const [location] = redirectOf(await host.send(NEW, { step: "create", ...values }));
  return location ?? "";
}

/** A member of the organization with a role of the permissions. */
async function editor({ organizationId }: Host, permissions: readonly string[]) {
  const other = await registered(site.origin);
  await stepUpSessions(site.sql, other.userId);
  const role = crypto.randomUUID();
  await insertMember(site.sql, organizationId, other.userId);
  await site.sql`
    insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
    values (${role}, ${organizationId}, ${`k${role}`}, 'Editor', '', ${[...permissions]}, now(), now())`;
  await site.sql`
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    values (${organizationId}, ${other.userId}, ${role}, 'manual', now())`;
  const moved = await other.client.post("/v1/auth/organization", { organization_id: organizationId });
  expect(moved.status).toBe(200);
  return { ...other, ...(await signedInForms(site.origin, other.client.jar)), role };
}

test("a role is created, listed with its members, changed and deleted, without scripts", async () => {
  const host = await owner();
  const place = await created(host, { name: "Änd Approver", permissions: "members.invite" });
  const [role] = await site.sql`select * from organization_roles where organization_id = ${host.organizationId}`;
  expect(role).toMatchObject({ key: "and-approver", permissions: ["members.invite"] });
  expect(place).toBe(`${PLACE}/${role?.id}`);
  expect(await host.show()).toContain("Änd Approver");
  const other = await registered(site.origin);
  await insertMember(site.sql, host.organizationId, other.userId);
  const assigned = `/v1/orgs/${host.organizationId}/members/${other.userId}/roles`;
  expect((await host.client.put(assigned, { role_ids: [role?.id] })).status).toBe(200);
  const page = await host.show(place);
  for (const text of [t.sources.manual, t.names["members.invite"], t.inUseBy({ users: "1 member" })])
    expect(page).toContain(text);
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
  const change = { step: "save", name: "Approver", permissions: "members.list", version };
  expect((await host.send(place, change)).status).toBe(303);
  const outdated = await host.send(place, { ...change, name: "Lost update" });
  expect(outdated.status).toBe(409);
  expect(mainOf(outdated.text)).toContain(texts.common.changedSince);
  const confirm = (await host.forms.get(`${CONFIRM}?step=delete&id=${role?.id}`)).text;
  for (const text of [t.removeTitle({ name: "Approver" }), t.inUseBy({ users: "1 member" }), t.reassign])
    expect(confirm).toContain(text);
  expect((await host.send(place, { step: "delete" })).status).toBe(409);
  expect(redirectOf(await host.send(place, { step: "delete", reassign: "yes" }))[0]).toBe(PLACE);
  expect((await host.forms.get(place)).status).toBe(404);
});

test("a permission that the caller lacks is disabled with the reason, and refused in a forged form", async () => {
  const host = await owner();
  const theirs = await editor(host, ["members.list", "roles.manage"]);
  const form = mainOf((await theirs.forms.get(NEW)).text);
  expect(form).toMatch(/value="sso.manage"[^>]*disabled/);
  expect(form).not.toMatch(/value="members.list"[^>]*disabled/);
  expect(form).toContain(t.lacking);
  const forged = await theirs.send(NEW, { step: "create", name: "Power", permissions: "sso.manage" });
  expect(forged.status).toBe(403);
  expect(mainOf(forged.text)).toContain(t.beyondOwn);
  const above = await created(host, { name: "Above", permissions: "sso.manage" });
  expect(mainOf((await theirs.forms.get(above)).text)).toContain(t.fixed.above);
  expect(mainOf((await theirs.forms.get(`/team/roles/${theirs.role}`)).text)).toContain(t.fixed.own);
  const own = { step: "save", name: "Mine", permissions: "members.list", version: "0" };
  expect((await theirs.send(`/team/roles/${theirs.role}`, own)).status).toBe(403);
});

test("a member without permission sees no role, and built-in roles and bad fields are explained", async () => {
  const host = await owner();
  const reader = await editor(host, ["audit.read"]);
  expect((await reader.forms.get(PLACE)).status).toBe(403);
  const viewer = await editor(host, ["members.list"]);
  expect((await viewer.forms.get(NEW)).status).toBe(403);
  expect((await viewer.send(NEW, { step: "create", name: "None" })).status).toBe(403);
  expect(await host.show("/team/roles/admin")).toContain(t.fixedBuiltIn);
  expect((await host.forms.get(`${PLACE}/no-such-role`)).status).toBe(404);
  const refused = await host.send(NEW, { step: "create", name: "Owner", permissions: "no.such" });
  expect(refused.status).toBe(400);
  for (const text of [t.badKey, t.badPermissions]) expect(mainOf(refused.text)).toContain(text);
});

const GROUPS = "/team/groups";
const NEW_GROUP = "/team/groups/new";
const CONFIRM_GROUP = "/team/groups/confirm";
const groupTexts = texts.groups;

test("a group is created, gets members by address and roles, and is deleted, without scripts", async () => {
  const host = await owner();
  const role = (await created(host, { name: "Approver", permissions: "members.list" })).split("/").at(-1) ?? "";
  const other = await registered(site.origin);
  await insertMember(site.sql, host.organizationId, other.userId);
  const [user] = await site.sql`select email from users where id = ${other.userId}`;
  const made = await host.send(NEW_GROUP, { step: "create", name: "Accounting", role_ids: role });
  const place = redirectOf(made)[0] ?? "";
  expect(place).toStartWith("/team/groups/");
  expect(redirectOf(await host.send(place, { step: "add", email: String(user?.email).toUpperCase() }))[0]).toBe(place);
  const held = () => site.sql`select source from member_roles where user_id = ${other.userId}`;
  expect((await held()).map(({ source }) => source)).toEqual(["group"]);
  const unknown = await host.send(place, { step: "add", email: "nobody@example.com" });
  expect([unknown.status, mainOf(unknown.text).includes(groupTexts.notMember)]).toEqual([404, true]);
  const page = await host.show(place);
  for (const text of [user?.email, "Approver", "Accounting"]) expect(page).toContain(text);
  expect(await host.show(GROUPS)).toContain("Accounting");
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
  const change = { step: "save", name: "Finance", version };
  expect((await host.send(place, change)).status).toBe(303);
  expect(await held()).toHaveLength(0);
  expect(mainOf((await host.send(place, change)).text)).toContain(texts.common.changedSince);
  const viewer = await editor(host, ["members.list"]);
  expect(mainOf((await viewer.forms.get(place)).text)).toContain(groupTexts.fixed.permission);
  expect((await viewer.send(place, { step: "delete" })).status).toBe(403);
  expect((await viewer.forms.get(NEW_GROUP)).status).toBe(403);
  const id = place.split("/").at(-1);
  const confirm = (await host.forms.get(`${CONFIRM_GROUP}?step=delete&id=${id}`)).text;
  expect(confirm).toContain(groupTexts.removeTitle({ name: "Finance" }));
  expect(redirectOf(await host.send(place, { step: "remove", id: other.userId }))[0]).toBe(place);
  expect(redirectOf(await host.send(place, { step: "delete" }))[0]).toBe(GROUPS);
  expect((await host.forms.get(place)).status).toBe(404);
});

test("further roles are assigned to members and invitations, with the source, and never the reader's own", async () => {
  const host = await owner();
  const role = (await created(host, { name: "Approver", permissions: "webhooks.manage" })).split("/").at(-1) ?? "";
  const other = await registered(site.origin);
  await insertMember(site.sql, host.organizationId, other.userId);
  const place = `/team/members/${other.userId}`;
  expect(redirectOf(await host.send(place, { role_ids: role }))[0]).toBe("/team");
  expect(await host.show("/team")).toContain(`${t.further}: Approver`);
  const theirs = await editor(host, ["members.role", "members.list"]);
  const page = mainOf((await theirs.forms.get(place)).text);
  expect(page).toContain(t.notAssignable.above);
  // The role beyond the reader is kept by the form, and a form without the role is refused.
  expect(page).toContain(`type="hidden" name="role_ids" value="${role}"`);
  expect((await theirs.send(place, { role_ids: role })).status).toBe(403);
  const own = mainOf((await theirs.forms.get(`/team/members/${theirs.userId}`)).text);
  for (const text of [t.ownRoles, "Editor"]) expect(own.includes(text)).toBe(text === t.ownRoles);
  expect((await theirs.send(`/team/members/${theirs.userId}`, { role_ids: role })).status).toBe(403);
  const invited = { step: "invite", email: "joan@example.org", role: "member", role_ids: role };
  expect(redirectOf(await host.send("/team", invited))[0]).toBe("/team");
  const [stored] = await site.sql`select role_ids from invitations where email = 'joan@example.org'`;
  expect(stored?.role_ids).toEqual([role]);
});

test("a user asks to join on the account page, and a member decides on the team page, without scripts", async () => {
  const host = await owner();
  const domain = `pages-${process.pid}.test`;
  await site.sql`
    insert into organization_domains (id, organization_id, domain, token, status,
                                      verified_at, warnings, created_at, claimed_by)
    values (${crypto.randomUUID()}, ${host.organizationId}, ${domain}, 'token', 'verified', now(), 0, now(),
            (select user_id from members where organization_id = ${host.organizationId} and role = 'owner' limit 1))`;
  const mode = async (domainJoin: string) => {
    const settings = site.sql.json({ ...DEFAULT_POLICY, mfaSince: new Date(0).toISOString(), domainJoin } as never);
    await site.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${host.organizationId}, ${settings}, now(), 1, now())
      on conflict (organization_id) do update set settings = excluded.settings`;
  };
  const colleague = async (name: string) => {
    const user = await registered(site.origin, { email: `${name}@${domain}`, display_name: name });
    await site.sql`update user_emails set verified_at = now(), controlled_at = now() where user_id = ${user.userId}`;
    return { ...user, ...(await signedInForms(site.origin, user.client.jar)) };
  };
  const { joining } = texts;
  await mode("ask");
  const [first, second] = [await colleague("Joan"), await colleague("Alan")];
  const ask = { step: "join", organization_id: host.organizationId };
  for (const user of [first, second]) {
    expect(mainOf((await user.forms.get("/account")).text)).toContain(joining.ask);
    expect(redirectOf(await user.send("/account", ask))[0]).toBe("/account");
    expect(mainOf((await user.forms.get("/account")).text)).toContain(joining.requested);
  }
  const reader = await editor(host, ["members.list"]);
  expect(mainOf((await reader.forms.get("/team")).text)).not.toContain(joining.title);
  const requests = await site.sql`
    select id from domain_join_requests where organization_id = ${host.organizationId} order by created_at`;
  const [approved, denied] = requests.map(({ id }) => String(id));
  expect((await reader.send("/team", { step: "approve-join", id: approved ?? "" })).status).toBe(403);
  const page = await host.show("/team");
  for (const text of [joining.title, "Joan", "Alan", joining.approve]) expect(page).toContain(text);
  expect((await host.send("/team", { step: "approve-join", id: approved ?? "" })).status).toBe(303);
  const confirm = (await host.forms.get(`/team/confirm?step=deny-join&id=${denied}`)).text;
  expect(confirm).toContain(joining.denyTitle({ name: "Alan" }));
  expect((await host.send("/team", { step: "deny-join", id: denied ?? "" })).status).toBe(303);
  const again = await host.send("/team", { step: "deny-join", id: denied ?? "" });
  expect([again.status, mainOf(again.text).includes(joining.outdated)]).toEqual([404, true]);
  expect(mainOf((await second.forms.get("/account")).text)).toContain(joining.deniedHint);
  const members = await site.sql`select user_id from members where organization_id = ${host.organizationId}`;
  const ids = members.map(({ user_id: id }) => id);
  expect([ids.includes(first.userId), ids.includes(second.userId)]).toEqual([true, false]);
  await mode("join");
  const third = await colleague("Ida");
  expect(mainOf((await third.forms.get("/account")).text)).toContain(joining.openTo({ domain }));
  expect((await third.send("/account", ask)).status).toBe(303);
  expect((await third.send("/account", ask)).status).toBe(404);
});

test("a user creates a further organization from the account page, and switches, without scripts", async () => {
  const host = await owner();
  const [path, { slugRule }] = ["/account/organizations/new", texts.organizations];
  expect(await host.show("/account")).toContain(`href="${path}"`);
  const unverified = await host.send(path, { organization_name: "Acme Labs" });
  expect([unverified.status, unverified.text.includes(texts.ownOrganizations.unverified)]).toEqual([403, true]);
  await verify(site.sql, host.userId);
  const badSlug = await host.send(path, { organization_name: "Acme Labs", slug: "Not a slug" });
  expect([badSlug.status, badSlug.text.includes(slugRule)]).toEqual([400, true]);
  expect(badSlug.text).toContain("Not a slug");
  const created = await host.send(path, { organization_name: "Acme Labs" });
  expect(redirectOf(created)).toEqual(["/account", "organization_created"]);
  const organizations = await site.sql`
    select o.id, o.name, m.role from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${host.userId} and o.id <> ${host.organizationId}`;
  expect(organizations).toMatchObject([{ name: "Acme Labs", role: "owner" }]);
  const switching = { step: "switch", organization_id: organizations[0]?.id };
  expect(redirectOf(await host.send("/account", switching))).toEqual(["/account", "switched"]);
  expect(await host.show("/team")).toContain("Acme Labs");
});

test("an administrator creates, widens and deletes a template in the console, and a Viewer only sees it", async () => {
  const staff = await steppedUpAdmin({ one: { url: site.origin }, sql: site.sql } as Deployment, "admin");
  const become = (role: string) => site.sql`update users set platform_role = ${role} where id = ${staff.userId}`;
  const { forms, send } = await signedInForms(site.origin, staff.client.jar);
  const { templates } = texts;
  const form = mainOf((await forms.get("/admin/roles/new")).text);
  expect(form).toMatch(/value="policies.manage"[^>]*disabled/);
  expect(form).toContain(templates.ownersOnly);
  const forged = await send("/admin/roles/new", { step: "create", name: "Power", permissions: "policies.manage" });
  expect([forged.status, mainOf(forged.text).includes(t.badPermissions)]).toEqual([400, true]);
  const name = `Reader ${process.pid}`;
  const made = await send("/admin/roles/new", { step: "create", name, permissions: "members.list" });
  const place = redirectOf(made)[0] ?? "";
  expect(place).toStartWith("/admin/roles/");
  expect(mainOf((await forms.get("/admin/roles")).text)).toContain(name);
  const page = mainOf((await forms.get(place)).text);
  expect(page).toContain(templates.wider);
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
  const wider = { step: "save", name, permissions: "audit.read", version };
  expect((await send(place, wider)).status).toBe(303);
  expect((await send(place, wider)).status).toBe(409);
  const host = await owner();
  expect(await host.show()).toContain(name);
  const id = place.slice("/admin/roles/".length);
  expect((await forms.get(`/admin/roles/${id}/confirm?step=delete`)).text).toContain(t.removeTitle({ name }));
  await become("viewer");
  expect(mainOf((await forms.get(place)).text)).not.toContain("<form");
  expect((await send(place, { step: "delete" })).status).toBe(403);
  await become("admin");
  expect(redirectOf(await send(place, { step: "delete" }))[0]).toBe("/admin/roles");
  expect((await forms.get(place)).status).toBe(404);
});

test("a role for a member whom a weaker person's provider signs in is asked about (G282)", async () => {
  const host = await owner();
  const place = await created(host, { name: "Reader", permissions: "audit.read" });
  const roleId = place.split("/").at(-1) ?? "";
  const [manager, member] = [await registered(site.origin), await registered(site.origin)];
  for (const { userId } of [manager, member]) {
    await insertMember(site.sql, host.organizationId, userId);
  }
  const connection = await storeConnection(site.sql, host.organizationId);
  await assignResponsibility(site.sql, connection, manager.userId);
  await storeIdentity({ sql: site.sql }, connection, member.userId);
  const path = `/team/members/${member.userId}`;
  expect(await host.show(path)).toContain(texts.channels.holders);
  const asked = await host.send(path, { role_ids: roleId });
  expect(asked.status).toBe(409);
  for (const text of [texts.channels.title, manager.email, texts.channels.kinds.linked_identity, roleId]) {
    expect(asked.text).toContain(text);
  }
  const confirmed = await host.send(path, { role_ids: roleId, confirm_channels: "true" });
  expect([confirmed.status, redirectOf(confirmed)[1]]).toEqual([303, "roles"]);
});
