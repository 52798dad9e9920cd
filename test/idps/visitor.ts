/** An employee at a browser: Chromium, or a program that sends the requests of a browser without scripts. */
import type { Page } from "playwright-core";
import { CookieJar } from "tough-cookie";
import { testCertificate } from "../support/certificate.ts";
import type { Client } from "../support/client.ts";
import { Reader } from "../support/pages.ts";

export interface Visitor {
  open(url: string): Promise<void>;
  /** Fills in the form with these fields, and sends the form by the button (`name=value`) or by its only button. */
  submit(fields: Readonly<Record<string, string>>, button?: string): Promise<void>;
  /** Waits for the page that the condition accepts. */
  arrive(what: string, holds: (url: URL) => boolean): Promise<void>;
  url(): URL;
  html(): Promise<string>;
  /** Sends a request as a script of the displayed page does. */
  request(method: string, path: string, body?: object): Promise<void>;
  /** The value of a cookie of the displayed page. */
  cookie(name: string): Promise<string>;
  /** Continues with the session of a client at an origin. */
  become(client: Client): Promise<void>;
  close(): Promise<void>;
}

export type Kind = "Chromium" | "a program without scripts";

export async function visit(kind: Kind, origin: string): Promise<Visitor> {
  if (kind === "Chromium") return new ChromiumVisitor(await Reader.at(origin, { ignoreHTTPSErrors: true }));
  return new PlainVisitor(origin);
}

class ChromiumVisitor implements Visitor {
  readonly #reader: Reader;
  readonly #page: Page;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#page = reader.page;
  }

  open = async (url: string) => void (await this.#page.goto(url));
  url = () => new URL(this.#page.url());
  html = () => this.#page.content();
  become = (client: Client) => this.#reader.become({ client });
  close = () => this.#reader.close();

  async submit(fields: Readonly<Record<string, string>>, button?: string): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await this.#page.fill(`[name="${name}"]:visible`, value);
    const [name, value] = button?.split("=") ?? [];
    const chosen = name
      ? `button[name="${name}"][value="${value}"]`
      : "button[type=submit], input[type=submit], main button";
    await Promise.all([
      this.#page.waitForEvent("domcontentloaded"),
      this.#page.locator(chosen).and(this.#page.locator(":visible")).first().click(),
    ]);
  }

  async request(method: string, path: string, body?: object): Promise<void> {
    const sent = { method, path, text: body && JSON.stringify(body) };
    const status = await this.#page.evaluate(async ({ method, path, text }) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(path, { method, headers, ...(text === undefined ? {} : { body: text }) })).status;
    }, sent);
    if (status >= 400) throw new Error(`${method} ${path} returned ${status}`);
  }

  async cookie(wanted: string): Promise<string> {
    const found = (await this.#page.context().cookies(this.#page.url())).find(({ name }) => name === wanted);
    return found?.value ?? "";
  }

  async arrive(what: string, holds: (url: URL) => boolean): Promise<void> {
    await this.#page.waitForURL(holds, { timeout: ARRIVAL_MS }).catch(async () => {
      throw new Error(`${what}: the browser is at ${this.#page.url()}: ${textOf(await this.html())}`);
    });
  }
}

const ARRIVAL_MS = 30_000;
const HOPS_MAX = 12;

interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: ReadonlyMap<string, string>;
  /** Buttons in the form `name=value`. */
  readonly buttons: readonly string[];
}

class PlainVisitor implements Visitor {
  readonly #jar = new CookieJar();
  readonly #origin: string;
  #url: URL;
  #html = "";

  constructor(origin: string) {
    this.#origin = origin;
    this.#url = new URL(origin);
  }

  url = () => this.#url;
  html = async () => this.#html;
  close = async () => undefined;
  open = (url: string) => this.#send(new URL(url));

