/** A page is never the response to a form: Back, Forward, Reload, a second tab and a second press (docs/pages.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { administrator, CONFIG_KEY, stepUp } from "../support/console.ts";
import { deployment, whileShared } from "../support/deployment.ts";
import { codeOf, enrolled, wrongCode } from "../support/mfa.ts";
import { findProgram } from "../support/packages.ts";
import { PAGES } from "../support/page-list.ts";
import {
  FormClient,
  linkTo,
  type PageSite,
  redirectOf,
  SAME_ORIGIN,
  signedInForms,
  startSite,
} from "../support/pages.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";

let site: PageSite;
beforeAll(async () => {
  site = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY });
});
afterAll(() => site.one.stop());

const FORM = { "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN };
const CODE = /<li>(acme_sk_[^<]+)<\/li>/;

/** Sends a form and returns the response itself. */
async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields).toString();
  const init = {
    method: "POST",
    headers: { accept: "text/html", ...FORM, ...headers },
    body,
    redirect: "manual",
  } as const;
  return await fetch(`${site.origin}${path}`, init);
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");

const cookiesFor = (forms: FormClient, path: string) =>
  forms.client.jar.getCookieStringSync(`https://auth.example.test${path}`);

async function displayed(path: string, cookie = "") {
  const response = await fetch(`${site.origin}${path}`, {
    headers: { accept: "text/html", cookie },
    redirect: "manual",
  });
  return { status: response.status, text: await response.text() };
}

/** A wrong address at the sign-in: the page of a refused form. */
async function refusedSignIn(fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const response = await send("/sign-in", { email: "not an address", ...fields }, headers);
  return { cookie: cookieOf(response), location: response.headers.get("location") ?? "", status: response.status };
}

describe("every page", () => {
  const bodies: Record<string, string>[] = [{}, { step: "no such step" }, { email: "x", code: "x", id: "x" }];

  test("answers every form with a redirect: of a visitor, an owner and an administrator (G450)", async () => {
    const owner = await signedInForms(site.origin, (await steppedUpOwner(site)).client.jar);
    const admin = await administrator(site, "owner");
    await stepUp(admin);
    const readers = [new FormClient(site.origin), owner.forms, admin.forms];
    const pages: string[] = [];
    for (const forms of readers) {
      const csrf = forms === readers[0] ? "" : await forms.csrf("/account");
      for (const page of PAGES.filter((each) => each !== "/sign-out")) {
        const path = page.replace(/^\/auth\//, "/v1/auth/").replace(/:\w+/g, randomUUID());
        for (const fields of bodies) {
          const response = await send(path, { csrf, ...fields }, { cookie: cookiesFor(forms, path) });
          await response.arrayBuffer();
          // 404 and 405: no form is sent to this address.
          if (![303, 307, 404, 405].includes(response.status)) pages.push(`${path}: ${response.status}`);
        }
      }
    }
    expect(pages).toEqual([]);
  }, 60_000);

  test("answers a form of another site, a large form and an unreadable form with a redirect (G450)", async () => {
    const foreign = await send("/sign-in", {}, { "sec-fetch-site": "cross-site" });
    const large = await send("/sign-in", { email: "x".repeat(100_000) });
    const unreadable = await send("/sign-in", {}, { "content-type": "text/plain" });
    for (const response of [foreign, large, unreadable]) {
      expect(response.status).toBe(303);
      const shown = await displayed(response.headers.get("location") ?? "", cookieOf(response));
      expect(shown.status).toBeGreaterThanOrEqual(400);
      expect(shown.text).toContain("<h1>");
    }
  });
});

describe("the page of a form", () => {
  test("is displayed again by its address, with the typed values and the way back (G450)", async () => {
    const { cookie, location, status } = await refusedSignIn({ return_to: "/team" });
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/sign-in\?return_to=%2Fteam&shown=[\w-]{22}$/)]);
    for (let reloads = 0; reloads < 2; reloads += 1) {
      const { status, text } = await displayed(location, cookie);
      expect(status).toBe(400);
      expect(text).toContain('value="not an address"');
      expect(text).toContain('name="return_to" value="/team"');
    }
  });

  test("is the page of its browser, session and path alone (G451)", async () => {
    const { cookie, location } = await refusedSignIn();
    const typed = 'value="not an address"';
    expect((await displayed(location, cookie)).text).toContain(typed);
    const other = await refusedSignIn();
    expect((await displayed(location)).text).not.toContain(typed);
    expect((await displayed(location, other.cookie)).text).not.toContain(typed);
    const search = location.slice(location.indexOf("?"));
    expect((await displayed(`/register${search}`, cookie)).text).not.toContain(typed);
    const { client } = await registered(site.origin);
    const session = client.jar.getCookieStringSync("https://auth.example.test/sign-in");
    expect((await displayed(location, `${cookie}; ${session}`)).text).not.toContain(typed);
  });

  test("of one tab leaves the page of another tab in place (G450)", async () => {
    const one = await refusedSignIn({ email: "first" });
    const two = await refusedSignIn({ email: "second" }, { cookie: one.cookie });
    expect(two.cookie).toBe(one.cookie);
    expect((await displayed(one.location, one.cookie)).text).toContain('value="first"');
    expect((await displayed(two.location, one.cookie)).text).toContain('value="second"');
  });

  test("with an unknown key is the ordinary page", async () => {
    for (const key of ["x", "A".repeat(22), "refused.x", `refused.${"A".repeat(80)}`, "%00"]) {
      const { status, text } = await displayed(`/sign-in?return_to=%2Fteam&shown=${key}`, "service_page=x");
      expect([key, status]).toEqual([key, 200]);
      expect(text).toContain('name="return_to" value="/team"');
    }
  });
});

