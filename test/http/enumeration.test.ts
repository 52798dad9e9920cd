import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { hashMemoryKib } from "../support/hash-cost.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { spreadBeyondNoise } from "../support/timing.ts";
import { attempts, stopwatch } from "../support/waiting.ts";

const TRIES = 200;
const RATIO_MAX = 1.15;
/** More than the number of all attempts: a count that starts below zero by this number reaches no bound. */
const FAR_BELOW = 30_000;
/** Responses that a timer delays may be measured concurrently, because the wall-clock time counts. */
const SIDE_BY_SIDE = 10;
let replica: Replica;
let sql: ReturnType<typeof openSql>;
const addresses: Record<string, string> = {};

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  const memory = String(await hashMemoryKib(4));
  replica = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_ARGON2_MEMORY_KIB: memory });
  sql = openSql(databaseUrl);
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
 * Asserts that the slowest median of the four kinds of address hardly exceeds the fastest median. The kinds alternate,
 * so that a slow moment of the machine affects all kinds equally, and time without a core does not count. If the
 * medians still differ too much, the measurement is repeated with two and three times as many attempts: equal kinds
 * then converge, and different kinds do not.
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
    await sql`delete from email_codes`;
    // The negative counts let the service compare each code: five failed attempts lock a code, and twenty failed
    // attempts lock the user.
    await sql`
      insert into email_codes (id, user_id, code_hash, attempts, expires_at, created_at)
      select gen_random_uuid(), id, '\\x00', ${-FAR_BELOW}, now() + interval '1 hour', now() from users`;
    await sql`
      insert into failed_attempts (user_id, kind, hour_started_at, hour_count, day_started_at, day_count)
      select id, 'email_code', now(), ${-FAR_BELOW}, now(), ${-FAR_BELOW} from users`;
    await expectAlike(SIDE_BY_SIDE, (_, email) =>
      expectStatus("/v1/auth/email-otp/verify", { email, code: "000000" }, 401),
    );
    const [compared] = await sql`
      select attempts + ${FAR_BELOW} as times from email_codes where user_id = (
        select id from users where email = ${addresses.known ?? ""}
      )`;
    expect(compared?.times).toBeGreaterThanOrEqual(TRIES);
  });
});
