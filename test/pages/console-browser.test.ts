/** The console in Chromium: accessibility, dialogs, phones; and for any page: keyboard operation, and frames. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { unfold } from "../page-states/checks.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { type Administrator, administrator, CONFIG_KEY, stepUp } from "../support/console.ts";
import { linkTo, type PageSite, Readers, startSite } from "../support/pages.ts";
import { enterEnterprise } from "../support/states.ts";
import { until } from "../support/waiting.ts";

/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;

/** The longest name of a scope, which no space breaks. */
const LONG_SCOPE = "x".repeat(100);

/** Finds words that are broken without a hyphen, that overflow the element, or that overlap the next element. */
const MISPLACED_WORDS = `[...document.querySelectorAll("h1, .stats a, .table .num, .tag, .mono.soft")]
  .flatMap((element) => {
    const inner = element.getBoundingClientRect().right - parseFloat(getComputedStyle(element).paddingRight);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const wrong = [];
    while (walker.nextNode()) {
      for (const { 0: word, index } of walker.currentNode.data.matchAll(/[^\\s\\u00ad.]+/g)) {
        const range = document.createRange();
        // A box at the place of a soft hyphen is the hyphen, in the line before.
        range.setStart(walker.currentNode, index + (walker.currentNode.data[index - 1] === "\\u00ad" ? 1 : 0));
        range.setEnd(walker.currentNode, index + word.length);
        const boxes = [...range.getClientRects()];
        const lines = new Set(boxes.map(({ top }) => top));
        if (lines.size > 1 || boxes.some(({ right }) => right > inner + 1)) wrong.push(word);
      }
    }
    return wrong;
  })`;

let site: PageSite;
let owner: Administrator;
let other: Administrator;
let wikiPath = "";
let apiPath = "";
let requestId: string;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY });
  [owner, other] = await Promise.all([administrator(site, "owner"), administrator(site, "viewer")]);
  await stepUp(owner);
  const csrf = await owner.forms.csrf("/account");
  const flag = {
    key: "new-dashboard",
    description: "Charts",
    enabled: "yes",
    rollout_percent: "25",
    version: "none",
    csrf,
  };
  await owner.forms.post("/admin/flags/edit", flag);
  await owner.forms.post("/admin/machines", { csrf, step: "create-account", name: "SIEM" });
  const hook = { url: "https://siem.example.com/hook", event_types: "feature_flag.updated" };
  await owner.forms.post("/admin/machines", { csrf, step: "create-webhook", ...hook });
  const google = { step: "save", enabled: "yes", client_id: "acme-web", version: "none", csrf };
  await owner.forms.post("/admin/providers/oauth_idp_a", google);
  const wiki = { name: "Wiki", token_endpoint_auth_method: "client_secret_basic", application_type: "web", csrf };
  const registered = await owner.forms.post("/admin/oauth-clients/new", wiki);
  wikiPath = /href="(\/admin\/oauth-clients\/[0-9a-f-]{36})"/.exec(registered.text)?.[1] ?? "";
  const billing = { name: "Billing", identifier: "https://api.example.com/", csrf };
  const api = await owner.forms.post("/admin/resources/new", billing);
  apiPath = (api.headers.get("location") ?? "").replace(/\?.*/, "");
  const { text: form } = await owner.forms.get(`${apiPath}/scope`);
  const version = /name="version" value="(\d+)"/.exec(form)?.[1] ?? "";
  const invoices = { name: LONG_SCOPE, description_en: "see your invoices", version, csrf };
  await owner.forms.post(`${apiPath}/scope`, invoices);
  const [entry] = await site.sql`select request_id from audit_logs where actor_id = ${other.userId} limit 1`;
  requestId = String(entry?.request_id);
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await site.one.stop();
});