test("a second replica displays the page of a form, and both replicas execute a form once (G450, G452)", async () => {
  const at = await deployment();
  const sendTo = (url: string, path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, { method: "POST", headers: FORM, body: new URLSearchParams(fields), redirect: "manual" });
  const refused = await sendTo(at.one.url, "/sign-in", { email: "not an address" });
  const location = refused.headers.get("location") ?? "";
  const page = await fetch(`${at.other.url}${location}`, { headers: { cookie: cookieOf(refused) } });
  expect(await page.text()).toContain('value="not an address"');
  // Without Redis a replica knows its own presses alone.
  await whileShared([at.one, at.other], async () => {
    const email = newEmail();
    const fields = { organization_name: "Twice", email, password: PASSWORD };
    const presses = [at.one, at.other].map(({ url }) => sendTo(url, "/register", fields));
    const places = (await Promise.all(presses)).map(({ headers }) => headers.get("location"));
    expect(places).toEqual(["/verify-email", "/verify-email"]);
    expect((await at.sql`select id from users where email = ${email}`).length).toBe(1);
  });
});

describe("a form with a secret", () => {
  async function ownerWithAccount() {
    const owner = await signedInForms(site.origin, (await steppedUpOwner(site)).client.jar);
    await owner.send("/machines", { step: "create-account", name: "Nightly" });
    const id = /form=create-key&amp;id=([0-9a-f-]{36})/.exec((await owner.forms.get("/machines")).text)?.[1] ?? "";
    const form = (await owner.forms.get(`/machines?form=create-key&id=${id}`)).text;
    const press = /name="press" value="([^"]+)"/.exec(form)?.[1] ?? "none";
    const fields = { step: "create-key", id, name: "Production", "scope:members.list": "yes", days: "30" };
    return { owner, fields: { ...fields, press } };
  }
  const keys = async () => Number((await site.sql`select count(*) from api_keys`)[0]?.count);

  test("that is sent twice, also after Back, creates one key and displays the key each time (G452)", async () => {
    const { owner, fields } = await ownerWithAccount();
    const before = await keys();
    const [one, two] = await Promise.all([owner.send("/machines", fields), owner.send("/machines", fields)]);
    const three = await owner.send("/machines", fields);
    const shown = [one, two, three].map(({ text }) => CODE.exec(text)?.[1]);
    expect(shown[0]).toMatch(/^acme_sk_/);
    expect(new Set(shown).size).toBe(1);
    expect((await keys()) - before).toBe(1);
    const changed = await owner.send("/machines", { ...fields, name: "Another" });
    expect(CODE.exec(changed.text)?.[1]).not.toBe(shown[0]);
    expect((await keys()) - before).toBe(2);
  });

  test("displays nothing after the sign-out, and to another user of the browser (G451)", async () => {
    const { owner, fields } = await ownerWithAccount();
    const body = { csrf: await owner.forms.csrf("/account"), ...fields };
    const response = await send("/machines", body, { cookie: cookiesFor(owner.forms, "/machines") });
    const location = response.headers.get("location") ?? "";
    const browser = cookieOf(response);
    const other = await registered(site.origin);
    const session = other.client.jar.getCookieStringSync("https://auth.example.test/machines");
    expect((await displayed(location, `${browser}; ${session}`)).text).not.toMatch(CODE);
    const own = cookiesFor(owner.forms, "/machines");
    expect((await displayed(location, `${own}; ${browser}`)).text).toMatch(CODE);
    await owner.send("/sign-out", {});
    expect((await displayed(location, `${own}; ${browser}`)).text).not.toMatch(CODE);
  });

  test("that was refused is sent again with the same values (G452)", async () => {
    const { owner, fields } = await ownerWithAccount();
    const refused = { ...fields, days: "0" };
    const before = await keys();
    for (let presses = 0; presses < 2; presses += 1) expect((await owner.send("/machines", refused)).status).toBe(400);
    expect(await keys()).toBe(before);
  });
});

