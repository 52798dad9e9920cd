/** Permissions and actions of the platform console over HTTP; console-browser.test.ts covers the appearance. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { datesIn } from "../../src/pages/dates.ts";
import { PASSWORD } from "../support/client.ts";
import { type Administrator, administrator, CONFIG_KEY, SCRIPT, stepUp } from "../support/console.ts";
import { codeOf, forgetUsedStep } from "../support/mfa.ts";
import { FormClient, mainOf, type PageSite, redirectOf, STEP_UP_ASKED, startSite } from "../support/pages.ts";
import { ageFactor, enterEnterprise, verifyAddress } from "../support/states.ts";
import { until } from "../support/waiting.ts";

let site: PageSite;
let viewer: Administrator;
let admin: Administrator;
let owner: Administrator;
beforeAll(async () => {
  site = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY, SERVICE_AUDIT_EXPORT_KEY: "a key of exports, long enough" });
  [viewer, admin, owner] = await Promise.all([
    administrator(site, "viewer"),
    administrator(site, "admin"),
    administrator(site, "owner"),
  ]);
  await stepUp(owner);
});
afterAll(() => site.one.stop());

const PLACES = [
  ...["/admin", "/admin/organizations", "/admin/users", "/admin/providers"],
  ...["/admin/oauth-clients", "/admin/resources", "/admin/flags", "/admin/machines", "/admin/audit", "/admin/requests"],
];
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const auditOf = async (action: string, resource: string) =>
  await site.sql`select actor_id, metadata from audit_logs where action = ${action} and resource_id = ${resource}`;
const orgPath = (person: Administrator) => `/admin/organizations/${person.organizationId}`;
const userPath = (person: Administrator) => `/admin/users/${person.userId}`;
const versionIn = (text: string) => /name="version" value="(\w+)"/.exec(text)?.[1] ?? "";
/** Returns the hidden fields of a form for an administrator. */
const shownBy = async ({ forms }: Administrator, path: string) => {
  const { text } = await forms.get(path);
  return { csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? "none", version: versionIn(text) };
};
const isSignedIn = async (person: Administrator) => (await person.forms.get("/account")).status === 200;

describe("who may", () => {
  test("no caller without a platform role sees a page of the console, at any address", async () => {
    const person = await administrator(site, null);
    const pages = [...PLACES, orgPath(person), userPath(person), "/admin/providers/oauth_idp_a", "/admin/flags/edit"];
    const more = [`${userPath(person)}/confirm`, `${orgPath(person)}/confirm`, `/admin/requests/${UNKNOWN}`];
    for (const path of [...pages, ...more]) {
      const response = await person.forms.get(path);
      expect([path, response.status]).toEqual([path, 403]);
      expect(response.text).toContain("Only administrators of this service");
      expect(response.text).toContain("<h1>You don't have permission</h1>");
    }
    expect((await new FormClient(site.origin).get("/admin")).headers.get("location")).toContain("/auth/continue?to=");
    expect((await person.forms.get("/account")).text).not.toContain('href="/admin"');
    expect((await viewer.forms.get("/account")).text).toContain('href="/admin"');
  });

  test("a viewer sees every page, is offered no change, and changes nothing", async () => {
    const pages = [...PLACES, orgPath(admin), userPath(admin), "/admin/providers/oauth_idp_a"];
    for (const path of pages) {
      const response = await viewer.forms.get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(mainOf(response.text)).not.toContain('method="post"');
    }
    await site.sql`
      insert into feature_flags (key, description, enabled, rollout_percent, on_organizations, off_organizations,
        updated_at) values ('seen', 'Charts', true, 25, '{}', '{}', now())`;
    const { text: flag } = await viewer.forms.get("/admin/flags/edit?key=seen");
    for (const fact of [">on<", ">25%<"]) expect([fact, flag.includes(fact)]).toEqual([fact, true]);
    const csrf = await viewer.forms.csrf("/account");
    const forms: [string, Record<string, string>][] = [
      [
        "/admin/organizations/new",
        { organization_name: "Beta", owner_email: "b@example.com", owner_password: PASSWORD },
      ],
      [orgPath(admin), { step: "suspend" }],
      [userPath(admin), { step: "disable" }],
      [userPath(admin), { step: "role", role: "viewer" }],
      ["/admin/providers/oauth_idp_a", { step: "save", enabled: "yes", client_id: "x" }],
      ["/admin/flags/edit", { key: "of-a-viewer", rollout_percent: "100" }],
      ["/admin/machines", { step: "create-account", name: "Of a viewer" }],
      ["/admin/audit/export", {}],
    ];
    for (const [path, fields] of forms) {
      expect([path, (await viewer.forms.post(path, { ...fields, csrf })).status]).not.toEqual([path, 303]);
    }
    expect(await isSignedIn(admin)).toBe(true);
    expect(await site.sql`select 1 from feature_flags where key = 'of-a-viewer'`).toHaveLength(0);
    expect(await site.sql`select 1 from provider_configs`).toHaveLength(0);
    expect(await site.sql`select 1 from service_accounts`).toHaveLength(0);
  });

  test("no form without the value of the session, and none of another site, does anything", async () => {
    const target = await administrator(site, null);
    const csrf = await owner.forms.csrf(userPath(target));
    const disable = { step: "disable" };
    expect((await owner.forms.post(userPath(target), disable)).status).toBe(403);
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await owner.forms.post(userPath(target), { ...disable, csrf }, foreign)).status).toBe(403);
    expect(await isSignedIn(target)).toBe(true);
  });

  test("what is not there has no page, and no identifier breaks one", async () => {
    const lists = [
      "/admin/users/",
      "/admin/organizations/",
      "/admin/providers/",
      "/admin/oauth-clients/",
      "/admin/resources/",
    ];
    for (const path of [...lists, "/admin/requests/", "/admin/flags/edit?key="]) {
      for (const id of [UNKNOWN, "nonsense", "constructor", "%00"]) {
        expect([path, id, (await admin.forms.get(`${path}${id}`)).status]).toEqual([path, id, 404]);
      }
    }
    for (const query of ["page=1.5", "page=-1", "page=1e99", "page=x", "q=%00%ED%A0%80"]) {
      for (const path of [...PLACES, "/team", "/account/security", "/account"]) {
        expect([path, query, (await admin.forms.get(`${path}?${query}`)).status]).toEqual([path, query, 200]);
      }
    }
  });
});

