/** Applications that sign users in with the service, and the browser of a user. */
import { createHash, randomBytes } from "node:crypto";
import * as openid from "openid-client";
import { type Answer, Client, PASSWORD, registered } from "./client.ts";
import { type Deployment, deployment } from "./deployment.ts";
import { FormClient } from "./pages.ts";
import { steppedUpAdmin } from "./platform.ts";
import { ISSUER } from "./replica.ts";

export const CALLBACK = "https://app.example.test/callback";
export const API = "https://api.example.test/";

export interface TestClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

let administrator: ReturnType<typeof steppedUpAdmin> | undefined;
/** When the administrator last received an access token, which is valid for 15 minutes: a run may take longer. */
let tokenAt = 0;
const TOKEN_AGE_MAX_MS = 10 * 60_000;

/** Returns a platform administrator of the shared deployment who has just presented a second factor. */
export async function oauthAdmin(): Promise<Client> {
  if (!administrator) {
    administrator = steppedUpAdmin(await deployment(), "owner");
    tokenAt = Date.now();
  }
  const { client, userId } = await administrator;
  if (Date.now() - tokenAt > TOKEN_AGE_MAX_MS) {
    await client.post("/v1/auth/refresh");
    tokenAt = Date.now();
  }
  // A step-up is valid for five minutes, and a run may take longer.
  const { sql } = await deployment();
  await sql`update sessions set mfa_verified_at = now() where user_id = ${userId} and aal = 'aal2'`;
  return client;
}

const CLIENT_SETTINGS = {
  name: "Wiki",
  token_endpoint_auth_method: "client_secret_basic",
  redirect_uris: [CALLBACK],
  grant_types: ["authorization_code", "refresh_token"],
  scopes: ["openid", "profile", "email", "organization", "offline_access", "api:read"],
  resources: [API],
};

/**
 * Registers an application, first-party unless `settings` override the default. `by` is an administrator, by default of
 * the shared deployment.
 */
export async function registerClient(settings: Record<string, unknown> = {}, by?: Client): Promise<TestClient> {
  const admin = by ?? (await oauthAdmin());
  const body = { ...CLIENT_SETTINGS, first_party: true, ...settings };
  const response = await admin.post("/v1/admin/oauth-clients", body);
  if (response.status !== 201) throw new Error(`registering a client returned ${response.status}: ${response.text}`);
  const { client_id, client_secret = "", redirect_uris } = response.body;
  return { id: client_id, secret: client_secret, redirectUri: redirect_uris[0] ?? "" };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function makePkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Leaves the challenge out of an authorization request. */
export const WITHOUT_CHALLENGE = { code_challenge: undefined, code_challenge_method: undefined };

/** Builds the path of an authorization request. A value of `undefined` omits a parameter. */
export function authorizePath(
  client: Pick<TestClient, "id" | "redirectUri">,
  challenge: string,
  more: Record<string, string | undefined> = {},
): string {
  const parameters = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: "openid",
    state: "the state",
    nonce: "the nonce",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined) as [string, string][];
  return `/oauth2/authorize?${new URLSearchParams(given)}`;
}

/** The end of a navigation: a redirect to an application, or a page of the service. */
export interface Landing {
  readonly path: string;
  readonly answer: Answer;
  /** The redirect URL, if the navigation ended at the application. */
  readonly location: URL | undefined;
}

const HOPS_MAX = 12;

/** Returns the hidden fields that every form of a page sends back. */
export function hiddenIn(text: string): Record<string, string> {
  const found = text.matchAll(/name="(csrf|shown)" value="([^"]+)"/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, value]));
}