  async request(method: string, path: string, body?: object): Promise<void> {
    const url = new URL(path, this.#url);
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json", cookie: this.#jar.getCookieStringSync(url.href) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      tls: { ca: testCertificate().cert },
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
    for (const cookie of response.headers.getSetCookie()) this.#jar.setCookieSync(cookie, url.href);
  }

  async cookie(wanted: string): Promise<string> {
    return this.#jar.getCookiesSync(this.#url.href).find(({ key }) => key === wanted)?.value ?? "";
  }

  async become({ jar }: Client): Promise<void> {
    for (const { key, value, path } of jar.serializeSync()?.cookies ?? [])
      if (value) this.#jar.setCookieSync(`${key}=${value}; Path=${path}`, this.#origin);
  }

  async submit(fields: Readonly<Record<string, string>>, button?: string): Promise<void> {
    const names = Object.keys(fields);
    const found = formsOf(this.#html).find(
      (form) => names.every((name) => form.fields.has(name)) && (!button || form.buttons.includes(button)),
    );
    if (!found) throw new Error(`${this.#url}: no form with ${[...names, button]}: ${textOf(this.#html)}`);
    const [name, ...value] = button?.split("=") ?? [];
    const pressed = name ? { [name]: value.join("=") } : {};
    await this.#sendForm(found, { ...fields, ...pressed });
  }

  async arrive(what: string, holds: (url: URL) => boolean): Promise<void> {
    if (!holds(this.#url)) throw new Error(`${what}: the browser is at ${this.#url}: ${textOf(this.#html)}`);
  }

  async #sendForm(form: Form, more: Readonly<Record<string, string>>): Promise<void> {
    const values = new URLSearchParams([...form.fields]);
    for (const [name, value] of Object.entries(more)) values.set(name, value);
    const target = new URL(form.action, this.#url);
    if (form.method === "post") return await this.#send(target, values);
    target.search = values.toString();
    await this.#send(target);
  }

  /** Follows redirects, and presses the button of pages that carry a message of SAML. */
  async #send(url: URL, body?: URLSearchParams): Promise<void> {
    let [next, form]: [URL | undefined, URLSearchParams | undefined] = [url, body];
    for (let hops = 0; next; hops += 1) {
      if (hops > HOPS_MAX) throw new Error(`the browser goes round in circles at ${next}`);
      const from = this.#url;
      const response = await this.#fetch(next, from, form);
      [this.#url, form] = [next, undefined];
      for (const cookie of response.headers.getSetCookie())
        this.#jar.setCookieSync(cookie, next.href, { ignoreError: true });
      const refresh = /^0; url=(.+)$/.exec(response.headers.get("refresh") ?? "")?.[1];
      const location = response.headers.get("location") ?? refresh;
      this.#html = await response.text();
      next = location ? new URL(location, next) : undefined;
      if (next) continue;
      const carrier = formsOf(this.#html).find(({ fields }) => fields.has("SAMLRequest") || fields.has("SAMLResponse"));
      if (!carrier) return await this.#loadFrames();
      [next, form] = [new URL(carrier.action, this.#url), new URLSearchParams([...carrier.fields])];
    }
  }

  /** Products sign out of several services by frames, which browsers without scripts load too. */
  async #loadFrames(): Promise<void> {
    const page = { url: this.#url, html: this.#html };
    const addresses: string[] = [];
    const note = (source: string | null) => source && addresses.push(decode(source));
    new HTMLRewriter().on("iframe", { element: (frame) => void note(frame.getAttribute("src")) }).transform(page.html);
    for (const address of addresses) await this.#send(new URL(address, page.url));
    [this.#url, this.#html] = [page.url, page.html];
  }

  async #fetch(url: URL, from: URL, body: URLSearchParams | undefined): Promise<Response> {
    const isForeign = from.origin !== url.origin;
    return await fetch(url, {
      method: body ? "POST" : "GET",
      redirect: "manual",
      headers: {
        accept: "text/html",
        "sec-fetch-site": isForeign ? "cross-site" : "same-origin",
        "sec-fetch-mode": "navigate",
        ...(body ? { origin: from.origin } : {}),
        cookie: this.#jar.getCookieStringSync(url.href),
      },
      ...(body ? { body } : {}),
      ...(url.protocol === "https:" ? { tls: { ca: testCertificate().cert } } : {}),
    });
  }
}

function formsOf(html: string): Form[] {
  const forms: (Omit<Form, "fields" | "buttons"> & { fields: Map<string, string>; buttons: string[] })[] = [];
  const add = (name: string | null, value: string | null) => {
    if (name !== null) forms.at(-1)?.fields.set(name, decode(value ?? ""));
  };
  new HTMLRewriter()
    .on("form", {
      element(form) {
        const action = decode(form.getAttribute("action") ?? "");
        const method = (form.getAttribute("method") ?? "get").toLowerCase();
        forms.push({ action, method, fields: new Map(), buttons: [] });
      },
    })
    .on("form input", {
      element(input) {
        const type = input.getAttribute("type") ?? "text";
        const isChosen = input.getAttribute("checked") !== null;
        if ((type === "checkbox" || type === "radio") && !isChosen) return;
        if (type === "submit")
          forms.at(-1)?.buttons.push(`${input.getAttribute("name")}=${input.getAttribute("value")}`);
        else add(input.getAttribute("name"), input.getAttribute("value"));
      },
    })
    .on("form button", {
      element(button) {
        forms.at(-1)?.buttons.push(`${button.getAttribute("name")}=${button.getAttribute("value")}`);
      },
    })
    .transform(html);
  return forms;
}

const decode = (text: string) =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const textOf = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>|\s+/g, " ")
    .replace(/\s+/g, " ")
    .slice(0, 600);
