/** Accounts with imported hashes: the response time does not reveal the import, and the password remains valid. */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomBytes, scryptSync } from "node:crypto";
import { hashSync as argon2 } from "@node-rs/argon2";
import { hashSync as bcrypt } from "@node-rs/bcrypt";
import type postgres from "postgres";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { median, spreadBeyondNoise } from "../support/timing.ts";
import { attempts, stopwatch } from "../support/waiting.ts";

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

let replica: Replica;
let sql: postgres.Sql;
let databaseUrl: string;

async function account(hash: string | null): Promise<string> {
  const { email } = await registered(replica.url);
  await sql`update users set password_hash = ${hash} where email = ${email}`;
  return email;
}

const hashOf = async (email: string) =>
  String((await sql`select password_hash from users where email = ${email}`)[0]?.password_hash);

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  sql = openSql(databaseUrl);
  replica = await startReplica({ DATABASE_URL: databaseUrl });
});

describe("an imported bcrypt hash", () => {
  const long = "p".repeat(72);

  test("is compared over 72 bytes, and no other tail becomes the password", async () => {
    const email = await account(bcrypt(`${long} and my tail`, 4));
    expect((await signedIn(replica.url, email, `${long} and another tail`)).answer.status).toBe(200);
    expect(await hashOf(email)).toStartWith("$2b$");
    expect((await signedIn(replica.url, email, `${long} and my tail`)).answer.status).toBe(200);
    expect((await signedIn(replica.url, email, long.slice(1))).answer.status).toBe(401);
  });

  test("nor a tail that normalising would bring below 72 bytes", async () => {
    // 24 letters with an accent each: 72 bytes as typed, 48 bytes after normalisation.
    const typed = "e\u0301".repeat(24);
    const email = await account(bcrypt(`${typed}x`, 4));
    expect((await signedIn(replica.url, email, `${typed}y`)).answer.status).toBe(200);
    expect(await hashOf(email)).toStartWith("$2b$");
  });

  test("nor what bcrypt repeats after a NUL", async () => {
    const email = await account(bcrypt("short", 4));
    expect((await signedIn(replica.url, email, "short\0short")).answer.status).toBe(200);
    expect(await hashOf(email)).toStartWith("$2b$");
    expect((await signedIn(replica.url, email, "short")).answer.status).toBe(200);
  });

  test("is replaced by Argon2id when the password has at most 72 bytes", async () => {
    const email = await account(bcrypt(long, 4));
    expect((await signedIn(replica.url, email, long)).answer.status).toBe(200);
    expect(await hashOf(email)).toStartWith("$argon2id$");
    expect((await signedIn(replica.url, email, `${long}x`)).answer.status).toBe(401);
  });
});

describe("a refused password", () => {
  const addresses: Record<string, string> = {};
  const wrong = "not the right password";

  beforeAll(async () => {
    const salt = randomBytes(16);
    const scrypt = scryptSync(PASSWORD, salt, 32, { cost: 2 ** 12, blockSize: 8, parallelization: 1 });
    const other = argon2(PASSWORD, { memoryCost: 8192, timeCost: 2, parallelism: 1 });
    const pbkdf2 = `$pbkdf2-sha256$10000$${base64(salt)}$${base64(randomBytes(32))}`;
    addresses.known = (await registered(replica.url)).email;
    addresses.disabled = (await registered(replica.url)).email;
    await sql`update users set disabled_at = now() where email = ${addresses.disabled}`;
    addresses.unknown = newEmail();
    addresses["without a password"] = await account(null);
    addresses["bcrypt, cost 8"] = await account(bcrypt(PASSWORD, 8));
    addresses.scrypt = await account(`$scrypt$ln=12,r=8,p=1$${base64(salt)}$${base64(scrypt)}`);
    addresses.PBKDF2 = await account(pbkdf2);
    addresses["Argon2id of another cost"] = await account(other);
    // A new replica reads the costs at the start; a running replica reads the costs every five seconds.
    await replica.kill();
    replica = await startReplica({ DATABASE_URL: databaseUrl });
  });

  async function timeOf(email: string, password: string, status: number): Promise<number> {
    const startedAt = performance.now();
    const response = await new Client(replica.url).post("/v1/auth/login", { email, password });
    if (response.status !== status) throw new Error(`answered ${response.status}`);
    return performance.now() - startedAt;
  }

  test.each([
    ["as it is", "", 16],
    ["that normalising changes", "e\u0301", 8],
  ])(
    "%s takes as long for accounts of every scheme, unknown and disabled ones: medians within 15 %%",
    async (_, more, turns) => {
      const times: Record<string, number[]> = {};
      const takeTurns = async () => {
        // One request at a time: a replica of the tests has one hash worker, and a wait for its queue is no hash.
        for (let turn = 0; turn < turns; turn += 1) {
          for (const [kind, email] of Object.entries(addresses)) {
            const took = await timeOf(email, kind === "disabled" && more === "" ? PASSWORD : wrong + more, 401);
            times[kind] = [...(times[kind] ?? []), took];
          }
        }
      };
      await attempts(async () => {
        await takeTurns();
        expect(spreadBeyondNoise(times)).toBeLessThan(1.15);
      });
    },
  );

  test("waits on a timer: a right one does not, and many refused ones wait side by side", async () => {
    // The slowest cost exceeds the remaining work of a sign-in by far.
    await account(bcrypt(PASSWORD, 10));
    await replica.kill();
    replica = await startReplica({ DATABASE_URL: databaseUrl });
    await attempts(async () => {
      const refused: number[] = [];
      const admitted: number[] = [];
      for (let turn = 0; turn < 7; turn += 1) {
        refused.push(await timeOf(addresses.unknown ?? "", wrong, 401));
        admitted.push(await timeOf(addresses.known ?? "", PASSWORD, 200));
      }
      expect(median(admitted)).toBeLessThan(median(refused) / 2);
      const elapsed = stopwatch();
      await Promise.all(Array.from({ length: 20 }, () => timeOf(newEmail(), wrong, 401)));
      expect(elapsed()).toBeLessThan(10 * median(refused));
    });
  });
});
