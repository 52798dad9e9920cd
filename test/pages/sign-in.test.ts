/** The sign-in journey in Chromium, step by step, and the scripts of every page. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { addAuthenticator } from "../support/browser.ts";
import { newEmail, PASSWORD, registered } from "../support/client.ts";
import { administrator, CONFIG_KEY, stepUp } from "../support/console.ts";
import { CODE, codeIn } from "../support/mail.ts";
import { FormClient, mainOf, type PageSite, type Reader, Readers, startSite } from "../support/pages.ts";
import { until } from "../support/waiting.ts";

/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;
/** Later than every test: a paused clock moves forward only. */
const PAUSE_AT = new Date("2100-01-01T00:00:00Z");
/** A faster response displays no pending state (src/pages/islands/submit.ts). */
const VISIBLE_AFTER_MS = 300;

let site: PageSite;
const readers = new Readers(() => site);
beforeAll(async () => {
  site = await startSite({
    SERVICE_CONFIG_KEY: CONFIG_KEY,
    SERVICE_OAUTH_IDP_A_CLIENT_ID: "acme-web",
    SERVICE_OAUTH_IDP_A_CLIENT_SECRET: "of Google",
    SERVICE_OAUTH_IDP_B_CLIENT_ID: "acme-web",
    SERVICE_OAUTH_IDP_B_CLIENT_SECRET: "of GitHub",
  });
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await site.one.stop();
});

/** The text of a page without the values that differ in every response. */
const withoutAddress = (text: string, email: string) =>
  text.replaceAll(email, "the address").replace(/name="press" value="[^"]+"/g, "");

describe("SERVICE_SIGN_IN_METHODS", () => {
  test("orders the ways of both steps; unnamed ways follow, and Enter submits the password", async () => {
    const ordered = await startSite({
      SERVICE_CONFIG_KEY: CONFIG_KEY,
      SERVICE_SIGN_IN_METHODS: "passkey, email_code,oauth_idp_b,password,oauth_idp_d",
      SERVICE_OAUTH_IDP_A_CLIENT_ID: "acme-web",
      SERVICE_OAUTH_IDP_A_CLIENT_SECRET: "of Google",
      SERVICE_OAUTH_IDP_B_CLIENT_ID: "acme-web",
      SERVICE_OAUTH_IDP_B_CLIENT_SECRET: "of GitHub",
    });
    try {
      const forms = new FormClient(ordered.origin);
      const parts = {
        passkey: "data-passkey-button",
        field: 'name="email"',
        github: "oauth_idp_b",
        google: "oauth_idp_a",
      };
      const first = mainOf((await forms.get("/sign-in")).text);
      expect(inOrder(first, parts)).toEqual(["passkey", "field", "github", "google"]);
      const second = mainOf((await forms.post("/sign-in", { email: newEmail() })).text);
      const { field: _, ...ways } = { ...parts, code: 'value="send"', password: 'id="password"' };
      expect(inOrder(second, ways)).toEqual(["passkey", "code", "github", "password", "google"]);
      const [button] = second.match(/<button(?![^>]*form=)[^>]*name="step"[^>]*>/) ?? [];
      expect(button).toContain('value="password"');
    } finally {
      await ordered.one.stop();
    }
  });
});

/** The names of the parts, in the order of the page. */
function inOrder(text: string, parts: Readonly<Record<string, string>>): string[] {
  const places = Object.entries(parts).map(([name, part]) => [name, text.indexOf(part)] as const);
  return places.sort(([, one], [, two]) => one - two).map(([name, at]) => (at < 0 ? `no ${name}` : name));
}

