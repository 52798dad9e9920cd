/** Guards of pages over HTTP: foreign forms, links, escaping, sessions. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { brandPalette } from "../../src/base/brand-palette.ts";
import { PAGE_STYLES } from "../../src/config/brand-palettes.ts";
import { isLoopbackHost } from "../../src/config/checks.ts";
import { readBrandStyle } from "../../src/pages/style-sheet.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { codeOf, forgetUsedStep } from "../support/mfa.ts";
import { FormClient, linkTo, type PageSite, redirectOf, SAME_ORIGIN, scriptsOf, startSite } from "../support/pages.ts";
import { startReplica } from "../support/replica.ts";
import { presentFactor } from "../support/states.ts";
import { until } from "../support/waiting.ts";

/** The compressed size of an island, and of the client with the WebAuthn library, which islands share. */
const ISLAND_MAX_BYTES = 4 * 1024;
const CLIENT_MAX_BYTES = 8 * 1024;

let site: PageSite;
/** A site with settings of an operator: a brand, verified addresses only, and a low sign-in limit. */
let strict: PageSite;
let brand: string;
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>';
beforeAll(async () => {
  brand = await mkdtemp(join(tmpdir(), "brand-"));
  await Bun.write(join(brand, "logo.svg"), LOGO);
  await Bun.write(join(brand, "brand.css"), ":root { --accent: #0a7a3f }");
  [site, strict] = await Promise.all([
    startSite(),
    startSite({
      SERVICE_REQUIRE_VERIFIED_EMAIL: "on",
      SERVICE_RATE_LIMITS: "on",
      SERVICE_RATE_LIMIT_SIGN_IN: "1/600",
      SERVICE_TRUSTED_PROXIES: "127.0.0.0/8,::1",
      SERVICE_OAUTH_IDP_A_CLIENT_ID: "pages",
      SERVICE_OAUTH_IDP_A_CLIENT_SECRET: "a secret of Google",
      SERVICE_BRAND_NAME: "Numbers & Co",
      SERVICE_BRAND_LOGO: join(brand, "logo.svg"),
      SERVICE_BRAND_STYLE: join(brand, "brand.css"),
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([site.one.stop(), strict.one.stop(), rm(brand, { recursive: true })]);
});

const SCRIPT = `"><script>alert(1)</script>'`;
const newForms = () => new FormClient(site.origin);

/** Registers a user by the form. */
async function registered(fields: Record<string, string> = {}) {
  const forms = newForms();
  const email = newEmail();
  const response = await forms.post("/register", {
    email,
    organization_name: "Engines",
    password: PASSWORD,
    ...fields,
  });
  expect(response.status).toBe(303);
  return { forms, email };
}

/** Marks the sessions of a user as stepped up, before the first request of the session. */
async function stepUpSessionsOf(email: string): Promise<void> {
  await site.sql`
    update sessions s set mfa_verified_at = now() from users u where u.id = s.user_id and u.email = ${email}`;
}

/** Sets up an authenticator app by the forms. */
async function enableFactor(forms: FormClient) {
  const path = "/account/security/authenticator";
  const csrf = await forms.csrf("/account/security");
  const begun = await forms.post(path, { step: "begin", csrf });
  const secret = /secret=([A-Z2-7]+)/.exec(begun.text)?.[1] ?? "";
  return { secret, enabled: await forms.post(path, { step: "enable", secret, code: codeOf(secret), csrf }) };
}

const sessionsOf = async (email: string) =>
  await site.sql`select s.id, s.revoked_at from sessions s join users u on u.id = s.user_id where u.email = ${email}`;

describe("a session that is bound to an organization", () => {
  test("is served the pages of this organization, and neither the account nor the console (G145)", async () => {
    const { forms, email } = await registered();
    await site.sql`
      update sessions set organization_bound = true, auth_method = 'sso'
      where user_id = (select id from users where email = ${email})`;
    const statuses = new Map<string, number>();
    for (const path of ["/team", "/machines", "/account", "/account/security", "/account/password", "/admin"])
      statuses.set(path, (await forms.get(path)).status);
    expect(Object.fromEntries(statuses)).toEqual({
      "/team": 200,
      "/machines": 200,
      "/account": 403,
      "/account/security": 403,
      "/account/password": 403,
      "/admin": 403,
    });
    expect((await forms.get("/")).headers.get("location")).toBe("/team");
  });
});

describe("a form of another site is refused", () => {
  test.each([
    ["by Sec-Fetch-Site cross-site", { "sec-fetch-site": "cross-site" }],
    ["by Sec-Fetch-Site same-site", { "sec-fetch-site": "same-site" }],
    ["by a foreign Origin", { origin: "https://evil.example" }],
    ["by Origin null", { origin: "null" }],
    ["that says nothing of its origin", {}],
  ])("%s: a sign-in as the attacker, too", async (_, headers) => {
    const { email } = await registered();
    const forms = newForms();
    const response = await forms.post("/sign-in", { email, password: PASSWORD }, headers);
    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toStartWith("text/html");
    expect(response.setCookies).toEqual([]);
  });

  test("an Origin of this site is enough where Sec-Fetch-Site is missing", async () => {
    const { email } = await registered();
    const response = await newForms().post("/sign-in", { email, password: PASSWORD }, { origin: site.origin });
    expect(response.headers.get("location")).toBe("/account");
  });

  test("and of a session without the hidden field, or with the field of a second session", async () => {
    const [one, other] = [await registered(), await registered()];
    const foreign = await other.forms.csrf("/account");
    for (const csrf of ["", "nonsense.nonsense", foreign, other.forms.client.cookie("service_csrf") ?? ""]) {
      const response = await one.forms.post("/account", { step: "rename", display_name: "Eve", csrf });
      expect(response.status).toBe(403);
    }
    expect((await one.forms.get("/account")).text).not.toContain("Eve");
    const csrf = await one.forms.csrf("/account");
    expect((await one.forms.post("/account", { step: "rename", display_name: "Ada", csrf })).status).toBe(303);
  });
});

test.each([
  ["Ada\u202E Lovelace", "en", "a character that can't be seen (U+202E)"],
  ["Ada\u200B", "de", "ein unsichtbares Zeichen (U+200B)"],
  ["Ada www.example.com", "en", "A name can't contain a link."],
  ["A".repeat(121), "en", "Use 1 to 120 characters"],
])("The refusal of the name %j says what is wrong (D17).", async (display_name, locale, text) => {
  const { forms } = await registered();
  const csrf = await forms.csrf("/account");
  const response = await forms.post(
    "/account",
    { step: "rename", display_name, csrf },
    { ...SAME_ORIGIN, "accept-language": locale },
  );
  const page = response.status === 303 ? await forms.get(response.headers.get("location") ?? "") : response;
  expect(page.text.replaceAll("&#39;", "'")).toContain(text);
});

describe("a mailed link", () => {
  test("is consumed by no HEAD, no GET and no visit, and its token leaves the address at once", async () => {
    const { email, forms } = await registered();
    const link = await linkTo(site, email, "/verify-email");
    const token = link.split("=")[1] ?? "";
    for (const method of ["HEAD", "GET"]) {
      const first = await newForms().request(method, link, {});
      expect([first.status, first.headers.get("location")]).toEqual([303, "/verify-email"]);
      expect(first.text).not.toContain(token);
    }
    const visitor = newForms();
    await visitor.get(link);
    const shown = await visitor.get("/verify-email?signed_out=1");
    expect(shown.text).toContain("Confirm address");
    expect(shown.text).not.toContain(token);
    expect(
      (await site.sql`select email_verified_at from users where email = ${email}`)[0]?.email_verified_at,
    ).toBeNull();
    const done = await visitor.post("/verify-email?signed_out=1", { step: "confirm" });
    expect(redirectOf(done)).toEqual(["/sign-in", "verified"]);
    const again = await visitor.post("/verify-email?signed_out=1", { step: "confirm" });
    expect(again.status).toBe(401);
    // The page offers a signed-in user a form that sends a new link; the expired link is deleted.
    const person = await registered();
    person.forms.client.setCookie("service_link", "dead");
    const csrf = await person.forms.csrf("/account");
    const dead = await person.forms.post("/verify-email", { step: "confirm", csrf });
    expect([dead.status, dead.text.includes('value="send"')]).toEqual([401, true]);
    expect(dead.setCookies.join()).toContain("service_link=;");
    const sent = await person.forms.post("/verify-email", { step: "send", csrf });
    expect(redirectOf(sent)).toEqual(["/verify-email", "sent"]);
    expect((await person.forms.get("/verify-email")).text).toContain('data-wait="New link in % s"');
    await linkTo(site, person.email, "/verify-email", 2);
    expect(site.one.output()).not.toContain(token);
    const metrics = await forms.client.get("/metrics");
    expect(metrics.text).not.toContain(token);
    expect(metrics.text).toContain('"/verify-email"');
  });

  test("of a reset works once, and a dead one says where to get another", async () => {
    const { email } = await registered();
    const forms = newForms();
    expect((await forms.post("/forgot-password", { email })).headers.get("location")).toBe("/forgot-password?sent=1");
    expect((await forms.get("/forgot-password?sent=1")).text).toContain("<title>Check your email · ");
    const link = await linkTo(site, email, "/reset-password");
    await forms.get(link);
    const short = await forms.post("/reset-password", { new_password: "too short" });
    expect([short.status, short.text.includes("at least 12 characters")]).toEqual([400, true]);
    const password = "another horse battery staple";
    const done = await forms.post("/reset-password", { new_password: password });
    expect(redirectOf(done)).toEqual(["/sign-in?over=1", "reset"]);
    const replay = newForms();
    await replay.get(link);
    const dead = await replay.post("/reset-password", { new_password: password });
    expect([dead.status, dead.text.includes('href="/forgot-password">Request a new link<')]).toEqual([401, true]);
  });

  test("of a reset names the address to a password manager, also after a refused password", async () => {
    const { email } = await registered();
    const forms = newForms();
    await forms.post("/forgot-password", { email });
    const link = await linkTo(site, email, "/reset-password");
    const asked = await forms.get(link);
    const refused = await forms.post("/reset-password", { new_password: "too short" });
    const field = `name="username" value="${email}" autocomplete="username"`;
    const page = asked.headers.get("location") ? await forms.get("/reset-password") : asked;
    for (const { text } of [page, refused]) expect(text).toContain(field);
  });

  test("of one kind is invalid for a further kind, and a stranger's cookie is invalid for all", async () => {
    const { email } = await registered();
    const token = (await linkTo(site, email, "/verify-email")).split("=")[1];
    const forms = newForms();
    await forms.get(`/reset-password?token=${token}`);
    expect((await forms.post("/reset-password", { new_password: PASSWORD })).status).toBe(401);
    expect((await newForms().get("/accept-invitation?signed_out=1")).text).toContain("no longer works");
  });
});

describe("the page /sign-in/not-me", () => {
  const PAGE = "/sign-in/not-me";

  test("displays a question, a GET has no effect however often, and the button acts once (G128)", async () => {
    const { email, forms } = await registered();
    const headers = { "user-agent": "another browser" };
    await newForms().client.post("/v1/auth/login", { email, password: PASSWORD }, { headers });
    const page = newForms();
    await page.get(await linkTo(site, email, PAGE));
    for (let count = 0; count < 3; count += 1) expect((await page.get(PAGE)).text).toContain("This wasn't me");
    expect((await forms.client.get("/v1/users/me")).status).toBe(200);
    expect(redirectOf(await page.post(PAGE, {}))).toEqual([PAGE, "done"]);
    expect((await page.get(PAGE)).text).toContain("Your account is secured");
    expect((await forms.client.get("/v1/users/me")).status).toBe(401);
    expect((await page.post(PAGE, {})).status).toBe(401);
  });
});

describe("the pages of the review after a reset", () => {
  const PAGE = "/reset-password/review";
  const NEXT = "the password after the reset";

  /** Adds a linked provider to an account of last year, and resets the password on the page. */
  async function resetOnPage() {
    const { email } = await registered();
    const [user] = await site.sql`select id from users where email = ${email}`;
    const userId = String(user?.id);
    await site.sql`update users set controlled_at = now() - interval '1 year' where id = ${userId}`;
    await site.sql`
      insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
      values ('oauth_idp_a', 'https://accounts.example', ${userId}, ${userId}, now(), now())`;
    const visitor = newForms();
    await visitor.client.post("/v1/auth/password/forgot", { email });
    await visitor.get(await linkTo(site, email, "/reset-password"));
    const reset = await visitor.post("/reset-password", { new_password: NEXT });
    return { email, visitor, reset };
  }

  test("follow the reset, list recent items, and end them once by one button, without a session (G293)", async () => {
    const { email, visitor, reset } = await resetOnPage();
    expect(redirectOf(reset)).toEqual([PAGE, "reset"]);
    for (let count = 0; count < 2; count += 1) {
      const { text } = await visitor.get(PAGE);
      expect([text.includes("Google"), text.includes("Needs your confirmation")]).toEqual([true, true]);
    }
    expect(redirectOf(await visitor.post(PAGE, {}))).toEqual(["/sign-in?over=1", "review_ended"]);
    expect((await visitor.post(PAGE, {})).status).toBe(401);
    const client = newForms().client;
    expect((await client.post("/v1/auth/login", { email, password: NEXT })).status).toBe(200);
    expect((await client.get("/v1/users/me/identities")).body.items).toEqual([]);
  });

  test("ask the signed-in user for the password, and confirm by “This was me” (G292)", async () => {
    const { email } = await resetOnPage();
    const owner = newForms();
    await owner.client.post("/v1/auth/login", { email, password: NEXT });
    expect((await owner.get("/account/security")).text).toContain('href="/account/security/review"');
    const path = "/account/security/review";
    const csrf = await owner.csrf(path);
    expect((await owner.post(path, { csrf, decision: "confirm", password: "wrong" })).status).toBe(401);
    const confirmed = await owner.post(path, { csrf, decision: "confirm", password: NEXT });
    expect(redirectOf(confirmed)).toEqual(["/account/security", "review_confirmed"]);
    expect((await owner.get("/account/security")).text).not.toContain('href="/account/security/review"');
    expect((await owner.client.get("/v1/users/me/identities")).body.items).toHaveLength(1);
  });
});

describe("the page of what a person created", () => {
  test("lists keys and links of a former member, and ends them by one button after a step-up (G296)", async () => {
    const { email, forms } = await registered();
    const [owner] = await site.sql`
      select m.user_id, m.organization_id from members m join users u on u.id = m.user_id where u.email = ${email}`;
    const former = await registered();
    const [person] = await site.sql`select id from users where email = ${former.email}`;
    await site.sql`
      insert into sso_setup_links (id, organization_id, intents, token_hash, created_by, by_platform, created_at,
                                   expires_at)
      values (gen_random_uuid(), ${owner?.organization_id}, '{connection}', sha256(${person?.id}::text::bytea),
              ${person?.id}, false, now(), now() + interval '1 day')`;
    const path = `/team/members/${person?.id}/creations`;
    const page = await forms.get(path);
    expect(page.text).toContain("Setup link for single sign-on");
    const csrf = await forms.csrf(path);
    expect((await forms.post(path, { csrf })).headers.get("location")).toStartWith("/step-up");
    await presentFactor(site.sql, owner?.user_id);
    await forms.client.post("/v1/auth/refresh");
    expect(redirectOf(await forms.post(path, { csrf: await forms.csrf(path) }))).toEqual([path, "ended"]);
    expect((await forms.get(path)).text).not.toContain("Setup link for single sign-on");
    const [link] = await site.sql`select end_reason from sso_setup_links where created_by = ${person?.id}`;
    expect(link?.end_reason).toBe("revoked");
  });
});

describe("the pages of email addresses", () => {
  test("request, confirm and undo a change of the address; a GET of either link consumes nothing", async () => {
    const { email, forms } = await registered();
    await forms.get(await linkTo(site, email, "/verify-email"));
    const csrf = await forms.csrf("/account");
    expect((await forms.post("/verify-email", { step: "confirm", csrf })).status).toBe(303);
    const changed = newEmail();
    const change = { step: "change", email: changed, csrf };
    expect((await forms.get("/account/email?step=change")).text).toContain('name="password"');
    const wrong = await forms.post("/account/email", { ...change, password: "wrong" });
    expect([wrong.status, wrong.text.includes("The password is incorrect.")]).toEqual([401, true]);
    const asked = await forms.post("/account/email", { ...change, password: PASSWORD });
    expect(redirectOf(asked)).toEqual(["/account", "email_requested"]);
    const account = await forms.get("/account");
    expect(account.text).toContain("We sent a link to the address.");
    expect(account.text).toContain(changed);
    const [link, undo] = [await linkTo(site, changed, "/change-email"), await linkTo(site, email, "/undo-email")];
    const anonymous = newForms();
    await anonymous.get(link);
    expect((await anonymous.get("/change-email?signed_out=1")).text).toContain("/sign-in?return_to=%2Fchange-email");
    const other = await registered();
    await other.forms.get(link);
    const foreign = await other.forms.post("/change-email", { csrf: await other.forms.csrf("/change-email") });
    expect([foreign.status, foreign.text.includes("This link belongs to another account.")]).toEqual([403, true]);
    await forms.get(link);
    expect((await forms.get("/change-email")).text).toContain(`You're signed in as ${email}.`);
    expect(redirectOf(await forms.post("/change-email", { csrf }))).toEqual(["/account", "email_changed"]);
    expect((await forms.post("/change-email", { csrf })).status).toBe(401);
    await anonymous.get(undo);
    expect((await anonymous.get("/undo-email")).text).toContain("signed out on all devices");
    expect((await forms.client.get("/v1/users/me")).body.email).toBe(changed);
    expect(redirectOf(await anonymous.post("/undo-email", {}))).toEqual(["/undo-email", "done"]);
    expect((await anonymous.get("/undo-email")).text).toContain("Change undone");
    expect((await anonymous.post("/undo-email", {})).status).toBe(401);
    expect((await forms.client.get("/v1/users/me")).status).toBe(401);
  });

  test("add, switch and remove an address", async () => {
    const { email, forms } = await registered();
    await forms.get(await linkTo(site, email, "/verify-email"));
    const csrf = await forms.csrf("/account");
    await forms.post("/verify-email", { step: "confirm", csrf });
    const added = newEmail();
    const send = (fields: Record<string, string>) =>
      forms.post("/account/email", { csrf, password: PASSWORD, ...fields });
    expect(redirectOf(await send({ step: "add", email: added }))[1]).toBe("email_requested");
    expect((await send({ step: "add", email })).status).toBe(409);
    await forms.get(await linkTo(site, added, "/change-email"));
    expect(redirectOf(await forms.post("/change-email", { csrf }))[1]).toBe("email_changed");
    const { items } = (await forms.client.get("/v1/users/me/emails")).body;
    const [former, id] = items.map((item: { id: string }) => item.id);
    expect((await forms.get(`/account/email?step=primary&id=${id}`)).text).toContain(`Make primary: ${added}`);
    expect(redirectOf(await send({ step: "primary", id }))[1]).toBe("email_changed");
    expect(redirectOf(await send({ step: "remove", id: former }))[1]).toBe("email_removed");
    expect((await send({ step: "remove", id: former })).status).toBe(404);
    expect((await forms.get("/account/email?step=x")).headers.get("location")).toBe("/account");
  });
});

describe("a form of a mailed link (G80)", () => {
  const linkIn = (text: string) => /name="link" value="(\w+)"/.exec(text)?.[1] ?? "";

  test("joins no further organization after its invitation was opened in a second tab", async () => {
    const guest = await registered();
    const hosts = [await registered({ organization_name: "First" }), await registered({ organization_name: "Second" })];
    const shown: string[] = [];
    for (const [index, { forms }] of hosts.entries()) {
      const csrf = await forms.csrf("/team");
      await forms.post("/team", { step: "invite", email: guest.email, role: "member", csrf });
      await guest.forms.get(await linkTo(site, guest.email, "/accept-invitation", index + 1));
      shown.push(linkIn((await guest.forms.get("/accept-invitation")).text));
    }
    const csrf = await guest.forms.csrf("/account");
    const stale = await guest.forms.post("/accept-invitation", { csrf, link: shown[0] ?? "" });
    expect([stale.status, stale.text.includes("opened another link since")]).toEqual([409, true]);
    expect(stale.text).toContain("Join Second");
    for (const { forms } of hosts) expect((await forms.get("/team")).text).toContain("1 member<");
    const joined = await guest.forms.post("/accept-invitation", { csrf, link: linkIn(stale.text) });
    expect(redirectOf(joined)).toEqual(["/account", "joined"]);
    expect((await hosts[0]?.forms.get("/team"))?.text).toContain("1 member<");
  });

  test("changes the password of no further account after its link was opened in a second tab", async () => {
    const people = [await registered(), await registered()];
    const tabs = newForms();
    const shown: string[] = [];
    for (const { email, forms } of people) {
      await forms.post("/forgot-password", { email });
      await tabs.get(await linkTo(site, email, "/reset-password"));
      shown.push(linkIn((await tabs.get("/reset-password")).text));
    }
    const typed = { new_password: "another long passphrase of mine" };
    const stale = await tabs.post("/reset-password", { ...typed, link: shown[0] ?? "" });
    expect([stale.status, stale.text.includes("opened another link since")]).toEqual([409, true]);
    const [second] = people.slice(1);
    const before = await newForms().post("/sign-in", { email: second?.email ?? "", password: PASSWORD });
    expect(before.status).toBe(303);
    const reset = await tabs.post("/reset-password", { ...typed, link: shown[1] ?? "" });
    expect(redirectOf(reset)).toEqual(["/sign-in?over=1", "reset"]);
  });
});

describe("an invitation of somebody who has an account", () => {
  async function invited() {
    const [host, guest] = [await registered(), await registered()];
    await stepUpSessionsOf(host.email);
    const csrf = await host.forms.csrf("/team");
    const sent = await host.forms.post("/team", { step: "invite", email: guest.email, role: "admin", csrf });
    expect(redirectOf(sent)).toEqual(["/team", "invited"]);
    return { host, guest, link: await linkTo(site, guest.email, "/accept-invitation") };
  }

  test("asks a stranger to sign in, and the wrong user to change over, before it lets anybody join", async () => {
    const { host, guest, link } = await invited();
    const stranger = newForms();
    await stranger.get(link);
    const shown = await stranger.get("/accept-invitation?signed_out=1");
    expect(shown.text).toContain(`Sign in as ${guest.email}`);
    expect(shown.text).toContain('href="/sign-in?return_to=%2Faccept-invitation"');
    const wrong = await registered();
    await wrong.forms.get(link);
    const page = await wrong.forms.get("/accept-invitation");
    expect(page.text).toContain(`You're signed in as ${wrong.email}. This invitation is for ${guest.email}.`);
    const csrf = await wrong.forms.csrf("/accept-invitation");
    expect((await wrong.forms.post("/accept-invitation", { csrf })).status).toBe(403);
    const action = /action="(\/sign-out[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const out = await wrong.forms.post(action, { csrf });
    expect(out.headers.get("location")).toBe("/sign-in?return_to=%2Faccept-invitation");
    const back = { email: guest.email, password: PASSWORD, return_to: "/accept-invitation" };
    expect((await wrong.forms.post("/sign-in", back)).headers.get("location")).toBe("/accept-invitation");
    expect((await host.forms.get("/team")).text).toContain("1 member<");
  });

  test("lets an account without an organization to sign in to join by its link, and leads to the sign-in", async () => {
    const { host, guest, link } = await invited();
    await site.sql`
      update organizations set suspended_at = now()
      where id = (select last_organization_id from users where email = ${guest.email})`;
    const forms = newForms();
    await forms.get(link);
    const page = await forms.get("/accept-invitation?signed_out=1");
    expect(page.text).toContain('action="/accept-invitation?signed_out=1"');
    expect(page.text).not.toContain("Sign in as");
    const joined = await forms.post("/accept-invitation?signed_out=1", {});
    expect(redirectOf(joined)).toEqual(["/sign-in", "joined"]);
    expect((await host.forms.get("/team")).text).toContain("2 members");
  });

  test("tells a new user, whose session is in the organization already, to switch to nothing", async () => {
    const host = await registered();
    const email = newEmail();
    const csrf = await host.forms.csrf("/team");
    await host.forms.post("/team", { step: "invite", email, role: "member", csrf });
    const forms = newForms();
    await forms.get(await linkTo(site, email, "/accept-invitation"));
    const joined = await forms.post("/accept-invitation?signed_out=1", { password: PASSWORD });
    expect(redirectOf(joined)).toEqual(["/account", "welcome"]);
    const { text } = await forms.get("/account");
    expect([text.includes("You've joined Engines."), text.includes("Switch to")]).toEqual([true, false]);
  });

  test("lets the right user join once, who then switches to the organization and may leave it", async () => {
    const { host, guest, link } = await invited();
    const { forms } = guest;
    await forms.get(link);
    const csrf = await forms.csrf("/accept-invitation");
    const joined = await forms.post("/accept-invitation", { csrf });
    expect(redirectOf(joined)).toEqual(["/account", "joined"]);
    expect((await host.forms.get("/team")).text).toContain("2 members");
    const other = newForms();
    await other.get(link);
    expect((await other.get("/accept-invitation?signed_out=1")).text).toContain("accepted or revoked");
    const account = await forms.get("/account");
    const id = /name="organization_id" value="([^"]+)"/.exec(account.text)?.[1] ?? "";
    const switched = await forms.post("/account", { step: "switch", organization_id: id, csrf });
    expect(redirectOf(switched)).toEqual(["/account", "switched"]);
    const team = await forms.get("/team");
    expect(team.text).toContain(guest.email);
    expect(team.text).toContain('action="/team"');
    const hostId = String((await site.sql`select id from users where email = ${host.email}`)[0]?.id);
    expect((await forms.post("/team", { step: "remove", id: hostId, csrf })).status).toBe(403);
    const leave = /\/team\/confirm\?step=leave&(?:amp;)?id=([0-9a-f-]+)/.exec(team.text)?.[1] ?? "";
    expect((await forms.get(`/team/confirm?step=leave&id=${leave}`)).text).toContain("and be signed out");
    const left = await forms.post("/team", { step: "leave", id: leave, csrf });
    expect([left.status, ...redirectOf(left)]).toEqual([303, "/sign-in", "left"]);
    expect((await forms.get("/sign-in")).text).toContain("You've left the organization and been signed out.");
    expect((await host.forms.get("/team")).text).toContain("1 member<");
    const last = await host.forms.post("/team", { step: "leave", id: hostId, csrf: await host.forms.csrf("/team") });
    expect([last.status, last.text.includes("keeps at least one owner")]).toEqual([409, true]);
    expect(last.text).toContain('href="/team">Go back<');
  });

  test("keeps the role that was chosen while the address is corrected", async () => {
    const { forms, email } = await registered();
    await stepUpSessionsOf(email);
    const csrf = await forms.csrf("/team");
    for (const [role, selected] of [
      ["admin", "admin"],
      ["member", "member"],
      ["nonsense", "member"],
    ] as const) {
      const { text } = await forms.post("/team", { step: "invite", email: "no address", role, csrf });
      const shown = /<select id="role"[\s\S]*?<\/select>/.exec(text)?.[0] ?? "";
      expect([role, /<option value="(\w+)" selected/.exec(shown)?.[1]]).toEqual([role, selected]);
    }
  });

  test("can be sent again, with another link, and taken back", async () => {
    const { host, guest, link } = await invited();
    const { forms } = host;
    const csrf = await forms.csrf("/team");
    const twice = await forms.post("/team", { step: "invite", email: guest.email, role: "member", csrf });
    expect([twice.status, twice.text.includes("has an open invitation")]).toEqual([409, true]);
    const { text: team } = await forms.get("/team");
    expect(team).toMatch(/<time[^>]* title="[^"]+ UTC">until [^<]+ \d{4}<\/time>/);
    const id = /name="id" value="([^"]+)"/.exec(team)?.[1] ?? "";
    expect(redirectOf(await forms.post("/team", { step: "resend", id, csrf }))).toEqual(["/team", "resent"]);
    const fresh = await linkTo(site, guest.email, "/accept-invitation", 2);
    for (const [path, works] of [[link, false] as const, [fresh, true] as const]) {
      const visitor = newForms();
      await visitor.get(path);
      expect((await visitor.get("/accept-invitation?signed_out=1")).text.includes("Join Engines")).toBe(works);
    }
    const question = await forms.get(`/team/confirm?step=revoke&id=${id}&name=somebody@example.com`);
    expect(question.text).toContain(`Revoke the invitation of ${guest.email}?`);
    expect(question.text).not.toContain("somebody@example.com");
    await forms.post("/team", { step: "revoke", id, csrf });
    const late = newForms();
    await late.get(fresh);
    expect((await late.get("/accept-invitation?signed_out=1")).text).toContain("accepted or revoked");
  });
});

