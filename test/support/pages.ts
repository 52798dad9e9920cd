/** A deployment whose pages Chromium opens at the public address, and visitors of the pages. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { freePort } from "../../db/embedded.ts";
import { withoutShown } from "../../src/pages/addresses.ts";
import { browser } from "./browser.ts";
import { Client } from "./client.ts";
import { MailProvider, tokenTo } from "./mail.ts";
import { type Replica, type StartOptions, startReplica } from "./replica.ts";
import { freshDatabase, openSql, redisUrl } from "./services.ts";

export interface PageSite {
  readonly origin: string;
  readonly one: Replica;
  readonly sql: ReturnType<typeof openSql>;
  readonly databaseUrl: string;
  readonly mail: MailProvider;
}

/** WebAuthn and the origin check of forms require a browser on the real public address. */
export async function startSite(env: Record<string, string> = {}, options: StartOptions = {}): Promise<PageSite> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const databaseUrl = await freshDatabase();
  const mail = new MailProvider();
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await redisUrl(),
    PORT: String(port),
    SERVICE_PUBLIC_BASE_URL: origin,
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_BRAND_NAME: "Acme",
    ...env,
  };
  const one = await startReplica(settings, options);
  return { origin, one, sql: openSql(databaseUrl), databaseUrl, mail };
}

/** Returns the path and token of the newest of `count` mailed links. */
export async function linkTo(site: PageSite, email: string, path: string, count = 1): Promise<string> {
  const link = new RegExp(`^${site.origin}${path}\\?token=([A-Za-z0-9_-]{43})$`, "m");
  return `${path}?token=${await tokenTo(site.mail, email, link, count)}`;
}

/**
 * axe-core, minified: every page evaluates the script, which takes longer than the rules. Chromium receives ASCII in
 * half of the time of other text, so escapes replace the other characters, which occur in strings and names.
 */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8").replace(
  /[^\p{ASCII}]/gu,
  (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
);
const TAB_PRESSES_MAX = 40;
/** Returns the label or text of the focused element, and whether the focus is visible. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent ?? element.getAttribute("aria-label") ?? element.textContent;
  const { outlineStyle } = getComputedStyle(element);
  const { outlineStyle: around } = getComputedStyle(element, "::after");
  return { name: label.trim(), outlined: outlineStyle !== "none" || around !== "none" };
})()`;
const PAGE_DEADLINE_MS = 120_000;
/** A theme is a set of colours (styles/tokens.css): for the second theme only these rules can give a new result. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

type Theme = "light" | "dark";

/** A visitor with a browser who records events that must never happen on a page. */
export class Reader {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly origin: string;
  /** Requests to foreign hosts, violations of the content security policy, and script errors. */
  readonly offences: string[] = [];