describe("the second step", () => {
  test("is equal for a known and an unknown address, with no address in a URL", async () => {
    const [known, unknown] = [await registered(site.origin), { email: newEmail() }];
    const pages = [known, unknown].map(async ({ email }) => {
      const step = await new FormClient(site.origin).post("/sign-in", { email, return_to: "/team" });
      const cookies = step.setCookies.map((each) => each.split("=", 1)[0]);
      expect([step.status, step.headers.get("location"), cookies]).toEqual([200, null, ["service_page"]]);
      expect(step.text).toContain(`value="${email}"`);
      expect(step.text).not.toMatch(/(?:href|action)="[^"]*(?:%40|@)/);
      return withoutAddress(step.text, email);
    });
    const [first, second] = await Promise.all(pages);
    expect(first).toBe(second);
    expect(first).toContain('autocomplete="username"');
    expect(first).toContain('autocomplete="current-password"');
    expect(first).toContain('name="return_to" value="/team"');
  });

  test("is skipped by a form with address and password, and displayed after a wrong password", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    const refused = await forms.post("/sign-in", { email, password: "not the password" });
    expect([refused.status, refused.text.includes("Incorrect email or password.")]).toEqual([401, true]);
    expect(refused.text).toMatch(/id="email"[^>]* value="[^"]+"[^>]* readonly/);
    const accepted = await forms.post("/sign-in", { email, password: PASSWORD, return_to: "/team" });
    expect([accepted.status, accepted.headers.get("location")]).toEqual([303, "/team"]);
  });

  test.each([
    ["", "Enter your email address."],
    ["ada", "Enter an email address, such as ada@example.com."],
  ])("needs an address, which %p is not", async (email, message) => {
    const { status, text } = await new FormClient(site.origin).post("/sign-in", { email, password: "any" });
    expect([status, text.includes(message), text.includes("readonly")]).toEqual([400, true, false]);
  });

  test("names the missing password", async () => {
    const { text } = await new FormClient(site.origin).post("/sign-in", { email: newEmail(), step: "password" });
    expect(text).toContain("Enter a password.");
  });
});

describe("an address with an invisible character (G428)", () => {
  const PAGES = [
    ["/sign-in", {}],
    ["/forgot-password", {}],
    ["/register", { organization_name: "Acme", password: PASSWORD }],
  ] as const;

  test.each(PAGES)("%s names the character beside the field, and keeps the typed address", async (path, fields) => {
    for (const [email, point] of [
      ["ada\u200blovelace@example.com", "U+200B"],
      ["ada\u2800@example.com", "U+2800"],
    ] as const) {
      const page = await new FormClient(site.origin).post(path, { ...fields, email });
      const text = mainOf(page.text);
      expect([path, point, text.includes(`(${point})`), text.includes(`value="${email}"`)]).toEqual([
        ...[path, point, true, true],
      ]);
    }
  });

  test("A copy of the own address with invisible ends signs in.", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    await forms.post("/sign-in", { email: `\u202a${email}\u202c`, password: PASSWORD });
    expect((await forms.client.get("/v1/auth/session")).status).toBe(200);
  });
});

describe("the memory of a browser", () => {
  const cookieOf = ({ setCookies }: { setCookies: readonly string[] }, name: string) =>
    setCookies.find((cookie) => cookie.startsWith(`${name}=`));

  test("has the address after consent, sealed for a year, and forgets the address on request", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    const silent = await forms.post("/sign-in", { email, password: PASSWORD });
    expect(cookieOf(silent, "service_address")).toBeUndefined();
    const other = new FormClient(site.origin);
    const consented = await other.post("/sign-in", { email, password: PASSWORD, remember: "yes" });
    const cookie = cookieOf(consented, "service_address") ?? "";
    expect(cookie).toMatch(/^service_address=[\w-]+; Max-Age=31536000; Path=\/sign-in; HttpOnly; SameSite=Lax/);
    expect(Buffer.from(cookie.split(/[=;]/)[1] ?? "", "base64url").toString("latin1")).not.toContain(email);
    const fresh = new FormClient(site.origin);
    const remembered = cookie.split(";")[0] ?? "";
    const page = await fresh.get("/sign-in", { cookie: remembered });
    expect([page.text.includes("Welcome back"), page.text.includes(`value="${email}"`)]).toEqual([true, true]);
    const changed = `${remembered.slice(0, -2)}${remembered.endsWith("AA") ? "BB" : "AA"}`;
    expect((await fresh.get("/sign-in", { cookie: changed })).text).not.toContain("readonly");
    const forgotten = await fresh.post("/sign-in", { step: "another-address", return_to: "/team" });
    expect(forgotten.headers.get("location")).toBe("/sign-in?return_to=%2Fteam");
    expect(cookieOf(forgotten, "service_address")).toMatch(/^service_address=; Max-Age=0; Path=\/sign-in/);
  });

  test("marks the last method, and puts the passkey first after the use of a passkey", async () => {
    const { email } = await registered(site.origin);
    const forms = new FormClient(site.origin);
    const password = await forms.post("/sign-in", { email, password: PASSWORD });
    expect(cookieOf(password, "service_method")).toMatch(
      /^service_method=password; Max-Age=31536000; Path=\/sign-in; HttpOnly; SameSite=Lax/,
    );
    const pageWith = async (cookie: string) => (await new FormClient(site.origin).get("/sign-in", { cookie })).text;
    const methods = await pageWith("service_method=oauth_idp_b");
    expect(methods).toMatch(/Continue with GitHub<span class="tag on">Last used/);
    expect(methods.match(/Last used/g)).toHaveLength(1);
    expect(methods.indexOf("Use a passkey")).toBeGreaterThan(methods.indexOf('name="email"'));
    const passkey = await pageWith("service_method=passkey; service_passkey=1");
    expect(passkey.indexOf("Use a passkey")).toBeLessThan(passkey.indexOf('name="email"'));
    expect(passkey).toMatch(/Use a passkey<span class="tag on">Last used/);
  });

  test("puts three providers in two columns, each with its mark of 18 px and its full name", async () => {
    const owner = await administrator(site, "owner");
    await stepUp(owner);
    const csrf = await owner.forms.csrf("/account");
    const facebook = { step: "save", enabled: "yes", client_id: "fb", secret: "of Facebook", version: "none", csrf };
    expect((await owner.forms.post("/admin/providers/oauth_idp_e", facebook)).status).toBe(303);
    const reader = await readers.open({ viewport: { width: 1280, height: 800 } });
    await until("three providers are enabled", async () => {
      await reader.open("/sign-in");
      return (await reader.page.locator(".cols > a").count()) === 3;
    });
    const boxes = await reader.page.locator(".cols > a").evaluateAll((links) =>
      links.map((link) => {
        const mark = link.querySelector("svg")?.getBoundingClientRect();
        return [link.getAttribute("aria-label"), link.textContent, mark?.width, mark?.height];
      }),
    );
    expect(boxes).toEqual([
      ["Continue with Google", "Google", 18, 18],
      ["Continue with GitHub", "GitHub", 18, 18],
      ["Continue with Facebook", "Facebook", 18, 18],
    ]);
    const tops = await reader.page
      .locator(".cols > a")
      .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().top)));
    expect(tops[0]).toBe(tops[1] ?? 0);
    expect(tops[2]).toBeGreaterThan(tops[0] ?? 0);
    expect(await reader.violations()).toEqual([]);
    expect(await reader.scrollsSideways()).toBe(false);
    expect(reader.offences).toEqual([]);
  });
});