test("open invitations and members have pages of their own", async () => {
  const { forms, email } = await registered();
  const [user] = await site.sql`select id, last_organization_id from users where email = ${email}`;
  await site.sql`
    insert into invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
    select gen_random_uuid(), ${String(user?.last_organization_id)}, n || '-invited@example.com', 'member',
           sha256((${email} || n)::bytea), ${String(user?.id)}, now() + n * interval '1 second',
           now() + interval '1 day'
    from generate_series(1, 12) n`;
  const [first, second] = [await forms.get("/team"), await forms.get("/team?invitations=2")];
  expect(first.text).toContain('href="/team?invitations=2"');
  for (const [{ text }, newest, oldest] of [[first, true, false] as const, [second, false, true] as const]) {
    const shown = [">12-invited@", ">1-invited@", email].map((each) => text.includes(each));
    expect(shown).toEqual([newest, oldest, true]);
  }
});

test("a list opens at a page by any number, and by what is none", async () => {
  const { forms } = await registered();
  for (const path of ["/account/applications", "/team", "/machines"]) {
    for (const page of ["1.5", "-1", "x", "1e99"]) {
      expect([path, page, (await forms.get(`${path}?page=${page}`)).status]).toEqual([path, page, 200]);
    }
  }
});

describe("a form of one organization", () => {
  test("has no effect on a second organization after a switch since the display", async () => {
    const { forms, email } = await registered({ organization_name: "First" });
    const [user] = await site.sql`select id, last_organization_id from users where email = ${email}`;
    const userId = String(user?.id);
    const host = await registered({ organization_name: "Second" });
    const [other] = await site.sql`select last_organization_id as id from users where email = ${host.email}`;
    const membership = { organization_id: String(other?.id), user_id: userId, role: "admin", joined_at: new Date() };
    await site.sql`insert into members ${site.sql(membership)}`;
    const fields = (text: string): Record<string, string> => {
      const hidden = text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
      return Object.fromEntries([...hidden].map(([, name, value]) => [name, value]));
    };
    const leave = await forms.get(`/team/confirm?step=leave&id=${userId}`);
    expect(leave.text).toContain("Leave First?");
    const [team, machines] = [await forms.get("/team"), await forms.get("/machines")];
    const csrf = await forms.csrf("/account");
    await forms.post("/account", { step: "switch", organization_id: String(other?.id), csrf });
    const stale: [string, Record<string, string>][] = [
      ["/team", { ...fields(leave.text), step: "leave" }],
      ["/team", { ...fields(team.text), step: "invite", email: newEmail(), role: "member" }],
      ["/machines", { ...fields(machines.text), step: "create-account", name: "Nightly" }],
    ];
    for (const [path, sent] of stale) {
      const refused = await forms.post(path, sent);
      expect([refused.status, refused.text.includes("switched to another organization")]).toEqual([409, true]);
    }
    // The confirmation page about a user also refuses a foreign organization: user ids are the same in every
    // organization.
    const link = /href="(\/team\/confirm\?step=leave[^"]*organization=[^"]*)"/.exec(team.text)?.[1] ?? "none";
    expect((await forms.get(link.replaceAll("&amp;", "&"))).status).toBe(404);
    const left = await site.sql`select 1 from members where user_id = ${userId}`;
    const trail = await site.sql`
      select action from audit_logs
      where organization_id = ${String(other?.id)} and action ~ '^(member|invitation|service_account)'`;
    expect([left.length, trail.length]).toEqual([2, 0]);
    const fresh = await forms.get(`/team/confirm?step=leave&id=${userId}`);
    expect(fresh.text).toContain("Leave Second?");
    expect((await forms.post("/team", { ...fields(fresh.text), step: "leave" })).status).toBe(303);
    expect(await site.sql`select 1 from members where user_id = ${userId}`).toHaveLength(1);
  });
});

