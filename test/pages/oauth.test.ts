/** Sign-in to an application in Chromium, including `form-action`, which no other client enforces. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { addAuthenticator } from "../support/browser.ts";
import { type Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { makePkce, personWithBrowser } from "../support/oauth.ts";
import { type PageSite, Reader, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { sendRaw } from "../support/raw.ts";
import { runService } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

let site: PageSite;
let application: ReturnType<typeof Bun.serve>;
/** A second origin, to which the application redirects the browser after a form. */
let home: ReturnType<typeof Bun.serve>;
/** The parameters that the application received, in order. */
const received: URLSearchParams[] = [];
let clientId = "";
let admin: Client;
/** The application of the guide. */
let notes: ReturnType<typeof Bun.spawn> | undefined;

const NATIVE = "com.example.notes:/callback";
const ROOT = join(import.meta.dir, "../..");
const GUIDE = readFileSync(join(ROOT, "docs/guides/sign-in-with-this-service.md"), "utf8");
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1] ?? "";

beforeAll(async () => {
  site = await startSite();
  const signedIn = () =>
    new Response("<!doctype html><h1>Signed in</h1>", { headers: { "content-type": "text/html" } });
  home = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: signedIn });
  application = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/callback") return new Response("nothing", { status: 404 });
      const posted = request.method === "POST";
      received.push(posted ? new URLSearchParams(await request.text()) : searchParams);
      return posted ? Response.redirect(String(home.url), 303) : signedIn();
    },
  });
  admin = (await steppedUpAdmin(site, "owner")).client;
  const created = await admin.post("/v1/admin/oauth-clients", {
    name: "Wiki",
    token_endpoint_auth_method: "none",
    redirect_uris: [`${application.url}callback`],
    scopes: ["openid", "email"],
  });
  clientId = created.body.client_id;
});
afterAll(async () => {
  notes?.kill();
  await Promise.all([application.stop(true), home.stop(true)]);
});

function authorizePath(more: Record<string, string> = {}): string {
  return `/oauth2/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: `${application.url}callback`,
    scope: "openid email",
    state: "s",
    code_challenge: makePkce().challenge,
    code_challenge_method: "S256",
    ...more,
  })}`;
}

/** Waits for the application's page; returns the parameters that the application received meanwhile. */
async function incomingRequest(reader: Reader, before: number): Promise<Record<string, string>> {
  await until("the browser arrives at the application", async () => received.length > before);
  await reader.page.waitForSelector("h1:text('Signed in')");
  // Requests to the application are not violations; refusals of the policy are violations.
  const known = [application, home].map(({ url }) => `request to ${url.origin}`);
  expect(reader.offences.filter((offence) => !known.some((each) => offence.startsWith(each)))).toEqual([]);
  return Object.fromEntries(received.at(-1) ?? []);
}