describe("lists", () => {
  const sortedHeads = (text: string) =>
    [...text.matchAll(/aria-sort="(\w+)"><a href="([^"]+)"/g)].map(([, ...sort]) => sort);

  test("are sorted by links in their heads, filtered and paged by GET, and keep every choice", async () => {
    const { text } = await viewer.forms.get("/admin/users");
    // The order by creation is visible: the column is there (docs/pages.md).
    expect(sortedHeads(text)).toEqual([["descending", "/admin/users?sort=created_at"]]);
    const query = "status=enabled&mfa_enabled=false&created_from=2020-01-01&sort=email&page_size=50";
    const { text: filtered } = await viewer.forms.get(`/admin/users?${query}`);
    expect(sortedHeads(filtered)).toEqual([["ascending", expect.stringContaining("sort=-email")]]);
    for (const part of ["status=enabled", "mfa_enabled=false", "created_from=2020-01-01", "page_size=50"])
      expect([part, sortedHeads(filtered)[0]?.[1]?.includes(part)]).toEqual([part, true]);
    expect(filtered).toContain('<option value="enabled" selected');
    expect(filtered).toContain('name="created_from" value="2020-01-01"');
    expect((await viewer.forms.get("/admin/users?sort=evil&status=x&page_size=7&created_from=x")).status).toBe(200);
  });

  test("display the number of matching rows, first and last page, and the sizes of a page", async () => {
    await site.sql`
      insert into organizations (id, name, slug, tier, suspended_at, created_at, updated_at)
      select gen_random_uuid(), 'Paged ' || n, 'paged-' || n, 'standard', case when n <= 3 then now() end, now(), now()
      from generate_series(1, 80) n`;
    const { text } = await viewer.forms.get("/admin/organizations?q=paged&page=2");
    expect(text).toContain("80 organizations · 3 suspended");
    for (const page of [1, 3, 4]) expect(text).toContain(`/admin/organizations?q=paged&amp;page=${page}"`);
    expect(text).toContain("/admin/organizations?q=paged&amp;page_size=100");
    const { text: large } = await viewer.forms.get("/admin/organizations?q=paged&page_size=100");
    expect(large.match(/<a class="whole"/g)).toHaveLength(80);
    expect((await viewer.forms.get("/admin/organizations?q=paged&status=suspended")).text).toContain("3 organizations");
  });

  test("download the matching rows as CSV, without a formula that a spreadsheet would evaluate", async () => {
    await site.sql`
      insert into organizations (id, name, slug, tier, created_at, updated_at) values
        (gen_random_uuid(), '=HYPERLINK("https://evil.example")', 'csv-one', 'standard', now(), now()),
        (gen_random_uuid(), ' +cmd', 'csv-two', 'enterprise', now(), now())`;
    const path = "/admin/organizations/export?q=csv-&sort=name";
    expect(redirectOf(await viewer.forms.get(path))[0]).toBe("/step-up?return_to=%2Fadmin%2Forganizations");
    const reader = await administrator(site, "viewer");
    await stepUp(reader);
    const response = await reader.forms.get(path);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="organizations.csv"');
    const lines = response.text.trim().split("\r\n");
    expect(lines[0]).toContain('"id","name","slug","tier","status","created_at"');
    expect(lines.slice(1).map((line) => line.split(",").slice(1, 5).join())).toEqual([
      `"' +cmd","csv-two","enterprise","active"`,
      `"'=HYPERLINK(""https://evil.example"")","csv-one","standard","active"`,
    ]);
    const users = await reader.forms.get(`/admin/users/export?q=${viewer.email}`);
    expect(users.text.trim().split("\r\n")).toHaveLength(2);
    expect(users.text).toContain(`"${viewer.userId}","${viewer.email}"`);
    const person = await administrator(site, null);
    expect((await person.forms.get("/admin/users/export")).status).toBe(403);
  });
});

