/**
 * Serves oidc-provider on Bun with as many connections to PostgreSQL as the service. Argument: a JSON file of
 * `PeerSetup`. Prints the address. `POST /bench/codes?client=…&count=…` returns `count` codes of the client, of the
 * accounts in turn, as JSON. `GET /bench/sessions?client=…` returns the cookies of the accounts, as JSON.
 */
import { createHash, createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration, type JWK } from "oidc-provider";
import postgres from "postgres";
import type { Algorithm, BenchClient } from "../oauth-codes.ts";
import { adapterOf, createModels } from "./adapter.ts";

export interface PeerSetup {
  readonly accounts: readonly string[];
  /** Access tokens requested for the resource of a client are JWTs, all remaining access tokens are opaque. */
  readonly clients: readonly BenchClient[];
}

const LIFETIME_SECONDS = 3600;
const COOKIE_KEY = "a key for the bench";
const setup: PeerSetup = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
const sql = postgres(String(process.env.DATABASE_URL), { max: 16, onnotice: () => undefined });
await createModels(sql);
await sql`create table accounts (id text primary key, email text not null)`;
await sql`insert into accounts select id, id || '@example.test' from unnest(${[...setup.accounts]}::text[]) id`;

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const ed25519 = generateKeyPairSync("ed25519").privateKey;
const jwk = (key: KeyObject, alg: Algorithm) => ({ ...(key.export({ format: "jwk" }) as JWK), use: "sig", alg });
const configuration: Configuration = {
  adapter: (kind) => adapterOf(sql, kind),
  jwks: { keys: [jwk(rsa, "RS256"), jwk(p256, "ES256"), jwk(ed25519, "EdDSA")] },
  enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256", "EdDSA"] },
  clients: setup.clients.map(({ id, secret, redirectUri, algorithm }) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    id_token_signed_response_alg: algorithm,
  })),
  claims: { openid: ["sub"], email: ["email", "email_verified"] },
  cookies: { keys: [COOKIE_KEY] },
  pkce: { required: () => true },
  // As in the service, each code has a refresh token that ends with the session.
  issueRefreshToken: () => true,
  features: {
    introspection: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, audience, { clientId }) => ({
        scope: clientOf(clientId).scopes.join(" "),
        audience,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: clientOf(clientId).algorithm } },
      }),
    },
  },
  interactions: { url: () => "/interaction" },
  async findAccount(_, id) {
    const [row] = await sql<{ email: string }[]>`select email from accounts where id = ${id}`;
    return row && { accountId: id, claims: () => ({ sub: id, email: row.email, email_verified: true }) };
  },
};

const server = createServer();
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(url, configuration);
const handle = provider.callback();
server.on("request", async (request, response) => {
  const { pathname, searchParams } = new URL(String(request.url), url);
  if (pathname === "/bench/sessions") {
    const accounts = signedIn.get(String(searchParams.get("client"))) ?? [];
    return void response.end(JSON.stringify(accounts.map(({ sessionId }) => cookieOf(sessionId))));
  }
  if (pathname !== "/bench/codes") return void handle(request, response);
  const client = clientOf(String(searchParams.get("client")));
  response.end(JSON.stringify(await issueCodes(client, Number(searchParams.get("count")))));
});

function clientOf(id: string): BenchClient {
  const found = setup.clients.find((client) => client.id === id);
  if (!found) throw new Error(`no client ${id}`);
  return found;
}

/** Creates the state that the authorization endpoint leaves: a signed-in session, and the consent of the user. */
async function signIn(accountId: string, { id, scopes, resource }: BenchClient) {
  const grant = new provider.Grant({ accountId, clientId: id });
  grant.addOIDCScope(scopes.join(" "));
  grant.addResourceScope(resource, scopes.join(" "));
  const grantId = await grant.save();
  const session = new provider.Session();
  session.loginAccount({ accountId, loginTs: now() });
  session.grantIdFor(id, grantId);
  await session.save(LIFETIME_SECONDS);
  return { accountId, grantId, sessionUid: session.uid, sessionId: String((session as unknown as { id: string }).id) };
}

/** The cookie of a session, signed as the library signs. */
function cookieOf(sessionId: string): string {
  const cookie = `${provider.cookieName("session")}=${sessionId}`;
  const signature = createHmac("sha1", COOKIE_KEY).update(cookie).digest("base64url");
  return `${cookie}; ${provider.cookieName("session")}.sig=${signature}`;
}

const signIns = setup.clients.map(
  async (client) => [client.id, await Promise.all(setup.accounts.map((account) => signIn(account, client)))] as const,
);
const signedIn = new Map(await Promise.all(signIns));

async function issueCodes({ id, scopes, resource, redirectUri, verifier }: BenchClient, count: number) {
  const client = await provider.Client.find(id);
  const accounts = signedIn.get(id) ?? [];
  const issueCode = async (index: number) => {
    const { sessionId: _sessionId, ...account } = accounts[index % accounts.length] ?? {};
    const code = new provider.AuthorizationCode({
      ...account,
      client,
      authTime: now(),
      redirectUri,
      codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
      codeChallengeMethod: "S256",
      scope: scopes.join(" "),
      resource,
      nonce: "nonce",
      expiresWithSession: true,
      expiresIn: LIFETIME_SECONDS,
    } as never);
    return await code.save();
  };
  return await Promise.all(Array.from({ length: count }, (_, index) => issueCode(index)));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

console.log(JSON.stringify({ url }));
process.on("SIGTERM", () => process.exit(0));