describe("five tabs that a browser restores at once (G434)", () => {
  const TABS = 5;
  const codes = (before: number) => received.slice(before).map((each) => [each.get("state"), each.has("code")]);
  const everyTab = Array.from({ length: TABS }, (_, index) => [`tab ${index}`, true]);

  /** Opens the tabs at once; returns the statuses of the responses of this service. */
  async function restore(reader: Reader, more: (index: number) => Record<string, string>) {
    const context = reader.page.context();
    const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()));
    const statuses = new Set<number>();
    for (const page of pages) {
      page.on(
        "response",
        (response) => void (response.url().startsWith(site.origin) && statuses.add(response.status())),
      );
    }
    const open = (page: (typeof pages)[number], index: number) =>
      page.goto(`${site.origin}${authorizePath({ state: `tab ${index}`, ...more(index) })}`);
    await Promise.all(pages.map(open));
    return { pages, statuses };
  }

  test("each reach the application: signed in, with an expired access token, and after a sign-in", async () => {
    const { email } = await registered(site.origin);
    const reader = await Reader.at(site.origin);
    await reader.open(authorizePath());
    await reader.signIn(email, PASSWORD);
    await reader.page.getByRole("button", { name: "Allow" }).click();
    await reader.page.waitForSelector("h1:text('Signed in')");
    const context = reader.page.context();
    for (const expired of [["service_authorization"], ["service_authorization", "service_at"]]) {
      for (const name of expired) await context.clearCookies({ name: new RegExp(`^(__Host-)?${name}`) });
      const before = received.length;
      const { pages } = await restore(reader, (index) => (index % 2 ? { prompt: "none" } : {}));
      await until("every tab arrives", async () => received.length >= before + TABS);
      expect(codes(before).sort()).toEqual(everyTab);
      await Promise.all(pages.map((page) => page.close()));
    }
    await context.clearCookies();
    const silent = received.length;
    const { pages, statuses } = await restore(reader, () => ({ prompt: "none" }));
    await until("every silent tab gets its error", async () => received.length >= silent + TABS);
    expect(received.slice(silent).map((each) => each.get("error"))).toEqual(Array(TABS).fill("login_required"));
    expect([...statuses]).toEqual([303]);
    await Promise.all(pages.map((page) => page.close()));
    const asked = received.length;
    const signedOut = await restore(reader, () => ({}));
    const [first, ...others] = signedOut.pages;
    await first?.getByLabel("Email").fill(email);
    await first?.keyboard.press("Enter");
    await first?.locator('input[type="password"]').fill(PASSWORD);
    await first?.keyboard.press("Enter");
    await until("the tab of the sign-in arrives", async () => received.length > asked);
    await Promise.all(others.map((page) => page.reload()));
    await until("the other tabs arrive after a reload", async () => received.length >= asked + TABS);
    expect(codes(asked).sort()).toEqual(everyTab);
    await context.close();
  }, 120_000);
});

describe("/oauth2/authorize, /oauth2/interaction, /oauth2/consent", () => {
  test("lead through sign-in and consent to the application, by redirect and by form, and on from there", async () => {
    const { email } = await registered(site.origin);
    const reader = await Reader.at(site.origin);
    await reader.open(authorizePath());
    expect(await reader.page.locator(".stage-head").innerText()).toContain("to continue to Wiki");
    expect(await reader.violations()).toEqual([]);
    await reader.signIn(email, PASSWORD);
    expect(await reader.heading).toBe("Sign in to Wiki");
    expect(await reader.page.locator("main").innerText()).toContain("See your email address");
    expect(await reader.violations()).toEqual([]);
    expect(await reader.scrollsSideways()).toBe(false);
    const before = received.length;
    await reader.page.getByRole("button", { name: "Allow" }).click();
    expect(await incomingRequest(reader, before)).toMatchObject({
      code: expect.any(String),
      state: "s",
      iss: site.origin,
    });
    const posted = received.length;
    await reader.open(authorizePath({ response_mode: "form_post" }));
    expect(await incomingRequest(reader, posted)).toMatchObject({
      code: expect.any(String),
      state: "s",
      iss: site.origin,
    });
    await reader.close();
  });

  test("lead a new user through registration", async () => {
    const reader = await Reader.at(site.origin);
    await reader.open(authorizePath());
    await reader.press("Create an account");
    expect(await reader.page.locator(".stage-head").innerText()).toContain("to continue to Wiki");
    await reader.fill({ email: newEmail(), organization_name: "Acme", password: PASSWORD });
    await reader.press("Create account");
    await reader.press("Continue");
    expect(await reader.heading).toBe("Sign in to Wiki");
    const before = received.length;
    await reader.page.getByRole("button", { name: "Decline" }).click();
    expect(await incomingRequest(reader, before)).toMatchObject({ error: "access_denied", state: "s" });
    await reader.close();
  });
});

