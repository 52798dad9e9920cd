/** The parts of line 28: programs, users that programs create, a peer, and assertions of workloads. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import postgres from "postgres";
import {
  type Bench,
  createDatabase,
  type Running,
  registerPeerAccounts,
  SERVICE_ENV,
  startProcess,
} from "./harness.ts";
import { insertProgram } from "./insert-key.ts";
import type { Request } from "./send-requests.ts";

export const BATCH = 100;
const ISSUER = "https://issuer.example.test";
const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const API = "https://programs.api.example.test/";
const ASSERTION_SECONDS = 3_600;

const run = randomUUID().slice(0, 8);
let made = 0;

/** The fields of a user who does not exist yet. */
export function newUser(more: object = {}): { readonly email: string } {
  made += 1;
  return { email: `created-${run}-${made}@example.test`, ...more };
}

/** The fields of `BATCH` users of a migration. */
export function newBatch(): { readonly users: readonly object[] } {
  const users = Array.from({ length: BATCH }, () => newUser({ email_verified: true, display_name: "Ada Lovelace" }));
  return { users: users.map((user) => ({ ...user, external_id: user.email })) };
}

/** The access token of a service account, for a key as secret. */
export async function tokenOf(url: string, { accountId, key }: { accountId: string; key: string }): Promise<string> {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: accountId, client_secret: key });
  const response = await fetch(`${url}/oauth2/token`, { method: "POST", body: form });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (!token) throw new Error(`the token endpoint returned ${response.status}`);
  return token;
}

export interface ManagementPeer {
  readonly running: Running;
  /** A session token of an administrator. */
  readonly bearer: string;
}

/** Starts better-auth with an administrator. The first run installs the packages of the folder. */
export async function startManagementPeer(bench: Bench): Promise<ManagementPeer> {
  const folder = join(import.meta.dir, "management-peer");
  if (!existsSync(join(folder, "node_modules"))) {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
  }
  const databaseUrl = await createDatabase(bench.databaseUrl, "management_peer");
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: "production" };
  const running = await startProcess("bench/management-peer/serve.ts", [], env);
  const [account] = await registerPeerAccounts(running.url, 1);
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`update "user" set role = 'admin'`;
  await sql.end();
  return { running, bearer: account?.accessToken ?? "" };
}

type Assertions = (count: number) => Promise<Request[]>;

/** A trust of a service account, and an application with `private_key_jwt`, with keys of equal algorithm. */
export async function insertAssertionClients(
  databaseUrl: string,
): Promise<{ readonly trust: Assertions; readonly application: Assertions }> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "ES256" };
  const { accountId } = await insertProgram(databaseUrl, { organizationId: null, scopes: ["users.read"] });
  const clientId = randomUUID();
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into service_account_trusts (id, service_account_id, name, issuer, keys, audiences, conditions, scopes,
                                        allowed_ips, token_seconds, max_age_seconds, single_use, disabled, created_at,
                                        updated_at)
    values (gen_random_uuid(), ${accountId}, 'bench', ${ISSUER}, ${sql.json([jwk] as never)},
            ${[SERVICE_ENV.SERVICE_PUBLIC_BASE_URL]}, ${sql.json([{ claim: "repository_id", equals: "1" }])},
            '{users.read}', '{}', 900, ${ASSERTION_SECONDS}, true, false, now(), now())`;
  await sql`
    insert into oauth_resources (id, identifier, identifier_key, name, scopes, signing_alg, created_at, updated_at)
    values (gen_random_uuid(), ${API}, ${API}, 'Bench', ${sql.json([{ name: "api:read", description: "Read" }])},
            'RS256', now(), now())`;
  await sql`
    insert into oauth_clients (id, name, application_type, token_auth_method, redirect_uris, post_logout_redirect_uris,
                               grant_types, scopes, resources, audiences, first_party, subject_type, jwks, created_at,
                               updated_at)
    values (${clientId}, 'Bench', 'web', 'private_key_jwt', '{}', '{}', '{client_credentials}', '{api:read}', ${[API]},
            '{}', false, 'public', ${sql.json([jwk] as never)}, now(), now())`;
  await sql.end();
  async function assertionsOf(count: number, client: string, claims: object, more: Record<string, string>) {
    const requests: Request[] = [];
    for (let index = 0; index < count; index += 1) {
      const assertion = await new SignJWT({ ...claims, jti: randomUUID() })
        .setProtectedHeader({ alg: "ES256", kid: "bench" })
        .setAudience(SERVICE_ENV.SERVICE_PUBLIC_BASE_URL)
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey);
      const fields = { grant_type: "client_credentials", client_id: client, client_assertion_type: JWT_BEARER };
      requests.push({ form: String(new URLSearchParams({ ...fields, client_assertion: assertion, ...more })) });
    }
    return requests;
  }
  return {
    trust: (count) => assertionsOf(count, accountId, { iss: ISSUER, sub: "job", repository_id: "1" }, {}),
    application: (count) =>
      assertionsOf(count, clientId, { iss: clientId, sub: clientId }, { scope: "api:read", resource: API }),
  };
}