const pagesOf = () => [
  ...["/admin", "/admin/organizations", "/admin/organizations/new", "/admin/users", "/admin/providers"],
  ...[`/admin/organizations/${other.organizationId}`, `/admin/users/${other.userId}`, "/admin/providers/oauth_idp_a"],
  ...[
    "/admin/machines",
    "/admin/oauth-clients",
    "/admin/oauth-clients/new",
    wikiPath,
    `${wikiPath}/connect`,
    `${wikiPath}/confirm?step=disable`,
  ],
  ...["/admin/resources", "/admin/resources/new", apiPath, `${apiPath}/scope?name=${LONG_SCOPE}`],
  ...["/admin/flags", "/admin/flags/edit?key=new-dashboard", "/admin/audit?from=nonsense", "/admin/audit"],
  ...["/admin/requests?id=nonsense", `/admin/requests/${requestId}`],
  ...[`/admin/users/${other.userId}/confirm?step=disable`, `/admin/organizations/${other.organizationId}/confirm`],
];

describe("every page of the console", () => {
  // German has the longer words; test/pages/states.test.ts checks accessibility, and the width in languages by turns.
  const ACCOUNT_PAGES = ["/account", "/account/security", "/account/password", "/team", "/sign-out"];

  test("and of the account fits a phone and loads nothing else, in German", async () => {
    const reader = await readers.open({ locale: "de-AT", viewport: { width: 320, height: 800 } }, owner);
    const found: string[] = [];
    for (const path of [...pagesOf(), ...ACCOUNT_PAGES]) {
      await reader.open(path);
      expect(await reader.page.locator("html").getAttribute("lang")).toBe("de");
      await unfold(reader);
      const scrolls = await reader.page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (scrolls) found.push(`${path} scrolls sideways`);
    }
    expect([...found, ...reader.offences]).toEqual([]);
  });

  test("Ctrl+K opens places and searches, by keyboard alone and without a violation of WCAG.", async () => {
    const reader = await readers.open({ viewport: { width: 1280, height: 800 } }, owner);
    const { page } = reader;
    await reader.open("/admin");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await reader.violations(["light"])).toEqual([]);
    await page.keyboard.press("Control+k");
    expect(await page.locator("dialog").count()).toBe(1);
    await page.keyboard.type("trail");
    expect(await page.getByRole("option").first().innerText()).toBe("Audit trail");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/audit");
    await page.getByRole("button", { name: "Search" }).first().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("<b>$&");
    expect(await page.getByRole("option").allInnerTexts()).toContain("Users: “<b>$&”");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/users?q=%3Cb%3E%24%26");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog").count()).toBe(0);
    const id = "019a0000-0000-7000-8000-000000000000";
    for (const [typed, option] of [
      [owner.email, `${owner.email} · Users`],
      ["engine", "Engines · Organizations"],
      [id, `${id} · Requests`],
      ["sess", "Active sessions · Settings"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(typed);
      await page.getByRole("option", { name: option }).first().waitFor();
      await page.keyboard.press("Escape");
    }
    await reader.open("/account");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nothing like this");
    await page.getByRole("status").getByText("Nothing matches “nothing like this”.").waitFor();
    expect(reader.offences).toEqual([]);
  });

  test("The live audit trail displays new events in place, keeps an opened event, and ends by the link.", async () => {
    const reader = await readers.open({ viewport: { width: 1280, height: 800 } }, owner);
    const { page } = reader;
    await page.clock.install();
    await reader.open("/admin/audit");
    await page.getByRole("link", { name: "Live" }).click();
    const refreshed = async () => {
      const loaded = page.waitForResponse((response) => response.request().resourceType() === "fetch");
      await page.clock.fastForward(10_000);
      await loaded;
    };
    const first = page.locator("[data-live=entries] tbody tr").first();
    await site.sql`update audit_logs set action = 'user.enabled' where id = (select max(id) from audit_logs)`;
    await refreshed();
    await first.getByText("user.enabled").waitFor();
    // British times, as everywhere on the pages of this reader, in the zone of the browser too.
    expect(await first.locator("time").innerText()).toMatch(/^\d+ \S+, \d\d:\d\d:\d\d$/);
    await first.locator("summary").click();
    await site.sql`update audit_logs set action = 'user.disabled' where id = (select max(id) from audit_logs)`;
    await refreshed();
    expect(await first.innerText()).toContain("user.enabled");
    expect(await first.locator("details").getAttribute("open")).toBe("");
    await page.getByRole("link", { name: "Stop" }).click();
    await page.getByRole("link", { name: "Live" }).waitFor();
    expect(new URL(page.url()).searchParams.has("live")).toBe(false);
    expect(reader.offences).toEqual([]);
  });

  test("breaks no German word, and no text leaves its place, on the audit trail and under long headings", async () => {
    await owner.forms.post("/admin/providers/oauth_idp_a", { step: "probe", csrf: await owner.forms.csrf("/account") });
    const visits = [1280, 1000, 320].map(async (width) => {
      const reader = await readers.open({ locale: "de-DE", viewport: { width, height: 800 } }, owner);
      const found: string[] = [];
      for (const path of ["/admin/audit", "/admin", "/account/security/recovery-codes"]) {
        await reader.open(path);
        const wrong = await reader.page.evaluate<string[]>(MISPLACED_WORDS);
        found.push(...wrong.map((word) => `${path} at ${width} px: ${word}`));
      }
      return found;
    });
    expect((await Promise.all(visits)).flat()).toEqual([]);
  });

  test("registers an application at 320 px without scripts, from the preset to the page Connect", async () => {
    const reader = await readers.open({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } }, owner);
    await reader.open("/admin/oauth-clients/new");
    await reader.press(/Single-page application/);
    await reader.fill({ name: "Board", redirect_uris: "https://board.example.com/callback\nhttp://board.example.com" });
    await reader.press("Register application");
    expect(await reader.page.locator("#redirect_uris-error").innerText()).toBe(
      "Line 2: Use https. http is allowed only on this machine: localhost, 127.0.0.1 or [::1].",
    );
    await reader.fill({ redirect_uris: "https://board.example.com/callback" });
    await reader.press("Register application");
    expect(await reader.heading).toBe("Connect Board");
    expect(reader.path).toEndWith("/connect");
    expect(await reader.page.locator("[data-copies]:visible").count()).toBe(0);
    expect(await reader.page.locator(".fold[open]").innerText()).toContain("npm install");
    expect(reader.offences).toEqual([]);
  });

  test("copies a value and an example of the page Connect, and announces the copy", async () => {
    const reader = await readers.open({ permissions: ["clipboard-read", "clipboard-write"] }, owner);
    await reader.open(`${wikiPath}/connect`);
    const clipboard = () => reader.page.evaluate<string>("navigator.clipboard.readText()");
    await reader.page.getByRole("button", { name: "Copy Issuer" }).click();
    await reader.page.waitForSelector("[data-copy-results]:has-text('Copied')");
    expect(await clipboard()).toBe(site.origin);
    await reader.page.locator("summary", { hasText: "Authlib" }).click();
    await reader.page.getByRole("button", { name: "Copy Authlib: app.py" }).click();
    await until("the example is copied", async () => (await clipboard()).includes('grant_type="client_credentials"'));
    expect(reader.offences).toEqual([]);
  });

  test("asks in a dialog before it ends somebody's sessions, and as a page without scripts", async () => {
    const path = `/admin/users/${other.userId}?section=sessions`;
    const reader = await readers.open({}, owner);
    await reader.open(path);
    await reader.page.getByRole("link", { name: "Sign out everywhere" }).click();
    await reader.page.getByRole("dialog").waitFor();
    expect(await reader.violations(["light"])).toEqual([]);
    await reader.page.keyboard.press("Escape");
    const plain = await readers.open({ javaScriptEnabled: false }, owner);
    await plain.open(path);
    await plain.press("Sign out everywhere");
    expect(await plain.heading).toContain("out everywhere?");
    await plain.press("Sign out everywhere");
    expect(await plain.page.getByRole("status").innerText()).toContain("sessions of this user have ended");
    await plain.open("/admin/audit");
    await plain.page.locator(".table summary", { hasText: "auth.session.revoked" }).click();
    expect(await plain.page.locator(".entry").first().innerText()).toContain("administrator_request");
    const download = plain.page.waitForEvent("download");
    await enterEnterprise(site.sql, owner.organizationId);
    await plain.page.getByRole("button", { name: "Export" }).click();
    expect((await download).suggestedFilename()).toBe("audit.ndjson");
    expect([...reader.offences, ...plain.offences]).toEqual([]);
  });

  test("creates a service account in a dialog with the focus on the first field, and without scripts", async () => {
    const reader = await readers.open({}, owner);
    await reader.open("/admin/machines");
    await reader.page.getByRole("link", { name: "New service account" }).first().click();
    await reader.page.getByRole("dialog").waitFor();
    expect(await reader.page.evaluate("document.activeElement.name")).toBe("name");
    expect(await reader.violations(["light"])).toEqual([]);
    await reader.page.keyboard.type("Nightly");
    await reader.go("Enter");
    expect(await reader.page.getByRole("heading", { name: "Nightly" }).count()).toBe(1);
    const menu = reader.page.getByRole("region", { name: "Nightly" }).locator("details.menu");
    await menu.locator("summary").click();
    await menu.getByRole("link", { name: "Delete" }).click();
    await reader.page.getByRole("dialog").waitFor();
    await reader.page.keyboard.press("Escape");
    await reader.page.waitForFunction("document.activeElement.ariaLabel === 'Actions for Nightly'");
    const plain = await readers.open({ javaScriptEnabled: false }, owner);
    await plain.open("/admin/machines");
    await plain.press("New key for Nightly");
    await plain.page.getByLabel("Read the audit trail").check();
    await plain.press("Create key");
    expect(await plain.page.getByRole("status").first().innerText()).toContain("shown only now");
    await plain.press("Done");
    expect(await plain.page.getByRole("table", { name: "Keys of Nightly" }).innerText()).toContain("audit.read");
    expect([...reader.offences, ...plain.offences]).toEqual([]);
  });
});

