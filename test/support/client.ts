import { CookieJar } from "tough-cookie";
import { checkResponse, loadContract } from "./documented-response.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and fail where a member is missing.
  readonly body: any;
  readonly text: string;
  readonly setCookies: readonly string[];
}

export interface RequestOptions {
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Uint8Array | ReadableStream;
  readonly headers?: Record<string, string>;
  readonly bearer?: string;
  /** `false` omits the header X-Service-CSRF; a string replaces the value. */
  readonly csrf?: boolean | string;
  /**
   * `false` marks a request that matches no operation of the OpenAPI document; the response is not validated against
   * the document.
   */
  readonly documented?: false;
}

/** A browser from the point of view of the API: a cookie jar, and a page that repeats the CSRF cookie. */
export class Client {
  readonly jar = new CookieJar();

  readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Returns a client with this cookie jar at a different replica. */
  at(baseUrl: string): Client {
    const other = new Client(baseUrl);
    Object.assign(other, { jar: this.jar });
    return other;
  }

  cookie(name: string): string | undefined {
    return this.jar.getCookiesSync(COOKIE_SITE).find((cookie) => cookie.key === name)?.value;
  }

  setCookie(name: string, value: string, path = "/"): void {
    this.jar.setCookieSync(`${name}=${value}; Path=${path}`, COOKIE_SITE);
  }

  get = (path: string, options?: RequestOptions) => this.request("GET", path, options);
  post = (path: string, body?: unknown, options?: RequestOptions) => this.request("POST", path, { body, ...options });
  patch = (path: string, body?: unknown, options?: RequestOptions) => this.request("PATCH", path, { body, ...options });
  put = (path: string, body?: unknown, options?: RequestOptions) => this.request("PUT", path, { body, ...options });
  delete = (path: string, options?: RequestOptions) => this.request("DELETE", path, options);

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const loading = options.documented === false ? undefined : loadContract(this.baseUrl);
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: this.headersOf(method, path, options),
      body: options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
      redirect: "manual",
    } as RequestInit);
    const text = await response.text();
    const setCookies = response.headers.getSetCookie();
    for (const cookie of setCookies) this.jar.setCookieSync(cookie, siteOf(path));
    const json = response.headers.get("content-type")?.startsWith("application/json");
    const { status, headers } = response;
    const answer = { status, headers, body: json ? JSON.parse(text) : undefined, text, setCookies };
    const contract = await loading;
    if (contract) checkResponse(contract, method, path, { ...answer, contentType: headers.get("content-type") });
    return answer;
  }

  private headersOf(
    method: string,
    path: string,
    { body, headers, bearer, csrf = true }: RequestOptions,
  ): Record<string, string> {
    const cookies = this.jar.getCookieStringSync(siteOf(path));
    const token = typeof csrf === "string" ? csrf : this.cookie("service_csrf");
    const guarded = method !== "GET" && method !== "DELETE" && csrf !== false && token;
    return {
      ...(cookies ? { cookie: cookies } : {}),
      ...(guarded ? { "x-service-csrf": token } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
  }
}

/**
 * The replicas of a deployment share a site, so the jar stores all cookies under a single site; the path covers the
 * paths of all cookies.
 */
const COOKIE_SITE = "https://auth.example.test/v1/auth/oauth/callback";

/** The cookie of single sign-on has a path beside the path of social sign-in. */
function siteOf(path: string): string {
  return path.startsWith("/v1/auth/sso/") ? "https://auth.example.test/v1/auth/sso" : COOKIE_SITE;
}

let people = 0;

/** Returns an address that no other test uses. */
export function newEmail(): string {
  people += 1;
  return `person-${process.pid}-${Date.now()}-${people}@example.test`;
}

export const PASSWORD = "correct horse battery staple";

/** Registers a new user; returns the signed-in client. */
export async function registered(baseUrl: string, fields: Record<string, unknown> = {}) {
  const client = new Client(baseUrl);
  const email = newEmail();
  const answer = await client.post("/v1/auth/register", {
    organization_name: "Acme",
    email,
    password: PASSWORD,
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`registration returned ${answer.status}: ${answer.text}`);
  return {
    client,
    email,
    answer,
    userId: String(answer.body.user.user_id),
    organizationId: String(answer.body.user.organization_id),
    sessionId: String(answer.body.user.session_family_id),
    accessToken: String(answer.body.access_token),
  };
}

/** Signs in with a password in a new browser. */
export async function signedIn(baseUrl: string, email: string, password = PASSWORD) {
  const client = new Client(baseUrl);
  const answer = await client.post("/v1/auth/login", { email, password });
  return { client, answer, accessToken: String(answer.body?.access_token) };
}