describe("two presses of one form", () => {
  const press = "the-same-page";

  test("of a registration sign the user in, and create one user (G452)", async () => {
    const email = newEmail();
    const fields = { organization_name: "Twice", email, password: PASSWORD };
    const responses = await Promise.all([send("/register", fields), send("/register", fields)]);
    expect(responses.map(({ headers }) => headers.get("location"))).toEqual(["/verify-email", "/verify-email"]);
    expect((await site.sql`select id from users where email = ${email}`).length).toBe(1);
  });

  test("of a reset of the password lead to the sign-in, also in sequence (G452)", async () => {
    const { email, client } = await registered(site.origin);
    await client.post("/v1/auth/password/forgot", { email });
    const forms = new FormClient(site.origin);
    await forms.get(await linkTo(site, email, "/reset-password"));
    const cookie = cookiesFor(forms, "/reset-password");
    const fields = { new_password: "twice the same phrase", press };
    const presses = [send("/reset-password", fields, { cookie }), send("/reset-password", fields, { cookie })];
    const responses = [...(await Promise.all(presses)), await send("/reset-password", fields, { cookie })];
    expect(responses.map(({ headers }) => headers.get("location")?.split("?")[0])).toEqual(Array(3).fill("/sign-in"));
  });

  test("of another browser begin no session: the cookies of the first are missing (G451)", async () => {
    const { email, client } = await registered(site.origin);
    await client.post("/v1/auth/password/forgot", { email });
    const forms = new FormClient(site.origin);
    await forms.get(await linkTo(site, email, "/reset-password"));
    const fields = { new_password: "of the first browser 1", press };
    const own = send("/reset-password", fields, { cookie: cookiesFor(forms, "/reset-password") });
    const [first, second] = await Promise.all([own, send("/reset-password", fields)]);
    expect(first.headers.get("location")).toMatch(/^\/sign-in/);
    expect(second.headers.get("location")).toMatch(/^\/reset-password\?shown=/);
  });

  test("one after the other, of browsers without the key of a page, begin a session each (G451)", async () => {
    const { email } = await registered(site.origin);
    const sessions = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const response = await send("/sign-in", { email, password: PASSWORD });
      sessions.add(/service_at=([^;]+)/.exec(cookieOf(response))?.[1] ?? "none");
    }
    expect(sessions.size).toBe(20);
  });

  test("with different values are two forms", async () => {
    const [one, two] = [newEmail(), newEmail()];
    for (const email of [one, two])
      await send("/register", { organization_name: "T", email, password: PASSWORD, press });
    expect((await site.sql`select id from users where email in (${one}, ${two})`).length).toBe(2);
  });
});

