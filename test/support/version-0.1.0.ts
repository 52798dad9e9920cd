/**
 * Version 0.1.0, for tests of a rolling upgrade. The sources are stored beside this file, because a checkout may lack
 * history: `git archive 47015e1 src workers db package.json tsconfig.json`, without the snapshots of
 * db/migrations/meta.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ISSUER, type Replica, startReplica, TEST_SECRET } from "./replica.ts";
import { stopLater } from "./services.ts";

const ARCHIVE = join(import.meta.dir, "version-0.1.0.tar.gz");
const ROOT = join(import.meta.dir, "../..");
/**
 * A stub for the only package of 0.1.0 that this version no longer has: the package served the OpenAPI document, which
 * no test requests from 0.1.0. All remaining packages have equal versions.
 */
const OPENAPI_STUB = 'import { Elysia } from "elysia";\nexport const openapi = () => new Elysia();\n';

let sources: string | undefined;

const commandOf010 = (command: string) => {
  sources ??= extract();
  return [process.execPath, join(sources, "src/main.ts"), command];
};

/** Starts a replica of 0.1.0. */
export function startReplicaOf010(env: Record<string, string>): Promise<Replica> {
  return startReplica(env, { command: commandOf010("serve") });
}

/** Applies the migrations of 0.1.0 to an empty database. */
export function migrateBy010(databaseUrl: string): void {
  const [program = "", ...args] = commandOf010("migrate");
  const secrets = { SERVICE_JWT_SECRET: TEST_SECRET, SERVICE_PUBLIC_BASE_URL: ISSUER };
  const env = { ...process.env, ...secrets, DATABASE_URL: databaseUrl };
  execFileSync(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
}

function extract(): string {
  const directory = mkdtempSync(join(tmpdir(), "identity-0.1.0-"));
  stopLater(() => rmSync(directory, { recursive: true, force: true }));
  execFileSync("tar", ["xzf", ARCHIVE, "-C", directory]);
  const packages = join(directory, "node_modules");
  mkdirSync(join(packages, "@elysiajs/openapi"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  writeFileSync(join(packages, "@elysiajs/openapi/package.json"), '{ "type": "module", "main": "index.js" }');
  writeFileSync(join(packages, "@elysiajs/openapi/index.js"), OPENAPI_STUB);
  return directory;
}