describe("a request of an application", () => {
  test("goes on after a sign-in with a passkey, in the language that the application asked for", async () => {
    const { email } = await registered(site.origin);
    const reader = await Reader.at(site.origin);
    await addAuthenticator(reader.page);
    // The virtual authenticator responds to the autofill at once.
    await reader.page.addInitScript(`PublicKeyCredential.isConditionalMediationAvailable = async () => false;`);
    await reader.open("/sign-in?return_to=/account/security");
    await reader.signIn(email, PASSWORD);
    await reader.press("Add a passkey");
    await reader.signOut();
    await reader.open(authorizePath({ ui_locales: "sv de-AT en" }));
    const language = () => reader.page.locator("html").getAttribute("lang");
    expect([reader.path.split("?")[0], await language()]).toEqual(["/sign-in", "de"]);
    await reader.page.getByRole("button", { name: "Passkey" }).click();
    await reader.page.waitForURL("**/oauth2/consent?**");
    expect([await reader.heading, await language()]).toEqual(["Bei Wiki anmelden", "de"]);
    const before = received.length;
    await reader.page.getByRole("button", { name: "Erlauben" }).click();
    expect(await incomingRequest(reader, before)).toMatchObject({
      code: expect.any(String),
      state: "s",
      iss: site.origin,
    });
    await reader.open("/account");
    expect(await language()).toBe("en");
    await reader.close();
  });
});

describe("an application with a private-use scheme", () => {
  test("is opened automatically, and by a tap where the browser blocks automatic navigations", async () => {
    const { body } = await admin.post("/v1/admin/oauth-clients", {
      name: "Notes",
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris: [NATIVE],
    });
    const { email } = await registered(site.origin);
    const reader = await Reader.at(site.origin, { viewport: { width: 320, height: 640 }, hasTouch: true });
    const debuggerSession = await reader.context.newCDPSession(reader.page);
    await debuggerSession.send("Page.enable");
    const navigations: { reason: string; url: string }[] = [];
    debuggerSession.on("Page.frameRequestedNavigation", (event) => navigations.push(event));
    const requested = (reason: string) =>
      navigations.filter((each) => each.reason === reason && each.url.startsWith(NATIVE));
    await reader.open(authorizePath({ client_id: body.client_id, redirect_uri: NATIVE, scope: "openid" }));
    await reader.signIn(email, PASSWORD);
    await reader.page.getByRole("button", { name: "Allow" }).tap();
    await until("the page attempts to open the application", async () => requested("httpHeaderRefresh").length === 1);
    // No program of this machine has the scheme: the page remains, as in a browser that requires a tap.
    expect(await reader.heading).toBe("Open Notes");
    expect(await reader.violations()).toEqual([]);
    // The dialog of the first attempt, which Chromium shows on some desktops, would receive a tap.
    await reader.page.getByRole("link", { name: "Open Notes" }).dispatchEvent("click");
    await until("the tap opens the application", async () => requested("anchorClick").length === 1);
    const [automatic, tapped] = [requested("httpHeaderRefresh")[0], requested("anchorClick")[0]];
    expect(new URL(tapped?.url ?? "").searchParams.get("code")).toMatch(/^[\w-]{43}$/);
    expect(tapped?.url).toBe(String(automatic?.url));
    expect(reader.offences.filter((offence) => !offence.startsWith(`request to ${NATIVE}`))).toEqual([]);
    await reader.close();
  });
});

describe("/account/applications and /oauth2/logout", () => {
  test("show what was allowed, take it back after a confirmation, and sign out only on a click", async () => {
    const { email } = await registered(site.origin);
    const reader = await Reader.at(site.origin);
    await reader.open("/sign-in?return_to=/account/applications");
    await reader.signIn(email, PASSWORD);
    expect(await reader.heading).toBe("Connected applications");
    expect(await reader.violations()).toEqual([]);
    const before = received.length;
    await reader.open(authorizePath());
    await reader.page.getByRole("button", { name: "Allow" }).click();
    await incomingRequest(reader, before);
    await reader.open("/account/applications");
    expect(await reader.page.locator("main").innerText()).toContain("Wiki");
    expect(await reader.violations()).toEqual([]);
    expect(await reader.scrollsSideways()).toBe(false);
    await reader.page.getByRole("link", { name: "Remove Wiki" }).click();
    await reader.page.waitForSelector("dialog h1:text('Remove Wiki?')");
    await reader.press("Remove");
    expect(await reader.page.locator("main").innerText()).toContain("You haven't signed in to other applications");
    await reader.open("/oauth2/logout");
    expect(await reader.heading).toBe("Sign out");
    await reader.press("Sign out");
    expect(reader.path).toBe("/sign-in");
    await reader.close();
  });
});

