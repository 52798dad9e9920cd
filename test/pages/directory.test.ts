/** Sections of organizations and users in the console, and new users by invitation (G137). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newEmail, PASSWORD } from "../support/client.ts";
import { type Administrator, administrator, stepUp } from "../support/console.ts";
import { linkTo, mainOf, type PageSite, redirectOf, startSite, textOf } from "../support/pages.ts";
import { assignPlatformRole, moveSessions } from "../support/states.ts";

let site: PageSite;
let viewer: Administrator;
let admin: Administrator;
let csrf: string;
beforeAll(async () => {
  site = await startSite();
  [viewer, admin] = await Promise.all([administrator(site, "viewer"), administrator(site, "admin")]);
  await stepUp(admin);
  csrf = await admin.forms.csrf("/account");
});
afterAll(() => site.one.stop());

const ORGANIZATION_SECTIONS = ["overview", "members", "invitations", "applications", "flags", "audit"];
const USER_SECTIONS = [..."overview sessions factors providers applications organizations metadata audit".split(" ")];
const orgPath = ({ organizationId }: Administrator) => `/admin/organizations/${organizationId}`;
const userPath = ({ userId }: Administrator) => `/admin/users/${userId}`;
const mainAt = async (by: Administrator, path: string) => mainOf((await by.forms.get(path)).text);
const actorsOf = async (action: string, organizationId: string) =>
  (
    await site.sql`select actor_id from audit_logs where action = ${action} and organization_id = ${organizationId}`
  ).map(({ actor_id }) => actor_id);
/** Adds a user to the organization of `host`. */
async function memberOf(host: Administrator, role = "member"): Promise<Administrator> {
  const person = await administrator(site, null);
  await site.sql`insert into members values (${host.organizationId}, ${person.userId}, ${role}, now())`;
  return person;
}
/** Registers an application, and inserts live tokens of a user in the user's organization. */
async function applicationOf({ userId, organizationId }: Administrator, name: string): Promise<void> {
  const owner = await administrator(site, "owner");
  await stepUp(owner);
  const form = { name, token_endpoint_auth_method: "client_secret_basic", application_type: "web" };
  await owner.forms.post("/admin/oauth-clients/new", { ...form, csrf: await owner.forms.csrf("/account") });
  const [client] = await site.sql`select id from oauth_clients where name = ${name}`;
  const [grantId, now, later] = [crypto.randomUUID(), new Date(), new Date(Date.now() + 3_600_000)];
  const rights = { user_id: userId, client_id: client?.id, scopes: ["openid"], resources: [] };
  await site.sql`insert into oauth_grants ${site.sql({ ...rights, id: grantId, created_at: now, updated_at: now })}`;
  const jti = { refresh_jti: grantId, access_jti: grantId, access_expires_at: later, rotated_at: now };
  const ends = { expires_at: later, ends_at: later, created_at: now, auth_time: now };
  const signIn = { session_id: grantId, auth_method: "password", aal: "aal1", offline: true, subject: userId };
  const family = { ...rights, ...jti, ...ends, ...signIn, id: grantId, grant_id: grantId };
  const place = { organization_id: organizationId, code_hash: Buffer.from(grantId) };
  await site.sql`insert into oauth_token_families ${site.sql({ ...family, ...place })}`;
}

describe("the overview of a user", () => {
  test("names methods, second factor, organizations and newest events; an administrator requests a copy", async () => {
    const target = await administrator(site, null);
    const page = textOf(await mainAt(viewer, userPath(target)));
    for (const part of [
      target.email,
      "Sign-in methods Password, Code by email",
      "Two-step verification Off",
      "(Owner)",
    ])
      expect([part, page.includes(part)]).toEqual([part, true]);
    expect(page).toContain("Registration");
    expect(page).not.toContain("Request a copy");
    const sent = await admin.forms.post(userPath(target), { csrf, step: "request-export" });
    expect(redirectOf(sent)).toEqual([userPath(target), "export-requested"]);
    const again = await admin.forms.post(userPath(target), { csrf, step: "request-export" });
    expect(again.status).toBe(429);
    const rows = await site.sql`select user_id from data_exports where user_id = ${target.userId}`;
    expect(rows).toHaveLength(1);
    const records = await site.sql`
      select 1 from audit_logs
      where resource_id = ${target.userId} and action = 'user.export_requested' and actor_id = ${admin.userId}`;
    expect(records).toHaveLength(1);
  });
});