  private constructor(origin: string, context: BrowserContext, page: Page) {
    this.origin = origin;
    this.context = context;
    this.page = page;
    // The deadline ends a hanging test; a test that is slow on a busy machine does not reach the deadline.
    page.setDefaultTimeout(PAGE_DEADLINE_MS);
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) this.offences.push(`request to ${url}`);
    });
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) this.offences.push(message.text());
    });
    page.on("pageerror", (error) => this.offences.push(String(error)));
  }

  static async at(origin: string, options: BrowserContextOptions = {}): Promise<Reader> {
    const context = await (await browser()).newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
    return new Reader(origin, context, await context.newPage());
  }

  /** Continues with the session of a client. */
  async become({ client }: Pick<FormClient, "client">): Promise<void> {
    const { cookies = [] } = client.jar.serializeSync() ?? {};
    const { hostname: domain } = new URL(this.origin);
    // The jar keeps a deleted cookie without a value.
    const copies = cookies
      .filter(({ value }) => value)
      .map(({ key, value, path }) => {
        return { name: String(key), value: String(value), domain, path: String(path ?? "/") };
      });
    await this.context.addCookies(copies);
  }

  /** Presses Tab until a field, button or link of this name has the focus, like a user without a mouse. */
  async tabTo(name: string): Promise<void> {
    for (let presses = 0; presses < TAB_PRESSES_MAX; presses += 1) {
      await this.page.keyboard.press("Tab");
      const focused = await this.page.evaluate<{ name: string; outlined: boolean }>(FOCUSED);
      if (focused.name !== name) continue;
      if (!focused.outlined) throw new Error(`${this.path}: the focus on ${name} cannot be seen`);
      return;
    }
    throw new Error(`${this.path}: no Tab leads to ${name}`);
  }

  /** Presses a key that opens another page. */
  async go(key: string): Promise<void> {
    await Promise.all([this.page.waitForEvent("domcontentloaded"), this.page.keyboard.press(key)]);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${path}`);
  }

  /** Fills fields by their names. */
  async fill(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.page.fill(`[name="${name}"]:visible`, value);
  }

  /** Activates a button or link by the text, inside the dialog if a dialog is open, and waits for the next page. */
  async press(name: string | RegExp): Promise<void> {
    const dialog = this.page.locator("dialog[open]");
    const root = (await dialog.count()) > 0 ? dialog : this.page;
    const target = root.getByRole("button", { name }).or(root.getByRole("link", { name })).first();
    await Promise.all([this.page.waitForEvent("domcontentloaded"), target.click()]);
  }

  /** Signs in by the two steps of the open sign-in page. A remembered address has no first step. */
  async signIn(email: string, password: string): Promise<void> {
    if ((await this.page.locator("#email[readonly]").count()) === 0) {
      await this.fill({ email });
      await this.press(/^Continue$/);
    }
    await this.fill({ password });
    await this.press(/^Sign in$/);
  }

  /** Ends the session by the account menu. */
  async signOut(): Promise<void> {
    await this.page.locator("details.menu > summary:visible").first().click();
    await this.press("Sign out");
  }

  get heading(): Promise<string> {
    return this.page.locator("h1").innerText();
  }

  /** The address of the page, without the key of the page of a form. */
  get path(): string {
    return withoutShown(this.page.url().slice(this.origin.length));
  }

  /**
   * Returns the WCAG 2.2 AA rules that axe-core checks and the page violates, in the given themes (default: both
   * themes).
   */
  async violations(themes: readonly Theme[] = ["light", "dark"]): Promise<string[]> {
    const found: string[] = [];
    for (const [index, theme] of themes.entries())
      found.push(...(index === 0 ? await this.#violationsIn(theme, {}) : await this.#colourViolations(theme)));
    return found;
  }

  /** Returns the violations that depend on colours, for the second theme of a page. */
  async #colourViolations(theme: Theme): Promise<string[]> {
    return await this.#violationsIn(theme, { runOnly: { type: "rule", values: COLOUR_RULES } });
  }

  async #violationsIn(colorScheme: Theme, rules: object): Promise<string[]> {
    // The debugger evaluates the script: the policy of the page forbids the script, as intended.
    if (!(await this.page.evaluate("'axe' in globalThis"))) await this.page.evaluate(AXE);
    await this.page.emulateMedia({ colorScheme });
    const found = await this.page.evaluate(async (rules) => {
      // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window.
      const { violations } = await (globalThis as any).axe.run({ resultTypes: ["violations"], ...rules });
      // biome-ignore lint/suspicious/noExplicitAny: the result of axe.
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map((node: any) => node.target).join(" ")}`);
    }, rules);
    return found.map((each: string) => `${this.path} (${colorScheme}) ${each}`);
  }

  /** Returns true if the page is wider than a small phone. */
  async scrollsSideways(): Promise<boolean> {
    await this.page.setViewportSize({ width: 320, height: 640 });
    const scrolls = await this.page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
    await this.page.setViewportSize({ width: 1280, height: 800 });
    return scrolls;
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** The visitors of a test file, who close together. */
export class Readers {
  readonly #readers: Reader[] = [];
  readonly #site: () => PageSite;

  /** `site`: called when a visitor opens the browser, after the start of the site. */
  constructor(site: () => PageSite) {
    this.#site = site;
  }

  /** `as`: a signed-in user whose session the visitor continues. */
  async open(options: BrowserContextOptions = {}, as?: { readonly forms: FormClient }): Promise<Reader> {
    const reader = await Reader.at(this.#site().origin, options);
    if (as) await reader.become(as.forms);
    this.#readers.push(reader);
    return reader;
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()));
  }
}

