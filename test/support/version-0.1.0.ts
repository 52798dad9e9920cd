/** Version 0.1.0 from git, for tests of a rolling upgrade from it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Replica, startReplica } from "./replica.ts";
import { stopLater } from "./services.ts";

const COMMIT = "47015e1e52122bc539ab2c5547bbdec56fa9a366";
const ROOT = join(import.meta.dir, "../..");
/**
 * The one package of 0.1.0 that this version no longer has: it served the OpenAPI document, which no test asks 0.1.0
 * for. All others have the same versions.
 */
const OPENAPI_STUB = 'import { Elysia } from "elysia";\nexport const openapi = () => new Elysia();\n';

let sources: string | undefined;

/** Starts a replica of 0.1.0. Throws if the repository has no history (a shallow clone). */
export function startReplicaOf010(env: Record<string, string>): Promise<Replica> {
  sources ??= extract();
  return startReplica(env, { command: [process.execPath, join(sources, "src/main.ts"), "serve"] });
}

function extract(): string {
  const directory = mkdtempSync(join(tmpdir(), "identity-0.1.0-"));
  stopLater(() => rmSync(directory, { recursive: true, force: true }));
  const paths = ["src", "workers", "db", "package.json", "tsconfig.json"];
  const archive = execFileSync("git", ["archive", COMMIT, ...paths], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["x", "-C", directory], { input: archive });
  const packages = join(directory, "node_modules");
  mkdirSync(join(packages, "@elysiajs/openapi"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  writeFileSync(join(packages, "@elysiajs/openapi/package.json"), '{ "type": "module", "main": "index.js" }');
  writeFileSync(join(packages, "@elysiajs/openapi/index.js"), OPENAPI_STUB);
  return directory;
}