describe("sections", () => {
  test("are links with an address each; the current section is marked and named in the title", async () => {
    const target = await administrator(site, null);
    for (const [path, sections] of [
      [orgPath(target), ORGANIZATION_SECTIONS],
      [userPath(target), USER_SECTIONS],
    ] as const) {
      const titles = new Set<string>();
      for (const section of sections) {
        const address = section === "overview" ? path : `${path}?section=${section}`;
        const { status, text } = await viewer.forms.get(address);
        expect([address, status]).toEqual([address, 200]);
        expect(mainOf(text)).toContain(`<a href="${address}" aria-current="page">`);
        expect(mainOf(text).match(/aria-current="page"/g)).toHaveLength(2);
        expect(mainOf(text)).not.toContain('method="post"');
        titles.add(/<title>([^<]*)/.exec(text)?.[1] ?? "");
      }
      expect(titles.size).toBe(sections.length);
      expect((await viewer.forms.get(`${path}?section=constructor`)).status).toBe(200);
    }
  });

  test("of an organization display figures, members, invitations, applications and events", async () => {
    const host = await administrator(site, null);
    const member = await memberOf(host, "admin");
    await site.sql`update users set display_name = 'Grace Hopper', disabled_at = now() where id = ${member.userId}`;
    await applicationOf(host, "Wiki of members");
    const overview = await mainAt(viewer, orgPath(host));
    expect(overview).toContain(">engines");
    expect(overview).toContain("of 2 members");
    const members = await mainAt(viewer, `${orgPath(host)}?section=members`);
    for (const part of [userPath(member), "Grace Hopper", ">Admin<", ">disabled<", "2 members"])
      expect([part, members.includes(part)]).toEqual([part, true]);
    const found = await mainAt(viewer, `${orgPath(host)}?section=members&q=hopper`);
    expect([found.includes("1 member<"), found.includes(host.email)]).toEqual([true, false]);
    expect(await mainAt(viewer, `${orgPath(host)}?section=applications`)).toContain("Wiki of members");
    expect(await mainAt(viewer, `${orgPath(host)}?section=audit`)).toContain("auth.register");
    expect(await mainAt(viewer, `${orgPath(viewer)}?section=applications`)).not.toContain("Wiki of members");
    expect(await mainAt(viewer, `${userPath(host)}?section=applications`)).toContain("Wiki of members");
  });

  test("of a user display sessions, passkeys, linked providers, organizations and events", async () => {
    const target = await administrator(site, null);
    const { userId } = target;
    const now = new Date();
    const key = { user_id: userId, credential_id: Buffer.from(userId), public_key: Buffer.alloc(4), sign_count: 0 };
    const kind = { transports: [], device_type: "singleDevice", backed_up: false, aaguid: userId, created_at: now };
    await site.sql`insert into passkeys ${site.sql({ ...key, ...kind, id: userId, name: "YubiKey 5" })}`;
    const identity = { provider: "oauth_idp_a", issuer: "i", subject: userId, created_at: now, last_used_at: now };
    await site.sql`insert into user_identities ${site.sql({ ...identity, user_id: userId, label: "a***@b.test" })}`;
    const section = async (name: string) => await mainAt(viewer, `${userPath(target)}?section=${name}`);
    expect(await section("sessions")).toContain("127.0.0.1");
    expect(await section("factors")).toContain("YubiKey 5");
    expect(await section("factors")).toContain("no authenticator app");
    expect(await section("providers")).toContain("a***@b.test");
    expect(await section("providers")).toContain("Google");
    expect(await section("organizations")).toContain(orgPath(target));
    expect(await section("audit")).toContain("auth.register");
  });
});