describe("docs/guides/sign-in-with-this-service.md", () => {
  test("The command registers the application of the request to the API.", async () => {
    const [, words = ""] = /^npm run service -- (clients create [\s\S]*?[^\\])$/m.exec(GUIDE) ?? [];
    const env = { DATABASE_URL: site.databaseUrl, SERVICE_PUBLIC_BASE_URL: site.origin };
    const run = await runService([...words.replaceAll("\\\n", " ").split(/\s+/), "--json"], env);
    expect(run.code).toBe(0);
    const registered = JSON.parse(run.output.slice(run.output.indexOf("{"), run.output.lastIndexOf("}") + 1));
    expect(registered).toMatchObject(JSON.parse(/-d '(\{[\s\S]*?\})'/.exec(GUIDE)?.[1] ?? ""));
    expect(registered.client_secret).toBeString();
  });

  test("runs as it is written: sign-in, consent, who it is, sign-out; a planted cookie signs nobody in", async () => {
    const port = await freePort();
    const settings = /-d '(\{[\s\S]*?\})'/.exec(GUIDE)?.[1]?.replaceAll(":8080/", `:${port}/`) ?? "";
    const { body: created } = await admin.post("/v1/admin/oauth-clients", JSON.parse(settings));
    const secrets = { CLIENT_ID: created.client_id, CLIENT_SECRET: created.client_secret };
    const folder = mkdtempSync(join(tmpdir(), "notes-"));
    writeFileSync(join(folder, "notes.mjs"), blockOf("js"));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const env = { PATH: String(Bun.env.PATH), ISSUER: site.origin, PORT: String(port), ...secrets };
    notes = Bun.spawn(["node", "notes.mjs"], { cwd: folder, env, stdout: "inherit", stderr: "inherit" });
    const home = `http://127.0.0.1:${port}/`;
    await until(
      "the application listens",
      async () =>
        await fetch(home).then(
          () => true,
          () => false,
        ),
    );

    // No malformed URL ends the program.
    expect((await sendRaw(home, "GET // HTTP/1.1\r\nHost: localhost\r\n\r\n")).status).toBe(400);
    const { browser, email, client } = await personWithBrowser(site);
    const name = "Ada Example";
    expect((await client.patch("/v1/users/me", { display_name: name })).status).toBe(200);
    const begun = await fetch(`${home}sign-in`, { redirect: "manual" });
    const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
    const attempt = cookieOf(begun);
    const location = begun.headers.get("location") ?? "";
    expect(location).toStartWith(`${site.origin}/oauth2/authorize?`);
    const consent = await browser.follow(location.slice(site.origin.length));
    const allowed = await browser.submit(consent.path, { decision: "allow" });
    const callback = async (cookie: string) =>
      await fetch(allowed.location ?? home, { redirect: "manual", headers: { cookie } });
    expect((await callback("notes=planted")).status).toBe(400);
    const back = await callback(`notes=planted; ${attempt}`);
    expect([back.status, back.headers.get("location")]).toEqual([303, home]);
    const cookie = cookieOf(back);
    const told = async (cookie: string) => await (await fetch(home, { headers: { cookie } })).text();
    expect(await told(`other=${cookie}; ${cookie}`)).toBe(`Signed in as ${name} <${email}>`);
    expect((await fetch(`${home}refresh`, { headers: { cookie } })).status).toBe(200);
    const refreshed = await site.sql`
      select rotated_at > created_at as refreshed from oauth_token_families where client_id = ${created.client_id}`;
    expect(refreshed.map((row) => row.refreshed)).toEqual([true]);
    // A value that an attacker planted or saw before the sign-in signs in no user.
    for (const known of ["notes=planted", attempt, attempt.replace("notes_attempt", "notes")])
      expect(await told(known)).toStartWith("Signed out");

    const leaving = await fetch(`${home}sign-out`, { redirect: "manual", headers: { cookie } });
    const logout = leaving.headers.get("location") ?? "";
    expect(await told(cookie)).toStartWith("Signed out");
    const left = await browser.follow(logout.slice(site.origin.length));
    expect(left.location?.href).toBe(home);
    expect((await browser.client.get("/v1/auth/session", { documented: false })).status).toBe(401);
  });
});
