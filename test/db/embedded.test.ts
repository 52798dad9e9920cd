import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { until } from "../support/waiting.ts";

const MODULE = join(import.meta.dir, "../../db/embedded.ts");
const OPTIONS = { durable: true, maxConnections: 20, onLog: () => undefined };
/** A second process of the service that starts the server, prints the address, and keeps running. */
const HOLDER = `
  const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULE)});
  const options = { directory: process.argv.at(-1), durable: true, maxConnections: 20, onLog: () => undefined };
  const server = await startEmbeddedPostgres(options).catch((error) => ({ error: error.message }));
  console.log(JSON.stringify({ pid: server.pid, error: server.error }));
  if (!server.error) setInterval(() => undefined, 1000);
`;

let root: string;
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "identity-embedded-test-"));
  directory = join(root, "data");
  await inDatabase(async (sql) => {
    await sql`create table kept (word text)`;
    await sql`insert into kept values ('first')`;
  });
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

/** Starts the server of the directory, runs `work`, and stops the server. */
async function inDatabase<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ ...OPTIONS, directory });
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
    await server.stop();
  }
}

const args = () => inDatabase(async (sql) => (await sql`select word from kept`).map(({ word }) => String(word)));

/** Starts a process that is unrelated to the service. */
function stranger(): ChildProcess {
  const child = spawn(...dieWithParent(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]), {
    stdio: "ignore",
  });
  children.push(child);
  return child;
}

function startHolder(env: Record<string, string> = {}) {
  const child = spawn(...dieWithParent(process.execPath, ["-e", HOLDER, directory]), {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const exited = new Promise((ended) => child.once("exit", ended));
  const said = new Promise<{ pid?: number; error?: string }>((heard) => {
    child.stdout?.once("data", (text) => heard(JSON.parse(String(text))));
  });
  return { child, said, exited };
}

/** Writes the lock file of the server, as after a crash. */
function leavePostmasterPid(text: string): void {
  const cluster = join(directory, "postgres");
  const file = join(cluster, "postmaster.pid");
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = statSync(cluster);
  chownSync(file, uid, gid);
}

describe("the embedded PostgreSQL", () => {
  test("keeps data over a restart, the password to the owner, and releases the directory", async () => {
    expect(await args()).toEqual(["first"]);
    expect(statSync(join(directory, "postgres-password")).mode & 0o777).toBe(0o600);
    expect(existsSync(join(directory, "service.pid"))).toBe(false);
    expect(runningEmbeddedPostgres(directory)).toBeUndefined();
  });

  test("speaks UTF-8, syncs, and listens at loopback only", async () => {
    const settings = await inDatabase(async (sql) => {
      const rows = await sql`select name, setting from pg_settings
        where name in ('server_encoding', 'fsync', 'listen_addresses', 'unix_socket_directories') order by name`;
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    });
    expect(settings).toEqual({
      fsync: "on",
      listen_addresses: "127.0.0.1",
      server_encoding: "UTF8",
      unix_socket_directories: "",
    });
  });

  test("does not hand our environment to the server's user", async () => {
    const holder = startHolder({ SERVICE_JWT_SECRET: "not for the database server" });
    const { pid } = await holder.said;
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("SERVICE_JWT_SECRET");
    holder.child.kill("SIGKILL");
    await holder.exited;
    expect(await args()).toEqual(["first"]);
  });
});

describe("a directory in use", () => {
  test("is refused with the holding process, and found again after kill -9 of this process", async () => {
    const holder = startHolder();
    expect((await holder.said).error).toBeUndefined();
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory })).rejects.toThrow(
      `${directory} is in use by process ${holder.child.pid}`,
    );
    expect(runningEmbeddedPostgres(directory)).toMatch(/^postgres:\/\/service:[^@]+@127\.0\.0\.1:\d+\//);
    holder.child.kill("SIGKILL");
    await holder.exited;
    expect(runningEmbeddedPostgres(directory)).toBeUndefined();
    expect(await args()).toEqual(["first"]);
  });

  test("goes to one of eight parallel starts, over the lock file of a dead process", async () => {
    writeFileSync(join(directory, "service.pid"), "4194305\n1 bun");
    const holders = Array.from({ length: 8 }, () => startHolder());
    const responses = await Promise.all(holders.map(({ said }) => said));
    const winner = holders[responses.findIndex(({ error }) => error === undefined)]?.child;
    const refusals = responses.flatMap(({ error }) => error ?? []);
    expect(refusals).toHaveLength(7);
    for (const refusal of refusals) expect(refusal).toContain(`is in use by process ${winner?.pid};`);
    winner?.kill("SIGKILL");
    await Promise.all(holders.map(({ exited }) => exited));
  });

  test("is refused without a process id of the holder, as in a second container of the directory (G410)", async () => {
    const holder = startHolder();
    expect((await holder.said).error).toBeUndefined();
    rmSync(join(directory, "service.pid"));
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory })).rejects.toThrow("is in use by another process");
    holder.child.kill("SIGKILL");
    await holder.exited;
    expect(await args()).toEqual(["first"]);
  });

  test("is refused while a server of an ended service in a second container runs (G410)", async () => {
    const lock = join(directory, "postgres.lock");
    const server = spawn(...dieWithParent("flock", ["--no-fork", lock, "sleep", "600"]), { stdio: "ignore" });
    children.push(server);
    await until("flock holds the lock", async () => isLocked(lock));
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory })).rejects.toThrow("of an ended service still uses");
    server.kill("SIGKILL");
    await new Promise((ended) => server.once("exit", ended));
    expect(await args()).toEqual(["first"]);
  });

  test("does not include a lock file with the number of an unrelated process", async () => {
    writeFileSync(join(directory, "service.pid"), `${stranger().pid}\n1 ${process.execPath}`);
    expect(await args()).toEqual(["first"]);
  });
});

