import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { LIBCRYPTO } from "../../src/config/settings.ts";
import { TURNS_BEHIND_MAX } from "../../src/limits/process-limits.ts";
import { openHashPool, openPool, openSignPool, type PoolOptions } from "../../src/pool/pool.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { stopwatch, until } from "../support/waiting.ts";
import type { FatalJob } from "./fatal-worker.ts";
import type { GatedJob } from "./gated-worker.ts";

const CHEAP = { memoryKib: 1024, time: 1, parallelism: 1 };
/** The cost of about a second of a core. */
const SLOW = { memoryKib: 262_144, time: 8, parallelism: 1 };
let common: Pick<PoolOptions, "clock" | "telemetry" | "niceIncrement">;
const closing: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  const clock = systemClock;
  const telemetry = await silentTelemetry();
  common = { clock, telemetry, niceIncrement: 0 };
});
afterAll(async () => {
  for (const pool of closing) await pool.close();
});

function hashPool(options: { workers?: number; queueMax?: number; deadlineMs?: number } = {}) {
  const pool = openHashPool({ ...common, workers: 1, queueMax: 10, deadlineMs: 5000, ...options });
  closing.push(pool);
  return pool;
}

describe("hash pool", () => {
  test("hashes with Argon2id at the cost asked for, and verifies right and wrong", async () => {
    const pool = hashPool();
    const made = await pool.run({ kind: "hash", password: "secret", cost: CHEAP });
    if (!made.ok || made.kind !== "hash") throw new Error("no hash");
    expect(made.hash).toStartWith("$argon2id$v=19$m=1024,t=1,p=1$");
    const verdicts = ["secret", "Secret"].map((password) =>
      pool.run({ kind: "verify", password, hash: { scheme: "argon2", encoded: made.hash } }),
    );
    expect((await Promise.all(verdicts)).map((each) => each.ok && each.kind === "verify" && each.matches)).toEqual([
      true,
      false,
    ]);
  });

  test("answers a code, not a thrown class, for what is no hash", async () => {
    expect(
      await hashPool().run({ kind: "verify", password: "x", hash: { scheme: "argon2", encoded: "nonsense" } }),
    ).toEqual({
      ok: false,
      code: "bad_hash",
    });
  });

  test("refuses at once what goes beyond its queue, and does the rest", async () => {
    const pool = hashPool({ queueMax: 3 });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => pool.run({ kind: "hash", password: "x", cost: CHEAP })),
    );
    expect(responses.filter((each) => each.ok)).toHaveLength(4);
    expect(responses.filter((each) => !each.ok && each.code === "queue_full")).toHaveLength(6);
    expect(pool.queued).toBe(0);
  });

  test("refuses a program beyond its waiting passwords, and no other (G521)", async () => {
    const pool = hashPool({ queueMax: 200, deadlineMs: 20_000 });
    const job = { kind: "hash", password: "x", cost: CHEAP } as const;
    const flood = Array.from({ length: TURNS_BEHIND_MAX + 10 }, () => pool.runBehind(job, "one"));
    const other = await pool.runBehind(job, "other");
    const responses = await Promise.all(flood);
    expect(responses.filter((each) => !each.ok && each.code === "queue_full")).toHaveLength(10);
    expect([other.ok, responses.filter((each) => each.ok).length]).toEqual([true, TURNS_BEHIND_MAX]);
  });

  test("ends a job that hangs at its deadline, replaces the worker, and lives (G28)", async () => {
    const pool = hashPool({ deadlineMs: 200 });
    await until("the worker is up", async () => {
      return (await pool.run({ kind: "hash", password: "x", cost: CHEAP })).ok;
    });
    const elapsed = stopwatch();
    expect(await pool.run({ kind: "hash", password: "x", cost: SLOW })).toMatchObject({ ok: false, code: "deadline" });
    expect(elapsed()).toBeLessThan(2000);
    // The deadline includes the start of the replacement, so on a busy machine the first jobs may exceed the deadline.
    await until("the pool heals", async () => {
      return (await pool.run({ kind: "hash", password: "x", cost: CHEAP })).ok;
    });
  });
});

/** A pool whose jobs end when the test opens their gate, with the names of the ended jobs in order. */
function gatedPool(workers: number) {
  const workerFile = new URL("./gated-worker.ts", import.meta.url);
  const bounds = { workers, queueMax: 40, deadlineMs: 60_000 };
  const pool = openPool<GatedJob, { ok: true }>({ ...common, name: "gated", workerFile, ...bounds });
  closing.push(pool);
  const gate = join(mkdtempSync(join(tmpdir(), "identity-gate-")), "open");
  const ended: string[] = [];
  return {
    pool,
    gate,
    ended,
    note: (name: string) => () => void ended.push(name),
    open: () => writeFileSync(gate, ""),
  };
}