describe("organizations", () => {
  test("are created with their first owner; what is refused keeps what was typed, but no password", async () => {
    const path = "/admin/organizations/new";
    const csrf = await admin.forms.csrf(path);
    const fields = { organization_name: "Gamma", tier: "enterprise", owner_password: PASSWORD, csrf };
    const bad = await admin.forms.post(path, { ...fields, owner_email: "nobody" });
    expect(bad.status).toBe(400);
    expect(bad.text).toMatch(/id="owner_email"[^>]*value="nobody"[^>]*aria-invalid="true"/);
    expect(bad.text).not.toContain(PASSWORD);
    for (const [field, value] of [
      ["organization_slug", "No Slug"],
      ["owner_password", "short"],
    ] as const) {
      const refused = await admin.forms.post(path, { ...fields, owner_email: "g@example.com", [field]: value });
      expect([refused.status, refused.text.includes(`id="${field}-error"`)]).toEqual([400, true]);
    }
    const taken = await admin.forms.post(path, { ...fields, owner_email: admin.email });
    expect([taken.status, taken.text.includes("already in use")]).toEqual([409, true]);
    const done = await admin.forms.post(path, { ...fields, owner_email: `gamma-${Date.now()}@example.com` });
    const [location, result] = redirectOf(done);
    expect([location, result]).toEqual([expect.stringMatching(/^\/admin\/organizations\/[0-9a-f-]{36}$/), "created"]);
    const place = location ?? "";
    const shown = await admin.forms.get(place);
    for (const text of ["Organization created.", "Gamma", "Enterprise"]) expect(shown.text).toContain(text);
    const found = await viewer.forms.get("/admin/organizations?q=GAMM");
    expect(found.text).toContain(place);
    expect((await viewer.forms.get("/admin/organizations?q=nothing-like-it")).text).toContain(
      "No organization matches",
    );
  });

  test("are renamed and change their tier; a suspension asks first, ends sessions, and can be taken back", async () => {
    const target = await administrator(site, null);
    const path = orgPath(target);
    const csrf = await admin.forms.csrf(path);
    const saved = await admin.forms.post(path, { step: "save", name: "Delta", tier: "enterprise", csrf });
    expect(redirectOf(saved)).toEqual([path, "saved"]);
    const wrong = await admin.forms.post(path, {
      step: "save",
      name: "see https://evil.example",
      tier: "standard",
      csrf,
    });
    expect([wrong.status, wrong.text.includes('aria-invalid="true"')]).toEqual([400, true]);
    expect((await admin.forms.get(`${path}/confirm`)).text).toContain("Suspend Delta?");
    expect(await isSignedIn(target)).toBe(true);
    const done = await admin.forms.post(path, { step: "suspend", csrf });
    expect(redirectOf(done)).toEqual([path, "suspended"]);
    expect(await isSignedIn(target)).toBe(false);
    expect((await admin.forms.get(path)).text).toContain("suspended");
    await admin.forms.post(path, { step: "restore", csrf });
    const signIn = await target.forms.post("/sign-in", { email: target.email, password: PASSWORD });
    expect(signIn.headers.get("location")).toBe("/account");
    for (const action of ["updated", "suspended", "restored"]) {
      const [record] = await auditOf(`organization.${action}`, target.organizationId);
      expect(record?.actor_id).toBe(admin.userId);
    }
    const above = await admin.forms.post(orgPath(owner), { step: "suspend", csrf });
    expect([above.status, above.text.includes("higher platform role")]).toEqual([403, true]);
  });

  test("that were changed since their form was shown are not overwritten by it", async () => {
    const target = await administrator(site, null);
    const path = orgPath(target);
    const shown = await shownBy(admin, path);
    const other = await owner.forms.post(path, {
      ...(await shownBy(owner, path)),
      step: "save",
      name: "Renamed Meanwhile",
      tier: "standard",
    });
    expect(redirectOf(other)).toEqual([path, "saved"]);
    const stale = { ...shown, step: "save", name: "Engines", tier: "enterprise" };
    for (let sent = 0; sent < 2; sent += 1) {
      const { status, text } = await admin.forms.post(path, stale);
      expect([status, versionIn(text) === shown.version]).toEqual([409, true]);
      for (const part of ["changed these settings", 'value="Engines"', ">Renamed Meanwhile<", ">Standard<"])
        expect([part, text.includes(part)]).toEqual([part, true]);
    }
    const [kept] = await site.sql`select name, tier from organizations where id = ${target.organizationId}`;
    expect(kept).toEqual({ name: "Renamed Meanwhile", tier: "standard" });
    const saved = await admin.forms.post(path, { ...stale, ...(await shownBy(admin, path)) });
    expect(redirectOf(saved)).toEqual([path, "saved"]);
  });

  test("have exceptions of feature flags, each alone, and exceptions by further users stay", async () => {
    const csrf = await admin.forms.csrf("/admin/flags/edit");
    const flag = { key: "charts", description: SCRIPT, rollout_percent: "0", csrf };
    const created = await admin.forms.post("/admin/flags/edit", { ...flag, enabled: "yes", version: "none" });
    expect(redirectOf(created)).toEqual(["/admin/flags/edit?key=charts", "saved"]);
    const valueFor = async (person: Administrator) =>
      (await person.forms.client.get("/v1/feature-flags")).body.flags.charts;
    const override = async (person: Administrator, value: string) => {
      const done = await admin.forms.post(orgPath(person), { step: "flag", key: "charts", override: value, csrf });
      expect(redirectOf(done)).toEqual([`${orgPath(person)}?section=flags`, "flag"]);
    };
    expect(await valueFor(viewer)).toBe(false);
    // A form that was opened before the exceptions remains valid and keeps the exceptions.
    const version = versionIn((await admin.forms.get("/admin/flags/edit?key=charts")).text);
    await Promise.all([override(viewer, "on"), override(owner, "on"), override(admin, "off")]);
    expect([await valueFor(viewer), await valueFor(owner), await valueFor(admin)]).toEqual([true, true, false]);
    await override(viewer, "default");
    expect([await valueFor(viewer), await valueFor(owner)]).toEqual([false, true]);
    const all = { ...flag, rollout_percent: "100", enabled: "yes", version };
    expect((await admin.forms.post("/admin/flags/edit", all)).status).toBe(303);
    expect([await valueFor(viewer), await valueFor(admin)]).toEqual([true, false]);
    const edited = await viewer.forms.get("/admin/flags/edit?key=charts");
    expect(edited.text).toContain(orgPath(owner));
    for (const [field, value] of [
      ["key", "Not A Key"],
      ["rollout_percent", "101"],
      ["rollout_percent", "x"],
    ] as const) {
      const refused = await admin.forms.post("/admin/flags/edit", { ...flag, key: "other", [field]: value });
      expect([refused.status, refused.text.includes(`id="${field}-error"`)]).toEqual([400, true]);
    }
    // A form of a new flag changes no existing flag, and a form that is older than the flag reverts no change.
    const again = await admin.forms.post("/admin/flags/edit", { ...flag, version: "none" });
    expect([again.status, again.text.includes('id="key-error"'), versionIn(again.text)]).toEqual([409, true, "none"]);
    const stale = await admin.forms.post("/admin/flags/edit", { ...flag, rollout_percent: "7", version });
    expect([stale.status, stale.text.includes('id="rollout_percent-stored"'), versionIn(stale.text)]).toEqual([
      409,
      true,
      version,
    ]);
    expect([await valueFor(viewer), await valueFor(admin)]).toEqual([true, false]);
    const unknown = await admin.forms.post(orgPath(viewer), { step: "flag", key: "none", override: "on", csrf });
    expect(unknown.status).toBe(404);
  });
});

