/** PgBouncer of Debian, in front of the PostgreSQL of the tests. */
import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { setRoleSettings } from "../../db/migrate.ts";
import { startupParameters } from "../../src/database/server-settings.ts";
import { dieWithParent } from "./die-with-parent.ts";
import { findProgram } from "./packages.ts";
import { sharedServerUrl, stopLater } from "./services.ts";
import { until } from "./waiting.ts";

export interface PgBouncerOptions {
  readonly mode: "session" | "transaction";
  /** Additional lines of the configuration. */
  readonly settings?: readonly string[];
  readonly serverConnections?: number;
}

export interface PgBouncer {
  /** Returns the URL of a database through the pooler. */
  through(databaseUrl: string): string;
}

/** Starts a pooler per call; the end of the run stops the pooler. All connections use the user of the server's URL. */
export async function startPgBouncer(serverUrl: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), "identity-pgbouncer-"));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${options.mode}`,
    `default_pool_size = ${options.serverConnections ?? 10}`,
    "max_client_conn = 1000",
    ...(options.settings ?? []),
  ];
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  // PgBouncer refuses to run as root.
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig", "KILL"];
  const asRoot = process.getuid?.() === 0;
  if (asRoot) for (const path of [directory, file]) chownSync(path, 65_534, 65_534);
  const program = findProgram("pgbouncer");
  const [command, args] = asRoot ? ["setpriv", [...nobody, program, file]] : dieWithParent(program, [file]);
  const child = spawn(command, args as string[], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-10_000);
  });
  stopLater(async () => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  await until("PgBouncer listens", async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer stopped with ${child.exitCode}:\n${said}`);
    return await listens(port);
  });
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
  };
}

let shared: Promise<PgBouncer> | undefined;
const roleSettings = new Map<string, Promise<void>>();

/** Returns a database of the shared server through a pooler; `undefined` for a database of a different server. */
export async function throughSharedPooler(databaseUrl: string, mode: PgBouncerOptions["mode"]) {
  const server = await sharedServerUrl();
  if (new URL(databaseUrl).host !== new URL(server).host) return undefined;
  // A pooler keeps a pool for each of many databases, so idle connections close early.
  shared ??= startPgBouncer(server, { mode, serverConnections: 20, settings: ["server_idle_timeout = 5"] });
  const settings = roleSettings.get(databaseUrl) ?? setRoleSettings(databaseUrl, startupParameters);
  roleSettings.set(databaseUrl, settings);
  await settings;
  return (await shared).through(databaseUrl);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}
