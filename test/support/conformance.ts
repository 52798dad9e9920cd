/**
 * Requests of the conformance suite of the OpenID Foundation, exactly as the modules send the requests
 * (`AbstractOIDCCServerTest` of the suite, release of August 2026).
 */

import { expect } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { createLocalJWKSet, type JWTPayload, jwtVerify } from "jose";
import { type Answer, Client, PASSWORD } from "./client.ts";
import {
  type Browser,
  basic,
  CALLBACK,
  type Landing,
  makePkce,
  type Pkce,
  sendForm,
  type TestClient,
} from "./oauth.ts";
import { ISSUER } from "./replica.ts";

/** A client of the suite in one of the settings of docs/conformance.md. */
export interface RelyingParty {
  readonly client: TestClient;
  /** `response_mode=form_post`, as in the plan of form post. */
  readonly formPost: boolean;
  /** The only addition to the requests of the suite, for a client with the default settings. */
  readonly withPkce: boolean;
}

export type Extra = Readonly<Record<string, string | undefined>>;

const RANDOM_BYTES = 5;
/** As long as the values of the suite: 10 characters. */
const randomText = () => randomBytes(RANDOM_BYTES).toString("hex");

export interface SentRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly path: string;
  readonly pkce: Pkce | undefined;
}

/** The authorization request of a module. A value of undefined leaves a parameter out. */
export function requestOf({ client, formPost, withPkce }: RelyingParty, extra: Extra = {}): SentRequest {
  const pkce = withPkce ? makePkce() : undefined;
  const parameters = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: "openid",
    state: randomText(),
    nonce: randomText(),
    response_type: "code",
    ...(formPost ? { response_mode: "form_post" } : {}),
    ...(pkce ? { code_challenge: pkce.challenge, code_challenge_method: "S256" } : {}),
    ...extra,
  };
  const sent = Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { parameters: sent, path: `/oauth2/authorize?${new URLSearchParams(sent)}`, pkce };
}

/** The parameters at the redirect URI, by query or by form; undefined while a page of the service is displayed. */
export function responseIn({ location, answer }: Landing, { formPost }: RelyingParty): URLSearchParams | undefined {
  if (!formPost) return location?.searchParams;
  if (!answer.text.includes(`action="${CALLBACK}"`)) return undefined;
  const inputs = answer.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return new URLSearchParams([...inputs].map(([, name = "", value = ""]) => [name, value]));
}

/** Sends the request of a module and returns the response at the redirect URI with the `state` of the request. */
export async function authorizeAs(party: RelyingParty, browser: Browser, extra?: Extra) {
  const request = requestOf(party, extra);
  const response = responseIn(await browser.follow(request.path), party);
  expect([response?.get("state"), response?.get("iss")]).toEqual([request.parameters.state, ISSUER]);
  return { request, response: response ?? new URLSearchParams() };
}

/** The token request of a module: by HTTP Basic, and without a verifier if the request had no challenge. */
export function exchangeAs({ client }: RelyingParty, url: string, code: string, pkce: Pkce | undefined) {
  const fields = { grant_type: "authorization_code", code, redirect_uri: client.redirectUri };
  return sendForm(url, "/oauth2/token", { ...fields, code_verifier: pkce?.verifier }, basic(client));
}

export interface ModuleTokens {
  readonly code: string;
  readonly pkce: Pkce | undefined;
  readonly body: { access_token: string; id_token: string; refresh_token: string; scope: string };
  readonly claims: JWTPayload;
}

/** The tokens of a response, with the checks of `PerformStandardIdTokenChecks`. */
export async function tokensIn(
  party: RelyingParty,
  url: string,
  { request, response }: { readonly request: SentRequest; readonly response: URLSearchParams },
): Promise<ModuleTokens> {
  const code = response.get("code") ?? "";
  const exchanged = await exchangeAs(party, url, code, request.pkce);
  expect([exchanged.status, exchanged.body.error_description]).toEqual([200, undefined]);
  const { access_token, id_token } = exchanged.body;
  const keys = createLocalJWKSet((await new Client(url).get("/.well-known/jwks.json")).body);
  const { payload } = await jwtVerify(id_token, keys, { issuer: ISSUER, audience: party.client.id });
  const hash = createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url");
  expect([payload.nonce, payload.at_hash]).toEqual([request.parameters.nonce, hash]);
  return { code, pkce: request.pkce, body: exchanged.body, claims: payload };
}

/** The whole flow of a module in a browser with a session. */
export async function runModule(party: RelyingParty, browser: Browser, extra?: Extra): Promise<ModuleTokens> {
  return await tokensIn(party, browser.client.baseUrl, await authorizeAs(party, browser, extra));
}

/** Signs in on the page displayed to a browser, for the request of a module. */
export async function signInFor(party: RelyingParty, browser: Browser, email: string, extra: Extra) {
  const request = requestOf(party, extra);
  const { path } = await browser.follow(request.path);
  expect(path).toStartWith("/sign-in?return_to=");
  const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
  const landing = await browser.follow(
    "/sign-in",
    await browser.post("/sign-in", { email, password: PASSWORD, return_to }),
  );
  return { request, response: responseIn(landing, party) ?? new URLSearchParams() };
}

export function userInfoAt(url: string, accessToken: string): Promise<Answer> {
  return new Client(url).get("/oauth2/userinfo", { headers: { authorization: `Bearer ${accessToken}` } });
}
