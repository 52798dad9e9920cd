import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coveringNodes } from "../../clients/js/src/audit/merkle.ts";
import { keyId, signatureLine } from "../../clients/js/src/audit/note.ts";
import { isSignedBy, readCheckpoint, readNote, readVerifierKey } from "../../clients/js/src/audit.ts";
import { auditLogOf } from "../../src/actors/audit-log-sequencer/memory.ts";
import { nothingSeen, sequence } from "../../src/actors/audit-log-sequencer.ts";
import { heldBack, logLag } from "../../src/actors/audit-log-watch.ts";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import type { Sql } from "../../src/database/database.ts";
import { findCheckpoint } from "../../src/flows/steps/audit/find-checkpoint.ts";
import { SEQUENCER_READ } from "../../src/limits/audit-limits.ts";
import { nextTrailRows } from "../../src/models/audit/trail.ts";
import { rootOfNodes } from "../../src/models/transparency-log/tiles.ts";
import { hashesOf } from "../../src/models/transparency-log/transparency-log.ts";
import { checkpointFolder } from "../../src/providers/checkpoints/checkpoint-folder.ts";
import { witness } from "../../src/providers/checkpoints/witness.ts";
import { DAY_MS, SECOND_MS } from "../support/accounts.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { openTrail, type Trail } from "../support/trail.ts";
import { until } from "../support/waiting.ts";
import { TestWitness } from "../support/witness.ts";

const TABLES = ["audit_logs", "transparency_log", "transparency_tiles"];

/** Copies the state of the database; the returned function restores the copy. */
async function backUp({ sql }: Trail): Promise<() => Promise<void>> {
  const copy = (table: string) => `backup_${table}`;
  for (const table of TABLES) {
    await sql.unsafe(`drop table if exists ${copy(table)}; create table ${copy(table)} as table ${table}`);
  }
  return async () => {
    for (const table of TABLES) {
      await sql.unsafe(`delete from ${table};
        insert into ${table} ${table === "audit_logs" ? "overriding system value" : ""} table ${copy(table)}`);
    }
  };
}

/** Returns the row ids of the leaves, in order. */
async function leafRows({ sql }: Trail): Promise<number[]> {
  const tiles = await sql<{ ids: number[] }[]>`
    select row_ids::float8[] as ids from transparency_tiles where level = 0 order by index`;
  return tiles.flatMap(({ ids }) => ids);
}