describe("return_to", () => {
  const PLACES = [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/%5cevil.example",
    "javascript:alert(1)",
  ];
  test.each(PLACES)("%s leads to the account", async (place) => {
    const { email } = await registered();
    const response = await newForms().post("/sign-in", { email, password: PASSWORD, return_to: place });
    expect(response.headers.get("location")).toBe("/account");
    const page = await newForms().get(`/sign-in?return_to=${encodeURIComponent(place)}`);
    expect(page.text).not.toContain("evil.example");
    expect(page.text).not.toContain("javascript:");
    const continued = await newForms().get(`/v1/auth/continue?to=${encodeURIComponent(place)}`);
    expect(continued.headers.get("location")).toBe("/sign-in");
  });

  test("of this site is where a sign-in ends, also through the second factor", async () => {
    const { email, forms } = await registered();
    const { secret, enabled } = await enableFactor(forms);
    expect(enabled.text.match(/<li>[0-9a-z]{5}-[0-9a-z]{5}<\/li>/g)).toHaveLength(10);
    await forgetUsedStep(site.sql, String((await site.sql`select id from users where email = ${email}`)[0]?.id));
    const guest = newForms();
    const place = "/team?q=a%20b%26c&n=50%25";
    const shown = await guest.post("/sign-in", { email, password: PASSWORD, return_to: place });
    expect(shown.headers.get("location")).toBe("/sign-in/challenge");
    expect(shown.headers.get("location")).not.toContain("token");
    const done = await guest.post("/sign-in/challenge", { code: codeOf(secret) });
    expect(done.headers.get("location")).toBe(place);
    // A sign-in that waits for the second factor blocks neither a sign-in to a different page nor a new sign-in.
    const waits = async (query: string) => {
      const waiting = newForms();
      waiting.client.setCookie("service_mfa", encodeURIComponent("token /team?q=a"), "/sign-in");
      const { headers, setCookies } = await waiting.get(`/sign-in${query}`);
      return [headers.get("location"), setCookies.join().includes("service_mfa=;")];
    };
    for (const query of ["", "?return_to=%2Fteam%3Fq%3Da"]) {
      expect([query, ...(await waits(query))]).toEqual([query, "/sign-in/challenge#code", false]);
    }
    for (const query of ["?return_to=/team", "?return_to=%2Fteam%3Fq%3Da&again=1", "?over=1"]) {
      expect([query, ...(await waits(query))]).toEqual([query, null, true]);
    }
  });
});

