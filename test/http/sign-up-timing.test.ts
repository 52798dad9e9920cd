/** Equal times of sign-up by code for every kind of address (docs/contract.md, section 37.3; P1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, registered } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { spreadBeyondNoise } from "../support/timing.ts";
import { attempts } from "../support/waiting.ts";

const TRIES = 200;
const RATIO_MAX = 1.15;
/** The time of a timer counts, so responses may be measured concurrently. */
const SIDE_BY_SIDE = 10;
/** More than all attempts: a count that starts below zero by this number reaches no bound. */
const FAR_BELOW = 30_000;
let replica: Replica;
let sql: ReturnType<typeof openSql>;
const addresses: Record<string, string> = {};

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  replica = await startReplica({
    DATABASE_URL: databaseUrl,
    SERVICE_REGISTRATION: "personal",
    SERVICE_RATE_LIMIT_SIGN_UP: "1000000/3600",
  });
  sql = openSql(databaseUrl);
  for (const kind of ["known", "disabled"]) addresses[kind] = (await registered(replica.url)).email;
  await sql`update users set disabled_at = now() where email = ${addresses.disabled ?? ""}`;
  addresses.unknown = newEmail();
  addresses.refused = newEmail().replace("example.test", "blocked.test");
  await sql`
    insert into registration_settings (id, settings, revision, updated_at)
    values (true, '{"mode":"personal","blockedDomains":["blocked.test"]}', 1, now())`;
});

async function expectAlike(path: string, more: object, expected: number): Promise<void> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(addresses).map((kind) => [kind, []]));
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      for (const [kind, email] of Object.entries(addresses)) {
        const startedAt = performance.now();
        const { status } = await new Client(replica.url).post(path, { email, ...more });
        times[kind]?.push(performance.now() - startedAt);
        if (status !== expected) throw new Error(`${path} answered ${status}`);
      }
    }
  };
  await attempts(async () => {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => turns(TRIES / SIDE_BY_SIDE)));
    expect(spreadBeyondNoise(times)).toBeLessThan(RATIO_MAX);
  });
}

describe("known, unknown, disabled and refused addresses take as long: medians within 15 % (G612)", () => {
  test("POST /v1/auth/email-otp/request with sign_up, 204", async () => {
    await expectAlike("/v1/auth/email-otp/request", { sign_up: true }, 204);
  });

  test("POST /v1/auth/email-otp/verify of a wrong code, 401", async () => {
    await sql`delete from email_codes`;
    await sql`delete from sign_ups`;
    await sql`
      insert into email_codes (id, user_id, code_hash, attempts, expires_at, created_at)
      select gen_random_uuid(), id, '\\x00', ${-FAR_BELOW}, now() + interval '1 hour', now() from users`;
    await sql`
      insert into failed_attempts (user_id, kind, hour_started_at, hour_count, day_started_at, day_count)
      select id, 'email_code', now(), ${-FAR_BELOW}, now(), ${-FAR_BELOW} from users`;
    await sql`
      insert into sign_ups (id, email, code_hash, attempts, network_hash, expires_at, created_at)
      values (gen_random_uuid(), ${addresses.unknown ?? ""}, '\\x00', ${-FAR_BELOW}, '\\x00',
              now() + interval '1 hour', now())`;
    await expectAlike("/v1/auth/email-otp/verify", { code: "000000" }, 401);
    // The first wrong codes were compared; the bounds of the address refuse the others without a comparison.
    const [row] = await sql`select attempts + ${FAR_BELOW} as times from sign_ups`;
    expect(row?.times).toBeGreaterThan(0);
  });
});