/** The header that a browser sends with a form of this origin. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** Submits forms like a browser, without a browser. Cookies are sent to the paths of the cookies. */
export class FormClient {
  readonly client: Client;

  constructor(url: string) {
    this.client = new Client(url);
  }

  /**
   * Sends a request. Of a form: returns the redirect, or the page that the redirect displays (docs/pages.md, "Pages by
   * redirect") with the cookies of both responses.
   */
  async request(method: string, path: string, headers: Record<string, string>, raw?: string | Uint8Array) {
    const sent = await this.#send(method, path, headers, raw);
    const location = sent.headers.get("location") ?? "";
    if (method !== "POST" || !/[?&]shown=/.test(location)) return sent;
    const { "content-type": _, "content-length": __, ...repeated } = headers;
    const shown = await this.#send("GET", location, repeated);
    const page = new Headers(shown.headers);
    // The refusal is recorded with the id of the form, which the page displays.
    page.set("x-request-id", sent.headers.get("x-request-id") ?? "none");
    return { ...shown, headers: page, setCookies: [...sent.setCookies, ...shown.setCookies] };
  }

  /** Sends a request and returns its own response, also if the response is the redirect to the page of a form. */
  async #send(method: string, path: string, headers: Record<string, string>, raw?: string | Uint8Array) {
    const cookie = this.client.jar.getCookieStringSync(`https://auth.example.test${path}`);
    const options = { headers: { accept: "text/html", cookie, ...headers }, documented: false } as const;
    return await this.client.request(method, path, raw === undefined ? options : { ...options, raw });
  }

  get = (path: string, headers: Record<string, string> = {}) => this.request("GET", path, headers);

  /** A field with several values, such as a group of checkboxes, is a list. */
  async post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Record<string, string> = SAME_ORIGIN,
  ) {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
    return await this.request("POST", path, { ...type, ...headers }, new URLSearchParams(pairs).toString());
  }

  /** Returns the CSRF value of a form on a page. */
  async csrf(path: string): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.get(path)).text)?.[1] ?? "none";
  }
}

/** The forms of a signed-in user, with the CSRF value of the session. */
export interface SignedInForms {
  readonly forms: FormClient;
  send(path: string, fields: Record<string, string>): ReturnType<FormClient["post"]>;
}

export async function signedInForms(url: string, jar: Client["jar"]): Promise<SignedInForms> {
  const forms = new FormClient(url);
  Object.assign(forms.client, { jar });
  const csrf = await forms.csrf("/account");
  return { forms, send: (path, fields) => forms.post(path, { csrf, ...fields }) };
}

/** Returns the scripts of a page with all imports, by path. Throws for a file that is not served as a script. */
export async function scriptsOf(origin: string, page: string): Promise<Map<string, string>> {
  const html = await (await fetch(origin + page)).text();
  const waiting = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, path = ""]) => path);
  const scripts = new Map<string, string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (scripts.has(path)) continue;
    const response = await fetch(origin + path);
    const type = response.headers.get("content-type");
    if (!response.ok || !type?.startsWith("text/javascript")) throw new Error(`${path}: ${response.status} ${type}`);
    scripts.set(path, await response.text());
    const { imports } = new Bun.Transpiler({ loader: "js" }).scan(scripts.get(path) ?? "");
    waiting.push(...imports.map((each) => new URL(each.path, origin + path).pathname));
  }
  return scripts;
}

/** The redirect of a form that waits for a step-up and goes on after it (docs/pages.md, Security). */
export const STEP_UP_ASKED = "/step-up?return_to=%2Fstep-up%2Fcontinue";

/** Returns the target of a redirect, and the result that the target displays once. */
export function redirectOf({ headers }: Pick<Response, "headers">): [path: string | null, result: string | undefined] {
  const results = headers.getSetCookie().flatMap((cookie) => /^service_done=([^;]+)/.exec(cookie)?.slice(1) ?? []);
  return [headers.get("location"), results[0]];
}

/** Returns the content of a page without navigation and foot, which have the forms of sign-out and language. */
export function mainOf(html: string): string {
  return html.slice(html.indexOf("<main"), html.indexOf("</main>"));
}

/** The text of a page without elements, each white space as one space. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