test("a second-factor step that expired or is begun anew says so and keeps where the sign-in leads", async () => {
  const place = "/team?q=a%20b%26c";
  const carried = `return_to=${encodeURIComponent(place).replaceAll("%20", "+")}`;
  const waiting = newForms();
  waiting.client.setCookie("service_mfa", encodeURIComponent(`token ${place}`), "/sign-in");
  const { text } = await waiting.get("/sign-in/challenge");
  expect(text).toContain(`name="return_to" value="${place}"`);
  const links = [...text.matchAll(/href="(\/sign-in[^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  const recovery = (await waiting.get(`/sign-in/challenge?with=recovery&${carried}`)).text;
  for (const shown of [text, recovery]) expect(shown).toContain(`/sign-in?over=1&amp;${carried}"`);
  expect(links).toContain(`/sign-in/challenge?with=recovery&${carried}`);
  const expired = `/sign-in?${carried}`;
  for (const late of [
    await newForms().post("/sign-in/challenge", { code: "123456", return_to: place }),
    await newForms().get(`/sign-in/challenge?with=recovery&${carried}`),
  ]) {
    expect(redirectOf(late)).toEqual([expired, "expired"]);
  }
  for (const [language, sentence] of [
    ["en", "The sign-in has expired. Start again."],
    ["de", "Die Anmeldung ist abgelaufen. Beginnen Sie von vorn."],
  ] as const) {
    const visitor = newForms();
    await visitor.get(`/sign-in/challenge?${carried}`);
    const page = (await visitor.get(expired, { "accept-language": language })).text;
    expect([language, page.includes(sentence)]).toEqual([language, true]);
    expect(page).toContain(`name="return_to" value="${place}"`);
  }
});

test("a code by email belongs to the typed address, and the page tells of a newer or missing code", async () => {
  const forms = newForms();
  await forms.post("/sign-in/code", { step: "send", email: "50%off@example.com" });
  const first = await forms.get("/sign-in/code");
  expect(first.text).toContain("If 50%off@example.com has an account");
  expect(first.text).not.toContain('role="status"');
  const again = { step: "send", again: "1", email: "50%off@example.com", return_to: "/team" };
  expect(first.text).toContain('name="again" value="1"');
  const sent = await forms.post("/sign-in/code", again);
  const next = await forms.get(sent.headers.get("location") ?? "");
  expect(next.text).toMatch(/role="status".*<span>If the address has an account, a new code is on its way\./);
  expect(next.text).toContain('name="return_to" value="/team"');
  const late = await newForms().post("/sign-in/code", { code: "123456", return_to: "/team" });
  expect([late.status, late.text.includes("The code has expired")]).toEqual([401, true]);
  expect(late.text).toContain('name="return_to" value="/team"');
});

describe("a session", () => {
  test("whose access token expired goes on, a form with what was typed included", async () => {
    const { forms } = await registered();
    const csrf = await forms.csrf("/account");
    const { client } = forms;
    client.setCookie("service_at", "");
    const sent = await forms.post("/account", { step: "rename", display_name: "Grace", csrf });
    expect(sent.status).toBe(307);
    const detour = sent.headers.get("location") ?? "";
    expect(detour).toBe("/v1/auth/continue?to=%2Faccount");
    const continued = await forms.post(detour, { step: "rename", display_name: "Grace", csrf });
    expect([continued.status, continued.headers.get("location")]).toEqual([307, "/account"]);
    const done = await forms.post("/account", { step: "rename", display_name: "Grace", csrf });
    expect(redirectOf(done)).toEqual(["/account", "saved"]);
    expect((await forms.get("/account")).text).toContain('value="Grace"');
  });

  test("without a session leads to the sign-in and back", async () => {
    const forms = newForms();
    const first = await forms.get("/account/security?page=2");
    expect(first.headers.get("location")).toBe("/v1/auth/continue?to=%2Faccount%2Fsecurity%3Fpage%3D2");
    const second = await forms.get(first.headers.get("location") ?? "");
    expect(second.headers.get("location")).toBe("/sign-in?return_to=%2Faccount%2Fsecurity%3Fpage%3D2");
  });

  test("ends by POST of /sign-out and not by GET", async () => {
    const { forms, email } = await registered();
    expect((await forms.get("/sign-out")).text).toContain("You're signed in as");
    expect((await sessionsOf(email)).every((session) => session.revoked_at === null)).toBe(true);
    await forms.post("/sign-out", { csrf: await forms.csrf("/sign-out") });
    expect((await sessionsOf(email)).every((session) => session.revoked_at !== null)).toBe(true);
    expect(forms.client.cookie("service_at") ?? "").toBe("");
  });

  test("of an address that is not verified waits at /verify-email where operators require that", async () => {
    const forms = new FormClient(strict.origin);
    await forms.post("/register", { email: newEmail(), organization_name: "Engines", password: PASSWORD });
    expect((await forms.get("/account")).headers.get("location")).toBe("/verify-email");
    const { text } = await forms.get("/verify-email");
    expect(text).not.toContain("Continue");
    expect(text).toContain('href="/account/email?step=change"');
    expect((await forms.get("/account/email?step=change")).status).toBe(200);
  });
});

describe("the account", () => {
  test("takes a picture, and displays beside the field the fault of a wrong or too large file", async () => {
    const { forms } = await registered();
    const csrf = await forms.csrf("/account");
    const send = async (file: Blob, path = "/account/picture", fields: Record<string, string> = { csrf }) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set("file", file, "me.png");
      const response = new Response(body);
      const headers = { ...SAME_ORIGIN, "content-type": response.headers.get("content-type") ?? "" };
      return await forms.request("POST", path, headers, new Uint8Array(await response.arrayBuffer()));
    };
    const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: "#123" } })
      .png()
      .toBuffer();
    const file = new Blob([new Uint8Array(picture)]);
    expect(redirectOf(await send(file))).toEqual(["/account", "saved"]);
    expect((await send(file, "/account/picture", {})).status).toBe(403);
    expect((await send(file, `/account/picture?csrf=${csrf}`, {})).status).toBe(403);
    // The access token has expired: the picture takes the redirect too, and no URL contains the value of the form.
    forms.client.setCookie("service_at", "");
    const detour = await send(file);
    expect([detour.status, detour.headers.get("location")]).toEqual([307, "/v1/auth/continue?to=%2Faccount%2Fpicture"]);
    const back = await send(file, detour.headers.get("location") ?? "");
    expect([back.status, back.headers.get("location")]).toEqual([307, "/account/picture"]);
    expect(redirectOf(await send(file))).toEqual(["/account", "saved"]);
    expect((await forms.get("/account")).text).not.toMatch(/(?:action|href)="[^"]*csrf=/);
    expect((await forms.get("/account")).text).toMatch(/src="\/avatars\/[0-9a-f]+\.webp"/);
    const refused = await send(new Blob(["no picture"]));
    expect([refused.status, refused.text.includes("We can't read that file.")]).toEqual([400, true]);
    for (const mebibytes of [5.01, 12]) {
      const large = await send(new Blob([new Uint8Array(mebibytes * 1024 ** 2)]));
      expect([large.status, large.headers.get("location")]).toEqual([400, null]);
      expect(large.text).toMatch(/<input id="file"[^>]* autofocus[^>]*aria-describedby="file-error"/);
      expect(large.text).toContain('id="file-error" role="alert">We can\'t read that file.');
    }
    expect((await forms.get("/account/picture")).headers.get("location")).toBe("/account");
    await forms.post("/account", { step: "remove-picture", csrf: await forms.csrf("/account") });
    expect((await forms.get("/account")).text).not.toContain("/avatars/");
  });

  test("names the passkey of a question by its time, and each of its buttons", async () => {
    const { forms, email } = await registered();
    await newForms().post("/sign-in", { email, password: PASSWORD });
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    await site.sql`
      insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type,
        backed_up, aaguid, created_at)
      select t.id, u.id, t.id::text::bytea, '', 0, 'Key', '{}', 'singleDevice', false, t.id, t.at
      from users u, (values (${ids[0] ?? ""}::uuid, timestamptz '2026-01-02 10:00:01Z'),
        (${ids[1] ?? ""}::uuid, timestamptz '2026-01-02 10:00:02Z')) as t (id, at) where u.email = ${email}`;
    const confirm = "/account/security/confirm?step=delete-passkey&id=";
    const { text } = await forms.get("/account/security", { "accept-language": "en-GB" });
    for (const [index, id] of ids.entries()) {
      const added = `2 January 2026 at 10:00:0${index + 1} UTC`;
      const question = await forms.get(`${confirm}${id}`, { "accept-language": "en-GB" });
      expect(question.text).toContain(`<h1>Remove “Key”, added ${added}?</h1>`);
      expect(text).toContain(`aria-label="Remove: Key, ${added}"`);
    }
    expect(text).toMatch(/value="revoke-session" aria-label="Sign out: Unknown browser[^"]+"/);
    expect((await forms.get(`${confirm}${crypto.randomUUID()}`)).status).toBe(404);
    const { forms: stranger } = await registered();
    expect((await stranger.get(`${confirm}${ids[0]}`)).status).toBe(404);
    const step = "rename-passkey";
    const rename = { step, id: ids[0] ?? "", name: "Work laptop", csrf: await forms.csrf("/account/security") };
    expect(redirectOf(await forms.post("/account/security", rename))).toEqual(["/account/security", "passkey_renamed"]);
    expect((await forms.get("/account/security")).text).toContain("Work laptop");
    expect((await forms.post("/account/security", { ...rename, name: "two\nlines" })).status).toBe(400);
    const foreign = { ...rename, csrf: await stranger.csrf("/account/security") };
    expect((await stranger.post("/account/security", foreign)).status).toBe(404);
  });

  test("refuses a form with a malformed identifier or code like a form with an unknown or wrong value", async () => {
    const { forms } = await registered();
    const csrf = await forms.csrf("/account");
    for (const id of ["", "1", "\0", "../.."]) {
      const switched = await forms.post("/account", { step: "switch", organization_id: id, csrf });
      expect([id, switched.status]).toEqual([id, 404]);
      for (const step of ["delete-passkey", "revoke-session", "forget-browser"]) {
        const { status } = await forms.post("/account/security", { step, id, csrf });
        expect([step, id, status]).toEqual([step, id, 404]);
      }
    }
    await enableFactor(forms);
    for (const code of ["12345", "abcdef"])
      expect([code, (await forms.post("/step-up", { code, csrf })).status]).toEqual([code, 401]);
  });

  test("changes the password with the current one", async () => {
    const { forms, email } = await registered();
    const csrf = await forms.csrf("/account/password");
    const password = "another horse battery staple";
    const wrong = await forms.post("/account/password", { current_password: "wrong", new_password: password, csrf });
    expect([wrong.status, wrong.text.includes("The password is incorrect.")]).toEqual([401, true]);
    const done = await forms.post("/account/password", { current_password: PASSWORD, new_password: password, csrf });
    expect(redirectOf(done)).toEqual(["/account", "password"]);
    expect((await newForms().post("/sign-in", { email, password })).headers.get("location")).toBe("/account");
  });

  test("without a password leads to one before the second factor is turned off", async () => {
    const { forms, email } = await registered();
    const csrf = await forms.csrf("/account");
    await enableFactor(forms);
    await site.sql`update users set password_hash = null where email = ${email}`;
    const refused = await forms.post("/account/security/authenticator/off", { password: PASSWORD, csrf });
    expect([refused.status, refused.text.includes("has no password. Set a password first.")]).toEqual([409, true]);
    expect(refused.text).toContain('<a href="/forgot-password">Set a password</a>');
  });

  test("turns the second factor off with the password, and ends a session of another browser", async () => {
    const { forms, email } = await registered();
    const csrf = await forms.csrf("/account");
    const { secret } = await enableFactor(forms);
    const off = "/account/security/authenticator/off";
    expect((await forms.post(off, { password: "wrong", csrf })).status).toBe(401);
    const done = await forms.post(off, { password: PASSWORD, csrf });
    expect(redirectOf(done)).toEqual(["/account/security", "factor_off"]);
    expect(secret).not.toBe("");
    const other = newForms();
    await other.post("/sign-in", { email, password: PASSWORD });
    const { text } = await forms.get("/account/security");
    const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const ended = await forms.post("/account/security", { step: "revoke-session", id, csrf });
    expect(redirectOf(ended)).toEqual(["/account/security", "session"]);
    expect((await other.get("/account")).status).toBe(303);
    expect((await forms.get("/account")).status).toBe(200);
    const foreign = { step: "revoke-session", id: "019a0000-0000-7000-8000-000000000000", csrf };
    expect((await forms.post("/account/security", foreign)).status).toBe(404);
  });
});

