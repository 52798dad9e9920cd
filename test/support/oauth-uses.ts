/** Presentations of the single-use secrets of the OpenID provider, without HTTP. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { rateLimited } from "../../src/base/problem.ts";
import { err, ok } from "../../src/base/result.ts";
import type { Deps } from "../../src/deps.ts";
import { beginAuthorization } from "../../src/flows/oauth/authorize/authorize.ts";
import { pushRequest } from "../../src/flows/oauth/authorize/push-request.ts";
import { resolveRequest } from "../../src/flows/oauth/authorize/resolve-request.ts";
import { approveDevice } from "../../src/flows/oauth/device/decide.ts";
import { findDeviceByCode } from "../../src/flows/oauth/device/find-request.ts";
import { requestDeviceCodes } from "../../src/flows/oauth/device/request-codes.ts";
import type { ClientCredentials } from "../../src/flows/oauth/request/authenticate-client.ts";
import { readParameters } from "../../src/flows/oauth/request/parameters.ts";
import { OAUTH_PUSHED_REQUESTS_MAX } from "../../src/limits/oauth-limits.ts";
import type { HashPool, SignPool } from "../../src/pool/pool.ts";
import { DEVICE_GRANT } from "../../src/vocabulary/grant-type.ts";
import { type Account, callerOf, clientAt, unwrap } from "./accounts.ts";
import type { Flows } from "./flows.ts";
import { makePkce } from "./oauth.ts";
import { exchangeIn, type FlowClient, flowClient, flowCode, REDIRECT_URI, requestTokens } from "./oauth-flows.ts";

const ISSUER = "http://localhost:3000";

export interface UseContext {
  readonly flows: Flows;
  readonly account: Account;
  /** A client with the grants of codes, refresh tokens and devices. */
  readonly application: FlowClient;
}

/** One presentation of the secret: "ok", or the code of the problem. */
export type Present = (deps: Deps) => Promise<string>;

const idle = { queued: 0, workers: 1, secondsToDrain: () => 1, close: async () => undefined };
const refuse = async () => ({ ok: false, code: "queue_full" });
const without = { ...idle, admit: () => undefined, run: refuse, runBehind: refuse };

/** The dependencies of a replica without a free slot for a hash or a signature. */
export function fullDeps(deps: Deps): Deps {
  return { ...deps, hashing: without as HashPool, signing: without as SignPool };
}

function isFull({ signing }: Deps): boolean {
  return signing === without;
}

async function tokensBy(flows: Flows, application: FlowClient, fields: Record<string, string>): Promise<string> {
  const issued = await requestTokens(flows, application, fields);
  return typeof issued === "string" ? issued : "ok";
}

export async function authorizationCode({ flows, account, application }: UseContext): Promise<Present> {
  const { code, pkce } = await flowCode(flows, application, account);
  const fields = { code, redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier };
  return (deps) => tokensBy({ ...flows, deps }, application, { grant_type: "authorization_code", ...fields });
}

export async function refreshToken({ flows, account, application }: UseContext): Promise<Present> {
  const issued = await exchangeIn(flows, application, await flowCode(flows, application, account, "openid"));
  if (typeof issued === "string") throw new Error(issued);
  let presented = issued.refreshToken ?? "";
  return async (deps) => {
    const refreshed = await requestTokens({ ...flows, deps }, application, {
      grant_type: "refresh_token",
      refresh_token: presented,
    });
    // A repeat within seconds gives equal tokens, so the last presentation is a text that was never issued.
    if (typeof refreshed !== "string") presented = `${presented}x`;
    return typeof refreshed === "string" ? refreshed : "ok";
  };
}

export async function deviceCode({ flows, account, application }: UseContext): Promise<Present> {
  const codes = await requestDeviceCodes(flows.deps, credentials({ scope: "openid" }, application));
  if (!codes.ok) throw new Error(codes.error.description);
  const session = await callerOf(flows, account.signedIn);
  const find = { session, userCode: codes.value.userCode, client: clientAt() };
  const { request } = unwrap(await findDeviceByCode(flows.deps, find));
  unwrap(await approveDevice(flows.deps, { session, id: request.id, requestContext: clientAt() }));
  return (deps) =>
    tokensBy({ ...flows, deps }, application, { grant_type: DEVICE_GRANT, device_code: codes.value.deviceCode });
}

