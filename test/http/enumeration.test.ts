import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

const TRIES = 200;
let replica: Replica;
const addresses: Record<string, string> = {};

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  replica = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_ARGON2_MEMORY_KIB: "4096" });
  const sql = openSql(databaseUrl);
  for (const kind of ["known", "disabled", "without a password"])
    addresses[kind] = (await registered(replica.url)).email;
  addresses.unknown = newEmail();
  await sql`update users set disabled_at = now() where email = ${addresses.disabled ?? ""}`;
  await sql`update users set password_hash = null where email = ${addresses["without a password"] ?? ""}`;
});

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

describe("POST /v1/auth/login, 401", () => {
  test("takes as long for known, unknown, disabled and password-less accounts: medians within 15 % (promise 13)", async () => {
    const client = new Client(replica.url);
    const times: Record<string, number[]> = Object.fromEntries(Object.keys(addresses).map((kind) => [kind, []]));
    // Taking turns, so that a slow moment of the machine meets all alike.
    for (let turn = 0; turn < TRIES; turn += 1) {
      for (const [kind, email] of Object.entries(addresses)) {
        const password = kind === "disabled" ? PASSWORD : "not the right password";
        const startedAt = performance.now();
        const answer = await client.post("/v1/auth/login", { email, password });
        times[kind]?.push(performance.now() - startedAt);
        if (answer.status !== 401) throw new Error(`${kind}: ${answer.status}`);
      }
    }
    const medians = Object.values(times).map(median);
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.15);
  });
});