describe("a refused form", () => {
  test("of the registration names every wrong field, and an empty field in its own words", async () => {
    const refused = await newForms().post("/register", { email: "nobody", password: "short", organization_name: " " });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('id="email-error">Enter an email address');
    expect(refused.text).toContain('id="password-error">Choose a password of at least 12 characters.');
    expect(refused.text).toContain('id="organization_name-error">Enter your organization\'s name.');
    const fields = [...refused.text.matchAll(/<input id="([a-z_]+)"/g)].map(([, name]) => name);
    expect(fields).toEqual(["email", "password", "display_name", "organization_name"]);
    expect(refused.text.match(/<input id="([a-z_]+)"[^>]* autofocus/)?.[1]).toBe("email");
    const empty = await newForms().post("/register", {});
    expect(empty.text).toContain('id="email-error">Enter your email address.');
    expect(empty.text).toContain('id="password-error">Enter a password.');
  });

  test("of the sign-in keeps the address, focuses the password, offers a reset after three attempts", async () => {
    const { email } = await registered();
    let attempts = "";
    for (const offered of [false, false, true]) {
      const refused = await newForms().post("/sign-in", { email, password: "not my password", attempts });
      expect(refused.text).toContain("Incorrect email or password.");
      expect(refused.text).toContain(`value="${email}"`);
      expect(refused.text).toMatch(/<input id="password"[^>]* autofocus/);
      expect(refused.text).not.toMatch(/<input id="email"[^>]* autofocus/);
      expect(refused.text.includes(">Reset password</a>")).toBe(offered);
      attempts = /name="attempts" value="(\d+)"/.exec(refused.text)?.[1] ?? "";
    }
  });
});

