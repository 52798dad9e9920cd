/** A browser between an application and the service, as far as redirects, cookies and forms go. */
import { CookieJar } from "tough-cookie";
import type { Browser } from "./oauth.ts";

const HOPS_MAX = 12;

export interface ApplicationPage {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

interface Step {
  /** Undefined at the end. */
  readonly next: string | undefined;
  readonly page: ApplicationPage;
}

export class ApplicationBrowser {
  readonly #jar = new CookieJar();
  readonly #origin: string;
  readonly #service: Browser;
  readonly #ca: string | undefined;

  /** `origin`: of the service. `ca`: the certificate of the application, for https. */
  constructor(origin: string, service: Browser, ca?: string) {
    this.#origin = origin;
    this.#service = service;
    this.#ca = ca;
  }

  /** One request to the application, without redirects. */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = await this.#jar.getCookieString(url);
    const tls = this.#ca === undefined ? {} : { tls: { ca: this.#ca } };
    const headers = { ...(init.headers as Record<string, string>), ...(cookie ? { cookie } : {}) };
    const response = await fetch(url, { ...init, ...tls, headers, redirect: "manual" } as RequestInit);
    for (const each of response.headers.getSetCookie()) await this.#jar.setCookie(each, url);
    return response;
  }

  /**
   * Opens an address and follows redirects, through the pages of the service too; the user allows each consent. Ends at
   * a page of the application, or at a further page of the service.
   */
  async open(address: string): Promise<ApplicationPage> {
    let url = address;
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      const { next, page } = await (url.startsWith(`${this.#origin}/`) ? this.#pass(url) : this.#load(url));
      if (next === undefined) return page;
      url = next;
    }
    throw new Error(`more than ${HOPS_MAX} redirects from ${address}`);
  }

  /** Submits the first form of a page of the application. */
  async submit(address: string): Promise<ApplicationPage> {
    const { url, text } = await this.open(address);
    const form = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(text);
    if (!form) throw new Error(`${url} has no form: ${text.slice(0, 300)}`);
    const [, action = "", fields = ""] = form;
    const hidden = [...fields.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
    const body = new URLSearchParams(hidden.map(([, name = "", value = ""]) => [name, value])).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: new URL(url).origin };
    const target = new URL(action, url).href;
    const response = await this.send(target, { method: "POST", body, headers });
    return await this.open(new URL(response.headers.get("location") ?? "", target).href);
  }

  /** A page of the application, or the address of a redirect. */
  async #load(url: string): Promise<Step> {
    const response = await this.send(url);
    const location = response.headers.get("location");
    const next = location === null ? undefined : new URL(location, url).href;
    return { next, page: { url, status: response.status, text: await response.text() } };
  }

  /** The address of the application after the pages of the service. */
  async #pass(url: string): Promise<Step> {
    const first = await this.#service.follow(url.slice(this.#origin.length));
    const asksForConsent = !first.location && first.path.startsWith("/oauth2/consent");
    const { location, path, answer } = asksForConsent
      ? await this.#service.submit(first.path, { decision: "allow" })
      : first;
    return { next: location?.href, page: { url: `${this.#origin}${path}`, status: answer.status, text: answer.text } };
  }
}