describe("files after a crash", () => {
  // Root cannot start the server without setpriv, which ties the server to the process.
  test("a postmaster.pid of a dead, a foreign or no process is no obstacle", async () => {
    const rest = `${directory}/postgres\n1700000000\n5432\n\n127.0.0.1\n1 1\nready\n`;
    for (const text of ["", `4194305\n${rest}`, `${stranger().pid}\n${rest}`, `${process.pid}\n${rest}`]) {
      leavePostmasterPid(text);
      expect(await args()).toEqual(["first"]);
    }
  });

  test.each(["lost", "empty"])("the %s file of the password is made anew (G411)", async (state) => {
    const file = join(directory, "postgres-password");
    if (state === "lost") rmSync(file);
    else writeFileSync(file, "");
    expect(await args()).toEqual(["first"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("a damaged lock file and a cluster of a further major version name the next step (G411)", async () => {
    const version = join(directory, "postgres/PG_VERSION");
    const lock = join(directory, "service.lock");
    const own = readFileSync(version, "utf8");
    writeFileSync(version, "11\n");
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory })).rejects.toThrow("is a cluster of PostgreSQL 11");
    writeFileSync(version, own);
    writeFileSync(lock, "no database ".repeat(200));
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory })).rejects.toThrow("is damaged: delete the file");
    rmSync(lock);
    expect(await args()).toEqual(["first"]);
  });

  test("An interrupted repair of the password is repeated: the file is written last (G444).", async () => {
    const file = join(directory, "postgres-password");
    rmSync(file);
    // The file cannot be written, as on a full disk.
    mkdirSync(`${file}.making`);
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory })).rejects.toThrow("EISDIR");
    expect(existsSync(file)).toBe(false);
    rmSync(`${file}.making`, { recursive: true });
    expect(await args()).toEqual(["first"]);
  });

  test.each(["PG_VERSION", "global/pg_control", "base", "pg_wal", "postgresql.conf"])(
    "a lost %s names the next step, deletes nothing, and the restored file starts (G444)",
    async (name) => {
      const path = join(directory, "postgres", name);
      renameSync(path, `${path}.away`);
      const kept = readdirSync(join(directory, "postgres")).length;
      const refused = await startEmbeddedPostgres({ ...OPTIONS, directory }).catch((error: Error) => error.message);
      expect(String(refused).split("\n")[0]).toMatch(
        /: restore the data directory from a backup, or set SERVICE_DATA_/,
      );
      expect(readdirSync(join(directory, "postgres")).length).toBeGreaterThanOrEqual(kept);
      rmSync(path, { recursive: true, force: true });
      renameSync(`${path}.away`, path);
      expect(await args()).toEqual(["first"]);
    },
  );

  test("half a cluster is made anew", async () => {
    const fresh = join(root, "half");
    mkdirSync(join(fresh, "postgres.making"), { recursive: true });
    writeFileSync(join(fresh, "postgres.making/PG_VERSION"), "18\n");
    const server = await startEmbeddedPostgres({ ...OPTIONS, directory: fresh });
    await server.stop();
    expect(existsSync(join(fresh, "postgres.making"))).toBe(false);
  });

  test("a configuration refused by the server is reported at once, and the directory released", async () => {
    const spoilt = join(root, "spoilt");
    await (await startEmbeddedPostgres({ ...OPTIONS, directory: spoilt })).stop();
    writeFileSync(join(spoilt, "postgres/postgresql.auto.conf"), "nonsense_setting = 3\n");
    await expect(startEmbeddedPostgres({ ...OPTIONS, directory: spoilt })).rejects.toThrow("nonsense_setting");
    expect(existsSync(join(spoilt, "service.pid"))).toBe(false);
  });
});

test("A killed server is started again at its address, and keeps the rows (G411)", async () => {
  const ends: string[] = [];
  const restarts = { onEnded: (how: string) => void ends.push(how), onLost: () => undefined };
  const server = await startEmbeddedPostgres({ ...OPTIONS, directory, restarts });
  const killed = server.pid;
  process.kill(killed, "SIGKILL");
  await until("the server is started again", async () => server.pid !== killed);
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  expect((await sql`select word from kept`).map(({ word }) => word)).toEqual(["first"]);
  await sql.end();
  await server.stop();
  expect(ends).toEqual(["SIGKILL"]);
});

/** Whether a process holds the lock of flock(1) on a file. */
function isLocked(file: string): boolean {
  return spawnSync("flock", ["--nonblock", file, "true"]).status !== 0;
}
