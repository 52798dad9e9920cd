import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

const TRIES = 200;
/** Returns that wait for their time anyway may be asked for side by side. */
const SIDE_BY_SIDE = 10;
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

/**
 * The slowest median of the four kinds of address as a ratio to the fastest. The kinds take turns, so that a slow moment of the
 * machine meets all alike.
 */
async function spread(sideBySide: number, ask: (kind: string, email: string) => Promise<number>): Promise<number> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(addresses).map((kind) => [kind, []]));
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      for (const [kind, email] of Object.entries(addresses)) {
        const startedAt = performance.now();
        await ask(kind, email);
        times[kind]?.push(performance.now() - startedAt);
      }
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, () => turns(TRIES / sideBySide)));
  const medians = Object.values(times).map(median);
  return Math.max(...medians) / Math.min(...medians);
}

async function statusOf(path: string, body: object, expected: number): Promise<number> {
  const { status } = await new Client(replica.url).post(path, body);
  if (status !== expected) throw new Error(`${path} answered ${status}`);
  return status;
}

describe("known, unknown, disabled and password-less accounts take as long: medians within 15 % (promise 13)", () => {
  test("POST /v1/auth/login, 401", async () => {
    const wrong = "not the right password";
    const ratio = await spread(1, (kind, email) =>
      statusOf("/v1/auth/login", { email, password: kind === "disabled" ? PASSWORD : wrong }, 401),
    );
    expect(ratio).toBeLessThan(1.15);
  });

  test("POST /v1/auth/email-otp/request, 204", async () => {
    const ratio = await spread(SIDE_BY_SIDE, (_, email) => statusOf("/v1/auth/email-otp/request", { email }, 204));
    expect(ratio).toBeLessThan(1.15);
  });

  test("POST /v1/auth/email-otp/verify, 401", async () => {
    const ratio = await spread(SIDE_BY_SIDE, (_, email) =>
      statusOf("/v1/auth/email-otp/verify", { email, code: "000000" }, 401),
    );
    expect(ratio).toBeLessThan(1.15);
  });
});