describe("users", () => {
  test("are disabled and enabled, signed out everywhere, and lose their second factor", async () => {
    const target = await administrator(site, null);
    await stepUp(target);
    const path = userPath(target);
    const csrf = await admin.forms.csrf("/account");
    for (const [step, question] of [
      ["end-sessions", "out everywhere?"],
      ["reset-factor", "Reset two-step"],
      ["disable", "Disable "],
    ] as const) {
      expect((await admin.forms.get(`${path}/confirm?step=${step}`)).text).toContain(question);
    }
    expect((await admin.forms.get(`${path}/confirm?step=constructor`)).status).toBe(404);
    const ended = await admin.forms.post(path, { step: "end-sessions", csrf });
    expect(redirectOf(ended)).toEqual([`${path}?section=sessions`, "ended"]);
    expect(await isSignedIn(target)).toBe(false);
    const [session] = await site.sql`select revoked_reason from sessions where user_id = ${target.userId}`;
    expect(session?.revoked_reason).toBe("administrator_request");
    await admin.forms.post(path, { step: "reset-factor", csrf });
    await admin.forms.post(path, { step: "disable", csrf });
    const signIn = () => target.forms.post("/sign-in", { email: target.email, password: PASSWORD });
    expect((await signIn()).status).toBe(401);
    expect((await admin.forms.get(path)).text).toContain("disabled");
    await admin.forms.post(path, { step: "enable", csrf });
    expect((await signIn()).headers.get("location")).toBe("/account");
    for (const action of ["user.disabled", "user.enabled", "mfa.reset"]) {
      expect((await auditOf(action, target.userId))[0]?.actor_id).toBe(admin.userId);
    }
    expect((await admin.forms.post(path, { step: "anything", csrf })).status).toBe(404);
    for (const step of ["disable", "end-sessions", "reset-factor"]) {
      expect((await admin.forms.post(userPath(owner), { step, csrf })).status).toBe(403);
    }
    expect(await isSignedIn(owner)).toBe(true);
  });

  test("get a platform role from an owner who has just shown a second factor, and never their own", async () => {
    const target = await administrator(site, null);
    const grant = async (by: Administrator, to: Administrator, role: string) =>
      await by.forms.post(userPath(to), { step: "role", role, csrf: await by.forms.csrf("/account") });
    const roleOf = async ({ userId }: Administrator) =>
      (await site.sql`select platform_role from users where id = ${userId}`)[0]?.platform_role;
    const weak = await administrator(site, "owner");
    expect((await grant(admin, target, "admin")).status).toBe(403);
    const without = await grant(weak, target, "admin");
    expect(redirectOf(without)).toEqual([STEP_UP_ASKED, undefined]);
    expect((await grant(owner, owner, "viewer")).status).toBe(403);
    await site.sql`update users set controlled_at = null where id = ${target.userId}`;
    const uncontrolled = await grant(owner, target, "admin");
    expect([uncontrolled.status, uncontrolled.text.includes(`href="${userPath(target)}">Go back<`)]).toEqual([
      409,
      true,
    ]);
    expect(await roleOf(target)).toBeNull();
    const offersRole = async () => (await owner.forms.get(userPath(target))).text.includes('value="role"');
    await site.sql`update users set email_verified_at = null where id = ${target.userId}`;
    expect(await offersRole()).toBe(false);
    await verifyAddress(site.sql, target.userId);
    expect(await offersRole()).toBe(true);
    await site.sql`update users set controlled_at = now() where id = ${target.userId}`;
    expect(redirectOf(await grant(owner, target, "admin"))).toEqual([userPath(target), "role"]);
    expect((await target.forms.get("/admin")).status).toBe(200);
    expect([...(await auditOf("platform_role.granted", target.userId))]).toEqual([
      { actor_id: owner.userId, metadata: { role: "admin", source: "console" } },
    ]);
  });

  test("two owners who revoke each other's role at once leave one", async () => {
    const [one, other] = await Promise.all([administrator(site, "owner"), administrator(site, "owner")]);
    await Promise.all([stepUp(one), stepUp(other)]);
    const [a, b] = await Promise.all([one.forms.csrf("/account"), other.forms.csrf("/account")]);
    const responses = await Promise.all([
      one.forms.post(userPath(other), { step: "role", role: "none", csrf: a }),
      other.forms.post(userPath(one), { step: "role", role: "none", csrf: b }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 403]);
    const left = await site.sql`
      select 1 from users where id in (${one.userId}, ${other.userId}) and platform_role = 'owner'`;
    expect(left).toHaveLength(1);
  });
});

describe("providers", () => {
  test("are edited after a step-up; a secret goes in and is never shown; what cannot be used is marked", async () => {
    const path = "/admin/providers/oauth_idp_a";
    expect((await admin.forms.get(path)).text).toContain(
      'href="/step-up?return_to=%2Fadmin%2Fproviders%2Foauth_idp_a"',
    );
    const csrf = await admin.forms.csrf("/account");
    const asked = await admin.forms.post(path, { step: "save", enabled: "yes", client_id: "x", csrf });
    expect(redirectOf(asked)[0]).toBe(STEP_UP_ASKED);
    const editor = await administrator(site, "admin");
    await stepUp(editor);
    const save = async (fields: Record<string, string>) =>
      await editor.forms.post(path, { step: "save", ...(await shownBy(editor, path)), ...fields });
    const missing = await save({ enabled: "yes" });
    expect([missing.status, missing.text.includes('id="client_id-error"')]).toEqual([400, true]);
    const short = await save({ client_id: SCRIPT, secret: "tiny7" });
    expect([short.status, short.text.includes('id="secret-error"'), short.text.includes("tiny7")]).toEqual([
      400,
      true,
      false,
    ]);
    expect(short.text).toContain('id="secret-error" role="alert"');
    expect(short.text.match(/<input[^>]* autofocus/g)).toEqual([expect.stringContaining('id="secret"')]);
    expect(redirectOf(await save({ enabled: "yes", client_id: SCRIPT }))).toEqual([path, "saved"]);
    for (const place of ["/admin", "/admin/providers", path]) {
      expect((await viewer.forms.get(place)).text).toContain(">degraded<");
    }
    const secret = "the secret of a provider";
    await save({ enabled: "yes", client_id: SCRIPT, secret });
    const shown = await editor.forms.get(path);
    expect([shown.text.includes(">degraded<"), shown.text.includes("A secret is stored")]).toEqual([false, true]);
    const probed = await editor.forms.post(path, { step: "probe", csrf: await editor.forms.csrf(path) });
    expect([probed.status, probed.text.includes("The test passed:")]).toEqual([200, true]);
    for (const { text } of [shown, probed, await viewer.forms.get(path)]) {
      expect([text.includes(secret), text.includes("<script>alert")]).toEqual([false, false]);
    }
    // A password manager must not fill in a saved password.
    expect(shown.text).toMatch(/<input id="secret"[^>]*autocomplete="new-password"/);
    const unclear = await save({ clear_secret: "yes", enabled: "yes" });
    expect([unclear.status, /name="clear_secret" value="yes" checked/.test(unclear.text)]).toEqual([400, true]);
    const before = await shownBy(editor, path);
    await save({ clear_secret: "yes", client_id: "x" });
    expect((await editor.forms.get(path)).text).not.toContain("A secret is stored");
    const stale = await save({ ...before, client_id: "typed" });
    expect([stale.status, stale.text.includes('value="typed"'), versionIn(stale.text)]).toEqual([
      409,
      true,
      before.version,
    ]);
    expect(stale.text).toContain('id="client_id-stored">Stored now: <span class="mono">x</span>');
    // A step-up that has expired since the form was displayed loses no typed value.
    const late = await administrator(site, "admin");
    await stepUp(late);
    await ageFactor(site.sql, late.userId, 6);
    const sent = { step: "save", client_id: "typed late", csrf: await late.forms.csrf("/account"), version: "none" };
    await late.forms.post("/v1/auth/continue", sent);
    const lapsed = await late.forms.post(path, sent);
    expect(redirectOf(lapsed)[0]).toBe(STEP_UP_ASKED);
  });
});

test("the page of an identity provider displays the redirect URI to register there", async () => {
  const { text } = await viewer.forms.get("/admin/providers/oauth_idp_a");
  expect(text).toContain(`<code id="redirect-uri">${site.origin}/v1/auth/oauth/oauth_idp_a/callback</code>`);
});

describe("the audit trail", () => {
  test("is filtered and paged by GET, its chart adds up to its total, and every text is escaped", async () => {
    const who = await administrator(site, null);
    const agent = { "user-agent": `Mozilla ${SCRIPT}`, "sec-fetch-site": "same-origin" };
    for (let n = 0; n < 3; n += 1) await who.forms.post("/sign-in", { email: who.email, password: "wrong" }, agent);
    await site.sql`
      update audit_logs set metadata = ${site.sql.json({ [SCRIPT]: SCRIPT, reason: SCRIPT, deep: { list: [SCRIPT] } })},
        resource_id = ${SCRIPT}, ip_address = ${SCRIPT}
      where actor_id = ${who.userId} and action = 'auth.login'`;
    const { text } = await viewer.forms.get(`/admin/audit?user_id=${who.userId}&action=auth.login`);
    expect(text).toMatch(/3 events from [^<]+ UTC, at most [123] in a day/);
    expect(text).toContain("3 entries");
    expect(text).toContain('data-zone="Times in %">Times in UTC<');
    const heads = [...text.matchAll(/<th scope="col">([^<]+)</g)].map(([, head]) => head);
    expect(heads.slice(-5)).toEqual(["Time", "Event", "Actor", "Target", "Result"]);
    expect(text.match(/<rect class="no"/g)?.length).toBeGreaterThan(0);
    expect(text).toContain('<th scope="col">From (UTC)</th>');
    expect(text).toContain(`Only what ${who.email} did`);
    expect(text).not.toContain("<script>alert");
    expect(text.split("&lt;script>alert(1)").length).toBeGreaterThan(9);
    const all = await viewer.forms.get("/admin/audit?page=2");
    expect(all.text).toContain("Page 2 of");
    const none = await viewer.forms.get("/admin/audit?from=2001-01-01T00:00&to=2001-01-02T00:00");
    expect(none.text).toContain("No entries match");
    for (const bound of ["0000-01-01T00:00", "9999-12-31T23:59"])
      for (const path of [`/admin/audit?to=${bound}`, `/admin/audit?from=${bound}`])
        expect([path, (await viewer.forms.get(path)).status]).toEqual([path, 200]);
    const bad = await viewer.forms.get("/admin/audit?from=nonsense&action=%00");
    expect([bad.status, bad.text.includes("A time isn't valid")]).toEqual([400, true]);
  });

  test("is filtered by group, result, organization and period, and the chart has the period of the list", async () => {
    const who = await administrator(site, null);
    await who.forms.post("/sign-in", { email: who.email, password: "wrong" });
    const totals = async (query: string) => {
      const { text } = await viewer.forms.get(`/admin/audit?user_id=${who.userId}&${query}`);
      const [, listed, succeeded, failed] =
        />(\d+) entr[\s\S]*class="key">Success (\d+)<[\s\S]*class="key no">Failed (\d+)</.exec(text) ?? [];
      return [listed, succeeded, failed].map(Number);
    };
    expect(await totals("action=auth.*")).toEqual([2, 1, 1]);
    expect(await totals("action=auth.*&outcome=failure")).toEqual([1, 0, 1]);
    expect(await totals("outcome=success&period=day")).toEqual([1, 1, 0]);
    expect(await totals("action=webhook.*")).toEqual([0, 0, 0]);
    expect(await totals(`organization_id=${UNKNOWN}`)).toEqual([0, 0, 0]);
    expect(await totals(`actor=${encodeURIComponent(who.email)}`)).toEqual([2, 1, 1]);
    expect(await totals(`q=${encodeURIComponent(who.email)}&outcome=failure`)).toEqual([1, 0, 1]);
    expect(await totals("actor=nobody")).toEqual([0, 0, 0]);
    const searched = await viewer.forms.get(`/admin/audit?q=%3Cb%3E&actor=${encodeURIComponent(who.email)}`);
    expect(searched.text).toContain("The search covers the newest 50,000 entries");
    expect(searched.text).toContain(`name="actor" type="search" value="${who.email}"`);
    expect(searched.text).not.toContain("<b>");
    const organization = `/admin/organizations/${who.organizationId}?section=audit`;
    const listed = async (query: string) =>
      ((await viewer.forms.get(`${organization}${query}`)).text.match(/<summary><strong>/g) ?? []).length;
    expect([await listed(""), await listed("&outcome=failure"), await listed("&q=auth.register")]).toEqual([
      expect.any(Number),
      1,
      1,
    ]);
    expect(await listed("&q=nothing-like-this")).toBe(0);
    await site.sql`update audit_logs set timestamp = now() - interval '3 days' where actor_id = ${who.userId}`;
    expect(await totals("period=day")).toEqual([0, 0, 0]);
    expect(await totals("period=week")).toEqual([2, 1, 1]);
    const { text } = await viewer.forms.get(`/admin/audit?organization_id=${who.organizationId}`);
    expect(text).toContain('<option value="all" selected');
    expect((await viewer.forms.get("/admin/audit")).text).toContain('<option value="day" selected');
  });

  test("says the year of a time that is not of this one", () => {
    const { hour, second } = datesIn("en-GB", () => Date.UTC(2026, 0, 1));
    const [past, present] = [new Date("2025-12-31T23:59:58Z"), new Date("2026-01-01T00:00:00Z")];
    expect([hour(past), second(past)]).toEqual(["31 Dec 2025, 23:59", "31 Dec 2025, 23:59:58"]);
    expect([hour(present), second(present)]).toEqual(["1 Jan, 00:00", "1 Jan, 00:00:00"]);
  });

  test("is live for half an hour: without scripts the browser loads the page again; a link ends the view", async () => {
    const page = (await viewer.forms.get("/admin/audit?outcome=failure&period=week")).text;
    expect(page).not.toContain("http-equiv");
    const link = /href="(\/admin\/audit\?[^"]*live=\d+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(link).toContain("outcome=failure&period=week");
    const live = (await viewer.forms.get(link)).text;
    expect(live).toContain('<noscript><meta http-equiv="refresh" content="10"/></noscript>');
    expect(live).toContain("data-refresh=");
    expect(live).toContain('href="/admin/audit?outcome=failure&amp;period=week">Stop<');
    const now = Math.floor(Date.now() / 1000);
    for (const until of [now - 1, now + 1900, "x", "1e99", ""])
      expect((await viewer.forms.get(`/admin/audit?live=${until}`)).text).not.toContain("http-equiv");
    expect((await viewer.forms.get(`${link}&page=2`)).text).not.toContain("http-equiv");
  });

  test("displays times in a zone, with the year of the zone", () => {
    const dates = datesIn("en-GB", () => Date.UTC(2026, 0, 1), "Europe/Vienna");
    const at = new Date("2025-12-31T23:30:00Z");
    expect([dates.second(at), dates.date(at)]).toEqual(["1 Jan, 00:30:00", "1 Jan 2026"]);
    expect(dates.exact(at)).toMatch(/^1 January 2026 at 00:30:00 (?:CET|GMT\+1)$/);
    expect(dates.minute(at)).toMatch(/^1 January 2026 at 00:30 (?:CET|GMT\+1)$/);
    expect([dates.hour(at), dates.utcDate(at)]).toEqual(["31 Dec 2025, 23:30", "31 Dec 2025"]);
  });

  test("is exported as a signed download, with the entitlement, and recorded", async () => {
    const exporter = await administrator(site, "admin");
    await stepUp(exporter);
    const csrf = await exporter.forms.csrf("/account");
    const refused = await exporter.forms.post("/admin/audit/export", { csrf });
    expect([refused.status, refused.text.includes("part of your organization's plan")]).toEqual([402, true]);
    expect(refused.text).toContain('href="/admin/audit">Go back<');
    await enterEnterprise(site.sql, exporter.organizationId);
    const response = await exporter.forms.post("/admin/audit/export", { from: "2026-01-01T00:00", to: "", csrf });
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="audit.ndjson"');
    const lines = response.text.trimEnd().split("\n");
    const trailer = JSON.parse(lines.pop() ?? "{}");
    const body = `${lines.join("\n")}\n`;
    const expected = createHmac("sha256", "a key of exports, long enough").update(body).digest("hex");
    expect([trailer._signature, trailer._count]).toEqual([`sha256=${expected}`, lines.length]);
    expect((await auditOf("audit.exported", exporter.organizationId))[0]?.actor_id).toBe(exporter.userId);
    expect((await exporter.forms.post("/admin/audit/export", { from: "nonsense", csrf })).status).toBe(400);
  });
});

