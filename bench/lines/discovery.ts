import postgres from "postgres";
import { DEFAULT_OIDC_CONFIG } from "../../src/vocabulary/sso/oidc-config.ts";
import {
  alternate,
  type Bench,
  fixed,
  median,
  type Row,
  type Running,
  startServiceWithEmptyRoute,
  whole,
} from "../harness.ts";
import { sendRequests } from "../send-requests.ts";
import { memoryMib } from "../side-by-side.ts";
import { insertSamlCompanies } from "../sso-companies.ts";

const CONNECTIONS = 10_000;
const MEMORY_GOAL_MIB = 60;
const RATE_GOAL = 0.6;
const START_GOAL_MS = 5;
const STARTS = 500;
const CLIENTS = 16;
/** Requests in turn: a quarter of the addresses has no single sign-on. */
const ADDRESSES = 1_000;
const SECONDS = 4;

/**
 * Line 19: discovery of single sign-on with 10,000 connections in memory, beside an empty Elysia route of the same
 * process that parses the body of a POST, and the memory of the connections.
 */
export async function discoveryLines(bench: Bench): Promise<Row[]> {
  const without = await startServiceWithEmptyRoute(bench);
  const before = await memoryUnderLoad(without);
  await without.stop();
  await insertConnections(bench.databaseUrl);
  const [company] = await insertSamlCompanies(bench.databaseUrl, ["started"]);
  const service = await startServiceWithEmptyRoute(bench);
  const grown = (await memoryUnderLoad(service)) - before;
  const seconds = Math.ceil(SECONDS / bench.hurry);
  const rate = await alternate(
    bench.rounds,
    async () => sendRequests(discoverUrl(service), seconds, CLIENTS, REQUESTS),
    async () => sendRequests(service.emptyUrl, seconds, CLIENTS, REQUESTS),
  );
  const startMs = await startLatencyMs(`${service.url}/v1/auth/sso/${company.connectionId}/start`);
  await service.stop();
  return [
    {
      line: "19",
      work: `POST /v1/auth/sso/discover, ${whole(CONNECTIONS)} connections`,
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)}/s of an empty Elysia route with a body`,
      ratio: fixed(rate.ratio),
      goal: `at least ${RATE_GOAL}`,
      reached: rate.ratio >= RATE_GOAL,
      score: rate.ratio,
    },
    {
      line: "19",
      work: `memory that ${whole(CONNECTIONS)} connections add`,
      measured: `${whole(Math.max(0, grown))} MiB`,
      compared: "",
      ratio: "",
      goal: `at most ${MEMORY_GOAL_MIB} MiB`,
      reached: grown <= MEMORY_GOAL_MIB,
      score: grown,
    },
    {
      line: "19",
      work: `GET /v1/auth/sso/:connection_id/start by SAML, ${whole(CONNECTIONS)} connections, median`,
      measured: `${fixed(startMs)} ms`,
      compared: "",
      ratio: "",
      goal: `below ${START_GOAL_MS} ms`,
      reached: startMs < START_GOAL_MS,
      score: startMs,
    },
  ];
}

/** The start reads the connection from memory and inserts a request; by SAML no document of the provider is read. */
async function startLatencyMs(url: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const startedAt = performance.now();
    const { status } = await fetch(url, { redirect: "manual" });
    if (status !== 302) throw new Error(`a start has the status ${status}`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const discoverUrl = ({ url }: Running) => `${url}/v1/auth/sso/discover`;
const REQUESTS = Array.from({ length: ADDRESSES }, (_, index) => ({
  json: { email: `ada@company${index % 4 === 0 ? CONNECTIONS + index : index}.test` },
}));

/** After requests to the endpoint, so that compiled code counts on both sides. */
async function memoryUnderLoad(service: Running): Promise<number> {
  sendRequests(discoverUrl(service), 2, CLIENTS, REQUESTS);
  return memoryMib(service.pid);
}

/** One organization with a verified domain, a connection and a policy for each connection, by SQL. */
async function insertConnections(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  const config = { ...DEFAULT_OIDC_CONFIG, issuer: "https://idp.example.com/tenant", client_id: "service" };
  await sql`
    with numbers as (select n, gen_random_uuid() as id from generate_series(0, ${CONNECTIONS - 1}::int) n),
    owned as (
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      select id, 'Company ' || n, 'company-' || n, 'standard', now(), now() from numbers returning id
    ),
    held as (
      insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
      select gen_random_uuid(), id, 'company' || n || '.test', 'token', 'verified', now(), now() from numbers
    ),
    connected as (
      insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, created_at,
                                   updated_at)
      select gen_random_uuid(), id, 'oidc', 'Company ' || n, 'custom', 'active', ${sql.json(config as never)}, 1, now(),
             now() from numbers
    )
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    select id, 'optional', 'own_methods', '{}', 'on', 'member', '[]', 'always', false, 1, now() from numbers`;
  await sql.end();
}