function credentials(
  fields: Record<string, string>,
  of: Pick<FlowClient, "client" | "secret">,
): ClientCredentials & { proof: null } {
  const parameters = readParameters(new URLSearchParams(fields));
  if (!parameters.ok) throw new Error(parameters.error.description);
  const authorization = of.secret ? `Basic ${Buffer.from(`${of.client.id}:${of.secret}`).toString("base64")}` : null;
  return { authorization, parameters: parameters.value, requestContext: clientAt(), proof: null };
}

const requestOf = ({ client }: FlowClient) => ({
  response_type: "code",
  client_id: client.id,
  redirect_uri: REDIRECT_URI,
  scope: "openid",
  code_challenge: makePkce().challenge,
  code_challenge_method: "S256",
});

const LIMITED = rateLimited("limit_oauth_waiting", 60, "limit oauth_waiting");

/** The authorization endpoint for a browser without a session; `full()` stands for the limit of waiting requests. */
function authorizeWith(fields: Record<string, string>): Present {
  return async (deps) => {
    const resolved = await resolveRequest(deps, new URLSearchParams(fields), "192.0.2.1");
    if (!resolved.ok) return resolved.error.oauth;
    const isLimited = isFull(deps);
    const started = await beginAuthorization(deps, {
      ...resolved.value,
      session: undefined,
      browserToken: undefined,
      requestContext: clientAt(),
      admitWaiting: async () => (isLimited ? err(LIMITED) : ok(undefined)),
    });
    if (!started.ok) return "oauth" in started.error ? started.error.oauth : started.error.code;
    return started.value.kind === "wait" ? "ok" : "response";
  };
}

export async function pushedRequest({ flows, application }: UseContext): Promise<Present> {
  const form = requestOf(application);
  const pushed = await pushRequest(flows.deps, credentials(form, application), new URLSearchParams(form), async () =>
    ok(undefined),
  );
  if (!pushed.ok) throw new Error(pushed.error.description);
  return authorizeWith({ client_id: application.client.id, request_uri: pushed.value.requestUri });
}

async function signingClient({ flows, account }: UseContext) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), alg: "ES256" }];
  const signer = await flowClient(flows, account, { tokenAuthMethod: "private_key_jwt", keys: keys as never });
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT({ iss: signer.client.id, aud: ISSUER, jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: "ES256" })
      .setNotBefore(new Date(flows.clock.now()))
      .setExpirationTime(new Date(flows.clock.now() + 60_000))
      .sign(privateKey);
  return { signer, object: await sign(requestOf(signer)), sign };
}

export async function requestObject(context: UseContext): Promise<Present> {
  const { signer, object } = await signingClient(context);
  return authorizeWith({ client_id: signer.client.id, request: object });
}

/** While 10,000 pushed requests of the client wait, a push is refused; the object works afterwards. */
export async function pushedObject(context: UseContext): Promise<Present> {
  const { flows } = context;
  const { signer, object, sign } = await signingClient(context);
  const waiting = (isMany: boolean) =>
    isMany
      ? flows.sql`
          insert into oauth_requests (handle_hash, client_id, parameters, created_at, expires_at)
          select sha256(gen_random_uuid()::text::bytea), ${signer.client.id}, '{}', ${new Date(flows.clock.now())},
                 ${new Date(flows.clock.now() + 60_000)} from generate_series(1, ${OAUTH_PUSHED_REQUESTS_MAX})`
      : flows.sql`delete from oauth_requests where client_id = ${signer.client.id}`;
  return async (deps) => {
    await waiting(isFull(deps));
    const form = {
      client_id: signer.client.id,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await sign({ sub: signer.client.id }),
      request: object,
    };
    const presented = credentials(form, { client: signer.client, secret: "" });
    const pushed = await pushRequest(deps, presented, new URLSearchParams(form), async () => ok(undefined));
    return pushed.ok ? "ok" : pushed.error.oauth;
  };
}