describe("requests", () => {
  test("an error page shows its request id, in the language of the reader; a viewer reads what decided", async () => {
    const person = await administrator(site, null);
    const [english, german] = await Promise.all(
      ["en", "de"].map((language) => person.forms.get("/admin/users", { "accept-language": language })),
    );
    const id = english?.headers.get("x-request-id") ?? "";
    expect(english?.text).toMatch(new RegExp(`If you ask for help, mention this request ID: <code[^>]*>${id}</code>`));
    expect(german?.text).toMatch(/Wenn Sie um Hilfe bitten, nennen Sie diese Anfrage-ID: <code[^>]*>[0-9a-f-]{36}</);
    const pasted = await viewer.forms.get(`/admin/requests?id=%20${id.toUpperCase()}%0A`);
    expect([pasted.status, pasted.headers.get("location")]).toEqual([303, `/admin/requests/${id}`]);
    let shown = await viewer.forms.get(`/admin/requests/${id}`);
    await until("the decision is recorded", async () => {
      shown = await viewer.forms.get(`/admin/requests/${id}`);
      return shown.status === 200;
    });
    const { sentences } = JSON.parse((await viewer.forms.get(`/v1/admin/requests/${id}`)).text);
    expect(sentences[0]).toContain("GET /admin/users was answered with 403 (forbidden)");
    for (const sentence of sentences) expect(shown.text).toContain(`<li>${sentence}</li>`);
    expect(shown.text).toContain(`href="/admin/users/${person.userId}">${person.email}</a>`);
    expect(shown.text).toContain(`href="/admin/organizations/${person.organizationId}"`);
    expect((await person.forms.get(`/admin/requests/${id}`)).status).toBe(403);
    const unknown = await viewer.forms.get(`/admin/requests/${UNKNOWN}`);
    expect([unknown.status, unknown.text.includes(`value="${UNKNOWN}"`)]).toEqual([404, true]);
    expect(unknown.text).toContain("Nothing is recorded about this request.");
  });

  test("what is no id is refused beside the field; entries of the audit trail lead to their requests", async () => {
    const bad = await viewer.forms.get(`/admin/requests?id=${encodeURIComponent(SCRIPT)}`);
    expect([bad.status, bad.text.includes('id="id-error"'), bad.text.includes("<script>alert")]).toEqual([
      400,
      true,
      false,
    ]);
    const nothing = await viewer.forms.get(`/admin/requests/${UNKNOWN}`);
    expect([nothing.status, nothing.text.includes("Nothing is recorded about this request")]).toEqual([404, true]);
    const { text } = await viewer.forms.get(`/admin/audit?user_id=${viewer.userId}&action=auth.register`);
    const path = /href="(\/admin\/requests\/[0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
    expect((await viewer.forms.get(path)).text).toContain("the audit trail has auth.register (success)");
  });
});