describe("titles and heads", () => {
  test("name the search and the page of the team, and pages below a list lead back to it", async () => {
    const titleAt = async (path: string) => /<title>([^<]*)/.exec((await admin.forms.get(path)).text)?.[1];
    const [plain, searched, paged] = [
      await titleAt("/team"),
      await titleAt("/team?q=ada"),
      await titleAt("/team?page=2"),
    ];
    expect(new Set([plain, searched, paged]).size).toBe(3);
    expect([searched?.includes("ada"), paged?.includes("page 2")]).toEqual([true, true]);
    for (const [path, list] of [
      ["/admin/organizations/new", "/admin/organizations"],
      ["/admin/users/new", "/admin/users"],
      ["/admin/flags/edit", "/admin/flags"],
    ] as const) {
      const text = await mainAt(admin, path);
      expect([path, text.includes(`<nav class="crumbs soft" aria-label="Breadcrumb"><a href="${list}">`)]).toEqual([
        path,
        true,
      ]);
    }
  });
});

describe("actions in an organization", () => {
  test("invite, send again and revoke; the record names the administrator", async () => {
    const host = await administrator(site, null);
    const path = `${orgPath(host)}?section=invitations`;
    const email = newEmail();
    const invited = await admin.forms.post(orgPath(host), { step: "invite", email, role: "admin", csrf });
    expect(redirectOf(invited)).toEqual([path, "invited"]);
    await linkTo(site, email, "/accept-invitation");
    const [row] = await site.sql`select id, role from invitations where email = ${email}`;
    expect(row?.role).toBe("admin");
    expect(await mainAt(admin, path)).toContain(email);
    const again = await admin.forms.post(orgPath(host), { step: "invite", email, role: "admin", csrf });
    expect([again.status, again.text.includes('id="email-error"'), again.text.includes(email)]).toEqual([
      409,
      true,
      true,
    ]);
    const resent = await admin.forms.post(orgPath(host), { step: "resend", id: row?.id, csrf });
    expect(redirectOf(resent)).toEqual([path, "resent"]);
    await linkTo(site, email, "/accept-invitation", 2);
    expect(await mainAt(admin, `${orgPath(host)}/confirm?step=revoke&id=${row?.id}`)).toContain(email);
    const revoked = await admin.forms.post(orgPath(host), { step: "revoke", id: row?.id, csrf });
    expect(redirectOf(revoked)).toEqual([path, "revoked"]);
    expect(await mainAt(admin, `${path}&status=pending`)).not.toContain(email);
    expect(await mainAt(admin, `${path}&status=revoked`)).toContain(email);
    for (const action of ["invitation.created", "invitation.resent", "invitation.revoked"])
      expect([action, await actorsOf(action, host.organizationId)]).toEqual([action, [admin.userId]]);
  });

  test("change roles and remove members, never the last owner and no user with a higher platform role", async () => {
    const host = await administrator(site, null);
    const member = await memberOf(host);
    const path = `${orgPath(host)}?section=members`;
    const act = (step: string, id: string, role = "member") =>
      admin.forms.post(orgPath(host), { step, id, role, csrf });
    expect((await act("role", host.userId)).status).toBe(409);
    expect((await act("remove", host.userId)).status).toBe(409);
    expect(redirectOf(await act("role", member.userId, "owner"))).toEqual([path, "role"]);
    const question = await mainAt(admin, `${orgPath(host)}/confirm?step=remove&id=${member.userId}`);
    expect(question).toContain(`Remove ${member.email}?`);
    expect(question).toContain(`href="${path}"`);
    expect(redirectOf(await act("remove", member.userId))).toEqual([path, "removed"]);
    expect((await admin.forms.get(`${orgPath(host)}/confirm?step=remove&id=${member.userId}`)).status).toBe(404);
    const above = await memberOf(host);
    await assignPlatformRole(site.sql, above.userId, "owner");
    expect((await act("remove", above.userId)).status).toBe(403);
    expect((await act("remove", "nonsense")).status).toBe(404);
    const forged = await viewer.forms.csrf("/account");
    const bare = { step: "remove", id: above.userId, csrf: forged };
    expect((await viewer.forms.post(orgPath(host), bare)).status).toBe(403);
    expect(await actorsOf("member.removed", host.organizationId)).toEqual([admin.userId]);
  });
});

