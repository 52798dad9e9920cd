/**
 * `bun bench/capacity.ts`: what one operation costs each part in CPU time, and one row in bytes; writes both tables of docs/capacity.md.
 * CPU time is counted by the kernel per thread, so it hardly depends on what else the machine does.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { type Bench, fixed, type Person, registerPeople, startService, whole, withServers } from "./harness.ts";
import { type Load, load } from "./lines/sign-in.ts";
import { freshDatabase } from "./scale.ts";
import { seed } from "./seed.ts";

const SECONDS = 6;
const SEEDED_USERS = 100_000;
const SEEDED_AUDIT_ROWS = 1_000_000;
const ANY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g";
/** What the kernel counts in: clock ticks of 10 ms. */
const TICK_MS = 10;
const OPERATIONS = ["login", "refresh", "session", "signUp"] as const;
const PARTS = ["main thread", "hash workers", "sign workers", "PostgreSQL", "Redis"] as const;
type Costs = Record<(typeof PARTS)[number], number>;

const document = join(import.meta.dir, "../docs/capacity.md");
const [costs, sizes] = await withServers(async (servers) => {
  const bench = { ...servers, rounds: 1 };
  return [await measureCosts(bench), await measureSizes(bench)] as const;
});
const tables = { costs: costTable(costs), sizes: sizeTable(sizes) };
let text = readFileSync(document, "utf8");
for (const [name, table] of Object.entries(tables)) {
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  text = text.replace(marked, () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
  console.log(`${table}\n`);
}
writeFileSync(document, text);
process.exit(0);

async function measureCosts(bench: Bench): Promise<Record<string, Costs>> {
  const service = await startService(bench);
  let people: Person[] = await registerPeople(service.url, 64);
  const found: Record<string, Costs> = {};
  for (const operation of OPERATIONS) {
    people = (await load(operation, service.url, 16, 1, people)).people;
    const before = cpuTime(service.pid);
    const done: Load = await load(operation, service.url, 16, SECONDS, people);
    const after = cpuTime(service.pid);
    people = done.people;
    const each = PARTS.map((part) => [part, ((after[part] - before[part]) * TICK_MS) / (done.perSecond * SECONDS)]);
    found[operation] = Object.fromEntries(each) as Costs;
  }
  await service.stop();
  return found;
}

/** Ticks of each part so far. Workers are told from the main thread by their niceness. */
function cpuTime(pid: number): Costs {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => ticksOf(`/proc/${pid}/task/${thread}/stat`));
  const ofThreads = (nice: (value: number) => boolean) => sum(threads.filter((each) => nice(each.nice)));
  return {
    "main thread": ofThreads((nice) => nice < 10),
    "hash workers": ofThreads((nice) => nice === 19),
    "sign workers": ofThreads((nice) => nice >= 10 && nice < 19),
    PostgreSQL: sum(processes("postgres")),
    Redis: sum(processes("redis-server")),
  };
}

function sum(all: readonly { ticks: number }[]): number {
  return all.reduce((total, { ticks }) => total + ticks, 0);
}

function processes(name: string): { ticks: number }[] {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name ? [ticksOf(`/proc/${pid}/stat`)] : [];
    } catch {
      return [];
    }
  });
}

/** proc_pid_stat(5): user and system time, and niceness. The name may hold spaces, so fields count from behind it. */
function ticksOf(path: string): { ticks: number; nice: number } {
  const stat = readFileSync(path, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { ticks: Number(fields[11]) + Number(fields[12]), nice: Number(fields[16]) };
}

/** Users and the trail from a seeded database; sessions from the one that the load has filled. */
async function measureSizes(bench: Bench): Promise<[what: string, bytes: number][]> {
  const seeded = await freshDatabase(bench, "capacity");
  await seed(seeded, SEEDED_USERS, SEEDED_AUDIT_ROWS, ANY_HASH);
  const perRow = async (url: string, parent: string): Promise<number> => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    const [row] = await sql<{ bytes: number }[]>`
      select (pg_total_relation_size(${parent}::regclass)
              + coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree(${parent}::regclass)), 0))::float8
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
    const total = all.reduce((a, b) => a + b);
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