test("refused forms of every area show the id of the request, and the refusal is recorded with its code", async () => {
  const stranger = new FormClient(site.origin);
  const person = await administrator(site, null);
  const mine = { csrf: await person.forms.csrf("/account") };
  const owned = { csrf: await owner.forms.csrf("/account") };
  const over = "signed_out=1";
  const sent: [FormClient, string, Record<string, string>][] = [
    [stranger, "/sign-in", { email: "nobody@example.com", password: "x" }],
    [stranger, "/sign-in/code", { step: "send", email: "nobody" }],
    [stranger, "/sign-in/code", { code: "123456" }],
    [stranger, "/register", { email: "nobody", organization_name: "Engines", password: PASSWORD }],
    [stranger, "/forgot-password", { email: "nobody" }],
    [stranger, "/reset-password", { new_password: PASSWORD }],
    [stranger, `/verify-email?${over}`, { step: "confirm" }],
    [stranger, `/accept-invitation?${over}`, { password: PASSWORD }],
    [person.forms, "/account", { ...mine, step: "rename", display_name: "see https://evil.example" }],
    [person.forms, "/account", { ...mine, step: "constructor" }],
    [person.forms, "/account/password", { ...mine, current_password: "x", new_password: PASSWORD }],
    [person.forms, "/account/security", { ...mine, step: "constructor" }],
    [person.forms, "/team", { ...mine, step: "invite", email: "nobody" }],
    [person.forms, "/team", { ...mine, step: "remove", id: "nobody" }],
    [person.forms, "/machines", { ...mine, step: "create-account", name: "" }],
    [owner.forms, "/step-up", { ...owned, code: "x" }],
    [owner.forms, "/account/security/authenticator/off", { ...owned, password: "x" }],
    [owner.forms, "/admin/organizations/new", { ...owned, organization_name: "Engines", owner_email: "nobody" }],
    [owner.forms, orgPath(owner), { ...owned, step: "save", name: "" }],
    [owner.forms, orgPath(owner), { ...owned, step: "constructor" }],
    [owner.forms, userPath(viewer), { ...owned, step: "constructor" }],
    [owner.forms, "/admin/flags/edit", { ...owned, key: "Not A Key", version: "none" }],
    [owner.forms, "/admin/providers/oauth_idp_a", { ...owned, step: "save", enabled: "yes", version: "none" }],
    [owner.forms, "/admin/oauth-clients/new", owned],
    [owner.forms, "/admin/resources/new", { ...owned, name: "Billing", identifier: "nothing" }],
    [owner.forms, "/admin/machines", { ...owned, step: "create-account", name: "" }],
    [owner.forms, "/admin/audit/export", { ...owned, from: "nonsense" }],
  ];
  const ids: string[] = [];
  for (const [forms, path, fields] of sent) {
    const { status, headers, text } = await forms.post(path, fields);
    const id = headers.get("x-request-id") ?? "none";
    // A user cannot solve a refused permission alone, and needs the id; a typing error needs no id.
    const isDisplayed = text.includes(id);
    expect([path, fields.step, status >= 400, isDisplayed]).toEqual([path, fields.step, true, status === 403]);
    ids.push(id);
  }
  const recorded = async () =>
    await site.sql`select 1 from request_decisions where request_id in ${site.sql(ids)} and code is not null`;
  await until("every refusal is recorded", async () => (await recorded()).length === ids.length);
});