describe("the result of a form", () => {
  test("is displayed once, in a title that states the result first, and in no address", async () => {
    const { forms } = await registered();
    const csrf = await forms.csrf("/account");
    const saved = await forms.post("/account", { step: "rename", display_name: "Ada", csrf });
    expect(redirectOf(saved)).toEqual(["/account", "saved"]);
    const cookie = saved.headers.getSetCookie().find((each) => each.startsWith("service_done="));
    expect(cookie?.split("; ").slice(1).sort()).toEqual(["HttpOnly", "Max-Age=10", "Path=/account", "SameSite=Lax"]);
    const first = (await forms.get("/account")).text;
    expect(first).toContain("<title>Saved – ");
    expect(first).toMatch(/<p class="note good done" role="status" tabindex="-1" autofocus/);
    const reloaded = (await forms.get("/account")).text;
    expect([reloaded.includes("Saved"), reloaded.includes('role="status"')]).toEqual([false, false]);
    expect((await forms.get("/account?done=saved")).text).not.toContain('role="status"');
  });

  test("does not stand beside a later problem, and a foreign text in the cookie displays nothing", async () => {
    const { forms } = await registered();
    const csrf = await forms.csrf("/account");
    await forms.post("/account", { step: "rename", display_name: "Ada", csrf });
    const refused = await forms.post("/account", { step: "rename", display_name: "x".repeat(121), csrf });
    expect([refused.status, refused.text.includes('role="status"')]).toEqual([400, false]);
    for (const text of ["constructor", encodeURIComponent(SCRIPT)]) {
      forms.client.setCookie("service_done", text, "/account");
      expect((await forms.get("/account")).text).not.toContain('role="status"');
    }
  });
});

