/**
 * `bun bench/claim-mappings.ts [rounds]` compares the exchange of a code and a refresh of an application with ten claim
 * mappings (three expressions, users in 50 groups) with an application without mappings, alternately at one service.
 * The goal is 0.8 of the rate.
 */
import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { alternate, fixed, type Running, registerAccounts, startService, whole, withServers } from "./harness.ts";
import { type BenchClient, CLIENTS, insertClients, insertCodes } from "./oauth-codes.ts";
import { sendRequests } from "./send-requests.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = 2;
const CONNECTIONS = 16;
const ACCOUNTS = 64;
const GROUPS = 50;
/** More than the service answers in a second. */
const REQUESTS_PER_SECOND = 1_500;
const GOAL = 0.8;

const MAPPINGS = [
  { claim: "groups", attribute: "groups", qualified: true },
  { claim: "roles", attribute: "roles", qualified: true },
  { claim: "uid", attribute: "user.id" },
  { claim: "number", attribute: "user.number" },
  { claim: "tenant", attribute: "organization.id" },
  { claim: "nickname", attribute: "user.login" },
  { claim: "plan", constant: { name: "gold" } },
  { claim: "level", expression: 'session.acr == "aal2" ? "high" : "low"' },
  { claim: "is_staff", expression: 'user.managed && user.email.endsWith("@example.com")' },
  { claim: "account", expression: '{"id": user.id, "organization": organization.id}' },
].map((mapping) => ({
  scope: null,
  qualified: false,
  allow_user_control: true,
  in: ["id_token", "userinfo"],
  ...mapping,
}));

const MAPPED: BenchClient = {
  ...CLIENTS.RS256,
  id: crypto.randomUUID(),
  secret: randomBytes(32).toString("base64url"),
};

await withServers(async (servers) => {
  const { databaseUrl } = servers;
  await insertClients(databaseUrl);
  await copyClient(databaseUrl);
  const running = await startService(servers);
  await registerAccounts(running.url, ACCOUNTS);
  await insertGroups(databaseUrl);
  const of = (work: typeof exchanges) => (client: BenchClient) => () => work(running, databaseUrl, client);
  for (const [name, work] of Object.entries({ exchange: of(exchanges), refresh: of(refreshes) })) {
    // The first round runs before the runtime has compiled the code.
    for (const client of [MAPPED, CLIENTS.RS256]) await work(client)();
    const { a, b, ratio } = await alternate(ROUNDS, work(MAPPED), work(CLIENTS.RS256));
    const verdict = ratio >= GOAL ? "reached" : "missed";
    console.log(`${name}: ${whole(a)} with mappings, ${whole(b)} without: ${fixed(ratio)} (${GOAL} ${verdict})`);
  }
  await running.stop();
});
process.exit(0);

/** The application with mappings: a copy of the other application. */
async function copyClient(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into oauth_clients (id, name, application_type, token_auth_method, redirect_uris, post_logout_redirect_uris,
                               grant_types, scopes, resources, audiences, first_party, subject_type,
                               id_token_signed_response_alg, claim_mappings, created_at, updated_at)
    select ${MAPPED.id}, name, application_type, token_auth_method, redirect_uris, post_logout_redirect_uris,
           grant_types, scopes, resources, audiences, first_party, subject_type, id_token_signed_response_alg,
           ${sql.json(MAPPINGS)}, now(), now()
    from oauth_clients where id = ${CLIENTS.RS256.id}`;
  await sql`
    insert into oauth_client_secrets (id, client_id, secret_hash, created_at)
    values (gen_random_uuid(), ${MAPPED.id}, sha256(${MAPPED.secret}::bytea), now())`;
  await sql.end();
}

/** Every user is in every group of the own organization. */
async function insertGroups(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into member_groups (id, organization_id, name, name_key, description, created_at, updated_at)
    select gen_random_uuid(), o.id, 'team-' || n, 'team-' || n, '', now(), now()
    from organizations o, generate_series(1, ${GROUPS}) n`;
  await sql`
    insert into member_group_members (group_id, organization_id, user_id, added_at)
    select g.id, g.organization_id, m.user_id, now()
    from member_groups g join members m using (organization_id)`;
  await sql`analyze member_groups, member_group_members, members, users`;
  await sql.end();
}

/** Exchanges of codes a second, each code once. */
async function exchanges({ url }: Running, databaseUrl: string, client: BenchClient): Promise<number> {
  const codes = await insertCodes(databaseUrl, client, REQUESTS_PER_SECOND * SECONDS);
  const requests = codes.map((code) => ({ authorization: authorizationOf(client), form: exchangeForm(client, code) }));
  return sendRequests(`${url}/oauth2/token`, SECONDS, CONNECTIONS, requests);
}

/** Refreshes a second, each refresh token once. */
async function refreshes({ url }: Running, databaseUrl: string, client: BenchClient): Promise<number> {
  const codes = await insertCodes(databaseUrl, client, REQUESTS_PER_SECOND * SECONDS);
  const tokens: string[] = [];
  const exchange = async () => {
    for (let code = codes.pop(); code !== undefined; code = codes.pop()) {
      const body = exchangeForm(client, code);
      const headers = {
        authorization: authorizationOf(client),
        "content-type": "application/x-www-form-urlencoded",
      };
      const response = await fetch(`${url}/oauth2/token`, { method: "POST", headers, body });
      const { refresh_token: token } = (await response.json()) as { readonly refresh_token?: string };
      if (!token) throw new Error(`an exchange returned ${response.status}`);
      tokens.push(token);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, exchange));
  const requests = tokens.map((token) => ({
    authorization: authorizationOf(client),
    form: String(new URLSearchParams({ grant_type: "refresh_token", refresh_token: token })),
  }));
  return sendRequests(`${url}/oauth2/token`, SECONDS, CONNECTIONS, requests);
}

function exchangeForm(client: BenchClient, code: string): string {
  const fields = { grant_type: "authorization_code", code, redirect_uri: client.redirectUri };
  return String(new URLSearchParams({ ...fields, code_verifier: client.verifier, resource: client.resource }));
}

function authorizationOf({ id, secret }: BenchClient): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}