test("pages for everybody speak the language of the account to who is signed in", async () => {
  const person = await administrator(site, null);
  await site.sql`update users set locale = 'de', email_verified_at = null where id = ${person.userId}`;
  for (const path of ["/sign-out", "/verify-email", "/accept-invitation", "/oauth2/logout", "/oauth2/interaction"]) {
    const { text } = await person.forms.get(path, { "accept-language": "en" });
    expect([path, text.includes('<html lang="de"')]).toEqual([path, true]);
  }
});

test("a language tag that names no locale, of the browser or of the account, breaks no page", async () => {
  const person = await administrator(site, null);
  for (const tag of ["en-12", "de-a", "en-x", "de-1996-1996", "de-u-nu-thai"]) {
    await site.sql`update users set locale = ${tag} where id = ${person.userId}`;
    const shown = [
      await new FormClient(site.origin).get("/sign-in", { "accept-language": tag }),
      await person.forms.get("/account/security"),
    ];
    for (const { status, text } of shown) {
      const speaks = text.includes(`<html lang="${tag.slice(0, 2)}"`);
      expect([tag, status, speaks, /\p{Script=Thai}/u.test(text)]).toEqual([tag, 200, true, false]);
    }
  }
});

/** Every page displays a device of the closed set in its place (G92). */
const RAW_AGENT = "Mozilla/5.0 https://evil.example";
const rawTexts = (html: string) => ["<script>alert", RAW_AGENT].filter((text) => html.includes(text));

test("names of all kinds are text on every page, hostile ones too, and no page displays a raw User-Agent", async () => {
  const target = await administrator(site, "viewer");
  const { userId, organizationId } = target;
  const { sql } = site;
  const [now, later] = [new Date(), new Date(Date.now() + 3_600_000)];
  const key = { user_id: userId, credential_id: Buffer.from(userId), public_key: Buffer.alloc(4), sign_count: 0 };
  const kind = { transports: [], device_type: "singleDevice", backed_up: false, aaguid: userId, created_at: now };
  await sql`insert into passkeys ${sql({ ...key, ...kind, id: userId, name: SCRIPT })}`;
  const browser = { id: userId, user_id: userId, token_hash: Buffer.from(userId), created_at: now, expires_at: later };
  const hostile = { name: SCRIPT, ip_address: SCRIPT, user_agent: RAW_AGENT };
  await sql`insert into trusted_browsers ${sql({ ...browser, ...hostile })}`;
  const identity = { provider: SCRIPT, issuer: "i", subject: userId, created_at: now, last_used_at: now };
  await sql`insert into user_identities ${sql({ ...identity, user_id: userId })}`;
  await sql`update sessions set user_agent = ${RAW_AGENT}, ip_address = ${SCRIPT} where user_id = ${userId}`;
  await sql`update users set display_name = ${SCRIPT}, locale = ${SCRIPT} where id = ${userId}`;
  await sql`update organizations set name = ${SCRIPT}, slug = ${SCRIPT} where id = ${organizationId}`;
  const places = [...PLACES, orgPath(target), userPath(target), `${orgPath(target)}/confirm`];
  const sections = [
    ...["members", "invitations", "applications", "flags", "audit"].map((each) => `${orgPath(target)}?section=${each}`),
    ...["sessions", "factors", "providers", "organizations", "audit"].map(
      (each) => `${userPath(target)}?section=${each}`,
    ),
  ];
  const searched = `/admin/users?q=${encodeURIComponent(SCRIPT)}`;
  const more = [`${userPath(target)}/confirm?step=disable`, searched, ...sections];
  for (const path of [...places, ...more]) {
    const { text, status } = await owner.forms.get(path);
    expect([path, status, rawTexts(text)]).toEqual([path, 200, []]);
  }
  for (const path of ["/account", "/account/security", "/team", "/sign-out"]) {
    const { text, status } = await target.forms.get(path);
    expect([path, status, rawTexts(text)]).toEqual([path, 200, []]);
    if (path === "/account/security") expect(text.split("&lt;script>alert(1)").length).toBeGreaterThan(5);
  }
});