describe("the keyboard alone", () => {
  test("registers, confirms the address, signs out and in, and invites somebody, with the focus seen", async () => {
    const reader = await readers.open();
    const { keyboard } = reader.page;
    const [email, guest] = [newEmail(), newEmail()];
    const type = async (field: string, text: string) => {
      await reader.tabTo(field);
      await keyboard.type(text);
    };
    const open = async (name: string) => {
      await reader.tabTo(name);
      await reader.go("Enter");
    };
    await reader.open("/sign-in");
    await open("Create an account");
    await reader.page.locator("#email").focus();
    await keyboard.type(email);
    await type("Organization", "Engines");
    await type("Password", PASSWORD);
    await reader.go("Enter");
    await reader.open(await linkTo(site, email, "/verify-email"));
    await open("Confirm address");
    expect(reader.path).toBe("/account");
    await open("Team");
    await type("Email address", guest);
    await open("Send invitation");
    expect(await reader.page.getByRole("status").innerText()).toContain("on its way");
    await reader.tabTo(`Account menu: ${email.slice(0, 1).toUpperCase()}${email}Engines`);
    await keyboard.press("Enter");
    await open("Sign out");
    expect(await reader.page.getByRole("status").evaluate((line) => line.matches(":focus"))).toBe(true);
    await type("Email address", email);
    await reader.go("Enter");
    expect(await reader.page.evaluate<string>("document.activeElement.id")).toBe("password");
    await keyboard.type(PASSWORD);
    await Promise.all([reader.page.waitForURL("**/account"), keyboard.press("Enter")]);
    await keyboard.press("Tab");
    expect(await reader.page.evaluate<string>("document.activeElement.textContent")).toBe("Skip to content");
    expect(reader.offences).toEqual([]);
  });

  test("finds a user in the console, opens it, and takes an action back in the dialog", async () => {
    const reader = await readers.open({}, owner);
    await reader.open("/admin/users");
    await reader.tabTo("Name or email");
    await reader.page.keyboard.type(other.email);
    await reader.go("Enter");
    await reader.tabTo(other.email);
    await reader.go("Enter");
    await reader.tabTo("Disable");
    await reader.page.keyboard.press("Enter");
    await reader.page.getByRole("dialog").waitFor();
    await reader.tabTo("Cancel");
    await reader.page.keyboard.press("Enter");
    await reader.page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await reader.page.evaluate<string>("document.activeElement.textContent")).toBe("Disable");
    const [user] = await site.sql`select disabled_at from users where id = ${other.userId}`;
    expect(user?.disabled_at).toBeNull();
  });
});