describe("a user without a second factor", () => {
  test("sets a factor up in front of the action, without scripts, and returns to the action", async () => {
    const { forms } = await registered();
    const page = await forms.get("/step-up?return_to=%2Fmachines");
    expect([page.status, page.text.includes("Protect your account first")]).toEqual([200, true]);
    expect(page.text).toContain('data-next="/step-up?return_to=%2Fmachines"');
    const csrf = await forms.csrf("/account");
    const path = "/account/security/authenticator";
    const begun = await forms.post(path, { step: "begin", return_to: "/machines", csrf });
    const secret = /secret=([A-Z2-7]+)/.exec(begun.text)?.[1] ?? "";
    expect(begun.text).toContain('href="otpauth://totp/');
    const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
    const refused = await forms.post(path, { step: "enable", secret, code: wrong, return_to: "/machines", csrf });
    expect(refused.text).toContain('name="return_to" value="/machines"');
    const enabled = await forms.post(path, {
      step: "enable",
      secret,
      code: codeOf(secret),
      return_to: "/machines",
      csrf,
    });
    expect(enabled.text).toContain('name="return_to" value="/machines"');
    const stored = { step: "codes-stored", done: "factor_on", csrf };
    const back = await forms.post("/account/security", { ...stored, return_to: "/machines" });
    expect(redirectOf(back)).toEqual(["/machines", undefined]);
    const foreign = await forms.post("/account/security", { ...stored, return_to: "https://evil.example" });
    expect(redirectOf(foreign)).toEqual(["/account/security", "factor_on"]);
    expect((await forms.get("/step-up?return_to=%2Fmachines")).text).toContain("Verify it's you");
  });
});

describe("the second factor", () => {
  test("that is turned on twice, by two clicks, says how to see recovery codes", async () => {
    const { forms } = await registered();
    const { secret, enabled } = await enableFactor(forms);
    expect(enabled.text).toContain('name="done" value="factor_on"');
    const csrf = await forms.csrf("/account");
    const again = await forms.post("/account/security/authenticator", {
      step: "enable",
      secret,
      code: codeOf(secret),
      csrf,
    });
    expect(redirectOf(again)).toEqual(["/account/security", "factor_already"]);
    expect((await forms.get("/account/security")).text).toContain("seen your recovery codes");
    expect((await forms.get("/step-up?with=recovery")).text).toContain("Enter one of your recovery codes");
  });

  test("leaves the CSRF cookie at a second display, and replaces the cookie of a further session", async () => {
    const { forms, email } = await registered();
    const { secret } = await enableFactor(forms);
    const [user] = await site.sql`select id from users where email = ${email}`;
    const own = forms.client.cookie("service_csrf") ?? "";
    const foreign = (await registered()).forms.client.cookie("service_csrf") ?? "";
    const valueAfter = async (cookie: string) => {
      await forgetUsedStep(site.sql, user?.id);
      forms.client.setCookie("service_csrf", cookie);
      const response = await forms.post("/step-up", { code: codeOf(secret), csrf: await forms.csrf("/account") });
      expect(response.status).toBe(303);
      return response.setCookies.find((set) => set.startsWith("service_csrf="))?.split(/[=;]/)[1];
    };
    expect(await valueAfter(own)).toBe(own);
    expect(await valueAfter(foreign)).not.toBe(foreign);
  });
});

describe("what is shown", () => {
  test("is escaped: names, user agents, addresses, what was typed, and what an address carries", async () => {
    const agent = { ...SAME_ORIGIN, "user-agent": `Mozilla ${SCRIPT} Firefox/1` };
    const forms = newForms();
    const fields = { email: newEmail(), organization_name: "Engines", display_name: SCRIPT, password: PASSWORD };
    expect((await forms.post("/register", fields, agent)).status).toBe(303);
    const member = await registered({ display_name: SCRIPT });
    const [user] = await site.sql<{ id: string }[]>`
      with member as (select id from users where email = ${member.email})
      insert into members select last_organization_id, member.id, 'member', now()
      from users, member where email = ${fields.email} returning user_id as id`;
    const question = await forms.get(`/team/confirm?step=remove&id=${user?.id}`);
    expect([question.status, question.text.includes("&lt;script>alert(1)")]).toEqual([200, true]);
    const pages = [
      question,
      await forms.get("/account"),
      await forms.get("/account/security"),
      await forms.get("/team"),
      await forms.get(`/team?q=${encodeURIComponent(SCRIPT)}`),
      await newForms().post("/sign-in", { email: SCRIPT, password: "x", return_to: `/${SCRIPT}` }),
      await newForms().post("/register", { ...fields, email: "nobody", organization_name: SCRIPT }),
      await newForms().post("/sign-in/code", { step: "send", email: SCRIPT }),
      await newForms().get(`/sign-in?error=${encodeURIComponent(SCRIPT)}`),
    ];
    for (const page of pages) {
      expect(page.text).not.toContain("<script>alert");
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
    expect(pages[1]?.text).toContain("&lt;script>alert(1)");
  });

  test("keeps typed values except passwords, and displays each fault beside its field", async () => {
    const typed = { email: "nobody", organization_name: "Engines", display_name: "Ada", password: "a typed password" };
    const response = await newForms().post("/register", typed);
    expect(response.status).toBe(400);
    for (const kept of ["nobody", "Engines", "Ada"]) expect(response.text).toContain(`value="${kept}"`);
    expect(response.text).not.toContain("a typed password");
    expect(response.text).toMatch(/aria-invalid="true" aria-describedby="email-error"/);
    const { email } = await registered();
    const taken = await newForms().post("/register", { ...typed, email });
    expect([taken.status, taken.text.includes("An account with this address already exists")]).toEqual([409, true]);
  });

  test("has the necessary policy and caching; assets may be kept for good and load nothing", async () => {
    const page = await newForms().get("/sign-in");
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.text).not.toMatch(/ style=|<style|<script>|onclick/);
    for (const [, path = ""] of page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const asset = await newForms().get(path);
      expect([asset.status, asset.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(asset.text).not.toMatch(/https?:\/\//);
    }
    expect((await newForms().get("/assets/nothing.js")).status).toBe(404);
  });

  test("loads scripts of less than 4 kB each, compressed, beside the client, which has less than 8 kB", async () => {
    const scripts = [...(await scriptsOf(site.origin, "/sign-in"))];
    const islands = scripts.filter(([path]) => !path.startsWith("/assets/shared-"));
    expect(islands.length).toBeGreaterThanOrEqual(2);
    for (const [path, text] of islands)
      expect([path, Bun.gzipSync(text).length < ISLAND_MAX_BYTES]).toEqual([path, true]);
    const client = scripts
      .filter((script) => !islands.includes(script))
      .map(([, text]) => text)
      .join();
    expect(Bun.gzipSync(client).length).toBeLessThan(CLIENT_MAX_BYTES);
  });

  test("is a page for a browser and JSON for a program where there is nothing, in the browser's language", async () => {
    for (const accepted of ["gsw-CH, de-CH;q=0.9, en;q=0.5", "sv, de;q=0.8", "en;q=0.7, de-AT;q=0.8"]) {
      const { text } = await newForms().get("/nothing", { "accept-language": accepted });
      expect([accepted, text.includes('<html lang="de"')]).toEqual([accepted, true]);
    }
    const neither = await newForms().get("/nothing", { "accept-language": "sv, da;q=0.8" });
    expect(neither.text).toContain('<html lang="en"');
    const stray = await newForms().get("/oauth2/authorize", { "accept-language": "de" });
    expect(stray.text).toMatch(/<code>\w+<\/code> <span lang="en">/);
    const page = await newForms().get("/nothing", { "accept-language": "de-AT,en;q=0.5" });
    expect([page.status, page.text.includes("Seite nicht gefunden")]).toEqual([404, true]);
    expect((await newForms().get("/error")).text).toContain("The request wasn't completed");
    const json = await newForms().client.get("/nothing", { documented: false });
    expect(json.body.error.code).toBe("not_found");
  });
});

test("a provider that is enabled has a link, and what fails there is said on return", async () => {
  const { text } = await new FormClient(strict.origin).get("/sign-in?return_to=/team&error=conflict");
  expect(text).toContain("Continue with Google");
  expect(text).toContain('href="/v1/auth/oauth/oauth_idp_a/start?redirect_to=%2Fteam"');
  expect(text).not.toContain("GitHub");
  expect(text).toContain("An account with this email address already exists.");
});

describe("a social sign-in", () => {
  const path = "/v1/auth/oauth/oauth_idp_b/start";
  const from = (address: string) => ({ "x-forwarded-for": address });

  test("that is refused is a page for a browser and JSON for a program", async () => {
    const page = await newForms().get(path, { "accept-language": "de" });
    expect([page.status, page.text.includes("Seite nicht gefunden")]).toEqual([404, true]);
    const callback = await newForms().get("/v1/auth/oauth/oauth_idp_b/callback?state=x");
    expect(callback.headers.get("location")).toBe("/sign-in?error=authentication_required");
    for (const accept of ["application/json", "*/*", "application/json, text/html;q=0.5"]) {
      const json = await newForms().get(path, { accept });
      expect([accept, json.status, json.body?.error?.code]).toEqual([accept, 404, "not_found"]);
    }
  });

  test.each([path, path.replace("start", "callback")])("%s beyond its limit is a page", async (limited) => {
    const address = from(limited === path ? "198.51.100.232" : "198.51.100.233");
    const forms = new FormClient(strict.origin);
    await forms.get(limited, address);
    const refused = await forms.get(limited, address);
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ (?:minutes|seconds)\./);
  });
});

test("a sign-in in two steps counts once, and its limit keeps the address and the way back (G438)", async () => {
  const forms = new FormClient(strict.origin);
  const headers = { ...SAME_ORIGIN, "x-forwarded-for": "198.51.100.230" };
  const [email, typed] = ["a@example.com", { email: "a@example.com", return_to: "/team" }];
  for (let steps = 0; steps < 5; steps += 1) {
    const second = await forms.post("/sign-in", typed, headers);
    expect([second.status, second.text.includes('id="password"')]).toEqual([200, true]);
  }
  const signIn = () => forms.post("/sign-in", { ...typed, step: "password", password: "a wrong password" }, headers);
  expect((await signIn()).status).toBe(401);
  const refused = await signIn();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.text).toContain(`value="${email}"`);
  expect(refused.text).toContain('name="return_to" value="/team"');
});

test("a limit says when to come back", async () => {
  const forms = new FormClient(strict.origin);
  // No other test counts requests of this address.
  const headers = { ...SAME_ORIGIN, "x-forwarded-for": "198.51.100.231" };
  const signIn = () => forms.post("/sign-in", { email: "a@example.com", password: "x" }, headers);
  await signIn();
  const refused = await signIn();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ (?:minutes|seconds)\./);
});

