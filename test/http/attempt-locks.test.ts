/** A proof of control clears what counted against the account (docs/contract.md, sections 7.2, 8.7 and 12.4). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type OwnDeployment, ownDeployment } from "../support/deployment.ts";
import { RESET_LINK, tokenTo } from "../support/mail.ts";
import { codeOf, enrolled, wrongCode } from "../support/mfa.ts";
import { steppedUpPlatformUser } from "../support/platform.ts";

const NEW_PASSWORD = "a new long passphrase 55";
let at: OwnDeployment;
beforeAll(async () => {
  at = await ownDeployment({
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_SIGN_IN: "5000/60",
    SERVICE_RATE_LIMIT_REGISTER: "5000/60",
  });
});
afterAll(async () => {
  await Promise.all([at.one.stop(), at.other.stop()]);
});

async function guess(email: string, times: number): Promise<number[]> {
  const client = new Client(at.one.url);
  const statuses: number[] = [];
  for (let guesses = 0; guesses < times; guesses += 1)
    statuses.push((await client.post("/v1/auth/login", { email, password: `wrong guess number ${guesses}` })).status);
  return statuses;
}

async function reset(email: string) {
  const client = new Client(at.one.url);
  await client.post("/v1/auth/password/forgot", { email });
  const token = await tokenTo(at.mail, email, RESET_LINK);
  return await client.post("/v1/auth/password/reset", { token, new_password: NEW_PASSWORD });
}
const login = (email: string, password: string) => new Client(at.one.url).post("/v1/auth/login", { email, password });

describe("password guesses", () => {
  test("before a reset of the password count no longer after the reset, in every replica (G454)", async () => {
    const { email } = await registered(at.one.url);
    expect((await guess(email, 11)).at(-1)).toBe(429);
    expect((await login(email, PASSWORD)).status).toBe(429);
    expect((await reset(email)).status).toBe(204);
    expect((await login(email, NEW_PASSWORD)).status).toBe(200);
    const other = await new Client(at.other.url).post("/v1/auth/login", { email, password: NEW_PASSWORD });
    expect(other.status).toBe(200);
    expect((await guess(email, 11)).at(-1)).toBe(429);
  });

  test("of nine before a reset and one slip after it lock nothing (G454)", async () => {
    const { email } = await registered(at.one.url);
    await guess(email, 9);
    await reset(email);
    expect((await guess(email, 1)).at(-1)).toBe(401);
    expect((await login(email, NEW_PASSWORD)).status).toBe(200);
  });

  test("count the same for an unknown address (G454)", async () => {
    expect((await guess(newEmail(), 11)).at(-1)).toBe(429);
  });

  test("end with a reset by an administrator (G454)", async () => {
    const admin = await steppedUpPlatformUser(at, "admin");
    const person = await enrolled(at);
    expect((await guess(person.email, 11)).at(-1)).toBe(429);
    const done = await admin.client.post(`/v1/admin/users/${person.userId}/mfa/reset`);
    expect(done.status).toBe(204);
    expect((await login(person.email, PASSWORD)).status).toBe(200);
  });
});

describe("misses of a second factor", () => {
  async function missesOf(userId: string) {
    return await at.sql`select kind, hour_count from failed_attempts where user_id = ${userId} and hour_count > 0`;
  }
  async function lock(userId: string, kind: string) {
    await at.sql`
      insert into failed_attempts (user_id, kind, hour_started_at, hour_count, day_started_at, day_count)
      values (${userId}, ${kind}, now(), 30, now(), 30)
      on conflict (user_id, kind) do update set hour_started_at = now(), hour_count = 30, day_count = 30`;
  }

  test("end with a reset by an administrator, and the first code of the new factor counts (G454)", async () => {
    const admin = await steppedUpPlatformUser(at, "admin");
    const person = await enrolled(at);
    for (const kind of ["second_factor", "email_code"]) await lock(person.userId, kind);
    expect((await admin.client.post(`/v1/admin/users/${person.userId}/mfa/reset`)).status).toBe(204);
    expect([...(await missesOf(person.userId))]).toEqual([]);
  });

  test("end with a new second factor, and only those of the second factor (G454)", async () => {
    const person = await registered(at.one.url);
    for (const kind of ["second_factor", "email_code"]) await lock(person.userId, kind);
    const { secret } = (await person.client.post("/v1/auth/mfa/setup")).body;
    const wrong = await person.client.post("/v1/auth/mfa/enable", { code: wrongCode(secret) });
    expect([wrong.status, (await missesOf(person.userId)).length]).toEqual([400, 2]);
    expect((await person.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) })).status).toBe(200);
    expect((await missesOf(person.userId)).map(({ kind }) => kind)).toEqual(["email_code"]);
  });

  test("of emailed codes end with a reset by the mailbox, not with a change of the password (G454)", async () => {
    const person = await registered(at.one.url);
    await lock(person.userId, "email_code");
    const change = { current_password: PASSWORD, new_password: "changed by the password 8" };
    const changed = await person.client.post("/v1/users/me/password", change);
    expect([changed.status, (await missesOf(person.userId)).length]).toEqual([204, 1]);
    await reset(person.email);
    expect([...(await missesOf(person.userId))]).toEqual([]);
  });
});
