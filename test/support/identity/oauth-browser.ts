/** A browser in a social sign-in: a jar for the service's cookies, and a jar for the provider's cookies. */
import { CookieJar } from "tough-cookie";
import { testCertificate } from "../certificate.ts";
import { type Answer, Client } from "../client.ts";
import { ISSUER } from "../replica.ts";

const STEPS_MAX = 12;

export class OAuthBrowser {
  readonly client: Client;
  readonly #jar = new CookieJar();

  constructor(baseUrl: string) {
    this.client = new Client(baseUrl);
  }

  /** Starts a sign-in; returns the authorization URL of the provider. */
  async start(provider: string, redirectTo?: string): Promise<string> {
    const query = redirectTo === undefined ? "" : `?redirect_to=${encodeURIComponent(redirectTo)}`;
    const response = await this.client.get(`/v1/auth/oauth/${provider}/start${query}`);
    if (response.status !== 302) throw new Error(`start answered ${response.status}: ${response.text}`);
    return response.headers.get("location") ?? "";
  }

  /**
   * Follows the provider's redirects and fills in the forms; returns the URL to which the provider sends the browser
   * back.
   */
  async visit(location: string, login = "nobody"): Promise<URL> {
    let url = new URL(location);
    let form: URLSearchParams | undefined;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (url.origin === ISSUER) return url;
      const response = await fetch(url, {
        redirect: "manual",
        headers: { cookie: this.#jar.getCookieStringSync(url.href) },
        ...(form ? { method: "POST", body: form } : {}),
        ...(url.protocol === "https:" ? { tls: { ca: testCertificate().cert } } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) this.#jar.setCookieSync(cookie, url.href);
      const next = response.headers.get("location");
      const page = await response.text();
      form = next === null ? filledIn(page, login) : undefined;
      const action = next ?? /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      if (!action) throw new Error(`the provider answered ${response.status}: ${page}`);
      url = new URL(action.replaceAll("&amp;", "&"), url);
    }
    throw new Error("the provider goes round in circles");
  }

  /** Sends the provider's response to the service, as an application that accepts JSON. */
  async finish(callback: URL, headers: Record<string, string> = { accept: "application/json" }): Promise<Answer> {
    return await this.client.get(`${callback.pathname}${callback.search}`, { headers });
  }

  /** Performs a sign-in from the start to the callback. */
  async signIn(provider: string, login?: string): Promise<Answer> {
    return await this.finish(await this.visit(await this.start(provider), login));
  }
}

function filledIn(page: string, login: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]+)"/.exec(input)?.[1];
    if (name) form.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? (name === "login" ? login : "any password"));
  }
  return form;
}
