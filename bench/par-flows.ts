/**
 * Repeats complete sign-ins for an application without pause: pushed request, authorization, exchange of the code.
 * Arguments: a JSON file of `ParFlows`, and seconds. Prints `{perSecond}` as JSON.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { BenchClient } from "./oauth-codes.ts";

export interface ParFlows {
  readonly url: string;
  readonly paths: { readonly par: string; readonly authorize: string; readonly token: string };
  readonly client: BenchClient;
  /** The cookies of signed-in browsers, each of which signs in again and again. */
  readonly cookies: readonly string[];
}

const { url, paths, client, cookies }: ParFlows = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
const seconds = Number(process.argv[3]);
const headers = {
  authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`,
  "content-type": "application/x-www-form-urlencoded",
};
const challenge = createHash("sha256").update(client.verifier).digest("base64url");
const parameters = {
  client_id: client.id,
  response_type: "code",
  redirect_uri: client.redirectUri,
  scope: client.scopes.join(" "),
  resource: client.resource,
  code_challenge: challenge,
  code_challenge_method: "S256",
  nonce: "nonce",
};

async function post(path: string, fields: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: String(new URLSearchParams(fields)) });
  const body = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

async function signIn(cookie: string): Promise<void> {
  const { request_uri = "" } = await post(paths.par, parameters);
  const search = new URLSearchParams({ client_id: client.id, request_uri });
  const answer = await fetch(`${url}${paths.authorize}?${search}`, { redirect: "manual", headers: { cookie } });
  const location = answer.headers.get("location") ?? "";
  const code = URL.canParse(location) ? new URL(location).searchParams.get("code") : null;
  if (!code) throw new Error(`${paths.authorize} returned ${answer.status} ${location}: ${await answer.text()}`);
  const { redirectUri: redirect_uri, verifier: code_verifier, resource } = client;
  const grant = { grant_type: "authorization_code", code, redirect_uri, code_verifier, resource };
  const { access_token } = await post(paths.token, grant);
  if (!access_token) throw new Error("no access token");
}

let done = 0;
const startedAt = performance.now();
const untilMs = startedAt + seconds * 1000;
await Promise.all(
  cookies.map(async (cookie) => {
    while (performance.now() < untilMs) {
      await signIn(cookie);
      done += 1;
    }
  }),
);
console.log(JSON.stringify({ perSecond: (done * 1000) / (performance.now() - startedAt) }));