describe("a browser", () => {
  test("remembers the address by the box, and a passkey by its use; the memory outlives the sign-out", async () => {
    const reader = await readers.open();
    const { page } = reader;
    await addAuthenticator(page);
    await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false;");
    const { email } = await registered(site.origin);
    await reader.open("/sign-in?return_to=/account/security");
    await reader.fill({ email });
    await reader.press(/^Continue$/);
    expect(reader.path).toBe("/sign-in?return_to=%2Faccount%2Fsecurity");
    await page.getByLabel("Remember this email address").check();
    await reader.fill({ password: PASSWORD });
    await reader.press(/^Sign in$/);
    expect(reader.path).toBe("/account/security");
    await reader.press("Add a passkey");
    await reader.signOut();
    expect(await reader.heading).toBe("Welcome back");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL("**/account");
    await reader.signOut();
    const [first] = await page.locator("form[data-passkey] button:visible, #password").all();
    expect(await page.locator("#email").inputValue()).toBe(email);
    expect(await first?.innerText()).toBe("Use another address");
    expect(await page.locator("[data-passkey-offer] button").innerText()).toContain("Last used");
    expect(await reader.violations()).toEqual([]);
    await reader.press("Use another address");
    expect(await page.locator("#email").inputValue()).toBe("");
    expect(await page.locator("#email[readonly]").count()).toBe(0);
    expect(reader.offences).toEqual([]);
  });

  test("without scripts signs in by the two steps, and Enter in the password field signs in", async () => {
    const reader = await readers.open({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    const { email } = await registered(site.origin);
    await reader.open("/sign-in");
    await reader.fill({ email });
    await reader.press(/^Continue$/);
    await reader.fill({ password: PASSWORD });
    await reader.go("Enter");
    expect(reader.path).toBe("/account");
  });
});

describe("a code by email", () => {
  async function askForCode(reader: Reader, email: string): Promise<void> {
    await reader.open("/sign-in");
    await reader.fill({ email });
    await reader.press(/^Continue$/);
    await reader.press("Email me a code");
  }

  test("is sent at the sixth digit of one field, and the button for a new code waits for 30 seconds", async () => {
    const reader = await readers.open({ viewport: { width: 320, height: 640 } });
    const { page } = reader;
    await page.clock.install();
    const { email } = await registered(site.origin);
    await askForCode(reader, email);
    const again = page.locator("[data-wait]");
    expect([await again.innerText(), await again.isDisabled()]).toEqual(["New code in 30 s", true]);
    await page.clock.runFor(10_000);
    expect(await again.innerText()).toMatch(/^New code in (?:1\d|20) s$/);
    await page.clock.runFor(20_000);
    expect([await again.innerText(), await again.isEnabled()]).toEqual(["Send a new code", true]);
    const [mail] = await site.mail.mailsTo(email, CODE);
    const code = codeIn(mail);
    await page.locator("#code").pressSequentially(code.slice(0, 5));
    expect(await page.locator("input[name=code]").count()).toBe(1);
    const { scroll, client } = await page
      .locator("#code")
      .evaluate(({ scrollWidth, clientWidth }) => ({ scroll: scrollWidth, client: clientWidth }));
    expect(scroll).toBeLessThanOrEqual(client);
    expect(await reader.scrollsSideways()).toBe(false);
    await Promise.all([page.waitForURL("**/account"), page.locator("#code").pressSequentially(code.slice(5))]);
    expect(reader.offences).toEqual([]);
  });

  test("without scripts has a text in place of the timer", async () => {
    const reader = await readers.open({ javaScriptEnabled: false });
    await askForCode(reader, newEmail());
    expect(await reader.page.getByText("No code after 30 seconds?").isVisible()).toBe(true);
    expect(await reader.page.locator("[data-wait]").isEnabled()).toBe(true);
  });
});

describe("the account after a sign-in with a password", () => {
  async function confirmedUser(): Promise<string> {
    const { email } = await registered(site.origin);
    await site.sql`update users set email_verified_at = now(), controlled_at = now() where email = ${email}`;
    return email;
  }

  test("offers a passkey once, not for 30 days after a refusal, and not to a user with a passkey", async () => {
    const reader = await readers.open();
    const { page } = reader;
    await addAuthenticator(page);
    await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false;");
    const email = await confirmedUser();
    const offer = page.getByRole("heading", { name: "Sign in faster next time" });
    await reader.open("/sign-in?return_to=/team");
    await reader.signIn(email, PASSWORD);
    expect([reader.path, await offer.count()]).toEqual(["/team", 0]);
    await reader.open("/account");
    expect(await offer.isVisible()).toBe(true);
    expect(await reader.violations()).toEqual([]);
    await reader.press("Not now");
    expect([reader.path, await offer.count()]).toEqual(["/account", 0]);
    const [cookie] = (await reader.context.cookies(`${site.origin}/account`)).filter(
      ({ name }) => name === "service_passkey_offer",
    );
    expect([cookie?.httpOnly, Math.round(((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000)]).toEqual([
      true,
      30,
    ]);
    await reader.context.clearCookies({ name: "service_passkey_offer" });
    await reader.open("/account");
    await reader.press("Add a passkey");
    expect(await page.getByRole("status").innerText()).toContain("Passkey added");
    await reader.open("/account");
    expect(await offer.count()).toBe(0);
    expect(reader.offences).toEqual([]);
  });

  test("offers no passkey without scripts, and not where the browser supports none", async () => {
    const email = await confirmedUser();
    const plain = await readers.open({ javaScriptEnabled: false });
    const old = await readers.open();
    await old.context.addInitScript("delete window.PublicKeyCredential");
    for (const reader of [plain, old]) {
      await reader.open("/sign-in");
      await reader.signIn(email, PASSWORD);
      expect(reader.path).toBe("/account");
      const offer = reader.page.locator("[data-passkey-offer]");
      await offer.waitFor({ state: "hidden" });
      expect(await offer.count()).toBe(1);
    }
  });
});

describe("the picture", () => {
  /** A wide picture: red at the left, blue at the right. */
  async function widePicture(): Promise<Buffer> {
    const half = { width: 200, height: 200, channels: 3 as const, background: "#0000ff" };
    const right = await sharp({ create: half }).png().toBuffer();
    return await sharp({ create: { ...half, width: 400, background: "#ff0000" } })
      .composite([{ input: right, left: 200, top: 0 }])
      .png()
      .toBuffer();
  }

  async function account(options: Parameters<typeof Reader.at>[1] = {}): Promise<Reader> {
    const reader = await readers.open(options);
    await reader.open("/sign-in");
    await reader.signIn((await registered(site.origin)).email, PASSWORD);
    return reader;
  }

  const avatarOf = async ({ page }: Reader) => {
    const address = await page.locator("main img.picture").getAttribute("src");
    return sharp(Buffer.from(await (await fetch(site.origin + address)).arrayBuffer()));
  };

  test("is cropped to the chosen square in a dialog by mouse and keyboard, and uploaded at once", async () => {
    const reader = await account();
    const { page } = reader;
    const file = { name: "wide.png", mimeType: "image/png", buffer: await widePicture() };
    await page.setInputFiles("#file", file);
    await page.getByRole("dialog").waitFor();
    expect(await reader.violations()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.inputValue("#file")).toBe("");
    await page.setInputFiles("#file", file);
    await page.locator("canvas").focus();
    for (let presses = 0; presses < 40; presses += 1) await page.keyboard.press("ArrowRight");
    await reader.press("Use picture");
    expect(await page.getByRole("status").innerText()).toContain("Saved");
    const avatar = await avatarOf(reader);
    const { width, height } = await avatar.metadata();
    expect(width).toBe(height ?? 0);
    const { dominant } = await avatar.stats();
    expect([dominant.r > 200, dominant.b < 60]).toEqual([true, true]);
    expect(reader.offences).toEqual([]);
  });

  test("that no browser decodes is refused beside the field, below the focus ring", async () => {
    const reader = await account({ viewport: { width: 320, height: 640 } });
    const nothing = { name: "nothing.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
    const loaded = reader.page.waitForEvent("domcontentloaded");
    await reader.page.setInputFiles("#file", nothing);
    await loaded;
    expect(await reader.page.locator("#file-error").innerText()).toContain("We can't read that file.");
    const bottom = await reader.page
      .locator("label[for=file]")
      .evaluate((label) => label.getBoundingClientRect().bottom);
    const top = await reader.page.locator("#file-error").evaluate((line) => line.getBoundingClientRect().top);
    expect(top - bottom).toBeGreaterThanOrEqual(4);
  });

  test("of the logo of an organization is uploaded by the choice of the file", async () => {
    const reader = await account();
    await reader.open("/team/brand");
    const loaded = reader.page.waitForEvent("domcontentloaded");
    await reader.page.setInputFiles("#logo", { name: "a.png", mimeType: "image/png", buffer: await widePicture() });
    await loaded;
    expect(await reader.page.getByRole("button", { name: "Remove logo" }).isVisible()).toBe(true);
    expect(reader.offences).toEqual([]);
  });

  test("is uploaded without scripts by the button of the page", async () => {
    const reader = await account({ javaScriptEnabled: false });
    await reader.page.setInputFiles("#file", { name: "a.png", mimeType: "image/png", buffer: await widePicture() });
    await reader.press("Upload picture");
    expect(await reader.page.getByRole("status").innerText()).toContain("Saved");
  });
});

describe("a submitted form", () => {
  /** Counts the forms of a page. The response without content leaves the page in place, as a slow service does. */
  async function countForms({ page }: Reader) {
    const sent: string[] = [];
    await page.route("**/*", async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      sent.push(route.request().url());
      await route.fulfill({ status: 204 });
    });
    return sent;
  }

  test("has a spinner and a verb on the button, ignores a second press, and works again after Back", async () => {
    const reader = await readers.open();
    const { page } = reader;
    await page.clock.install();
    await reader.open("/forgot-password");
    await page.clock.pauseAt(PAUSE_AT);
    const sent = await countForms(reader);
    await reader.fill({ email: newEmail() });
    const button = page.locator("button.primary");
    await button.click();
    await page.clock.runFor(VISIBLE_AFTER_MS - 1);
    expect(await button.getAttribute("aria-busy")).toBeNull();
    await page.clock.runFor(1);
    expect(await button.getAttribute("aria-busy")).toBe("true");
    expect(await button.innerText()).toBe("Sending…");
    expect(await button.evaluate((node) => getComputedStyle(node, "::before").borderRadius)).toBe("50%");
    await button.click();
    await page.keyboard.press("Enter");
    await until("the form is sent", async () => sent.length > 0);
    expect(sent).toHaveLength(1);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await button.getAttribute("aria-busy")).toBeNull();
    expect(await button.innerText()).toBe("Send the link");
    await button.click();
    await page.clock.runFor(VISIBLE_AFTER_MS);
    expect(await button.getAttribute("aria-busy")).toBe("true");
    await until("the form is sent again", async () => sent.length === 2);
    expect(reader.offences).toEqual([]);
  });
});
