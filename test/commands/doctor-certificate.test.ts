/** `doctor` with each unusable certificate of PostgreSQL: the cause by name, and the next step (G446). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded.ts";
import { findProgram } from "../support/packages.ts";
import { runService } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

/** A new machine installs libfaketime first. */
const INSTALL_DEADLINE_MS = 300_000;

let directory: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "identity-certificate-"));
  server = await startEmbeddedPostgres({
    directory: join(directory, "data"),
    durable: false,
    maxConnections: 20,
    onLog: () => undefined,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The server uses a self-signed certificate for the name, made at this distance from now and valid for two days. */
async function present(name: string, madeAt: string): Promise<string> {
  const [key, file] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", "/CN=database", "-addext", `subjectAltName=${name}`];
  const made = ["openssl", "req", "-x509", ...curve, "-keyout", key, "-out", file, "-days", "2", ...names];
  execFileSync(findProgram("faketime"), ["-f", madeAt, ...made], { stdio: "ignore" });
  const cluster = join(directory, "data/postgres");
  const { uid, gid } = statSync(join(cluster, "PG_VERSION"));
  for (const [from, to] of [
    [key, join(cluster, "server.key")],
    [file, join(cluster, "server.crt")],
  ] as const) {
    copyFileSync(from, to);
    chmodSync(to, 0o600);
    chownSync(to, uid, gid);
  }
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  await sql.unsafe("alter system set ssl = on");
  await sql`select pg_reload_conf()`;
  await until("TLS is on", async () => (await sql`show ssl`)[0]?.ssl === "on");
  await sql.end();
  return file;
}

async function databaseFinding(parameters: string) {
  const { code, output } = await runService(["doctor", "--json"], { DATABASE_URL: `${server.url}?${parameters}` });
  const found = JSON.parse(output).checks.find(({ check }: { check: string }) => check === "database");
  expect(output).not.toContain(new URL(server.url).password);
  return { code, ...found };
}

test(
  "An unknown authority, another name, an expired and an early certificate are failures with the next step.",
  async () => {
    const file = await present("IP:127.0.0.1", "+0d");
    const verified = `sslmode=verify-full&sslrootcert=${file}`;
    expect(await databaseFinding(verified)).toMatchObject({ level: "ok", detail: "reachable" });
    const unknown = await databaseFinding("sslmode=verify-full");
    expect(unknown).toMatchObject({ code: 1, level: "failure" });
    expect(unknown.detail).toContain("the certificate is of an unknown authority");
    expect(unknown.remedy).toContain("NODE_EXTRA_CA_CERTS");
    for (const [name, madeAt, cause, remedy] of [
      ["DNS:database.example.test", "+0d", "the certificate is for another name", "a name of the certificate"],
      ["IP:127.0.0.1", "-5d", "the certificate has expired", "renew"],
      ["IP:127.0.0.1", "+5d", "the certificate is not valid yet", "clocks"],
    ] as const) {
      await present(name, madeAt);
      const found = await databaseFinding(verified);
      expect([found.code, found.level]).toEqual([1, "failure"]);
      expect(found.detail).toContain(cause);
      expect(found.remedy).toContain(remedy);
    }
  },
  INSTALL_DEADLINE_MS,
);