describe("a session of aal1 (G90)", () => {
  const demote = async ({ userId }: Administrator) =>
    await site.sql`update sessions set aal = 'aal1', mfa_verified_at = null where user_id = ${userId}`;

  test("leads to the set-up of a second factor, or to its confirmation and back, and changes nothing", async () => {
    const person = await administrator(site, "owner");
    const target = await administrator(site, null);
    await demote(person);
    const lands = async (path: string) => (await person.forms.get(path)).headers.get("location");
    const stepUpTo = (path: string) => `/step-up?return_to=${encodeURIComponent(path)}`;
    for (const path of PLACES) expect([path, await lands(path)]).toEqual([path, stepUpTo(path)]);
    const csrf = await person.forms.csrf("/account");
    const posted = await person.forms.post(userPath(target), { step: "disable", csrf });
    expect([posted.status, posted.headers.get("location")]).toEqual([303, STEP_UP_ASKED]);
    const page = await person.forms.get(stepUpTo("/admin"));
    expect(page.text).toContain("Protect your account first");
    expect(page.text).toContain('name="return_to" value="/admin"');
    const { secret } = await stepUp(person);
    expect((await person.forms.get("/admin")).status).toBe(200);
    const later = new FormClient(site.origin);
    await forgetUsedStep(site.sql, person.userId);
    await later.post("/sign-in", { email: person.email, password: PASSWORD });
    await later.post("/sign-in/challenge", { code: codeOf(secret) });
    await site.sql`update sessions set aal = 'aal1', mfa_verified_at = null where user_id = ${person.userId}`;
    expect((await later.get("/admin/users?q=a")).headers.get("location")).toBe(
      "/step-up?return_to=%2Fadmin%2Fusers%3Fq%3Da",
    );
    const [row] = await site.sql`select disabled_at from users where id = ${target.userId}`;
    expect(row?.disabled_at).toBeNull();
  });
});

describe("the lists of applications, APIs and feature flags", () => {
  const namesIn = (text: string) =>
    [...text.matchAll(/<a class="whole[^"]*" href="[^"]+">([^<]+)</g)].map(([, name]) => name);
  const LISTS = [
    ["/admin/oauth-clients", "name", "created_at", ["List alpha", "List beta"]],
    ["/admin/resources", "name", "created_at", ["List alpha", "List beta"]],
    ["/admin/flags", "key", "updated_at", ["list-alpha", "list-beta"]],
  ] as const;
  beforeAll(async () => {
    const csrf = await owner.forms.csrf("/account");
    for (const name of ["beta", "alpha"]) {
      const client = { token_endpoint_auth_method: "client_secret_basic", application_type: "web", csrf };
      await owner.forms.post("/admin/oauth-clients/new", { ...client, name: `List ${name}` });
      const identifier = `https://list-${name}.example.com/`;
      await owner.forms.post("/admin/resources/new", { name: `List ${name}`, identifier, csrf });
      const flag = { key: `list-${name}`, description: "=1+1", rollout_percent: "25", version: "none", csrf };
      await owner.forms.post("/admin/flags/edit", { ...flag, ...(name === "alpha" ? { enabled: "yes" } : {}) });
    }
    await site.sql`update oauth_clients set disabled_at = now() where name = 'List beta'`;
    await site.sql`update oauth_resources set disabled = true where name = 'List beta'`;
  });

  test.each(LISTS)(
    "%s is searched, filtered and ordered, with the order in the heads",
    async (path, key, time, names) => {
      const at = async (query: string) => (await viewer.forms.get(`${path}?q=LIST&${query}`)).text;
      const [alpha, beta] = names;
      expect(namesIn(await at(`sort=${key}`))).toEqual([alpha, beta]);
      const descending = await at(`sort=-${key}`);
      expect(namesIn(descending)).toEqual([beta, alpha]);
      expect(descending).toContain('aria-sort="descending"');
      expect(namesIn(await at(`sort=-${time}`))).toEqual([alpha, beta]);
      expect(namesIn(await at(`sort=${time}`))).toEqual([beta, alpha]);
      expect(namesIn(await at("status=enabled"))).toEqual([alpha]);
      expect(namesIn(await at("status=disabled"))).toEqual([beta]);
      expect(namesIn(await at("status=constructor&page_size=1&sort=x")).sort()).toEqual([...names]);
      const none = (await viewer.forms.get(`${path}?q=${encodeURIComponent(`${SCRIPT} none`)}`)).text;
      expect([namesIn(none), none.includes("<script>alert")]).toEqual([[], false]);
    },
  );

  test("are downloaded as CSV with the filters of the address, and formulas as text", async () => {
    const csv = async (path: string) => (await viewer.forms.get(`${path}?q=list&status=disabled`)).text;
    expect(await csv("/admin/oauth-clients/export")).toMatch(/^"client_id".*\r\n"[0-9a-f-]{36}","List beta".*\r\n$/);
    expect(await csv("/admin/resources/export")).toContain('"List beta","https://list-beta.example.com/"');
    const flags = await csv("/admin/flags/export");
    expect(flags).toContain('"list-beta","\'=1+1","false","25"');
    expect(flags).not.toContain("list-alpha");
    const person = await administrator(site, null);
    for (const [path] of LISTS) expect((await person.forms.get(`${path}/export`)).status).toBe(403);
  });

  test("filter applications by type and by the day of the registration", async () => {
    const at = async (query: string) => namesIn((await viewer.forms.get(`/admin/oauth-clients?q=list&${query}`)).text);
    expect(await at("type=native")).toEqual([]);
    expect((await at("type=web")).length).toBe(2);
    const today = new Date().toISOString().slice(0, 10);
    expect((await at(`created_from=${today}`)).length).toBe(2);
    expect(await at("created_to=2020-01-01")).toEqual([]);
  });
});
