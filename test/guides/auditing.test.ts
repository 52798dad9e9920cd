/** The commands of docs/guides/auditing.md in an empty folder with the packed client and the key of an organization. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeGuide } from "../../clients/demo/guide-code.ts";
import { Client } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { until } from "../support/waiting.ts";

const CLIENT = join(import.meta.dir, "../../clients/js");
const folder = mkdtempSync(join(tmpdir(), "identity-auditing-"));
let one: Replica;
let environment: Record<string, string>;

async function run(command: string[], cwd = folder) {
  const child = Bun.spawn(command, { cwd, env: { ...process.env, ...environment }, stdout: "pipe", stderr: "pipe" });
  const read = (stream: ReadableStream) => new Response(stream).text();
  const [output, error, code] = await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
  return { output, error, code };
}

beforeAll(async () => {
  environment = {};
  const databaseUrl = await freshDatabase();
  one = await startReplica({ DATABASE_URL: databaseUrl });
  const sql = openSql(databaseUrl);
  const owner = await steppedUpOwner({ one, sql } as never);
  await sql`update organizations set tier = 'enterprise' where id = ${owner.organizationId}`;
  const scopes = ["audit.export", "audit.read"];
  const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), scopes);
  environment = { URL: one.url, TOKEN: key };
  expect((await run(["npm", "run", "build"], CLIENT)).code).toBe(0);
  const packed = await run(["npm", "pack", "--silent", "--pack-destination", folder], CLIENT);
  const archive = packed.output.trim().split("\n").at(-1) ?? "";
  // Unpacks the archive like `npm install`, without the registry.
  const installed = join(folder, "node_modules/identity-service-client");
  mkdirSync(installed, { recursive: true });
  mkdirSync(join(folder, "node_modules/.bin"));
  expect((await run(["tar", "-xzf", archive, "-C", installed, "--strip-components=1"])).code).toBe(0);
  const program = "../identity-service-client/bin/identity-service-client.mjs";
  symlinkSync(program, join(folder, "node_modules/.bin/identity-service-client"));
  writeGuide("auditing", folder);
  const [{ count = 0 } = {}] = await sql<{ count: number }[]>`select count(*)::int as count from audit_logs`;
  await until("a checkpoint of all records", async () => {
    const [, size] = (await new Client(one.url).get("/v1/audit-log/checkpoint")).text.split("\n");
    return Number(size) >= count;
  });
}, 120_000);
afterAll(async () => {
  await one.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("The guide's commands verify an export, name a changed line, and need no file but one.", async () => {
  expect(await run(["sh", "-eu", "download.sh"])).toMatchObject({ code: 0 });
  const verified = await run(["sh", "-eu", "verify.sh"]);
  expect(verified.code).toBe(0);
  expect(verified.output).toContain("which extends the kept checkpoint");
  expect(verified.output).toContain("the log has signed that these are all of them");
  const alone = mkdtempSync(join(folder, "alone-"));
  const dist = join(folder, "node_modules/identity-service-client/dist");
  for (const name of ["audit.ndjson", "audit.proof", "kept", "keys"])
    copyFileSync(join(folder, name), join(alone, name));
  copyFileSync(join(dist, "identity-service-client.mjs"), join(alone, "verifier.mjs"));
  const node = ["node", "verifier.mjs", "verify", "audit.ndjson", "--proof", "audit.proof", "--key", "keys"];
  expect((await run([...node, "--checkpoint", "kept"], alone)).output).toBe(verified.output);
  expect((await run([...node, "--tree-size", "x"], alone)).code).toBe(2);
  const lines = readFileSync(join(alone, "audit.ndjson"), "utf8").split("\n");
  const changed = lines.with(0, (lines[0] ?? "").replace('"success"', '"failure"'));
  writeFileSync(join(alone, "audit.ndjson"), changed.join("\n"));
  const wrong = await run(node, alone);
  expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining("line 1: the record with id")]);
});

test("The guide's command verifies the proof of one record.", async () => {
  const { event_id: eventId } = JSON.parse(readFileSync(join(folder, "audit.ndjson"), "utf8").split("\n")[0] ?? "");
  const bearer = String(environment.TOKEN);
  const proof = await new Client(one.url).request("GET", `/v1/audit-logs/${eventId}/proof`, { bearer });
  writeFileSync(join(folder, "record.proof"), proof.text);
  const command = `npx identity-service-client verify-record record.proof --key keys --event-id ${eventId}`;
  const verified = await run(["sh", "-euc", command]);
  expect([verified.code, verified.output]).toEqual([0, expect.stringContaining("is leaf ")]);
});
