/**
 * Fills a migrated database by COPY: `bun bench/seed.ts <database url> <users> <audit rows>`. The data has ten users
 * per organization, audit records spread evenly over the last ninety days, and a single password hash for all users.
 */
import postgres from "postgres";

const COPY_ROWS = 200_000;
const LINES_AT_ONCE = 5_000;
const USERS_PER_ORGANIZATION = 10;
const DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;
const ACTIONS = ["auth.login", "auth.login", "auth.login", "auth.logout", "auth.session.revoked", "user.updated"];

const id = (kind: number, number: number) => `0190000${kind}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
const userId = (number: number) => id(1, number);
const organizationId = (number: number) => id(2, Math.floor(number / USERS_PER_ORGANIZATION));

/** Returns an address without a common prefix, like real addresses, so that a search by a part finds a single user. */
export function seededEmail(number: number): string {
  return `${((Math.imul(number + 1, 0x9e3779b1) >>> 0) + 2 ** 32).toString(36)}@example.com`;
}

/** Returns the duration in seconds. */
export async function seed(
  databaseUrl: string,
  users: number,
  auditRows: number,
  passwordHash: string,
): Promise<number> {
  const startedAt = performance.now();
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const begin = Date.now() - DAYS * DAY_MS;
  const born = new Date(begin).toISOString();
  await sql`select ensure_audit_partitions(${new Date(begin)}::date, 4)`;
  await copy(
    sql,
    "users (id, email, password_hash, display_name, last_organization_id, created_at, updated_at)",
    users,
    (n) => [userId(n), seededEmail(n), passwordHash, `Person ${n}`, organizationId(n), born, born].join("\t"),
  );
  const organizations = Math.ceil(users / USERS_PER_ORGANIZATION);
  await copy(sql, "organizations (id, name, slug, tier, created_at, updated_at)", organizations, (n) =>
    [id(2, n), `Organization ${n}`, `organization-${n}`, "enterprise", born, born].join("\t"),
  );
  await copy(sql, "members (organization_id, user_id, role, joined_at)", users, (n) =>
    [organizationId(n), userId(n), n % USERS_PER_ORGANIZATION === 0 ? "owner" : "member", born].join("\t"),
  );
  const stepMs = (DAYS * DAY_MS) / Math.max(1, auditRows);
  const columns =
    "audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type, resource_id, " +
    "ip_address, user_agent, request_id, metadata, outcome)";
  await copy(sql, columns, auditRows, (n) =>
    [
      id(3, n),
      new Date(begin + n * stepMs).toISOString(),
      organizationId(n % users),
      userId(n % users),
      "user",
      ACTIONS[n % ACTIONS.length],
      "session",
      id(4, n),
      "203.0.113.7",
      "Mozilla/5.0 (X11; Linux x86_64)",
      id(5, n),
      '{"method": "password"}',
      "success",
    ].join("\t"),
  );
  while ((await sql`select count_audit_hours(now()) as more`)[0]?.more);
  await sql.unsafe("vacuum analyze");
  await sql.end();
  return (performance.now() - startedAt) / 1000;
}

/** COPY in batches, because statement triggers keep the rows of a statement in memory. */
async function copy(sql: postgres.Sql, into: string, rows: number, line: (number: number) => string): Promise<void> {
  for (let first = 0; first < rows; first += COPY_ROWS) {
    const end = Math.min(rows, first + COPY_ROWS);
    const stream = await sql.unsafe(`copy ${into} from stdin`).writable();
    for (let from = first; from < end; from += LINES_AT_ONCE) {
      const lines: string[] = [];
      for (let number = from; number < Math.min(end, from + LINES_AT_ONCE); number += 1) lines.push(line(number));
      if (!stream.write(`${lines.join("\n")}\n`)) await new Promise((resolve) => stream.once("drain", resolve));
    }
    await new Promise<void>((resolve, reject) => {
      stream.once("error", reject);
      stream.end(() => resolve());
    });
  }
}

if (import.meta.main) {
  const [url = "", users = "1000", auditRows = "10000"] = process.argv.slice(2);
  const hash = await Bun.password.hash("correct horse battery staple", {
    algorithm: "argon2id",
    memoryCost: 19_456,
    timeCost: 2,
  });
  const seconds = await seed(url, Number(users), Number(auditRows), hash);
  console.log(`${users} users and ${auditRows} audit rows in ${seconds.toFixed(1)} s`);
}