describe("the set-up of an authenticator app", () => {
  const PATH = "/account/security/authenticator";
  const keyIn = (text: string) => /secret=([A-Z2-7]+)/.exec(text)?.[1] ?? "none";

  test("displays one key in every tab and after a wrong code, until the key is confirmed (G453)", async () => {
    const person = await registered(site.origin);
    const { forms, send } = await signedInForms(site.origin, person.client.jar);
    const [one, two] = [keyIn((await send(PATH, {})).text), keyIn((await send(PATH, {})).text)];
    expect(one).toMatch(/^[A-Z2-7]{32}$/);
    expect(two).toBe(one);
    const wrong = await send(PATH, { step: "enable", code: wrongCode(one) });
    expect([wrong.status, keyIn(wrong.text)]).toEqual([400, one]);
    await site.sql`update totp_factors set created_at = now() - interval '11 minutes' where user_id = ${person.userId}`;
    const renewed = keyIn((await send(PATH, { step: "enable", code: wrongCode(one) })).text);
    expect(renewed).toMatch(/^[A-Z2-7]{32}$/);
    expect(renewed).not.toBe(one);
    expect(keyIn((await send(PATH, {})).text)).toBe(renewed);
    const enabled = await send(PATH, { step: "enable", code: codeOf(renewed) });
    expect(enabled.text).toContain("data-codes");
    expect((await forms.get("/account/security")).text).not.toContain(renewed);
  });

  test("displays no key of another session, which neither reads nor plants the key of a set-up (G453)", async () => {
    const { email, client } = await registered(site.origin);
    const own = await signedInForms(site.origin, client.jar);
    const other = await signedInForms(site.origin, (await signedIn(site.origin, email)).client.jar);
    const first = keyIn((await own.send(PATH, {})).text);
    const read = keyIn((await other.send(PATH, {})).text);
    const guessed = keyIn((await other.send(PATH, { step: "enable", code: wrongCode(read) })).text);
    expect([first, read, guessed].every((key) => /^[A-Z2-7]{32}$/.test(key))).toBe(true);
    expect(read).not.toBe(first);
    expect(guessed).toBe(read);
    const again = keyIn((await own.send(PATH, {})).text);
    expect([first, read]).not.toContain(again);
    expect((await own.send(PATH, { step: "enable", code: codeOf(again) })).text).toContain("data-codes");
  });

  test("at the API replaces the key, as documented", async () => {
    const { client } = await registered(site.origin);
    const keys = [await client.post("/v1/auth/mfa/setup"), await client.post("/v1/auth/mfa/setup")];
    expect(keys[0]?.body.secret).not.toBe(keys[1]?.body.secret);
  });
});

