/** The transparency log of the audit trail over HTTP, for an auditor without trust in the operator. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCheckpoint, readNote, verifyRecord } from "../../clients/js/src/audit.ts";
import { Client, registered } from "../support/client.ts";
import { findProgram } from "../support/packages.ts";
import { platformUser } from "../support/platform.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { enterEnterprise } from "../support/states.ts";
import { until } from "../support/waiting.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const CHECKPOINT = "/v1/audit-log/checkpoint";
const TILE = "/v1/audit-log/tile";
const EXPORT = "/v1/admin/audit-export";
const PROOF = "/v1/admin/audit-export/proof";
const GO_PATH = "/usr/share/gocode";
const directory = mkdtempSync(join(tmpdir(), "identity-auditor-"));
let one: Replica;
let sql: ReturnType<typeof openSql>;
let anyone: Client;
/** A platform admin in an organization that may export. */
let admin: Client;

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  sql = openSql(databaseUrl);
  one = await startReplica({ DATABASE_URL: databaseUrl });
  anyone = new Client(one.url);
  const person = await platformUser({ one, sql } as never, "admin");
  admin = person.client;
  await enterEnterprise(sql, person.organizationId);
});
afterAll(async () => {
  await one.stop();
  rmSync(directory, { recursive: true, force: true });
});

const checkpoint = async () => {
  const { text } = await anyone.get(CHECKPOINT);
  return { note: text, ...readCheckpoint(readNote(text).text) };
};

/** Waits until all present records are leaves of a published checkpoint. */
async function sequenced(): Promise<void> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from audit_logs`;
  await until("all records are leaves", async () => {
    const response = await anyone.get(CHECKPOINT);
    return response.status === 200 && (await checkpoint()).size >= (row?.count ?? 0);
  });
}

async function insert(count: number): Promise<void> {
  await sql`
    insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
    select gen_random_uuid(), now(), 'user', 'auth.login', 'session',
           '{"text": "<é> \\\\ \\"&\\" \\n", "n": 7}', 'success'
    from generate_series(1, ${count})`;
  await sequenced();
}

/** Downloads an export and the proof; returns the paths of the files. */
async function download(name: string, query = "") {
  const exported = await admin.get(`${EXPORT}?proof=true${query}`);
  const size = exported.headers.get("x-service-audit-tree-size");
  let proof = await admin.get(`${PROOF}?tree_size=${size}${query}`);
  // The checkpoint of that size may be about to be published.
  await until("the proof", async () => {
    if (proof.status === 429) proof = await admin.get(`${PROOF}?tree_size=${size}${query}`);
    return proof.status !== 429;
  });
  expect([exported.status, proof.status]).toEqual([200, 200]);
  return { lines: save(`${name}.ndjson`, exported.text), proof: save(`${name}.proof`, proof.text) };
}

function save(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const headerOf = async (proof: string) => JSON.parse((await Bun.file(proof).text()).split("\n")[0] ?? "");
const sizeOf = (note: string) => readCheckpoint(readNote(note).text).size;

const verifierKey = async () => {
  const { body } = await anyone.get("/.well-known/openid-configuration");
  return String(body.service_audit_log.verifier_key);
};

describe("GET /v1/audit-log/checkpoint", () => {
  test("200 is the signed note that discovery names the key of, for anyone and any origin", async () => {
    await sequenced();
    const response = await anyone.get(CHECKPOINT);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=1");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const { origin, size } = readCheckpoint(readNote(response.text).text);
    expect(size).toBeGreaterThan(0);
    expect(origin).toMatch(/^localhost:3000\/v1\/audit-log\/[0-9a-f]{8}$/);
    expect(await verifierKey()).toStartWith(`${origin}+`);
  });
});

describe("GET /v1/audit-log/tile/…", () => {
  test("200 is whole tiles, and each part of a partial tile; immutable for paths with the log's name", async () => {
    await insert(600);
    const { size, origin } = await checkpoint();
    const full = await fetch(`${one.url}${TILE}/0/001`);
    expect(full.headers.get("content-type")).toBe("application/octet-stream");
    expect(full.headers.get("cache-control")).toBe("public, max-age=1");
    const hashes = Buffer.from(await full.arrayBuffer());
    expect(hashes.byteLength).toBe(256 * 32);
    const name = origin.split("/").at(-1) ?? "";
    const { body } = await anyone.get("/.well-known/openid-configuration");
    expect(body.service_audit_log.tile_uri).toBe(`http://localhost:3000${TILE}/${name}/`);
    const named = await fetch(`${one.url}${TILE}/${name}/0/001`);
    expect(named.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(Buffer.from(await named.arrayBuffer()).equals(hashes)).toBe(true);
    const other = (Number.parseInt(name, 16) - 1).toString(16);
    expect((await fetch(`${one.url}${TILE}/${other}/0/001`)).status).toBe(404);
    const width = size - 512;
    const part = await fetch(`${one.url}${TILE}/0/002.p/${width}`);
    expect((await part.arrayBuffer()).byteLength).toBe(width * 32);
    expect((await (await fetch(`${one.url}${TILE}/1/000.p/2`)).arrayBuffer()).byteLength).toBe(64);
  });

  test.each([
    "0/002",
    "0/002.p/0",
    "0/002.p/256",
    "0/002.p/255",
    "0/2",
    "0/x000/001",
    "0/003",
    "64/000",
    "00/000",
    "1/000",
    "entries/000",
    "0/000/",
    "0/%00",
  ])("404 not_found is %s", async (path) => {
    expect((await fetch(`${one.url}${TILE}/${path}`)).status).toBe(404);
  });
});