/** A browser reduced to redirects, cookies and forms. */
export class Browser extends FormClient {
  /** Follows redirects within the service. */
  async follow(path: string, first?: Answer): Promise<Landing> {
    let response = first ?? (await this.get(path));
    let at = path;
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      const refresh = /^0; url=(.+)$/.exec(response.headers.get("refresh") ?? "")?.[1];
      const location = refresh ?? response.headers.get("location");
      if (!location) return { path: at, answer: response, location: undefined };
      if (!location.startsWith("/")) return { path: at, answer: response, location: new URL(location) };
      at = location;
      response = await this.get(location);
    }
    throw new Error(`more than ${HOPS_MAX} redirects from ${path}`);
  }

  /** Submits the form of a page and follows the redirects. */
  async submit(path: string, fields: Record<string, string>): Promise<Landing> {
    return await this.follow(path, await this.post(path, { ...hiddenIn((await this.get(path)).text), ...fields }));
  }
}

/** Creates a signed-in user with a new browser. */
export async function personWithBrowser(at?: Pick<Deployment, "one">) {
  const { one } = at ?? (await deployment());
  const person = await registered(one.url);
  const browser = new Browser(one.url);
  Object.assign(browser.client, { jar: person.client.jar });
  return { ...person, browser };
}

/** Creates a user with an account and a browser without cookies. */
export async function strangerWithAccount() {
  const { one } = await deployment();
  const { email } = await registered(one.url);
  return { email, password: PASSWORD, browser: new Browser(one.url) };
}

/** Posts a form to an endpoint for applications. */
export async function sendForm(
  url: string,
  path: string,
  fields: Record<string, string | undefined> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw =
    typeof fields === "string"
      ? fields
      : new URLSearchParams(
          Object.entries(fields).filter(([, value]) => value !== undefined) as [string, string][],
        ).toString();
  return await new Client(url).request("POST", path, {
    raw,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

export function basic({ id, secret }: Pick<TestClient, "id" | "secret">): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
}

export interface Code {
  readonly code: string;
  readonly pkce: Pkce;
}

/** Obtains a code for a signed-in user at a client without consent. */
export async function codeFor(
  client: TestClient,
  browser: Browser,
  more: Record<string, string | undefined> = {},
): Promise<Code> {
  const pkce = makePkce();
  const { location, answer } = await browser.follow(authorizePath(client, pkce.challenge, more));
  const code = location?.searchParams.get("code");
  if (!code) throw new Error(`no code: ${location ?? answer.text.replace(/<[^>]+>/g, " ")}`);
  return { code, pkce };
}

/** `more`: a value of undefined leaves a parameter out. */
export function exchange(
  url: string,
  client: TestClient,
  { code, pkce }: Code,
  more: Record<string, string | undefined> = {},
) {
  const fields = {
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    code_verifier: pkce.verifier,
    ...more,
  };
  return sendForm(url, "/oauth2/token", fields, basic(client));
}

export function refreshAt(url: string, client: TestClient, refresh_token: string, more: Record<string, string> = {}) {
  return sendForm(url, "/oauth2/token", { grant_type: "refresh_token", refresh_token, ...more }, basic(client));
}

export function introspectAt(url: string, client: TestClient, token: string) {
  return sendForm(url, "/oauth2/introspect", { token }, basic(client));
}

/** Obtains the tokens of a user at a client. */
export async function tokensFor(
  client: TestClient,
  browser: Browser,
  more: Record<string, string | undefined> = {},
): Promise<Tokens> {
  const response = await exchange(browser.client.baseUrl, client, await codeFor(client, browser, more));
  if (response.status !== 200) throw new Error(`exchange returned ${response.status}: ${response.text}`);
  return response.body;
}

/** Returns a fetch function that sends requests for the public address to a replica. */
export function fetchAt(url: string) {
  return (input: string | URL | Request, init?: RequestInit) =>
    fetch(String(input instanceof Request ? input.url : input).replace(ISSUER, url), init);
}

/** Configures openid-client by discovery alone. */
export async function discovered(
  client: TestClient,
  url: string,
  metadata: Partial<openid.ClientMetadata> = {},
): Promise<openid.Configuration> {
  const { id, secret: client_secret } = client;
  return await openid.discovery(
    new URL(ISSUER),
    id,
    { ...metadata, client_secret },
    openid.ClientSecretBasic(client.secret),
    {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: fetchAt(url) as never,
    },
  );
}
