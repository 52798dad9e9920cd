import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { hashMemoryKib } from "../support/hash-cost.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { spreadBeyondNoise } from "../support/timing.ts";
import { attempts, stopwatch } from "../support/waiting.ts";

const TRIES = 200;
const RATIO_MAX = 1.15;
/** Returns that a timer releases may be asked for side by side: what counts is the time on the wall. */
const SIDE_BY_SIDE = 10;
let replica: Replica;
const addresses: Record<string, string> = {};

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  const memory = String(await hashMemoryKib(4));
  replica = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_ARGON2_MEMORY_KIB: memory });
  const sql = openSql(databaseUrl);
  for (const kind of ["known", "disabled", "without a password"])
    addresses[kind] = (await registered(replica.url)).email;
  addresses.unknown = newEmail();
  await sql`update users set disabled_at = now() where email = ${addresses.disabled ?? ""}`;
  await sql`update users set password_hash = null where email = ${addresses["without a password"] ?? ""}`;
});

function wallClock(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/**
 * Expects the slowest median of the four kinds of address to be little more than the fastest. The kinds take turns, so
 * that a slow moment of the machine meets all alike, and time without a core does not count. Where medians of so many
 * tries still lie too far apart, twice and three times as many bring those of equal kinds together, and those of
 * different kinds never.
 */
async function expectAlike(sideBySide: number, ask: (kind: string, email: string) => Promise<void>): Promise<void> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(addresses).map((kind) => [kind, []]));
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      for (const [kind, email] of Object.entries(addresses)) {
        const elapsed = sideBySide === 1 ? stopwatch() : wallClock();
        await ask(kind, email);
        times[kind]?.push(elapsed());
      }
    }
  };
  await attempts(async () => {
    await Promise.all(Array.from({ length: sideBySide }, () => turns(TRIES / sideBySide)));
    expect(spreadBeyondNoise(times)).toBeLessThan(RATIO_MAX);
  });
}

async function expectStatus(path: string, body: object, expected: number): Promise<void> {
  const { status } = await new Client(replica.url).post(path, body);
  if (status !== expected) throw new Error(`${path} answered ${status}`);
}

describe("known, unknown, disabled and password-less accounts take as long: medians within 15 % (G13)", () => {
  test("POST /v1/auth/login, 401", async () => {
    const wrong = "not the right password";
    await expectAlike(1, (kind, email) =>
      expectStatus("/v1/auth/login", { email, password: kind === "disabled" ? PASSWORD : wrong }, 401),
    );
  });

  test("POST /v1/auth/email-otp/request, 204", async () => {
    await expectAlike(SIDE_BY_SIDE, (_, email) => expectStatus("/v1/auth/email-otp/request", { email }, 204));
  });

  test("POST /v1/auth/email-otp/verify, 401", async () => {
    await expectAlike(SIDE_BY_SIDE, (_, email) =>
      expectStatus("/v1/auth/email-otp/verify", { email, code: "000000" }, 401),
    );
  });
});