describe("GET /v1/audit-logs/:event_id/proof", () => {
  const pathOf = (eventId: string) => `/v1/audit-logs/${eventId}/proof`;

  test("200 proves a record to each permitted reader; 404: unknown record, 409: record without a leaf", async () => {
    await insert(1);
    const { items } = (await admin.get("/v1/audit-logs?page_size=100")).body;
    const keys = [await verifierKey()];
    for (const { event_id: eventId } of items.slice(3, 6)) {
      const proved = await admin.get(pathOf(eventId));
      expect([proved.status, proved.body.record.event_id]).toEqual([200, eventId]);
      expect(await verifyRecord({ proof: proved.text, keys, eventId })).toMatchObject({ ok: true });
      const forged = proved.text.replace('"outcome":"success"', '"outcome":"failure"');
      expect(await verifyRecord({ proof: forged, keys })).toMatchObject({ ok: false });
      expect(await verifyRecord({ proof: proved.text, keys, eventId: UNKNOWN })).toMatchObject({ ok: false });
    }
    expect((await admin.get(pathOf(UNKNOWN))).status).toBe(404);
    await sql.begin(async (transaction) => {
      // The log waits for this transaction.
      await transaction`create table held (id int)`;
      const [row] = await sql<{ eventId: string }[]>`
        insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
        values (gen_random_uuid(), now(), 'user', 'auth.login', 'session', '{}', 'success')
        returning event_id as "eventId"`;
      const early = await admin.get(pathOf(row?.eventId ?? ""));
      expect([early.status, early.body.error.code]).toEqual([409, "conflict"]);
    });
  });

  test("401, 403 and 404: keys of an organization prove the records of that organization alone", async () => {
    const { items } = (await admin.get("/v1/audit-logs?page_size=1")).body;
    expect((await anyone.get(pathOf(items[0].event_id))).status).toBe(401);
    const { client } = await registered(one.url);
    expect((await client.get(pathOf(items[0].event_id))).status).toBe(403);
    const owner = await steppedUpOwner({ one, sql } as never);
    const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), ["audit.read"]);
    await sequenced();
    const mine = await anyone.request("GET", "/v1/audit-logs?page_size=100", { bearer: key });
    const proved = await anyone.request("GET", pathOf(mine.body.items.at(-1).event_id), { bearer: key });
    expect(proved.status).toBe(200);
    expect(await verifyRecord({ proof: proved.text, keys: [await verifierKey()] })).toMatchObject({ ok: true });
    const other = items.find((item: { organization_id: string }) => item.organization_id !== owner.organizationId);
    expect((await anyone.request("GET", pathOf(other.event_id), { bearer: key })).status).toBe(404);
  });
});