describe("the way back", () => {
  const TARGET = "/team";
  const back = `return_to=${encodeURIComponent(TARGET)}`;

  test("survives a forgotten password: links, the mailed link in the same browser, the reset (G455)", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    const password = await forms.post("/sign-in", { email, return_to: TARGET });
    expect(password.text).toContain(`href="/forgot-password?${back}"`);
    const asked = await forms.get(`/forgot-password?${back}`);
    expect(asked.text).toContain(`href="/sign-in?${back}"`);
    const sent = await forms.post("/forgot-password", { email, return_to: TARGET });
    const location = sent.headers.get("location") ?? "";
    expect(location).toBe(`/forgot-password?sent=1&${back}`);
    expect((await forms.get(location)).text).toContain(`href="/sign-in?${back}"`);
    await forms.get(await linkTo(site, email, "/reset-password"));
    expect((await forms.get("/reset-password")).text).toContain(`href="/sign-in?${back}"`);
    const reset = await forms.post("/reset-password", { new_password: "found a new phrase 7" });
    expect(reset.headers.get("location")).toBe(`/sign-in?over=1&${back}`);
    const signedIn = await forms.post("/sign-in", { email, password: "found a new phrase 7", return_to: TARGET });
    expect(signedIn.headers.get("location")).toBe(TARGET);
  });

  test("of one reset is not the way back of the next, and no foreign address is a way back (G455)", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    await forms.post("/forgot-password", { email, return_to: TARGET });
    const sent = await forms.post("/forgot-password", { email, return_to: "https://evil.example/" });
    expect(sent.headers.get("location")).toBe("/forgot-password?sent=1");
    await forms.get(await linkTo(site, email, "/reset-password", 2));
    forms.client.setCookie("service_reset_return", "//evil.example", "/reset-password");
    const reset = await forms.post("/reset-password", { new_password: "found a new phrase 7" });
    expect(reset.headers.get("location")).toBe("/sign-in?over=1");
  });

  test("to a request that has ended is a page with the ways on (G455)", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    const dead = `/oauth2/interaction?request=${"A".repeat(43)}`;
    const signedIn = await forms.post("/sign-in", { email, password: PASSWORD, return_to: dead });
    const page = await forms.get(signedIn.headers.get("location") ?? "");
    expect(page.status).toBe(400);
    expect(page.text).toContain('href="/account"');
    expect(page.text).not.toContain("invalid_request");
  });
});

describe("a used link of an email", () => {
  test("is named when it is opened, and a second confirmation says that the address is confirmed (G459)", async () => {
    const person = await registered(site.origin);
    const link = await linkTo(site, person.email, "/verify-email");
    const forms = new FormClient(site.origin);
    await forms.get(link);
    expect((await forms.get("/verify-email?signed_out=1")).text).toContain('value="confirm"');
    const confirm = () => forms.post("/verify-email?signed_out=1", { step: "confirm" });
    expect(redirectOf(await confirm())).toEqual(["/sign-in", "verified"]);
    await forms.get(link);
    expect(redirectOf(await confirm())).toEqual(["/sign-in", "verified"]);
    await forms.get(link);
    expect(redirectOf(await forms.get("/verify-email?signed_out=1"))).toEqual(["/sign-in", "verified"]);
    await forms.get(`/verify-email?token=${"A".repeat(43)}`);
    expect((await forms.get("/verify-email?signed_out=1")).text).not.toContain('value="confirm"');
  });

  test("of a reset asks for no password (G459)", async () => {
    const { email, client } = await registered(site.origin);
    await client.post("/v1/auth/password/forgot", { email });
    const link = await linkTo(site, email, "/reset-password");
    const forms = new FormClient(site.origin);
    await forms.get(link);
    expect((await forms.get("/reset-password")).text).toContain('name="new_password"');
    await forms.post("/reset-password", { new_password: "found a new phrase 7" });
    await forms.get(link);
    const late = await forms.get("/reset-password");
    expect(late.text).not.toContain('name="new_password"');
    expect(late.text).toContain('href="/forgot-password"');
  });
});

