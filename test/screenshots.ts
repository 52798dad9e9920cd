/**
 * `npm run screenshots -- <folder> [<address>] [console]` takes pictures of every page at three widths, light and dark,
 * in every language, for visual inspection. The service at the address (default http://localhost:3000) runs in
 * embedded mode with the data of `npm run seed`. `console`: only the platform console.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { generateSync } from "otplib";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { runningEmbeddedPostgres } from "../db/embedded.ts";
import { LANGUAGES, tagOf } from "../src/base/languages.ts";
import { findProgram } from "./support/packages.ts";
import { samplePlatform } from "./support/sample-platform.ts";

const [folder = "screenshots", origin = "http://localhost:3000", only] = process.argv.slice(2);
const OWNER = "platform@acme.example";
const PASSWORD = "correct horse battery staple";
const WIDTHS = [320, 768, 1280];
const THEMES = ["light", "dark"] as const;
/** A mark of this run, short enough that an address fits on a line. */
const MARK = crypto.randomUUID().slice(0, 3);
mkdirSync(folder, { recursive: true });

const browser = await chromium.launch({ executablePath: findProgram("chromium"), args: ["--no-sandbox"] });

/** Takes pictures of a page in every width and theme. */
async function take(page: Page, language: string, name: string): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      await page.setViewportSize({ width, height: width === 320 ? 640 : 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const scrolls = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (scrolls) console.log(`${language} ${name} ${width}: scrolls sideways`);
      await page.screenshot({ path: join(folder, `${name}-${language}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** British dates for the English pictures. */
const localeOf = (language: string) => (language === "en" ? "en-GB" : tagOf(language));
const go = (page: Page, path: string) => page.goto(`${origin}${path}`);
const press = (page: Page, selector: string) => page.click(selector);

async function publicPages(page: Page, language: string): Promise<void> {
  await go(page, "/sign-in");
  await take(page, language, "sign-in");
  await page.fill("#email", "ada@example.com");
  await press(page, "button.primary");
  await page.waitForSelector("#email[readonly]");
  await take(page, language, "sign-in-methods");
  await page.fill("#password", "not the password");
  await press(page, "button.primary");
  await page.waitForSelector("[role=alert]:not([hidden])");
  await take(page, language, "sign-in-refused");
  await press(page, "[formaction]");
  await page.waitForSelector("#code");
  await take(page, language, "sign-in-code");
  for (const path of ["register", "forgot-password", "forgot-password?sent=1", "reset-password", "error", "nothing"]) {
    await go(page, `/${path}`);
    await take(page, language, path.replace("?", "-"));
  }
}

/** Signs in by the two steps of the open sign-in page. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.fill("#email", email);
  await press(page, "button.primary");
  await page.fill("#password", PASSWORD);
  await press(page, "button.primary");
}

async function register(page: Page, language: string, email: string): Promise<void> {
  await go(page, "/register");
  await page.fill("#email", email);
  await page.fill("#display_name", "Ada Lovelace");
  await page.fill("#organization_name", "Analytical Engines");
  await page.fill("#password", "short one");
  await page.fill("#password", PASSWORD);
  await take(page, language, "register-filled");
  await press(page, "button.primary");
  await page.waitForURL("**/verify-email**");
  await take(page, language, "verify-email-waiting");
}

/** Returns the newest link of an e-mail that `/dev/mail` displays. */
async function linkTo(context: BrowserContext, email: string, path: string): Promise<string> {
  const page = await context.newPage();
  for (;;) {
    await go(page, "/dev/mail");
    const link = page.locator(`article:has-text("${email}") a[href*="${path}"]`).first();
    if ((await link.count()) > 0) {
      const href = String(await link.getAttribute("href"));
      await page.close();
      return href.slice(href.indexOf("/", 8));
    }
    await Bun.sleep(200);
  }
}

async function account(page: Page, language: string, email: string): Promise<void> {
  await go(page, await linkTo(page.context(), email, "/verify-email"));
  await take(page, language, "verify-email");
  await press(page, "button.primary");
  await page.waitForURL("**/account**");
  await take(page, language, "account");
  for (const path of ["account/password", "account/security", "team", "sign-out"]) {
    await go(page, `/${path}`);
    await take(page, language, path.replace("/", "-"));
  }
  await go(page, "/account/security");
  await press(page, "button.primary[value=begin]");
  await page.waitForSelector(".qr");
  await take(page, language, "authenticator");
  const secret = (await page.getAttribute("input[name=secret]", "value")) ?? "";
  await page.fill("#code", generateSync({ secret }));
  await press(page, "button[value=enable]");
  await page.waitForSelector("[data-codes]");
  await take(page, language, "recovery-codes");
  const code = (await page.textContent("[data-codes] li")) ?? "";
  await press(page, "a.primary");
  await take(page, language, "account-security-on");
  for (const path of ["account/security/authenticator/off", "account/security/confirm?step=revoke-sessions"]) {
    await go(page, `/${path}`);
    await take(page, language, path.replaceAll("/", "-").replace("?", "-"));
  }
  await go(page, "/step-up?return_to=/team");
  await take(page, language, "step-up");
  await team(page, language);
  await challenge(page, language, email, code);
}

async function team(page: Page, language: string): Promise<void> {
  const guest = `grace.${language}${MARK}@example.com`;
  await go(page, "/team");
  await page.fill("#email", guest);
  await press(page, "button[value=invite]");
  await page.waitForSelector(".done");
  await take(page, language, "team-invited");
  const link = await linkTo(page.context(), guest, "/accept-invitation");
  await go(page, link);
  await page.waitForSelector("h1");
  await take(page, language, "accept-invitation");
  await page.fill("#password", PASSWORD);
}

async function challenge(page: Page, language: string, email: string, code: string): Promise<void> {
  await page.context().clearCookies();
  await go(page, "/sign-in");
  await signIn(page, email);
  await page.waitForURL("**/challenge");
  await take(page, language, "challenge");
  await go(page, "/sign-in/challenge?with=recovery");
  await take(page, language, "challenge-recovery");
  await page.fill("#recovery_code", code);
  await press(page, "button.primary");
  await page.waitForURL("**/account**");
}

/** Signs in as the owner of the demo platform. The second language continues with the session of the first language. */
async function enterConsole(page: Page): Promise<void> {
  await go(page, "/sign-in");
  await signIn(page, OWNER);
  await page.waitForURL("**/account");
  await go(page, "/account/security");
  await press(page, "button.primary[value=begin]");
  const secret = (await page.getAttribute("input[name=secret]", "value")) ?? "";
  await page.fill("#code", generateSync({ secret }));
  await press(page, "button[value=enable]");
  await page.waitForSelector("[data-codes]");
  const code = (await page.textContent("[data-codes] li")) ?? "";
  await go(page, "/admin/flags/edit");
  await page.fill("#key", "new-dashboard");
  await page.fill("#description", "The dashboard with charts");
  await page.check("[name=enabled]");
  await page.fill("#rollout_percent", "25");
  await press(page, "button.primary");
  await page.waitForSelector(".done");
  await go(page, "/step-up?return_to=/admin/providers/oauth_idp_a&with=recovery");
  await page.fill("#recovery_code", code);
  await press(page, "button.primary");
  await page.waitForURL("**/oauth_idp_a");
  await page.check("[name=enabled]");
  await page.fill("#client_id", "acme-web.apps.example.com");
  await press(page, "button[value=save]");
  await page.waitForSelector(".done");
}

async function consolePages(page: Page, language: string): Promise<void> {
  const applications = ["/oauth-clients", "/resources", "/machines"];
  const lists = ["", "/organizations", "/users", "/providers", ...applications, "/flags", "/requests"];
  for (const path of [...lists, "/organizations/new", "/oauth-clients/new", "/resources/new", "/flags/edit"]) {
    await go(page, `/admin${path}`);
    await take(page, language, `admin${path.replaceAll("/", "-")}`);
  }
  await go(page, "/admin/audit");
  await page.click(".table summary >> nth=2");
  await take(page, language, "admin-audit");
  await go(page, "/admin/audit?from=nonsense&action=mfa.reset");
  await take(page, language, "admin-audit-refused");
  await go(page, "/admin/flags/edit?key=new-dashboard");
  await take(page, language, "admin-flag");
  for (const [list, name] of [
    ["organizations", "Contoso"],
    ["users", "Grace"],
    ["users", "platform"],
  ]) {
    await go(page, `/admin/${list}?q=${name}`);
    await press(page, "a.whole");
    await page.waitForSelector(".facts");
    await take(page, language, `admin-${list}-${name}`);
    if (name === "platform") continue;
    await page.click("a[data-confirm] >> nth=-1");
    await page.waitForSelector("dialog");
    await take(page, language, `admin-${list}-${name}-dialog`);
  }
  await go(page, "/admin/users?q=nobody-at-all");
  await take(page, language, "admin-users-none");
  await go(page, "/admin/providers/oauth_idp_a");
  await take(page, language, "admin-provider");
  await press(page, "button[value=probe]");
  await page.waitForSelector(".done");
  await take(page, language, "admin-provider-probed");
}

if (only === undefined || only === "console") {
  const databaseUrl = runningEmbeddedPostgres(process.env.SERVICE_DATA_DIRECTORY ?? ".data");
  if (!databaseUrl) throw new Error("no service in embedded mode runs on the data directory");
  await samplePlatform(databaseUrl);
  const english = await browser.newContext({ locale: localeOf("en") });
  const page = await english.newPage();
  await enterConsole(page);
  await consolePages(page, "en");
  const storageState = await english.storageState();
  for (const language of LANGUAGES.filter((each) => each !== "en")) {
    const context = await browser.newContext({ locale: localeOf(language), storageState });
    await consolePages(await context.newPage(), language);
    await context.close();
  }
  await english.close();
}
for (const language of only === "console" ? [] : LANGUAGES) {
  const context = await browser.newContext({ locale: localeOf(language) });
  const page = await context.newPage();
  page.on("console", (message) => console.log(message.text()));
  const email = `ada.${language}${MARK}@example.com`;
  await publicPages(page, language);
  await register(page, language, email);
  await account(page, language, email);
  await go(page, "/dev/mail");
  await take(page, language, "dev-mail");
  await context.close();
}
await browser.close();
