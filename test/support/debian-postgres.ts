/** PostgreSQL of Debian, which compiles plans (LLVM), beside the embedded PostgreSQL, which has no LLVM. */
import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "../../db/embedded.ts";
import { chooseLauncher, runThrough } from "../../db/launcher.ts";
import { startupParameters } from "../../src/database/server-settings.ts";
import { installDebianPackages } from "./packages.ts";
import { stopLater } from "./services.ts";
import { until } from "./waiting.ts";

const INSTALLATIONS = "/usr/lib/postgresql";

export interface DebianPostgres {
  /** Creates a database, optionally with settings, and returns the address. */
  createDatabase(name: string, settings?: Readonly<Record<string, string>>): Promise<string>;
}

/** Starts a server with the settings as the defaults of every connection; the end of the run stops the server. */
export async function startDebianPostgres(settings: Readonly<Record<string, string>>): Promise<DebianPostgres> {
  const binaries = findBinaries();
  const directory = mkdtempSync(join(tmpdir(), "identity-debian-postgres-"));
  const cluster = join(directory, "cluster");
  const launch = chooseLauncher(join(binaries, "postgres"), directory, cluster);
  if (launch.owner) chownSync(directory, launch.owner.uid, launch.owner.gid);
  const args = ["--username=service", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
  runThrough(launch.prefix, join(binaries, "initdb"), [`--pgdata=${cluster}`, ...args]);
  const port = await freePort();
  const basics = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off" };
  const parameters = Object.entries({ ...basics, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [first = "", ...rest] = [...launch.prefix, join(binaries, "postgres"), "-D", cluster, ...parameters];
  const child = spawn(first, rest, { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = (database: string) => `postgres://service:none@127.0.0.1:${port}/${database}`;
  stopLater(async () => {
    child.kill("SIGINT");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });
  const administrate = (statements: readonly string[]) => runOn(url("postgres"), statements);
  await until("PostgreSQL of Debian accepts connections", () =>
    administrate(["select 1"]).then(
      () => true,
      () => false,
    ),
  );
  return {
    async createDatabase(name, defaults = {}) {
      const changes = Object.entries(defaults).map(([setting, value]) => `alter database ${name} ${setting} ${value}`);
      await administrate([`create database ${name}`, ...changes]);
      return url(name);
    },
  };
}

/** Opens a connection with sound settings beside hostile defaults. */
export function openSoundly(url: string): postgres.Sql {
  const sql = connect(url);
  stopLater(() => sql.end({ timeout: 1 }));
  return sql;
}

function connect(url: string): postgres.Sql {
  const connection: Record<string, string> = { ...startupParameters, statement_timeout: "0" };
  return postgres(url, { max: 1, onnotice: () => undefined, connection });
}

async function runOn(url: string, statements: readonly string[]): Promise<void> {
  const sql = connect(url);
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The folder of the newest PostgreSQL with LLVM; installs the packages if no version has LLVM. */
function findBinaries(): string {
  const present = binariesWithJit();
  if (present) return present;
  installDebianPackages("postgresql");
  // Newer releases of Debian have LLVM in a package of its own.
  const version = versions()[0];
  if (!binariesWithJit() && version) installDebianPackages(`postgresql-${version}-jit`);
  const installed = binariesWithJit();
  if (!installed) throw new Error("apt-get installed postgresql, which has no llvmjit.so.");
  return installed;
}

function binariesWithJit(): string | undefined {
  const version = versions().find((each) => existsSync(join(INSTALLATIONS, each, "lib/llvmjit.so")));
  return version && join(INSTALLATIONS, version, "bin");
}

/** The newest first. */
function versions(): string[] {
  const found = existsSync(INSTALLATIONS) ? readdirSync(INSTALLATIONS) : [];
  return found.sort((one, other) => Number(other) - Number(one));
}
