import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { LIBCRYPTO } from "../../src/config/settings.ts";
import { TURNS_BEHIND_MAX } from "../../src/limits/process-limits.ts";
import { openHashPool, openPool, openSignPool, type PoolOptions } from "../../src/pool/pool.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { stopwatch, until } from "../support/waiting.ts";
import type { FatalJob } from "./fatal-worker.ts";

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

  test("runs the passwords of programs behind all others, one at a time for a program (G521)", async () => {
    const pool = hashPool({ workers: 2, queueMax: 40 });
    await pool.run({ kind: "hash", password: "x", cost: CHEAP });
    const order: string[] = [];
    const job = { kind: "hash", password: "x", cost: { ...CHEAP, memoryKib: 8_192, time: 2 } } as const;
    const note = (name: string) => () => void order.push(name);
    const programs = ["one", "one", "one", "other"].map((name) => pool.runBehind(job, name).then(note(name)));
    await Promise.resolve();
    expect(pool.queued).toBe(0);
    const people = Array.from({ length: 12 }, (_, index) => pool.run(job, `person ${index % 3}`).then(note("person")));
    await Promise.all([...programs, ...people]);
    // A job of each program ran before the first person came; the rest of the program waits for the last person.
    expect(order.filter((each) => each !== "person")).toHaveLength(4);
    expect(order.slice(0, 3)).toContain("other");
    expect(order.slice(-2)).toEqual(["one", "one"]);
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