/** Chromium with the cache of pages for Back and Forward, as users have it, and without the cache. */
describe.each([
  ["with", true],
  ["without", false],
])("a browser %s a cache for Back and Forward", (_, cached) => {
  let chrome: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    chrome = await chromium.launch({
      executablePath: findProgram("chromium"),
      headless: true,
      args: ["--no-sandbox", "--disable-gpu", "--no-first-run", ...(cached ? [] : ["--disable-back-forward-cache"])],
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
  });
  afterAll(() => chrome.close());

  async function open(javaScriptEnabled = true): Promise<Page> {
    const context = await chrome.newContext({ locale: "en-GB", javaScriptEnabled });
    contexts.push(context);
    return await context.newPage();
  }

  const wait = (page: Page, act: Promise<unknown>) => Promise.all([page.waitForEvent("domcontentloaded"), act]);
  const go = (page: Page, button: string) =>
    wait(page, page.getByRole("button", { name: button, exact: true }).click());
  /** The heading; an error page of the browser has none of the service. */
  async function heading(page: Page): Promise<string> {
    await page.waitForLoadState();
    if (!page.url().startsWith(site.origin)) throw new Error(`left the service: ${page.url()}`);
    return await page.locator("h1").innerText();
  }

  async function toPassword(page: Page, email: string): Promise<void> {
    await page.goto(`${site.origin}/sign-in`);
    await page.fill("#email", email);
    await go(page, "Continue");
  }

  test("goes Back, Forward and reloads through a sign-in with a wrong password (G450)", async () => {
    const { email } = await registered(site.origin);
    const page = await open();
    await toPassword(page, email);
    await page.fill("[name=password]", "a wrong password!");
    await go(page, "Sign in");
    expect(await page.locator("form").first().innerText()).toContain("Incorrect");
    await wait(page, page.click('a[href^="/forgot-password"]'));
    await page.goBack();
    expect(await page.locator("#email").inputValue()).toBe(email);
    expect(await page.locator("form").first().innerText()).toContain("Incorrect");
    await page.reload();
    expect(await page.locator("#email").inputValue()).toBe(email);
    await page.goBack();
    expect(await page.locator("[name=password]").count()).toBe(1);
    await page.goForward();
    await page.fill("[name=password]", PASSWORD);
    await go(page, "Sign in");
    await page.waitForURL(/\/account/);
    await page.goBack();
    expect(await heading(page)).not.toBe("");
  });

  test("goes Back through a registration with a wrong field, and to the second factor (G450)", async () => {
    const person = await enrolled(site);
    const page = await open();
    await page.goto(`${site.origin}/register`);
    await page.fill("[name=email]", "not an address");
    await go(page, "Create account");
    await wait(page, page.click('main a[href^="/sign-in"]'));
    await page.goBack();
    expect(await page.inputValue("[name=email]")).toBe("not an address");
    await toPassword(page, person.email);
    await page.fill("[name=password]", PASSWORD);
    await go(page, "Sign in");
    await page.waitForURL(/challenge/);
    await page.fill("[name=code]", "000000");
    await page.keyboard.press("Enter");
    await page.waitForURL(/shown=/);
    await wait(page, page.click('a[href*="with=recovery"]'));
    await page.goBack();
    expect(await page.locator("[name=code]").count()).toBe(1);
    await page.goBack();
    expect(await heading(page)).not.toBe("");
  });

  test("without scripts presses twice, reloads and goes Back: one service account, one key (G452)", async () => {
    const owner = await steppedUpOwner(site);
    const page = await open(false);
    const { cookies = [] } = owner.client.jar.serializeSync() ?? {};
    const copies = cookies.filter(({ value }) => value);
    await page.context().addCookies(
      copies.map(({ key, value, path }) => ({
        name: `${key}`,
        value: `${value}`,
        domain: "localhost",
        path: `${path ?? "/"}`,
      })),
    );
    await page.goto(`${site.origin}/machines?form=create-account`);
    await page.fill("[name=name]", "Nightly");
    await page.locator("main form button.primary").first().dblclick({ noWaitAfter: true });
    await page.waitForLoadState("networkidle");
    const accounts = await site.sql`select id from service_accounts where organization_id = ${owner.organizationId}`;
    expect(accounts.length).toBe(1);
    await page.goto(`${site.origin}/machines?form=create-key&id=${accounts[0]?.id}`);
    await page.fill("[name=name]", "Production");
    await page.locator('[name="scope:members.list"]').check();
    await page.locator("main form button.primary").first().dblclick({ noWaitAfter: true });
    await page.waitForLoadState("networkidle");
    const key = CODE.exec(await page.content())?.[1];
    expect(key).toMatch(/^acme_sk_/);
    await page.reload();
    expect(CODE.exec(await page.content())?.[1]).toBe(key);
    await page.goBack();
    await page.goForward();
    expect(CODE.exec(await page.content())?.[1]).toBe(key);
    const count = site.sql`select id from api_keys where service_account_id = ${accounts[0]?.id}`;
    expect((await count).length).toBe(1);
  });
});
