/**
 * `bun bench/capacity.ts` measures the CPU time of each operation per component and the bytes of each row, and writes
 * the two tables of docs/capacity.md.
 */
import postgres from "postgres";
import { type Costs, PARTS, totalOf, withCosts } from "./cpu.ts";
import { type Account, fixed, registerAccounts, type Servers, startService, whole, withServers } from "./harness.ts";
import { load } from "./run-load.ts";
import { freshDatabase } from "./scale.ts";
import { seed } from "./seed.ts";
import { writeTable } from "./tables.ts";

const SECONDS = 6;
const SEEDED_USERS = 100_000;
const SEEDED_AUDIT_ROWS = 1_000_000;
const ANY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g";
const OPERATIONS = ["login", "refresh", "session", "signUp"] as const;

const [costs, sizes] = await withServers(async (servers) => {
  return [await measureCosts(servers), await measureSizes(servers)] as const;
});
const tables = { costs: costTable(costs), sizes: sizeTable(sizes) };
for (const [name, table] of Object.entries(tables)) {
  writeTable("docs/capacity.md", name, table);
  console.log(`${table}\n`);
}
process.exit(0);

async function measureCosts(servers: Servers): Promise<Record<string, Costs>> {
  const service = await startService(servers);
  let accounts: Account[] = await registerAccounts(service.url, 64);
  const found: Record<string, Costs> = {};
  for (const operation of OPERATIONS) {
    accounts = (await load(operation, service.url, 16, 1, accounts)).accounts;
    const work = () => load(operation, service.url, 16, SECONDS, accounts);
    const measured = await withCosts(servers, service, SECONDS, work);
    accounts = measured.load.accounts;
    found[operation] = measured.costs;
  }
  await service.stop();
  return found;
}

/** Measures users and audit records of a seeded database, and sessions of the database that the load has filled. */
async function measureSizes(bench: Servers): Promise<[what: string, bytes: number][]> {
  const seeded = await freshDatabase(bench, "capacity");
  await seed(seeded, SEEDED_USERS, SEEDED_AUDIT_ROWS, ANY_HASH);
  const perRow = async (url: string, parent: string): Promise<number> => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    const [row] = await sql<{ bytes: number }[]>`
      select (pg_total_relation_size(${parent}::regclass)
              + coalesce((select sum(pg_total_relation_size(relid))
                          from pg_partition_tree(${parent}::regclass)), 0))::float8
             / (select count(*) from ${sql(parent)}) as bytes`;
    await sql.end();
    return row?.bytes ?? 0;
  };
  return [
    ["a user", await perRow(seeded, "users")],
    ["a session", await perRow(bench.databaseUrl, "sessions")],
    ["an entry of the audit trail", await perRow(seeded, "audit_logs")],
  ];
}

function costTable(costs: Record<string, Costs>): string {
  const names: Record<string, string> = {
    login: "POST /v1/auth/login",
    refresh: "POST /v1/auth/refresh",
    session: "GET /v1/auth/session",
    signUp: "POST /v1/auth/register",
  };
  const lines = Object.entries(costs).map(([operation, cost]) => {
    const all = PARTS.map((part) => cost[part]);
    const total = totalOf(cost);
    const cells = [names[operation], ...all.map(milliseconds), milliseconds(total), whole(1000 / total)];
    return `| ${cells.join(" | ")} |`;
  });
  const head = ["CPU, ms each", ...PARTS, "in all", "a core of all this carries, each second"];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...lines].join("\n");
}

function milliseconds(value: number): string {
  return value < 0.1 ? value.toFixed(3) : fixed(value);
}

function sizeTable(sizes: readonly [string, number][]): string {
  return [
    "| One row, with its indexes | Bytes |",
    "|---|---|",
    ...sizes.map(([what, bytes]) => `| ${what} | ${whole(bytes)} |`),
  ].join("\n");
}
