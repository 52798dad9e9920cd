/**
 * `npm run test:empty-machine [-- <test files>]` runs the two commands of the README in an empty Debian root with
 * Node.js and npm of this machine; without test files, the second command runs the whole suite. The script requires
 * root, and downloads debootstrap and Debian packages.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { freePort } from "../../db/embedded.ts";
import { endWithNpm, watchRun } from "../support/run-watcher.ts";
import { eventually } from "../support/waiting.ts";
import { buildRoot, obstacle, startInRoot } from "./root.ts";

/** The deadline of `npm install` and the first start. */
const START_DEADLINE_MS = 300_000;
const INTERRUPTS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

watchRun();
endWithNpm();
const missing = obstacle();
if (missing) {
  console.error(missing);
  process.exit(1);
}
/** The root is not below /tmp, which may be small or in memory. */
const root = mkdtempSync("/var/tmp/identity-empty-machine-");
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
for (const signal of INTERRUPTS) process.on(signal, () => process.exit(1));

console.log(`An empty machine in ${root}.`);
buildRoot(root);
await timed("npm install && npm start", serves);
await timed("npm install && npm test", passes);

async function timed(command: string, work: () => Promise<string | undefined>): Promise<void> {
  const startedAt = performance.now();
  const failure = await work().catch(String);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${command}: ${failure ?? "passed"}, ${seconds} s`);
  if (failure !== undefined) process.exit(1);
}

/** Starts the service with the README's first command and registers a user. Returns the failure. */
async function serves(): Promise<string | undefined> {
  const port = await freePort();
  const service = startInRoot(root, "npm install && npm start", { PORT: String(port) });
  const ended = new Promise<void>((resolve) => service.once("exit", () => resolve()));
  try {
    await eventually("the service listens", START_DEADLINE_MS, async () => {
      if (service.exitCode !== null) throw new Error(`npm start ended with ${service.exitCode}`);
      return await fetch(`http://localhost:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    const { status } = await fetch(`http://localhost:${port}/v1/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        organization_name: "Acme",
        email: "you@example.com",
        password: "correct horse battery",
      }),
    });
    return status === 201 || status === 200 ? undefined : `registration returned ${status}`;
  } finally {
    service.kill("SIGKILL");
    await ended;
  }
}

/** Runs the README's second command with the test files of the command line. Returns the failure. */
async function passes(): Promise<string | undefined> {
  const files = process.argv.slice(2).map((arg) => ` '${arg.replaceAll("'", "'\\''")}'`);
  const options = files.length > 0 ? ` --${files.join("")}` : "";
  const suite = startInRoot(root, `npm install && npm test${options}`);
  const code = await new Promise((ended) => suite.once("exit", ended));
  return code === 0 ? undefined : `ended with ${code}`;
}
