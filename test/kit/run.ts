/**
 * `npm run test:kit` runs the tests of the operations kit: manifests against published schemas, and the processes of
 * the Compose file in a network namespace without a way out. Needs Linux and root; fetches schemas by npm.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPrograms } from "../support/packages.ts";
import { watchRun } from "../support/run-watcher.ts";

/** The names of services go into a private copy of /etc/hosts; mounts end with the namespace. */
const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';
const NAMESPACES = ["--net", "--mount", "--propagation", "private"];
const BUN_TEST = ["test", "--timeout", "300000"];

watchRun();
findPrograms();
const folder = mkdtempSync(join(tmpdir(), "identity-kit-"));
const hosts = join(folder, "hosts");
copyFileSync("/etc/hosts", hosts);
const manifests = run(process.execPath, [...BUN_TEST, "./test/kit/manifests.ts"]);
const bunTest = [process.execPath, ...BUN_TEST, "./test/kit/compose.ts"];
const compose = run("unshare", [...NAMESPACES, "sh", "-c", WITH_HOSTS, hosts, ...bunTest]);
rmSync(folder, { recursive: true });
process.exit(manifests || compose);

function run(program: string, args: readonly string[]): number {
  return spawnSync(program, args, { stdio: "inherit" }).status ?? 1;
}
