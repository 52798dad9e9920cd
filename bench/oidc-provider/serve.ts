/**
 * Serves oidc-provider on Bun with as many connections to PostgreSQL as the service. Argument: a JSON file of
 * `PeerSetup`. Prints the address. `POST /bench/codes?count=…` returns `count` codes, of the accounts in turn, as JSON.
 */
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration, type JWK } from "oidc-provider";
import postgres from "postgres";
import { adapterOf, createModels } from "./adapter.ts";

export interface PeerSetup {
  readonly accounts: readonly string[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scope: string;
  /** A resource server: access tokens requested for the resource are JWTs, all remaining access tokens are opaque. */
  readonly resource: string;
}

const LIFETIME_SECONDS = 3600;
const setup: PeerSetup = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
const sql = postgres(String(process.env.DATABASE_URL), { max: 16, onnotice: () => undefined });
await createModels(sql);
await sql`create table accounts (id text primary key, email text not null)`;
await sql`insert into accounts select id, id || '@example.test' from unnest(${[...setup.accounts]}::text[]) id`;

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const configuration: Configuration = {
  adapter: (kind) => adapterOf(sql, kind),
  jwks: { keys: [{ ...(privateKey.export({ format: "jwk" }) as JWK), use: "sig", alg: "RS256" }] },
  clients: [
    {
      client_id: setup.clientId,
      client_secret: setup.clientSecret,
      redirect_uris: [setup.redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"] },
  cookies: { keys: ["a key for the bench"] },
  pkce: { required: () => true },
  // As in the service, each code has a refresh token that ends with the session.
  issueRefreshToken: () => true,
  features: {
    introspection: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, audience) => ({
        scope: setup.scope,
        audience,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "RS256" } },
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
  if (pathname !== "/bench/codes") return void handle(request, response);
  response.end(JSON.stringify(await issueCodes(Number(searchParams.get("count")))));
});

/** Creates the state that the authorization endpoint leaves: a signed-in session, and the consent of the user. */
async function signIn(accountId: string) {
  const grant = new provider.Grant({ accountId, clientId: setup.clientId });
  grant.addOIDCScope(setup.scope);
  grant.addResourceScope(setup.resource, setup.scope);
  const grantId = await grant.save();
  const session = new provider.Session();
  session.loginAccount({ accountId, loginTs: now() });
  session.grantIdFor(setup.clientId, grantId);
  await session.save(LIFETIME_SECONDS);
  return { accountId, grantId, sessionUid: session.uid };
}

const signedIn = await Promise.all(setup.accounts.map(signIn));
const client = await provider.Client.find(setup.clientId);
if (!client) throw new Error("the client is not there");

async function issueCodes(count: number): Promise<string[]> {
  const issueCode = async (index: number) => {
    const code = new provider.AuthorizationCode({
      ...signedIn[index % signedIn.length],
      client,
      authTime: now(),
      redirectUri: setup.redirectUri,
      codeChallenge: setup.codeChallenge,
      codeChallengeMethod: "S256",
      scope: setup.scope,
      resource: setup.resource,
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