describe("GET /v1/admin/audit-export/proof", () => {
  test("200 proves an export to `audit verify`, which needs neither configuration nor key of the service", async () => {
    const kept = await checkpoint();
    await insert(3);
    const { lines, proof } = await download("whole");
    const key = save("key", `${await verifierKey()}\n`);
    const checkpointFile = save("kept", kept.note);
    const verify = (...more: string[]) => runService(["audit", "verify", lines, "--proof", proof, ...more], {});
    const good = await verify("--key", key, "--checkpoint", checkpointFile);
    expect([good.code, good.output]).toEqual([0, expect.stringMatching(/\d+ records, from the first to /)]);
    expect(good.output).toContain(`signed by ${(await verifierKey()).split("+").slice(0, 2).join("+")}`);
    expect((await verify("--key", key, "--tree-size", "1")).output).toContain("a proof for tree_size=1 is needed");
    expect((await verify("--key", key, "--retained-from", "x")).output).toContain("is not a time");
    expect(good.output).toContain("which extends the kept checkpoint");
    expect((await verify("--key", "x+0+y")).code).toBe(1);
    expect((await verify()).output).toContain("--key is missing");
    const changed = (await Bun.file(lines).text()).split("\n");
    changed[4] = (changed[4] ?? "").replace("success", "failure");
    const wrong = save("wrong.ndjson", changed.join("\n"));
    const found = await runService(["audit", "verify", wrong, "--proof", proof, "--key", key], {});
    expect([found.code, found.output]).toEqual([1, expect.stringContaining("line 5: the record with id")]);
  });

  test("200 leaves the export of the contract as it is, but for records that are no leaf yet", async () => {
    const provable = await admin.get(`${EXPORT}?proof=true`);
    const { text, headers } = await admin.get(EXPORT);
    expect(headers.has("x-service-audit-tree-size")).toBe(false);
    expect(Number(provable.headers.get("x-service-audit-tree-size"))).toBe(provable.text.split("\n").length - 2);
    expect(text.startsWith(provable.text.split("\n").slice(0, -2).join("\n"))).toBe(true);
  });

  test("400 invalid_input refuses sizes and times that are none, and a kept size beyond the log", async () => {
    for (const query of [
      "",
      "?tree_size=x",
      "?tree_size=-1",
      "?tree_size=1&from=x",
      "?tree_size=1&kept_size=999999999",
    ]) {
      expect((await admin.get(`${PROOF}${query}`)).status).toBe(400);
    }
  });

  test("401, 402 and 403 are those of the export", async () => {
    expect((await anyone.get(`${PROOF}?tree_size=1`)).status).toBe(401);
    const { client, organizationId } = await registered(one.url);
    expect((await client.get(`${PROOF}?tree_size=1`)).status).toBe(402);
    await enterEnterprise(sql, organizationId);
    expect((await client.get(`${PROOF}?tree_size=1`)).status).toBe(403);
  });

  test("429 rate_limited asks to wait for a checkpoint of that size", async () => {
    const response = await admin.get(`${PROOF}?tree_size=99999999`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2"]);
    const { text } = await admin.get("/metrics");
    expect(text).toMatch(/service_bound_refusals_total\{service_bound="proof_checkpoint"[^}]*\} [1-9]/);
  });
});

describe("Go's implementation of the checksum database", () => {
  test("verifies notes, inclusion of each record, consistency of any two checkpoints, a whole export", async () => {
    const go = findProgram("go");
    const notes: string[] = [];
    for (const count of [1, 300]) {
      await insert(count);
      notes.push(save(`checkpoint-${notes.length}`, (await checkpoint()).note));
    }
    let files = await download("go");
    let header = await headerOf(files.proof);
    // The record of an export may itself become a leaf before the proof is built.
    await until("an export of the whole log", async () => {
      if (header.lines === sizeOf(header.checkpoint)) return true;
      files = await download("go");
      header = await headerOf(files.proof);
      return false;
    });
    notes.push(save("newest", header.checkpoint));
    const program = join(directory, "judge");
    const source = join(import.meta.dir, "../support/go-judge/main.go");
    const env = {
      ...process.env,
      GO111MODULE: "off",
      GOPATH: GO_PATH,
      GOFLAGS: "",
      GOCACHE: join(tmpdir(), "identity-go"),
    };
    const built = Bun.spawn([go, "build", "-o", program, source], { env });
    expect(await built.exited).toBe(0);
    const key = await verifierKey();
    const verdict = async (lines: string) => {
      const args = [program, key, `${one.url}${TILE}/`, lines, files.proof, ...notes];
      return await new Response(Bun.spawn(args, { stderr: "inherit" }).stdout).text();
    };
    const judged = await verdict(files.lines);
    expect(judged).toMatch(/^6 consistency proofs, \d+ records\n$/);
    expect(Number(/(\d+) records/.exec(judged)?.[1])).toBe(header.lines);
    const text = await Bun.file(files.lines).text();
    expect(await verdict(save("forged.ndjson", text.replace('"success"', '"failure"')))).toBe("");
  });
});