test("a menu closes by Escape and by a click outside, and the focus returns to its button", async () => {
  const reader = await readers.open({}, owner);
  const { page } = reader;
  await reader.open("/account");
  const menu = page.locator(".side details.menu");
  const isOpen = async () => (await menu.getAttribute("open")) !== null;
  const focused = () => menu.locator("summary").evaluate((summary) => summary.matches(":focus"));
  await menu.locator("summary").click();
  await menu.getByRole("button", { name: "Sign out" }).focus();
  await page.keyboard.press("Escape");
  expect([await isOpen(), await focused()]).toEqual([false, true]);
  await menu.locator("summary").click();
  expect(await isOpen()).toBe(true);
  await page.locator("h1").first().click();
  expect([await isOpen(), await focused()]).toEqual([false, true]);
  expect(reader.offences).toEqual([]);
});

describe("a high-risk action of the platform", () => {
  const risks = () =>
    [
      [`/admin/users/${other.userId}`, "Disable", other.email],
      [`/admin/organizations/${other.organizationId}`, "Suspend", ""],
      [wikiPath, "Disable", "Wiki"],
      [wikiPath, "Delete", "Wiki"],
      [apiPath, "Disable", "Billing"],
      [apiPath, "Delete", "Billing"],
    ] as const;

  test("is confirmed in a dialog with the focus on Cancel, and only with the typed name of the object", async () => {
    const reader = await readers.open({}, owner);
    const { page } = reader;
    for (const [path, action, name] of risks()) {
      await reader.open(path);
      await page.getByRole("link", { name: action, exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const cancel = dialog.getByRole("link", { name: "Cancel" });
      expect([path, action, await cancel.evaluate((link) => link.matches(":focus"))]).toEqual([path, action, true]);
      const field = dialog.locator("[name=typed_name]");
      const isValid = () => page.evaluate<boolean>("document.querySelector('[name=typed_name]').validity.valid");
      const pattern = (await field.getAttribute("pattern"))?.replaceAll("\\", "") ?? "";
      if (name) expect(pattern).toBe(name);
      for (const [typed, valid] of [
        ["", false],
        [`${pattern}x`, false],
        [pattern, true],
      ] as const) {
        await field.fill(typed);
        expect([path, action, typed, await isValid()]).toEqual([path, action, typed, valid]);
      }
    }
    expect(reader.offences).toEqual([]);
  });
});

test("a page of another site shows no page of this one in a frame (clickjacking)", async () => {
  const frames = ["/sign-in", "/admin", "/account"].map((path) => `<iframe src="${site.origin}${path}"></iframe>`);
  const foreign = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(`<!doctype html>${frames.join("")}`, { headers: { "content-type": "text/html" } }),
  });
  const reader = await readers.open({}, owner);
  await reader.page.goto(foreign.url.href);
  const shown = reader.page.frames().filter((frame) => frame !== reader.page.mainFrame());
  expect(shown).toHaveLength(frames.length);
  for (const frame of shown) expect(frame.url()).toStartWith("chrome-error://");
  expect(reader.offences.filter((text) => text.includes("frame-ancestors")).length).toBeGreaterThan(0);
  await foreign.stop(true);
});