/** Returns how many rows of the trail the connection has read. */
async function rowsRead(sql: Sql): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select sum(seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_xact_user_tables
    where relname like 'audit_logs%'`;
  return row?.rows ?? 0;
}

const checkpointOf = (note: string) => readCheckpoint(readNote(note).text);

/** Returns true if the tree in the database extends the tree of a note. */
async function extendsNote({ sql }: Trail, note: string): Promise<boolean> {
  const { size, root } = checkpointOf(note);
  const hashes = await hashesOf(sql, coveringNodes(0, size));
  return Buffer.from(rootOfNodes(size, hashes)).equals(Buffer.from(root));
}

describe("the transparency log", () => {
  let trail: Trail;
  beforeAll(async () => {
    trail = await openTrail();
  });
  afterAll(() => trail.close());

  test("begins with older rows by id; further rows follow by transaction, after earlier transactions", async () => {
    const { sql } = trail;
    const old = await trail.insert(3);
    await sql`update audit_logs set transaction_id = null`;
    const other = trail.deps.database;
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const late = other.transaction("test", async (transaction) => {
      await transaction`
        insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
        values (gen_random_uuid(), ${new Date(trail.clock.now())}, 'user', 'late', 'session', '{}', 'success')`;
      started.resolve();
      await held.promise;
    });
    await started.promise;
    const later = await trail.insert(2);
    await trail.grow();
    expect(await leafRows(trail)).toEqual(old);
    held.resolve();
    await late;
    await trail.grow();
    const [row] = await sql<{ id: number }[]>`select id::float8 as id from audit_logs where action = 'late'`;
    expect(await leafRows(trail)).toEqual([...old, row?.id ?? 0, ...later]);
  });

  test("takes a row once, in whole tiles and parts of one, and proves it in every size of export", async () => {
    await trail.insertMany(1_400);
    const { checkpoint, note } = await trail.grow();
    expect(checkpoint.size).toBe(1_406);
    expect(new Set(await leafRows(trail)).size).toBe(1_406);
    await trail.insert(1);
    await trail.grow();
    expect(await trail.verify(await trail.download(), note)).toMatchObject({ ok: true, leftOut: 0, dropped: 0 });
  });

  test("is verified by the key of before and the new one after the root secret was replaced", async () => {
    const before = await trail.grow();
    const ofBefore = await trail.download({ keptSize: before.checkpoint.size });
    const sealing = sealingKey(deriveKey("another root secret", "seal/v1"));
    delete trail.memory.key;
    delete trail.memory.published;
    await sequence({ ...trail.sequencer, sealing }, trail.memory);
    const oldKey = before.verifierKey;
    const newKey = (await trail.grow()).verifierKey;
    expect(newKey).not.toBe(oldKey);
    const evidence = await trail.download({ keptSize: before.checkpoint.size });
    expect(await trail.verify(evidence, before.note, [oldKey, newKey])).toMatchObject({
      ok: true,
      signedBy: [keyId(readVerifierKey(newKey))],
      keptSignedBy: [keyId(readVerifierKey(oldKey))],
    });
    const problemWith = async (...keys: string[]) => await problemOf(evidence, keys);
    const problemOf = async (what: typeof evidence, keys: string[]) => {
      const verdict = await trail.verify(what, before.note, keys);
      return verdict.ok ? undefined : verdict.problem;
    };
    expect(await problemWith(newKey)).toStartWith("the checkpoint that was kept is not signed by");
    expect(await problemWith(oldKey)).toStartWith("the checkpoint of the proof is not signed by");
    // The old key is valid for the kept checkpoint, but not for a proof beside a newer key.
    expect(await problemOf(ofBefore, [oldKey])).toBeUndefined();
    expect(await problemOf(ofBefore, [oldKey, newKey])).toStartWith("the checkpoint of the proof is not signed by");
  });

  test("keeps the leaves of dropped rows, and the proof tells the number of dropped rows", async () => {
    const keep = await openTrail({ SERVICE_AUDIT_RETENTION_DAYS: "1" });
    await keep.insert(5);
    await keep.grow();
    keep.clock.advance(40 * DAY_MS);
    await keep.insert(2);
    const { checkpoint } = await keep.grow();
    const { database } = keep.deps;
    // The test drops the partitions directly, because the sweeper drops no partition that is recent by PostgreSQL's
    // clock.
    const before = new Date(keep.clock.now() - DAY_MS);
    await database.run("audit.drop", (sql) => sql`select drop_audit_partitions(${before})`);
    expect(await leafRows(keep)).toHaveLength(7);
    expect(checkpoint.size).toBe(7);
    const evidence = await keep.download();
    const keys = [keep.memory.published?.verifierKey ?? ""];
    const retained = { retainedFrom: "2030-02-01T00:00:00Z" };
    expect(await keep.verify(evidence, undefined, keys, retained)).toMatchObject({
      ok: true,
      ...{ lines: 2, firstLeaf: 5, dropped: 5, ...retained, firstTimestamp: expect.stringMatching(/^2030-02-1/) },
    });
    // The proof states the number of dropped leaves, but the statement is unsigned.
    expect(await keep.verify(evidence)).toMatchObject({
      ok: false,
      line: 1,
      problem: expect.stringContaining("leaves 0 to 4 are missing before this line; the proof says that retention"),
    });
    await keep.close();
  });

  test("is read 8,192 rows at a time while there is a backlog, not 512", async () => {
    const statements: string[] = [];
    const { database } = trail.sequencer;
    const run: typeof database.run = (statement, work) => {
      statements.push(statement);
      return database.run(statement, work);
    };
    const before = (await trail.grow()).checkpoint.size;
    await trail.insertMany(3_000);
    expect(await sequence({ ...trail.sequencer, database: { ...database, run } }, trail.memory)).toBe(false);
    expect(trail.memory.published?.checkpoint.size).toBe(before + 3_000);
    const times = (name: string) => statements.filter((each) => each === name).length;
    expect([times("audit.list_unsequenced"), times("transparency_log.grow")]).toEqual([2, 6]);
  });

  test("does not grow from forged tiles or with a forged key, and signs no checkpoint", async () => {
    const { sql } = trail;
    const restore = await backUp(trail);
    await sql`update transparency_tiles set hashes = decode(repeat('00', octet_length(hashes)), 'hex')`;
    await trail.insert(1);
    await expect(trail.grow()).rejects.toThrow("tiles of the transparency log were changed");
    await restore();
    const memory = nothingSeen(trail.sequencer);
    await sql`update transparency_keys set public_key = decode(repeat('00', 32), 'hex')`;
    await expect(sequence(trail.sequencer, memory)).rejects.toThrow("does not open");
    expect(memory.published).toBeUndefined();
  });

  test("came with a migration that rewrites no row of the trail", async () => {
    const { sql } = trail;
    const files = async () =>
      await sql`
        select c.relname, pg_relation_filenode(c.oid) as file from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'audit_logs'::regclass order by 1`;
    const restore = await backUp(trail);
    await sql.unsafe("alter table audit_logs drop column transaction_id");
    const before = await files();
    const migration = readFileSync(join(import.meta.dir, "../../db/migrations/0012_audit_proofs.sql"), "utf8");
    const statements = migration
      .split("--> statement-breakpoint")
      .filter((each) => /(TABLE|ON) "audit_logs"/.test(each));
    for (const statement of statements) await sql.unsafe(statement);
    expect([statements.length, await files()]).toEqual([3, before]);
    await restore();
    expect(await trail.verify(await trail.download())).toMatchObject({ ok: true });
  });
});

describe("rows from before the log", () => {
  test("are read by the primary key: a statement reads no more rows of a longer trail", async () => {
    const trail = await openTrail();
    await trail.sql`alter table audit_logs alter column transaction_id drop default`;
    await trail.insertMany(8 * SEQUENCER_READ);
    await trail.sql`analyze audit_logs (id)`;
    const last = { transactionId: "0", rowId: 0 };
    const [before, next, after] = await trail.deps.database.transaction("test", async (sql) => [
      await rowsRead(sql),
      await nextTrailRows(sql, { last, horizon: "9", restoredRowId: 0 }),
      await rowsRead(sql),
    ]);
    expect(next).toMatchObject({ rows: { length: SEQUENCER_READ }, last: { ...last, rowId: SEQUENCER_READ } });
    // A merge of partitions reads one row ahead.
    expect(after - before).toBeLessThanOrEqual(SEQUENCER_READ + 1);
    await trail.close();
  });
});

describe("events of the log", () => {
  let trail: Trail;
  beforeAll(async () => {
    trail = await openTrail();
  });
  afterAll(() => trail.close());

  const webhook = async (eventTypes: readonly string[], enabled = true) => {
    const [row] = await trail.sql<{ id: string }[]>`
      insert into webhooks (id, url, event_types, enabled, sealed_secret, created_at, updated_at)
      values (gen_random_uuid(), 'https://auditor.test/', ${[...eventTypes]}, ${enabled}, '', now(), now())
      returning id`;
    return row?.id ?? "";
  };
  const announcedTo = async (id: string) => {
    const rows = await trail.sql<{ payload: string }[]>`
      select payload from webhook_deliveries where webhook_id = ${id} order by sequence`;
    return rows.map(({ payload }) => JSON.parse(payload));
  };

  test("webhooks with the event type get a checkpoint a minute, and the newest checkpoint at last (G66)", async () => {
    const [named, patterns, off] = await Promise.all([
      webhook(["member.removed", "audit.checkpoint.published"]),
      webhook(["*", "audit.*", "audit.checkpoint.*"]),
      webhook(["audit.checkpoint.published"], false),
    ]);
    await trail.insert(1);
    const first = await trail.grow();
    for (let step = 0; step < 5; step += 1) {
      trail.clock.advance(11 * SECOND_MS);
      if (step < 3) await trail.insert(1);
      await trail.grow();
    }
    expect((await announcedTo(named)).map(({ data }) => data.tree_size)).toEqual([first.checkpoint.size]);
    trail.clock.advance(5 * SECOND_MS);
    const last = await trail.grow();
    const [, sent, ...more] = await announcedTo(named);
    expect(sent).toEqual({
      type: "audit.checkpoint.published",
      timestamp: new Date(trail.clock.now()).toISOString(),
      data: { origin: last.checkpoint.origin, tree_size: last.checkpoint.size, checkpoint: last.note },
    });
    expect([more, await announcedTo(off)]).toEqual([[], []]);
    expect((await announcedTo(patterns)).filter(({ type }) => type === "audit.checkpoint.published")).toEqual([]);
  });

  test("a sent checkpoint adds no leaf: a quiet log does not grow and sends no further checkpoint (G66)", async () => {
    const named = await webhook(["audit.checkpoint.published"]);
    const { checkpoint } = await trail.grow();
    for (let minute = 0; minute < 5; minute += 1) {
      trail.clock.advance(61 * SECOND_MS);
      await trail.grow();
    }
    expect(trail.memory.published?.checkpoint.size).toBe(checkpoint.size);
    expect(await announcedTo(named)).toEqual([]);
  });

  test("of two sequencers, only a single sequencer sends", async () => {
    const named = await webhook(["audit.checkpoint.published"]);
    trail.clock.advance(61 * SECOND_MS);
    await trail.insert(1);
    const memories = [nothingSeen(trail.sequencer), nothingSeen(trail.sequencer)];
    for (const memory of memories) memory.leasedUntil = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(memories.map((memory) => sequence(trail.sequencer, memory)));
    }
    expect(await announcedTo(named)).toHaveLength(1);
  });

  test("the lag is the age of the oldest record without a checkpoint, for any cause", async () => {
    const { sql, clock } = trail;
    await trail.grow();
    const lag = logLag(trail.deps);
    const lagNow = async () => {
      await lag.read();
      return Math.round(lag.age() ?? Number.NaN);
    };
    expect([logLag(trail.deps).age(), await lagNow()]).toEqual([undefined, 0]);
    const record = async () => {
      await sql`
        insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
        values (gen_random_uuid(), ${new Date(clock.now())}, 'user', 'auth.login', 'session', '{}', 'success')`;
    };
    // An open transaction delays the log for all later records.
    const held = Promise.withResolvers<void>();
    const open = trail.deps.database.transaction("test", async (transaction) => {
      await transaction`select pg_current_xact_id()`;
      await held.promise;
    });
    await until(
      "it has an id",
      async () => (await sql`select 1 from pg_stat_activity where backend_xid is not null`).length > 0,
    );
    await record();
    clock.advance(400 * SECOND_MS);
    await record();
    await trail.grow();
    expect(await lagNow()).toBe(400);
    // The lag grows while the log cannot be read.
    clock.advance(10 * SECOND_MS);
    expect(Math.round(lag.age() ?? 0)).toBe(410);
    held.resolve();
    await open;
    await trail.grow();
    expect(await lagNow()).toBe(0);
    // The lag of leaves without a checkpoint is the age of the first leaf's record.
    await sql`update transparency_log set checkpoint_size = checkpoint_size - 2`;
    expect(await lagNow()).toBe(410);
    await sql`update transparency_log set checkpoint_size = size`;
    expect(await lagNow()).toBe(0);
  });
});

describe("two sequencers", () => {
  test("at once, with and without the lease, never fork the log and miss no row", async () => {
    const trail = await openTrail();
    const notes = new Map<string, string>();
    let running = true;
    /** A replica that wrongly believes to hold the lease, as after a pause of the replica or the database. */
    const sequencer = async () => {
      const memory = nothingSeen(trail.sequencer);
      while (running || !memory.published) {
        memory.leasedUntil = Number.POSITIVE_INFINITY;
        await sequence(trail.sequencer, memory);
        if (!memory.published) continue;
        const { note, checkpoint } = memory.published;
        const known = notes.get(`${checkpoint.origin} ${checkpoint.size}`);
        if (known !== undefined) expect(note).toBe(known);
        notes.set(`${checkpoint.origin} ${checkpoint.size}`, note);
      }
    };
    const sequencers = [sequencer(), sequencer(), sequencer()];
    for (let round = 0; round < 15; round += 1) {
      await Promise.all([trail.insert(3), trail.insertMany(40)]);
    }
    running = false;
    await Promise.all(sequencers);
    await trail.grow();
    expect(new Set([...notes.keys()].map((key) => key.split(" ")[0])).size).toBe(1);
    for (const note of notes.values()) expect(await extendsNote(trail, note)).toBe(true);
    const rows = await leafRows(trail);
    expect([rows.length, new Set(rows).size]).toEqual([645, 645]);
    expect(await trail.verify(await trail.download())).toMatchObject({ ok: true, lines: 645 });
    await trail.close();
  });
});

describe("a restored database", () => {
  let trail: Trail;
  const directory = mkdtempSync(join(tmpdir(), "identity-checkpoints-"));
  beforeAll(async () => {
    trail = await openTrail({}, { folder: checkpointFolder(directory, "one") });
  });
  afterAll(async () => {
    await trail.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("that has lost leaves goes on under a new name, so no size of a log is ever signed with two roots", async () => {
    await trail.insert(4);
    await trail.grow();
    const restore = await backUp(trail);
    await trail.insert(3);
    const lost = await trail.grow();
    await restore();
    await trail.insert(3);
    const found = await trail.grow();
    expect(found.checkpoint.size).toBe(7);
    expect(found.checkpoint.origin).not.toBe(lost.checkpoint.origin);
    expect(await trail.verify(await trail.download(), lost.note)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("is of the log"),
    });
    expect(await trail.verify(await trail.download(), found.note)).toMatchObject({ ok: true, lines: 7 });
  });

  test("of before a new name does not bring the old name back", async () => {
    const restore = await backUp(trail);
    const before = trail.memory.published?.checkpoint.origin ?? "";
    await trail.insert(2);
    await trail.grow();
    await restore();
    const renamed = (await trail.grow()).checkpoint.origin;
    expect(renamed).not.toBe(before);
    await restore();
    await trail.insert(1);
    expect([before, renamed]).not.toContain((await trail.grow()).checkpoint.origin);
  });

  test("is noticed by a replica that has just started, from the folder of checkpoints", async () => {
    const restore = await backUp(trail);
    await trail.insert(2);
    const lost = await trail.grow();
    expect(readdirSync(directory).sort()).toEqual(["checkpoint", "checkpoint-2030-01-01"]);
    expect(readFileSync(join(directory, "checkpoint"), "utf8")).toBe(lost.note);
    await restore();
    const memory = nothingSeen(trail.sequencer);
    memory.leasedUntil = Number.POSITIVE_INFINITY;
    await sequence(trail.sequencer, memory);
    expect(memory.published?.checkpoint.origin).not.toBe(lost.checkpoint.origin);
    await sequence(trail.sequencer, trail.memory);
    expect(trail.memory.published?.checkpoint.origin).toBe(memory.published?.checkpoint.origin ?? "");
  });

  test("is noticed from the folder of any replica, since each replica keeps the published log", async () => {
    const folder = join(directory, "of-another");
    mkdirSync(folder);
    const other = { ...trail.sequencer, folder: checkpointFolder(folder, "two") };
    const memory = nothingSeen(other);
    const restore = await backUp(trail);
    await trail.insert(2);
    const { note, checkpoint } = await trail.grow();
    await sequence(other, memory);
    expect(memory.leasedUntil).toBe(Number.NEGATIVE_INFINITY);
    expect(readFileSync(join(folder, "checkpoint"), "utf8")).toBe(note);
    // The next round writes the folder after a failed write.
    rmSync(folder, { recursive: true });
    await trail.insert(1);
    const later = await trail.grow();
    await expect(sequence(other, memory)).rejects.toThrow("ENOENT");
    mkdirSync(folder);
    await sequence(other, memory);
    expect(readFileSync(join(folder, "checkpoint"), "utf8")).toBe(later.note);
    // Replicas may share a folder: a replica that is behind does not overwrite a newer checkpoint.
    await trail.insert(1);
    const newest = await trail.grow();
    checkpointFolder(folder, "three").write(newest.note, new Date(trail.clock.now()));
    await trail.sql`update transparency_log set checkpoint = ${later.note}`;
    await sequence(other, nothingSeen(other));
    expect(readFileSync(join(folder, "checkpoint"), "utf8")).toBe(newest.note);
    await restore();
    const restarted = nothingSeen(other);
    restarted.leasedUntil = Number.POSITIVE_INFINITY;
    await sequence(other, restarted);
    expect(restarted.published?.checkpoint.origin).not.toBe(checkpoint.origin);
  });

  test("from a dump with transaction ids ahead loses no row and repeats no row", async () => {
    const { sql } = trail;
    await trail.insert(2);
    await trail.grow();
    // After a restore into a new server, the transaction ids of the dump are far above the present counter.
    await sql`update audit_logs set transaction_id = (transaction_id::text::bigint + 5000000000)::text::xid8`;
    await sql`
      update transparency_log
      set last_transaction_id = (last_transaction_id::text::bigint + 5000000000)::text::xid8`;
    const before = await leafRows(trail);
    const [behind] = await trail.insert(1);
    // The dump contains a row that is not a leaf yet.
    await sql`update audit_logs set transaction_id = '5999999999' where id = ${behind ?? 0}`;
    const inserted = await trail.insert(3);
    await trail.grow();
    await trail.grow();
    expect(await leafRows(trail)).toEqual([...before, behind ?? 0, ...inserted]);
    const more = await trail.insert(2);
    await trail.grow();
    expect(await leafRows(trail)).toEqual([...before, behind ?? 0, ...inserted, ...more]);
    expect(await trail.verify(await trail.download())).toMatchObject({ ok: true });
  });
});

describe("a transaction that stays open", () => {
  test("is counted with the database of the transaction, so the alert names the cause (G103)", async () => {
    const trail = await openTrail();
    const held = heldBack(trail.deps);
    expect(held.blockers()).toEqual([]);
    const seconds = (kind: string) => held.blockers().find((each) => each.kind === kind)?.seconds;
    const other = await freshDatabase();
    for (const [url, kind] of [
      [other, "other_database"],
      [trail.databaseUrl, "own_database"],
    ] as const) {
      const sql = openSql(url);
      await sql.begin(async (transaction) => {
        await transaction`create table held (id int)`;
        await trail.insert(1);
        await trail.grow();
        await until("the transaction is the oldest one", async () => {
          await held.read();
          const before = seconds(kind);
          trail.clock.advance(SECOND_MS);
          return before !== undefined && (seconds(kind) ?? 0) > before;
        });
        trail.clock.advance(60 * SECOND_MS);
        await held.read();
        expect(seconds(kind)).toBeGreaterThanOrEqual(60);
      });
      await sql.end();
    }
    await until("no transaction is held", async () => {
      await held.read();
      return held.blockers().every(({ seconds: age }) => age < 60);
    });
    await trail.close();
  });
});

describe("witnesses", () => {
  const names = (note: string | undefined) => readNote(note ?? "").signatures.map(({ name }) => name);

  test("with open requests delay no checkpoint, and a cosigned note is published on arrival (G103)", async () => {
    const [near, far] = [new TestWitness("near.example"), new TestWitness("far.example")];
    const witnesses = [near, far].map(({ verifierKey, url }) => witness(verifierKey, url));
    const trail = await openTrail({}, { witnesses });
    const hanging = Promise.withResolvers<void>();
    far.hangsUntil = hanging.promise;
    await trail.insert(1);
    await sequence(trail.sequencer, trail.memory);
    // The round ends before any witness has responded, and the checkpoint of the round is published.
    const first = trail.memory.published;
    expect([first?.checkpoint.size, names(first?.note)]).toEqual([1, [first?.checkpoint.origin ?? ""]]);
    near.trust(first?.verifierKey ?? "");
    far.trust(first?.verifierKey ?? "");
    for (let size = 2; size <= 4; size += 1) {
      await trail.insert(1);
      await sequence(trail.sequencer, trail.memory);
      expect(trail.memory.published?.checkpoint.size).toBe(size);
      await until("the other witness has cosigned", async () => {
        await sequence(trail.sequencer, trail.memory);
        return trail.memory.cosigned?.checkpoint.size === size;
      });
      expect(names(trail.memory.cosigned?.note)).toEqual([first?.checkpoint.origin ?? "", near.name]);
    }
    // A proof contains the cosigned checkpoint, and a second replica knows the cosigned checkpoint.
    const keys = [first?.verifierKey ?? "", near.verifierKey];
    expect(await trail.verify(await trail.download(), undefined, keys)).toMatchObject({ ok: true });
    const memory = nothingSeen(trail.sequencer);
    await sequence(trail.sequencer, memory);
    expect([memory.published?.note, memory.cosigned?.note]).toEqual(Array(2).fill(trail.memory.cosigned?.note));
    hanging.resolve();
    far.hangsUntil = undefined;
    await until("the witness that hung cosigns", async () => {
      await trail.grow();
      return names(trail.memory.published?.note).includes(far.name);
    });
    for (const each of [near, far]) each.stop();
    await trail.close();
  });

  test("of a quorum must cosign a checkpoint before readers and proofs have it (G103)", async () => {
    const [near, far] = [new TestWitness("near.example"), new TestWitness("far.example")];
    const witnesses = [near, far].map(({ verifierKey, url }) => witness(verifierKey, url));
    const trail = await openTrail({}, { witnesses, quorum: 2 });
    await trail.insert(3);
    const reader = auditLogOf(trail.sequencer, trail.memory);
    const round = async () => {
      await sequence(trail.sequencer, trail.memory);
      await trail.memory.cosigners?.settled();
    };
    await round();
    expect([reader.published(), reader.cosigned(), reader.cosignatureWait()]).toEqual([undefined, undefined, 0]);
    const [{ origin = "" } = {}] = await trail.sql<{ origin: string }[]>`select origin from transparency_log`;
    const verifierKey = trail.memory.key?.verifierKey(origin) ?? "";
    near.trust(verifierKey);
    await round();
    expect(near.seen.get(origin)?.size).toBe(3);
    trail.clock.advance(400 * SECOND_MS);
    await round();
    expect([reader.published(), reader.cosignatureWait()]).toEqual([undefined, 400]);
    far.trust(verifierKey);
    await until("both have cosigned", async () => {
      await round();
      return reader.published() !== undefined;
    });
    expect(names(reader.published()?.note)).toEqual([origin, near.name, far.name]);
    expect([reader.published(), reader.cosignatureWait()]).toEqual([reader.cosigned(), 0]);
    // While a witness does not cosign, the published checkpoint stays unchanged although the log grows.
    far.logs.splice(0);
    await trail.insert(2);
    await round();
    expect(reader.published()?.checkpoint.size).toBe(3);
    const [row] = await trail.sql`select size::int, checkpoint_size::int, cosigned_size::int from transparency_log`;
    expect(row).toEqual({ size: 5, checkpoint_size: 3, cosigned_size: 3 });
    expect(findCheckpoint({ auditLog: reader }, 5)).toBeUndefined();
    expect(findCheckpoint({ auditLog: reader }, 3)?.checkpoint.size).toBe(3);
    for (const each of [near, far]) each.stop();
    await trail.close();
  });

  test("with a response beyond a cosignature add only the cosignature to the published note", async () => {
    const names = ["honest.example", "hostile.example", "stranger.example"];
    const [honest, hostile, other] = names.map((name) => new TestWitness(name)) as [
      TestWitness,
      TestWitness,
      TestWitness,
    ];
    const witnesses = [honest, hostile].map(({ verifierKey, url }) => witness(verifierKey, url));
    const trail = await openTrail({}, { witnesses });
    const { verifierKey } = await trail.grow();
    for (const each of [honest, hostile]) each.trust(verifierKey);
    const stranger = signatureLine(other.verifierKey, new Uint8Array(72));
    const responses: [(cosignature: string) => string, boolean][] = [
      [(cosignature) => cosignature + signatureLine(verifierKey, new Uint8Array(64)), true],
      [(cosignature) => stranger + cosignature + cosignature, true],
      [(cosignature) => `\n${cosignature}`, false],
      [(cosignature) => `\n${stranger}\n${cosignature}`, false],
      [(cosignature) => cosignature + stranger.repeat(100), false],
      [(cosignature) => cosignature + signatureLine(hostile.verifierKey, new Uint8Array(72)), false],
      [() => stranger, false],
      [() => "", false],
    ];
    for (const [disguise, cosigned] of responses) {
      hostile.disguise = disguise;
      await trail.insert(1);
      const { note, checkpoint } = await trail.grow();
      const signers = [checkpoint.origin, honest.name, ...(cosigned ? [hostile.name] : [])];
      expect(readNote(note).signatures.map(({ name }) => name)).toEqual(signers);
      expect(await isSignedBy(readNote(note), readVerifierKey(verifierKey))).toBe(true);
      // A second replica reads the published note.
      const memory = nothingSeen(trail.sequencer);
      await sequence(trail.sequencer, memory);
      expect(memory.published?.note).toBe(note);
    }
    for (const each of [honest, hostile, other]) each.stop();
    await trail.close();
  });

  test("cosign each extending checkpoint; an unavailable witness is asked again", async () => {
    const [near, far] = [new TestWitness("near.example"), new TestWitness("far.example")];
    const witnesses = [near, far].map(({ verifierKey, url }) => witness(verifierKey, url));
    const trail = await openTrail({}, { witnesses });
    await trail.insert(5);
    const alone = await trail.grow();
    expect(readNote(alone.note).signatures.map(({ name }) => name)).toEqual([alone.checkpoint.origin]);
    near.trust(alone.verifierKey);
    far.trust(alone.verifierKey);
    const both = await trail.grow();
    const names = (note: string) => readNote(note).signatures.map(({ name }) => name);
    expect([both.checkpoint.size, names(both.note)]).toEqual([5, [both.checkpoint.origin, near.name, far.name]]);
    // A sequencer that has just started does not know the state of the witnesses.
    await trail.insertMany(300);
    const memory = nothingSeen(trail.sequencer);
    memory.leasedUntil = Number.POSITIVE_INFINITY;
    const restarted = [near, far].map(({ verifierKey, url }) => witness(verifierKey, url));
    await sequence({ ...trail.sequencer, witnesses: restarted }, memory);
    await memory.cosigners?.settled();
    expect(near.answered.slice(-2)).toEqual([409, 200]);
    expect(near.seen.get(both.checkpoint.origin)?.size).toBe(305);
    await trail.grow();
    const evidence = await trail.download();
    const keys = [alone.verifierKey, near.verifierKey, far.verifierKey];
    expect(await trail.verify(evidence, both.note, keys)).toMatchObject({ ok: true });
    const stranger = new TestWitness("far.example");
    expect(await trail.verify(evidence, both.note, [...keys, stranger.verifierKey])).toMatchObject({
      ok: false,
      problem: "the checkpoint of the proof is not signed by far.example",
    });
    for (const each of [near, far, stranger]) each.stop();
    await trail.close();
  });
});
