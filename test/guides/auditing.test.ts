/**
 * The commands of docs/guides/auditing.md, and of docs/contract.md about exports, in an empty folder with the packed
 * client and the key of an organization.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeGuide } from "../../clients/demo/guide-code.ts";
import { Client } from "../support/client.ts";
import { blockOf, runBlocks, serviceCommandsOf } from "../support/document-blocks.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { enterEnterprise } from "../support/states.ts";
import { until } from "../support/waiting.ts";

const ROOT = join(import.meta.dir, "../..");
const EXPORT_KEY = "the key of the exports of this test";
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
  one = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_AUDIT_EXPORT_KEY: EXPORT_KEY });
  const sql = openSql(databaseUrl);
  const owner = await steppedUpOwner({ one, sql } as never);
  await enterEnterprise(sql, owner.organizationId);
  const scopes = ["audit.export", "audit.read"];
  const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), scopes);
  environment = { URL: one.url, TOKEN: key };
  const pack = blockOf("docs/guides/README.md", "sh pack").replace("/tmp", folder);
  const packed = await run(["sh", "-ec", pack], ROOT);
  expect(packed.code).toBe(0);
  const archive = join(folder, packed.output.trim().split("\n").at(-1) ?? "");
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

test("The first download keeps the key and the checkpoint of the log.", async () => {
  const kept = mkdtempSync(join(folder, "kept-"));
  await runBlocks("docs/guides/auditing.md", ["sh keep"], { url: one.url, folder: kept });
  const [name = ""] = readdirSync(kept).filter((file) => file.startsWith("kept-"));
  const firstLine = (file: string) => readFileSync(file, "utf8").split("\n")[0];
  expect(firstLine(join(kept, name))).toBe(firstLine(join(folder, "kept")));
  expect(firstLine(join(kept, "keys"))).toBe(firstLine(join(folder, "keys")));
});

test("The commands of the contract verify the export by its key, by OpenSSL and by the proof.", async () => {
  const [, size = ""] = /^x-service-audit-tree-size: (\d+)/im.exec(readFileSync(join(folder, "headers"), "utf8")) ?? [];
  const verify = async (info: string) => {
    const [command = []] = serviceCommandsOf("docs/contract.md", info);
    const args = command.map((word) => (/^(?:audit\.|kept$|keys$)/.test(word) ? join(folder, word) : word));
    const env = { SERVICE_AUDIT_EXPORT_KEY: EXPORT_KEY };
    return await runService(
      args.map((word) => (word === "4711" ? size : word)),
      env,
    );
  };
  for (const info of ["sh signature", "sh proof"]) expect([info, (await verify(info)).code]).toEqual([info, 0]);
  const [, hmac = ""] = blockOf("docs/contract.md", "sh signature").trim().split("\n");
  const { output } = await run(["sh", "-euc", `SERVICE_AUDIT_EXPORT_KEY='${EXPORT_KEY}'; ${hmac}`]);
  const { _signature } = JSON.parse(readFileSync(join(folder, "audit.ndjson"), "utf8").trim().split("\n").at(-1) ?? "");
  expect(`sha256=${output.trim().split(" ").at(-1)}`).toBe(_signature);
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