test("an operator replaces name, logo and style, and switches the pages off", async () => {
  const forms = new FormClient(strict.origin);
  const { text } = await forms.get("/sign-in");
  expect(text).toContain("<title>Sign in · Numbers &amp; Co</title>");
  const [logo = "", style = ""] = ["logo", "brand"].map((name) => new RegExp(`/assets/${name}-[^"]+`).exec(text)?.[0]);
  expect((await forms.get(logo)).headers.get("content-security-policy")).toContain("sandbox");
  const brand = (await forms.get(style)).text;
  expect(brand).toContain("#0a7a3f");
  // A file of an earlier release sets the colour of links only, and keeps it as the colour of buttons.
  expect(brand).toStartWith(":root{--brand:var(--accent);--fill:var(--accent);");
  const email = newEmail();
  await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
  const [mail] = await strict.mail.mailsTo(email, /verify-email/);
  expect(mail?.html).toContain(`${strict.origin}/assets/email-logo.png`.replaceAll("/", "&#x2F;"));
  expect(mail?.html).toContain(brandPalette([readFileSync(PAGE_STYLES, "utf8"), "--brand: #0a7a3f"]).dark.accent);
  const picture = await fetch(`${strict.origin}/assets/email-logo.png`);
  expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect((await sharp(await picture.arrayBuffer()).metadata()).height).toBe(56);
  expect((await newForms().get("/assets/email-logo.png")).status).toBe(404);
  const rule = await readBrandStyle({ accent: "#ffd500", radius: 4, style: undefined });
  const { light, dark } = brandPalette([readFileSync(PAGE_STYLES, "utf8"), "--brand: #ffd500"]);
  expect(rule).toContain(`--fill:light-dark(${light.fill},${dark.fill})`);
  expect(rule).toContain("--radius:4px");
  const off = await startSite({ SERVICE_PAGES: "off" });
  const response = await new FormClient(off.origin).get("/sign-in");
  expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
  await off.one.stop();
});

test("embedded mode shows its emails and the way to become the owner; no further mode has this page", async () => {
  expect((await newForms().get("/dev/mail")).status).toBe(404);
  const folder = await mkdtemp(join(tmpdir(), "embedded-"));
  const embedded = await startReplica({ SERVICE_DATA_DIRECTORY: folder, SERVICE_JWT_SECRET: "" });
  const forms = new FormClient(embedded.url);
  const email = newEmail();
  await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
  expect((await forms.get("/account")).text).toContain(`admin grant ${email} owner`);
  expect((await forms.get("/verify-email")).text).toContain('href="/dev/mail"');
  expect((await newForms().get("/forgot-password?sent=1")).text).not.toContain("/dev/mail");
  const shown = async () => (await forms.get("/dev/mail")).text;
  await until("the email is kept", async () => (await shown()).includes(email));
  const id = /\/dev\/mail\/([\w-]+)/.exec(await shown())?.[1];
  const mail = await forms.get(`/dev/mail/${id}`);
  expect(mail.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(mail.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  const foreign = [
    { host: "evil.example" },
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-for": "" },
    { forwarded: "for=127.0.0.1" },
    { "x-forwarded-proto": "https" },
    { "x-real-ip": "127.0.0.1" },
    { via: "1.1 proxy" },
  ];
  for (const headers of foreign as Record<string, string>[]) {
    for (const path of ["/dev/mail", `/dev/mail/${id}`]) {
      expect([headers, path, (await forms.get(path, headers)).status]).toEqual([headers, path, 404]);
    }
  }
  expect(embedded.output()).toContain("/dev/mail");
  await embedded.stop();
  // A short form of 127.0.0.1. A name may belong to any interface, so only literal addresses count as loopback.
  const exposed = await startReplica({ SERVICE_DATA_DIRECTORY: folder, SERVICE_JWT_SECRET: "", HOST: "127.1" });
  const visitor = new FormClient(exposed.url);
  for (const path of ["/dev/mail", `/dev/mail/${id}`]) expect((await visitor.get(path)).status).toBe(404);
  expect(exposed.output()).toContain("HOST is 127.1 in embedded mode");
  expect(exposed.output()).not.toContain(`${exposed.url}/dev/mail`);
  await exposed.stop();
  await rm(folder, { recursive: true });
});

test("HOST counts as this machine only where it is a loopback address", () => {
  const served = ["127.0.0.1", "localhost", "::1", "127.8.8.8", "::ffff:127.0.0.1"];
  const others = ["0.0.0.0", "::", "192.0.2.1", "fe80::1", "id.example.com", "localhost.example.com", "127.1"];
  expect([...served, ...others].filter(isLoopbackHost)).toEqual(served);
});

describe("a frame of another origin (G344)", () => {
  const within = (from: string, dest = "iframe") => ({
    "sec-fetch-dest": dest,
    "sec-fetch-site": from,
    "sec-fetch-mode": "navigate",
  });
  const get = (path: string, headers: Record<string, string>) =>
    fetch(`${site.origin}${path}`, { headers: { accept: "text/html", ...headers }, redirect: "manual" });

  test("gets no page; a page of this origin and a tab get one", async () => {
    for (const from of ["cross-site", "same-site"]) {
      for (const dest of ["iframe", "frame", "embed", "object"]) {
        const refused = await get("/sign-in", within(from, dest));
        expect([refused.status, refused.headers.get("x-frame-options")]).toEqual([403, "DENY"]);
        expect(await refused.text()).not.toContain('name="password"');
      }
    }
    const served = [
      await get("/sign-in", within("same-origin")),
      await get("/sign-in", within("cross-site", "document")),
    ];
    expect(served.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("follows redirects, as silent requests of applications need", async () => {
    expect((await get("/account", within("cross-site"))).status).toBe(303);
  });
});