describe("actions on a user", () => {
  test("end one session and no further session; the session of a second user is not found", async () => {
    const target = await administrator(site, null);
    const other = await administrator(site, null);
    const sessionsOf = async ({ userId }: Administrator) =>
      await site.sql`select id, revoked_reason from sessions where user_id = ${userId} and revoked_at is null`;
    const [session] = await sessionsOf(target);
    const place = `${userPath(target)}?section=sessions`;
    const end = (person: Administrator) =>
      admin.forms.post(userPath(person), { step: "end-session", id: session?.id, csrf });
    expect((await end(other)).status).toBe(404);
    expect((await admin.forms.get(`${userPath(other)}/confirm?step=end-session&id=${session?.id}`)).status).toBe(404);
    const question = await mainAt(admin, `${userPath(target)}/confirm?step=end-session&id=${session?.id}`);
    expect(question).toContain("End the session on");
    expect(redirectOf(await end(target))).toEqual([place, "session-ended"]);
    expect(await sessionsOf(target)).toHaveLength(0);
    expect(await sessionsOf(other)).toHaveLength(1);
    expect((await target.forms.get("/account")).status).not.toBe(200);
  });

  test("create a user by an invitation into an organization; a wrong organization keeps the values", async () => {
    const host = await administrator(site, null);
    const [organization] = await site.sql`select slug from organizations where id = ${host.organizationId}`;
    const path = "/admin/users/new";
    expect(await mainAt(admin, "/admin/users")).toContain(`href="${path}"`);
    expect(await mainAt(viewer, "/admin/users")).not.toContain(`href="${path}"`);
    expect((await viewer.forms.get(path)).status).toBe(403);
    expect(await mainAt(admin, path)).toContain(`<option value="${organization?.slug}">`);
    const email = newEmail();
    for (const slug of ["no-such-organization", "x\0y", ""]) {
      const wrong = await admin.forms.post(path, { email, organization_slug: slug, role: "member", csrf });
      expect([slug, wrong.status, wrong.text.includes('id="organization_slug-error"')]).toEqual([slug, 400, true]);
      expect(wrong.text).toContain(email);
    }
    const fields = { organization_slug: organization?.slug, csrf };
    const bad = await admin.forms.post(path, { ...fields, email: "unknown", role: "x" });
    expect([bad.status, bad.text.includes('id="email-error"')]).toEqual([400, true]);
    const done = await admin.forms.post(path, { ...fields, email, role: "admin" });
    expect(redirectOf(done)).toEqual([`${orgPath(host)}?section=invitations`, "invited"]);
    await linkTo(site, email, "/accept-invitation");
    const taken = await admin.forms.post(path, { ...fields, email, role: "admin" });
    expect([taken.status, taken.text.includes('id="email-error"')]).toEqual([409, true]);
  });

  test("A user is created without an invitation; a refused form names every wrong field.", async () => {
    const host = await administrator(site, null);
    const [organization] = await site.sql`select slug from organizations where id = ${host.organizationId}`;
    const path = "/admin/users/new";
    const form = await mainAt(admin, `${path}?way=account`);
    for (const part of ['name="external_id"', 'value="account"', `<option value="${organization?.slug}">`])
      expect([part, form.includes(part)]).toEqual([part, true]);
    expect((await viewer.forms.get(`${path}?way=account`)).status).toBe(403);
    const email = newEmail();
    const slug = organization?.slug;
    const fields = { way: "account", email, external_id: `crm ${email}`, display_name: "Ada Lovelace", csrf };
    const send = (changed: object) => admin.forms.post(path, { ...fields, password_by: "none", ...changed });
    for (const [changed, field, status] of [
      [{ email: "unknown" }, "email", 400],
      [{ email: host.email }, "email", 409],
      [{ external_id: "a\tb" }, "external_id", 400],
      [{ display_name: "https://example.com" }, "display_name", 400],
      [{ organization_slug: "no-such-organization" }, "organization_slug", 400],
    ] as const) {
      const wrong = await send(changed);
      expect([field, wrong.status, wrong.text.includes(`id="${field}-error"`)]).toEqual([field, status, true]);
    }
    expect(await site.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    const done = await send({ organization_slug: slug, role: "member", password_by: "link" });
    const [user] = await site.sql`
      select u.id, u.external_id, u.display_name, u.password_hash, m.role
      from users u join members m on m.user_id = u.id where u.email = ${email}`;
    expect(user).toMatchObject({ external_id: `crm ${email}`, display_name: "Ada Lovelace", role: "member" });
    expect(user?.password_hash).toBeNull();
    expect(redirectOf(done)).toEqual([`/admin/users/${user?.id}`, "created-with-link"]);
    await linkTo(site, email, "/reset-password");
    const [record] = await site.sql`
      select actor_id, metadata from audit_logs where action = 'user.created' and resource_id = ${user?.id}`;
    expect(record).toMatchObject({ actor_id: admin.userId, metadata: { source: "console" } });
    const taken = await send({ email: newEmail() });
    expect([taken.status, taken.text.includes('id="external_id-error"')]).toEqual([409, true]);
    const bare = await send({ email: newEmail(), external_id: "", display_name: "" });
    expect(redirectOf(bare)[1]).toBe("created");
  });

  test("Metadata are replaced from JSON texts; wrong texts and outdated forms change nothing.", async () => {
    const target = await administrator(site, null);
    const place = `${userPath(target)}?section=metadata`;
    const versionIn = (page: string) => /name="version" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const versionAt = async () => versionIn(await mainAt(admin, place));
    const stored = async () => {
      const [row] = await site.sql`
        select external_id, public_metadata, private_metadata from users where id = ${target.userId}`;
      return row;
    };
    const version = await versionAt();
    const fields = { step: "save-metadata", version, external_id: "crm-9", private_metadata: "" };
    const save = (changed: object) => admin.forms.post(userPath(target), { ...fields, ...changed, csrf });
    const saved = await save({ public_metadata: '{"plan": "pro", "old": 1}', private_metadata: '{"score": 7}' });
    expect(redirectOf(saved)).toEqual([place, "metadata-saved"]);
    const first = { external_id: "crm-9", public_metadata: { plan: "pro", old: 1 }, private_metadata: { score: 7 } };
    expect(await stored()).toEqual(first);
    const outdated = await save({ public_metadata: '{"plan": "free"}' });
    expect([outdated.status, outdated.text.includes("public_metadata-stored")]).toEqual([409, true]);
    const current = await versionAt();
    for (const text of [
      "[1]",
      "x",
      '{"a":1,"a":2}',
      `{"a":${"[".repeat(9)}${"]".repeat(9)}}`,
      `{"a":"${"x".repeat(8200)}"}`,
    ]) {
      const wrong = await save({ version: current, public_metadata: text });
      expect([wrong.status, wrong.text.includes('id="public_metadata-error"')]).toEqual([400, true]);
    }
    const badId = await save({ version: current, external_id: "a\tb" });
    expect([badId.status, badId.text.includes('id="external_id-error"')]).toEqual([400, true]);
    expect(await stored()).toEqual(first);
    const replaced = await save({ version: current, external_id: "", public_metadata: '{"plan": "<b>"}' });
    expect(redirectOf(replaced)[1]).toBe("metadata-saved");
    expect(await stored()).toEqual({ external_id: null, public_metadata: { plan: "<b>" }, private_metadata: null });
    const read = await mainAt(viewer, place);
    expect([read.includes("&lt;b>") || read.includes("&lt;b&gt;"), read.includes("<form")]).toEqual([true, false]);
    const forged = { ...fields, version: await versionAt(), csrf: await viewer.forms.csrf("/account") };
    expect((await viewer.forms.post(userPath(target), forged)).status).toBe(403);
    const above = await administrator(site, "owner");
    const form = await mainAt(admin, `${userPath(above)}?section=metadata`);
    const higher = { ...fields, version: versionIn(form), csrf };
    expect((await admin.forms.post(userPath(above), higher)).status).toBe(403);
  });

  test("A role with power needs a step-up before a user is created with the role.", async () => {
    const host = await administrator(site, null);
    const [organization] = await site.sql`select slug from organizations where id = ${host.organizationId}`;
    const fresh = await administrator(site, "admin");
    const email = newEmail();
    const form = { way: "account", email, organization_slug: organization?.slug, password_by: "none" };
    const token = await fresh.forms.csrf("/account");
    const send = (role: string) => fresh.forms.post("/admin/users/new", { ...form, role, csrf: token });
    const asked = await send("admin");
    expect(redirectOf(asked)[0]).toContain("/step-up");
    expect(await site.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    expect(redirectOf(await send("member"))[1]).toBe("created");
  });
});

describe("the overview", () => {
  const figureOf = (text: string, name: string) =>
    new RegExp(`>${name}</span><strong class="num">([^<]*)</strong>(?:<span class="soft">(.*?)</span></a>)?`).exec(
      text,
    );

  test("counts the sign-ins and failures of a day, and links to the entries that it counts", async () => {
    const person = await administrator(site, null);
    const signIn = (password: string) => person.forms.client.post("/v1/auth/login", { email: person.email, password });
    await signIn("a wrong password, long enough");
    await signIn(PASSWORD);
    const text = await mainAt(viewer, "/admin");
    for (const [name, outcome] of [
      ["Sign-ins", "success"],
      ["Failed sign-ins", "failure"],
    ] as const) {
      const query = `action=sign_in.*&outcome=${outcome}`;
      expect(text).toContain(`/admin/audit?${query.replaceAll("&", "&amp;")}&amp;period=day`);
      const listed = await viewer.forms.client.get(`/v1/audit-logs?${query}`);
      expect([name, Number(figureOf(text, name)?.[1])]).toEqual([name, listed.body.total]);
      expect(listed.body.total).toBeGreaterThan(0);
      expect(figureOf(text, name)?.[2]).toContain(`+${listed.body.total} vs. the period before`);
    }
  });

  test("The audit trail has the changes of a day without sign-ins, and reasons in words.", async () => {
    const person = await administrator(site, null);
    await person.forms.client.post("/v1/auth/login", { email: person.email, password: "wrong, and long enough" });
    const trail = (query: string) => mainAt(viewer, `/admin/audit?actor=${encodeURIComponent(person.email)}&${query}`);
    const [all, changes] = [await trail("period=today"), await trail("period=today&action=change.*")];
    expect([all, changes].map((text) => text.includes(">auth.register<"))).toEqual([true, true]);
    expect([all, changes].map((text) => text.includes(">auth.login<"))).toEqual([true, false]);
    expect(all).toContain("<small> Wrong password</small>");
    expect(await trail("period=yesterday")).not.toContain(">auth.register<");
  });

  test("The palette finds users, organizations, requests and settings for platform roles alone.", async () => {
    const person = await administrator(site, null);
    const find = async (q: string, by = viewer) => {
      const found = await by.forms.get(`/admin/find?q=${encodeURIComponent(q)}`);
      return { status: found.status, texts: found.text };
    };
    const byEmail = await find(person.email);
    expect(JSON.parse(byEmail.texts)).toContainEqual({
      href: `/admin/users/${person.userId}`,
      text: person.email,
      kind: "Users",
    });
    expect((await find("engines")).texts).toContain(`"text":"Engines","kind":"Organizations"`);
    expect((await find(person.userId)).texts).toContain(`/admin/requests/${person.userId}`);
    expect(JSON.parse((await find(" ")).texts)).toEqual([]);
    expect((await find("\0%_<script>")).status).toBe(200);
    expect((await find(person.email, person)).status).toBe(403);
  });

  test("names keys that expire within 14 days, failing webhooks, and counts emails that failed", async () => {
    const { sql } = site;
    const { organizationId, userId } = viewer;
    const [now, soon] = [new Date(), new Date(Date.now() + 13 * 86_400_000)];
    const late = new Date(Date.now() + 15 * 86_400_000);
    const account = { id: userId, organization_id: organizationId, name: "Night import", created_at: now };
    await sql`insert into service_accounts ${sql(account)}`;
    const rights = { service_account_id: userId, scopes: [], allowed_ips: [], allowed_referrers: [], created_at: now };
    for (const [id, expires_at] of [
      [userId, soon],
      [organizationId, late],
    ] as const) {
      const key = { ...rights, id, key_id: id.slice(-8), key_hash: Buffer.from(id), expires_at };
      await sql`insert into api_keys ${sql(key)}`;
    }
    const hook = { url: "https://siem.example.com/hook", event_types: ["*"], enabled: true, failures: 3 };
    const failing = { failing_since: now, sealed_secret: Buffer.alloc(4), created_at: now, updated_at: now };
    await sql`insert into webhooks ${sql({ ...hook, ...failing, id: userId, organization_id: organizationId })}`;
    const mail = { id: userId, sealed_letter: Buffer.alloc(4), attempts: 2, created_at: now, expires_at: late };
    await sql`insert into outbox ${sql({ ...mail, next_attempt_at: late })}`;
    const text = await mainAt(viewer, "/admin");
    for (const [name, count] of [
      ["API keys that expire within 14 days", "1"],
      ["Failing webhooks", "1"],
      ["Emails failed", "1"],
    ] as const)
      expect([name, figureOf(text, name)?.[1]]).toEqual([name, count]);
    for (const part of ["The key of Night import expires", "Deliveries to siem.example.com fail", orgPath(viewer)])
      expect([part, text.includes(part)]).toEqual([part, true]);
    await sql`update api_keys set revoked_at = now() where id = ${userId}`;
    await sql`delete from webhooks where id = ${userId}`;
    await sql`delete from outbox where id = ${userId}`;
    expect(await mainAt(viewer, "/admin")).not.toContain("Night import");
  });

  test("begins with the open steps of an administrator, derived from the state, until the list is hidden", async () => {
    expect(await mainAt(viewer, "/admin")).not.toContain('id="first-run"');
    const person = await administrator(site, "admin");
    const open = async () => {
      const text = await mainAt(person, "/admin");
      const steps = ["/account/security", "/admin/providers/email_transport", "/admin/oauth-clients/new"];
      return [...steps, "/admin/users/new"].filter((href) => text.includes(`href="${href}" aria-label`));
    };
    await site.sql`delete from oauth_clients`;
    await site.sql`update users set platform_role = null where platform_role is not null and id <> ${person.userId}`;
    expect(await open()).toEqual(["/admin/oauth-clients/new", "/admin/users/new"]);
    await assignPlatformRole(site.sql, admin.userId, "admin");
    expect(await open()).toEqual(["/admin/oauth-clients/new"]);
    const hidden = await person.forms.post("/admin", { step: "hide", csrf: await person.forms.csrf("/account") });
    expect(redirectOf(hidden)[0]).toBe("/admin");
    expect(hidden.headers.getSetCookie().join()).toContain("service_first_run=hidden; Max-Age=31536000; Path=/admin");
    expect(await mainAt(person, "/admin")).not.toContain('id="first-run"');
    await assignPlatformRole(site.sql, viewer.userId, "viewer");
  });
});

describe("refusals", () => {
  test("of a form keep the navigation of a signed-in user, and change nothing", async () => {
    const target = await administrator(site, null);
    const bad = { step: "disable", csrf: "of another session" };
    const inConsole = await admin.forms.post(userPath(target), bad);
    expect([inConsole.status, inConsole.text.includes('href="/admin/organizations"')]).toEqual([403, true]);
    const inAccount = await target.forms.post("/account", { step: "save", csrf: "of another session" });
    expect([inAccount.status, inAccount.text.includes('href="/account/security"')]).toEqual([403, true]);
    expect(inAccount.text).not.toContain('href="/admin"');
    const missing = await admin.forms.get("/admin/nothing");
    expect([missing.status, missing.text.includes('href="/admin/organizations"')]).toEqual([404, true]);
    const [row] = await site.sql`select disabled_at from users where id = ${target.userId}`;
    expect(row?.disabled_at).toBeNull();
  });
});

describe("/team/audit", () => {
  test("lists the records of the organization alone, with names of members alone and filters", async () => {
    const host = await administrator(site, null);
    const platform = await administrator(site, "owner");
    const csrf = await host.forms.csrf("/account");
    await host.forms.post("/team", { step: "invite", email: newEmail(), role: "member", csrf });
    await site.sql`
      update audit_logs set actor_id = ${platform.userId}
      where organization_id = ${host.organizationId} and action = 'invitation.created'`;
    const [total, foreign] = await Promise.all(
      [host.organizationId, platform.organizationId].map(
        async (id) => (await site.sql`select request_id from audit_logs where organization_id = ${id}`).length,
      ),
    );
    expect(foreign).toBeGreaterThan(0);
    const page = await mainAt(host, "/team/audit?period=all");
    expect(page).toContain(`${total} entries<`);
    for (const displayed of [host.email, platform.userId]) expect(page).toContain(displayed);
    for (const absent of [platform.email, 'href="/admin']) expect(page).not.toContain(absent);
    const one = await mainAt(host, "/team/audit?action=auth.register");
    expect(one).toContain("1 entry");
    expect(one).toContain(`/team/audit?action=auth.register&amp;user_id=${host.userId}`);
    const other = await mainAt(host, `/team/audit?organization_id=${platform.organizationId}&period=all`);
    expect(other).toContain(`${total} entries<`);
  });

  test("is in the navigation of members with audit.read alone; others see no record", async () => {
    const host = await administrator(site, null);
    const member = await memberOf(host);
    await moveSessions(site.sql, member.userId, host.organizationId);
    expect((await host.forms.get("/account")).text).toContain('href="/team/audit"');
    const refused = await member.forms.get("/team/audit");
    expect([refused.status, refused.text.includes(host.email)]).toEqual([403, false]);
    expect(refused.text).not.toContain('href="/team/audit"');
  });
});

describe("/team/sessions", () => {
  const confirmation = (id: string) => `/team/confirm?step=end-session&id=${id}`;
  /** A member of the organization of `host`, with a session there. */
  const memberWithSession = async (host: Administrator, role: string) => {
    const member = await memberOf(host, role);
    const [session] = await site.sql`
      update sessions set organization_id = ${host.organizationId} where user_id = ${member.userId} returning id`;
    return { member, id: String(session?.id) };
  };

  test("lists the sessions in the organization; an owner ends a member's session after a confirmation", async () => {
    const host = await administrator(site, null);
    const { member, id } = await memberWithSession(host, "member");
    const page = await mainAt(host, "/team/sessions");
    for (const part of [member.email, host.email, "This device", confirmation(id).replace("&", "&amp;")])
      expect(page).toContain(part);
    const question = await host.forms.get(confirmation(id));
    expect(question.text).toContain(`End the session of ${member.email}`);
    const form = { id, organization: host.organizationId, csrf: await host.forms.csrf("/team/sessions") };
    const ended = await host.forms.post("/team/sessions", { ...form, step: "end-session" });
    expect(redirectOf(ended)).toEqual(["/team/sessions", "ended"]);
    expect((await host.forms.get("/team/sessions")).text).toContain("Session ended.");
    const [session] = await site.sql`select revoked_at from sessions where id = ${id}`;
    expect(session?.revoked_at).not.toBeNull();
    expect(await actorsOf("auth.session.revoked", host.organizationId)).toEqual([host.userId]);
  });

  test("an admin ends no session of an owner, and a member sees no session", async () => {
    const host = await administrator(site, null);
    const [{ member: below }, { member: admin }] = [
      await memberWithSession(host, "member"),
      await memberWithSession(host, "admin"),
    ];
    const [own] = await site.sql`select id from sessions where user_id = ${host.userId}`;
    expect(await mainAt(admin, "/team/sessions")).not.toContain(String(own?.id));
    expect((await admin.forms.get(confirmation(String(own?.id)))).status).toBe(404);
    const csrf = await admin.forms.csrf("/team/sessions");
    const refused = await admin.forms.post("/team/sessions", { id: own?.id, organization: host.organizationId, csrf });
    expect(refused.status).toBe(403);
    const page = await below.forms.get("/team/sessions");
    expect([page.status, page.text.includes(host.email)]).toEqual([403, false]);
  });
});