describe("jobs behind all others (G521)", () => {
  test("wait for all jobs of people, and programs take turns", async () => {
    const { pool, gate, ended, note, open } = gatedPool(1);
    const running = pool.run({ until: gate });
    const programs = ["one", "one", "one", "other"].map((name) => pool.runBehind({}, name).then(note(name)));
    await until("a job of each program waits", async () => pool.queued === 2);
    const people = ["a", "b", "a"].map((name) => pool.run({}, name).then(note("person")));
    open();
    await Promise.all([running, ...programs, ...people]);
    expect(ended).toEqual(["person", "person", "person", "one", "other", "one", "one"]);
  });

  test("run alone for a program: a free worker serves people and further programs", async () => {
    const { pool, gate, ended, note, open } = gatedPool(2);
    const one = [{ until: gate }, {}, {}].map((job) => pool.runBehind(job, "one").then(note("one")));
    await pool.runBehind({}, "other").then(note("other"));
    await pool.run({}, "person").then(note("person"));
    expect([ended, pool.queued]).toEqual([["other", "person"], 0]);
    open();
    await Promise.all(one);
    expect(ended).toEqual(["other", "person", "one", "one", "one"]);
  });
});

function fatalPool(deadlineMs: number) {
  const workerFile = new URL("./fatal-worker.ts", import.meta.url);
  const pool = openPool<FatalJob, { ok: true }>({
    ...common,
    name: "fatal",
    workerFile,
    workers: 1,
    queueMax: 10,
    deadlineMs,
  });
  closing.push(pool);
  return pool;
}

describe("a worker that dies", () => {
  test("is replaced, and its job answered by the replacement (G28)", async () => {
    const marker = join(mkdtempSync(join(tmpdir(), "identity-fatal-")), "died");
    const pool = fatalPool(5000);
    const responses = await Promise.all([pool.run({ dieUnless: marker }), pool.run({ dieUnless: marker })]);
    expect(responses).toEqual([{ ok: true }, { ok: true }]);
  });

  test("fails a job that kills every worker, and only this job (G28)", async () => {
    const pool = fatalPool(5000);
    expect(await pool.run({ dieUnless: undefined })).toEqual({ ok: false, code: "worker_died" });
    expect(await pool.run({ dieUnless: tmpdir() })).toEqual({ ok: true });
  });
});

describe("a pool that closes", () => {
  test("ends the running job, and begins no job: a drain waits for no cut-off export (G25)", async () => {
    const marker = join(mkdtempSync(join(tmpdir(), "identity-fatal-")), "begun");
    const pool = fatalPool(250_000);
    expect(await pool.run({ dieUnless: tmpdir() })).toEqual({ ok: true });
    const hanging = pool.run({ dieUnless: tmpdir(), afterMs: 60_000 });
    void pool.run({ dieUnless: marker });
    const elapsed = stopwatch();
    await pool.close();
    expect(await hanging).toEqual({ ok: false, code: "worker_died" });
    expect(elapsed()).toBeLessThan(20_000);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("sign pool", () => {
  test("signs the input with RS256", async () => {
    const pool = openSignPool({ libcrypto: LIBCRYPTO, ...common, workers: 1, queueMax: 10, deadlineMs: 5000 });
    closing.push(pool);
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = { kid: "k", privateKeyPem: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
    const response = await pool.run({ key, input: "a.b" });
    if (!response.ok) throw new Error(response.code);
    const signature = Buffer.from(response.signature, "base64url");
    expect(verify("RSA-SHA256", Buffer.from("a.b"), publicKey, signature)).toBe(true);
    expect(await pool.run({ key: { kid: "other", privateKeyPem: "nonsense" }, input: "a" })).toEqual({
      ok: false,
      code: "bad_key",
    });
  });

  test("does every admitted job, in any number: a slot is a promise", async () => {
    const pool = openSignPool({
      libcrypto: LIBCRYPTO,
      ...common,
      workers: 1,
      queueMax: 40,
      admissionsMax: 20,
      deadlineMs: 5000,
    });
    closing.push(pool);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = { kid: "k", privateKeyPem: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
    const lanes = Array.from({ length: 200 }, (_, index) => (index < 100 ? "storm" : `user ${index % 30}`));
    const entered = lanes.filter((lane) => pool.admit(lane) !== undefined);
    expect(entered.filter((lane) => lane !== "storm").length).toBeGreaterThan(10);
    const responses = await Promise.all(entered.map((lane) => pool.run({ key, input: "a.b" }, lane)));
    expect(responses.every((response) => response.ok)).toBe(true);
  });

  test("takes turns between users: a flood of one user delays the next user by one job", async () => {
    const pool = openSignPool({ libcrypto: LIBCRYPTO, ...common, workers: 1, queueMax: 200, deadlineMs: 5000 });
    closing.push(pool);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = { kid: "k", privateKeyPem: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
    const done: string[] = [];
    const sign = (lane: string) => pool.run({ key, input: "a.b" }, lane).then(() => done.push(lane));
    await Promise.all([...Array.from({ length: 100 }, () => sign("flood")), sign("other")]);
    expect(done.indexOf("other")).toBeLessThan(3);
  });
});
