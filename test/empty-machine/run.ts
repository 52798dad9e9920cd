/**
 * `npm run test:empty-machine [-- <test files>]` runs the two commands of the README in an empty Debian root with
 * Node.js and npm of this machine. First a user without privileges: the service serves, and `TEST_ALLOW_MISSING=1`
 * reports what the machine lacks and runs the rest. Then root: the suite installs every program. Without test files the
 * whole suite runs, as each user. The script requires root, and downloads debootstrap and Debian packages.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { freePort } from "../../db/embedded.ts";
import { blockOf } from "../support/document-blocks.ts";
import { DEBIAN_PACKAGES, PROGRAMS } from "../support/packages.ts";
import { endWithNpm, watchRun } from "../support/run-watcher.ts";
import { eventually } from "../support/waiting.ts";
import { ADMINISTRATOR, buildRoot, NEWCOMER, nodeVersion, obstacle, startInRoot, type User } from "./root.ts";

/** The deadline of `npm install` and the first start. */
const START_DEADLINE_MS = 300_000;
const INTERRUPTS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
/** The programs that the minimal variant of Debian lacks, beside `PROGRAMS`. */
const LACKING = ["curl", "openssl", "ps", "python3"];

/** The two commands of the README. */
const [START = "", TEST = ""] = blockOf("README.md", "sh commands")
  .split("\n")
  .map((line) => line.replace(/ +#.*/, ""));

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

console.log(`An empty machine with Node.js ${nodeVersion()} in ${root}.`);
buildRoot(root);
await timed(`${NEWCOMER.name}: ${START}`, () => serves(NEWCOMER));
await timed(`${NEWCOMER.name}, TEST_ALLOW_MISSING=1: ${TEST}`, reportsMissing);
await timed(`${ADMINISTRATOR.name}: ${START}`, () => serves(ADMINISTRATOR));
await timed(`${ADMINISTRATOR.name}: ${TEST}`, passes);
// An output of a command that has ended may still be open, and would keep the process.
process.exit(0);

async function timed(command: string, work: () => Promise<string | undefined>): Promise<void> {
  const startedAt = performance.now();
  const failure = await work().catch(String);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${command}: ${failure ?? "passed"}, ${seconds} s`);
  if (failure !== undefined) process.exit(1);
}

/** Starts the service with the README's first command and registers a user. Returns the failure. */
async function serves(user: User): Promise<string | undefined> {
  const port = await freePort();
  const service = startInRoot(root, user, START, { PORT: String(port) });
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

/**
 * Runs the README's second command as a user who can install no package: every missing program has a line, the files
 * that start the program are named, and the remaining files pass. Returns the failure.
 */
async function reportsMissing(): Promise<string | undefined> {
  const { code, output } = await runSuite(NEWCOMER, { TEST_ALLOW_MISSING: "1" });
  const lines = output.split("\n");
  const expected = [...Object.values(PROGRAMS).map(({ purpose }) => purpose), ...LACKING];
  const unreported = expected.filter((text) => !lines.some((line) => line.startsWith(`Missing: ${text}`)));
  if (unreported.length > 0) return `no line for ${unreported.join(", ")}`;
  const notRun = lines.filter((line) => /^Not run: test\/\S+\.test\.ts \(.+\)\.$/.test(line));
  if (notRun.length === 0) return `no file is named as not run for want of ${DEBIAN_PACKAGES}`;
  console.log(`${notRun.length} files not run, by name.`);
  return code === 0 ? undefined : `ended with ${code}`;
}

/** Runs the README's second command as root, who installs the missing programs. Returns the failure. */
async function passes(): Promise<string | undefined> {
  const { code } = await runSuite(ADMINISTRATOR);
  return code === 0 ? undefined : `ended with ${code}`;
}

/** Runs the suite, or the test files of the command line. */
async function runSuite(user: User, env: Record<string, string> = {}) {
  const files = process.argv.slice(2).map((arg) => ` '${arg.replaceAll("'", "'\\''")}'`);
  const options = files.length > 0 ? ` --${files.join("")}` : "";
  const suite = startInRoot(root, user, `${TEST}${options}`, env);
  let output = "";
  suite.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((ended) => suite.once("close", ended));
  return { code, output };
}
