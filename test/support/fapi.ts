/** A client of the FAPI 2.0 test plan: private_key_jwt, pushed requests, DPoP and OpenID Connect. */
import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { deployment } from "./deployment.ts";
import { makeProof, makeProofKey, type ProofKey, type ProofParts } from "./dpop.ts";
import { type Browser, CALLBACK, makePkce, type Pkce, registerClient, sendForm } from "./oauth.ts";
import { ISSUER } from "./replica.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ASSERTION_SECONDS = 60;
export const PAR = "/oauth2/par";
export const TOKEN = "/oauth2/token";

export interface FapiClient {
  readonly id: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly proofKey: ProofKey;
}

/** `settings` replaces settings of the plan; a value of undefined leaves a setting out. */
export async function fapiClient(settings: Record<string, unknown> = {}, alg = "ES256"): Promise<FapiClient> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg, use: "sig", kid: randomUUID() };
  const { id } = await registerClient({
    name: "Bank application",
    token_endpoint_auth_method: "private_key_jwt",
    profile: "fapi2",
    keys: [jwk],
    scopes: ["openid", "profile", "email", "offline_access"],
    resources: [],
    ...settings,
  });
  return { id, alg, privateKey, proofKey: await makeProofKey(alg === "RS256" ? "ES256" : alg) };
}

const now = () => Math.floor(Date.now() / 1000);

/** A JWT of the client about itself. A claim of undefined is left out. */
export async function assertionOf(
  client: FapiClient,
  claims: Record<string, unknown> = {},
  { alg = client.alg, key = client.privateKey }: { readonly alg?: string; readonly key?: CryptoKey } = {},
): Promise<string> {
  const base = { iss: client.id, sub: client.id, aud: ISSUER, jti: randomUUID(), exp: now() + ASSERTION_SECONDS };
  const payload = { ...base, iat: now(), ...claims };
  return await new SignJWT(payload as never).setProtectedHeader({ alg }).sign(key);
}

export type Fields = Record<string, string | undefined>;

/** How a request of a client differs from a request by the plan. */
export interface Difference {
  readonly fields?: Fields;
  /** Null: without authentication. */
  readonly assertion?: string | null;
  /** Undefined: by default. */
  readonly proof?: ProofParts | "none";
  readonly proofKey?: ProofKey;
  /** By default the first replica of the shared deployment. */
  readonly url?: string;
}

async function credentialsOf(client: FapiClient, { assertion }: Difference): Promise<Fields> {
  if (assertion === null) return { client_id: client.id };
  return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion ?? (await assertionOf(client)) };
}

async function sendAs(client: FapiClient, path: string, fields: Fields, difference: Difference, hasProof: boolean) {
  const { one } = await deployment();
  const { proof, proofKey = client.proofKey, url = one.url } = difference;
  const parts = proof === undefined ? {} : proof;
  const needsProof = parts !== "none" && (hasProof || proof !== undefined);
  const headers = needsProof ? { dpop: await makeProof(proofKey, { path, ...parts }) } : undefined;
  const all = { ...fields, ...(await credentialsOf(client, difference)), ...difference.fields };
  return await sendForm(url, path, all, headers);
}

export async function pushAs(client: FapiClient, pkce: Pkce, difference: Difference = {}) {
  const fields = {
    client_id: client.id,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: "openid offline_access",
    state: "the state",
    nonce: "the nonce",
    code_challenge: pkce.challenge,
    code_challenge_method: "S256",
  };
  return await sendAs(client, PAR, fields, difference, false);
}

export function authorizePathOf({ id }: FapiClient, requestUri: string, more: Record<string, string> = {}): string {
  return `/oauth2/authorize?${new URLSearchParams({ client_id: id, request_uri: requestUri, ...more })}`;
}

export interface FapiCode {
  readonly code: string;
  readonly pkce: Pkce;
  readonly response: URLSearchParams;
}

/** Pushes a request and follows the browser to the redirect URI. */
export async function authorizeAs(
  client: FapiClient,
  browser: Browser,
  difference: Difference = {},
): Promise<FapiCode> {
  const pkce = makePkce();
  const pushed = await pushAs(client, pkce, difference);
  if (pushed.status !== 201) throw new Error(`the push returned ${pushed.status}: ${pushed.text}`);
  const { location } = await browser.follow(authorizePathOf(client, pushed.body.request_uri));
  const response = location?.searchParams ?? new URLSearchParams();
  return { code: response.get("code") ?? "", pkce, response };
}

export async function exchangeAs(client: FapiClient, { code, pkce }: FapiCode, difference: Difference = {}) {
  const fields = {
    client_id: client.id,
    grant_type: "authorization_code",
    code,
    redirect_uri: CALLBACK,
    code_verifier: pkce.verifier,
  };
  return await sendAs(client, TOKEN, fields, difference, true);
}

export async function refreshAs(client: FapiClient, refreshToken: string, difference: Difference = {}) {
  const fields = { client_id: client.id, grant_type: "refresh_token", refresh_token: refreshToken };
  return await sendAs(client, TOKEN, fields, difference, true);
}
