import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Bench, fixed, type Row, SERVICE_ENV, spawnBun, whole } from "../harness.ts";
import { freshDatabase } from "../scale.ts";

const HASH = "$2b$10$4/12q1MgZjt8Xdb2/rj/eu51O3ko/Cel9jjqj5d3qP8SUyAG6txLC";
const GOAL = 0.5;
const MEMORY_GOAL_MIB = 256;

/**
 * Compares `users import` of users with an organization each with three plain inserts of equal rows inside PostgreSQL.
 * The inserts cost only disk and indexes: without file, validation, report or checkpoint.
 */
export async function importLines(bench: Bench): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), "identity-import-"));
  const path = join(directory, "users.ndjson");
  const users = bench.scale.importUsers;
  writeUsers(path, users);
  const plainSeconds = await plainInsert(await freshDatabase(bench, "import_plain"), users);
  const { seconds, peakMiB } = await importFile(await freshDatabase(bench, "import_target"), path, users);
  rmSync(directory, { recursive: true, force: true });
  const rate = (elapsed: number) => `${whole(users / elapsed)}/s`;
  const ratio = plainSeconds / seconds;
  return [
    {
      line: "",
      work: `import of ${whole(users)} users in ${Math.round(seconds)} s`,
      measured: rate(seconds),
      compared: `${rate(plainSeconds)}, the same rows inserted inside PostgreSQL`,
      ratio: fixed(ratio),
      goal: `at least ${GOAL}`,
      reached: ratio >= GOAL,
      score: ratio,
    },
    {
      line: "",
      work: "peak memory of that import",
      measured: `${Math.round(peakMiB)} MiB`,
      compared: "",
      ratio: "",
      goal: `at most ${MEMORY_GOAL_MIB} MiB`,
      reached: peakMiB <= MEMORY_GOAL_MIB,
      score: peakMiB,
    },
  ];
}

function writeUsers(path: string, users: number): void {
  const file = openSync(path, "w");
  for (let first = 0; first < users; first += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      JSON.stringify({
        email: `user${first + index}@example.com`,
        password_hash: HASH,
        display_name: `User ${first + index}`,
      }),
    );
    writeSync(file, `${lines.join("\n")}\n`);
  }
  closeSync(file);
}

async function plainInsert(databaseUrl: string, users: number): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1 });
  const startedAt = performance.now();
  await sql.begin(async (transaction) => {
    await transaction`
      create temporary table made on commit drop as
      select gen_random_uuid() as user_id, gen_random_uuid() as organization_id, n from generate_series(1, ${users}) n`;
    await transaction`
      insert into users (id, email, password_hash, display_name, last_organization_id, created_at, updated_at)
      select user_id, 'user' || n || '@example.com', ${HASH}::text, 'User ' || n, organization_id, now(), now()
      from made`;
    await transaction`
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      select organization_id, 'User ' || n, 'user-' || n, 'standard', now(), now() from made`;
    await transaction`
      insert into members (organization_id, user_id, role, joined_at)
      select organization_id, user_id, 'owner', now() from made`;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await sql.end();
  return seconds;
}

async function importFile(
  databaseUrl: string,
  path: string,
  users: number,
): Promise<{ seconds: number; peakMiB: number }> {
  const startedAt = performance.now();
  const child = spawnBun("src/main.ts", ["users", "import", path], { ...SERVICE_ENV, DATABASE_URL: databaseUrl });
  let peakMiB = 0;
  const watching = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    peakMiB = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }, 200);
  let output = "";
  for await (const text of child.stdout ?? []) output += text;
  clearInterval(watching);
  if (!output.includes(`${users} users imported, 0 lines refused.`))
    throw new Error(`unexpected output of the import: ${output}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMiB };
}
