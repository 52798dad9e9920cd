/**
 * The number of guesses that the service evaluates under every failure of Redis (G37; docs/contract.md, sections 8.7
 * and 11.2).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import { Client, registered } from "../support/client.ts";
import { type Deployment, eventually, ownDeployment, race } from "../support/deployment.ts";
import { CODE, codeIn, otherCode } from "../support/mail.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, weakSession, wrongCode } from "../support/mfa.ts";
import type { TestRedis } from "../support/services.ts";

const HOUR_MISSES = 30;
const GUESSES = 200;

let at: Deployment & { redis: TestRedis };
beforeAll(async () => {
  at = await ownDeployment();
});

const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const challenge = (body: unknown, index = 0) => new Client(replicaOf(index)).post("/v1/auth/mfa/challenge", body);
type Person = Awaited<ReturnType<typeof enrolled>>;

/** Moves the windows of a user's failed attempts into the past. */
async function letPass(userId: string, time: "1 hour" | "24 hours") {
  await at.sql`
    update failed_attempts
    set hour_started_at = hour_started_at - ${time}::interval, day_started_at = day_started_at - ${time}::interval
    where user_id = ${userId}`;
}

/**
 * Presents wrong codes in parallel for many mfa_tokens and in a session, over the two replicas; returns the count of
 * each status.
 */
async function guessInParallel(person: Person, tokens: readonly string[], weak: Client): Promise<Map<number, number>> {
  const code = wrongCode(person.secret);
  const responses = await race((index) => {
    if (index % 10 === 0) return weak.at(replicaOf(index / 10)).post("/v1/auth/mfa/verify", { code });
    return challenge({ mfa_token: tokens[index % tokens.length], code }, index);
  }, GUESSES);
  const counts = new Map<number, number>();
  for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** The right code is also refused and not consumed; after the hour the code works. */
async function expectLockedForAnHour(person: Person, mfa_token: string) {
  await forgetUsedStep(at.sql, person.userId);
  for (const body of [{ code: codeOf(person.secret) }, { recovery_code: person.recoveryCodes[0] }]) {
    const response = await challenge({ mfa_token, ...body });
    expect([response.status, response.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(response.headers.get("retry-after"))).toBeWithin(3_000, 3_601);
    expect((await person.client.at(at.one.url).post("/v1/auth/mfa/verify", body)).status).toBe(429);
  }
  await letPass(person.userId, "1 hour");
  at.redis.empty();
  expect((await challenge({ mfa_token, recovery_code: person.recoveryCodes[0] })).status).toBe(200);
}

/** Repeats an operation on Redis until the test stops the loop. */
function over(work: () => Promise<unknown>): { stop(): Promise<void> } {
  let going = true;
  const looping = (async () => {
    while (going) await work();
  })();
  return {
    async stop() {
      going = false;
      await looping;
    },
  };
}

async function victim() {
  const person = await enrolled(at);
  const weak = await weakSession(at.one.url, person);
  const tokens = await race(() => passwordShown(at.one.url, person.email), 40);
  return { person, weak, tokens };
}

const redisIsBack = () =>
  eventually("both replicas count in Redis", 5_000, async () => {
    const checks = await Promise.all([at.one, at.other].map(({ url }) => new Client(url).get("/readyz")));
    return checks.every(({ body }) => body.checks.redis.status === "ok");
  });

describe(`of ${GUESSES} wrong second factors at once, ${HOUR_MISSES} are told so, and then nothing is`, () => {
  test("while Redis is well", async () => {
    const { person, weak, tokens } = await victim();
    const compared = await guessInParallel(person, tokens, weak);
    expect([...compared].sort()).toEqual([
      [401, HOUR_MISSES],
      [429, GUESSES - HOUR_MISSES],
    ]);
    await expectLockedForAnHour(person, await passwordShown(at.one.url, person.email));
  });

  test("while Redis is emptied in a loop, round after round", async () => {
    const { person, weak, tokens } = await victim();
    const redis = new Redis(at.redis.url);
    const emptying = over(() => redis.flushall());
    let compared = 0;
    for (let round = 0; round < 5; round += 1) {
      compared += (await guessInParallel(person, tokens, weak)).get(401) ?? 0;
    }
    await emptying.stop();
    redis.disconnect();
    expect(compared).toBe(HOUR_MISSES);
    await expectLockedForAnHour(person, await passwordShown(at.one.url, person.email));
  });

  test("while Redis is killed in a loop, and while it is away", async () => {
    const { person, weak, tokens } = await victim();
    const killing = over(async () => {
      await at.redis.kill();
      await at.redis.restart();
    });
    let compared = 0;
    for (let round = 0; round < 3; round += 1) {
      compared += (await guessInParallel(person, tokens, weak)).get(401) ?? 0;
    }
    await killing.stop();
    await at.redis.kill();
    const { person: other, weak: otherWeak, tokens: otherTokens } = await victim();
    const away = (await guessInParallel(other, otherTokens, otherWeak)).get(401) ?? 0;
    await at.redis.restart();
    await redisIsBack();
    expect([compared, away]).toEqual([HOUR_MISSES, HOUR_MISSES]);
    await expectLockedForAnHour(person, await passwordShown(at.one.url, person.email));
  });
});

describe("a match is decided by the counted misses before the attempt, not by those of an earlier read", () => {
  /**
   * Runs `work` while an uncommitted transaction has raised the failed attempts to the bound; `work` must wait for the
   * commit.
   */
  async function duringLastFailedAttempt<T>(
    userId: string,
    kind: string,
    misses: number,
    work: () => Promise<T>,
  ): Promise<T> {
    let pending: Promise<T> | undefined;
    await at.sql.begin(async (sql) => {
      await sql`
        insert into failed_attempts values (${userId}, ${kind}, now(), ${misses}, now(), ${misses})
        on conflict (user_id, kind) do update
          set hour_started_at = now(), hour_count = ${misses}, day_started_at = now(), day_count = ${misses}`;
      pending = work();
      await eventually("the sign-in waits for the count", 5_000, async () => {
        const waiting = await sql`
          select 1 from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database()`;
        return waiting.length > 0;
      });
    });
    return await (pending as Promise<T>);
  }

  test.each(["a first miss is", "misses are"])("second factors, where %s being counted", async (before) => {
    const person = await enrolled(at);
    const mfa_token = await passwordShown(at.one.url, person.email);
    if (before === "misses are") await challenge({ mfa_token, code: wrongCode(person.secret) });
    const right = { mfa_token, recovery_code: person.recoveryCodes[0] };
    const response = await duringLastFailedAttempt(person.userId, "second_factor", HOUR_MISSES, () => challenge(right));
    expect([response.status, response.body.error.code]).toEqual([429, "rate_limited"]);
    const weak = await weakSession(at.one.url, person);
    await letPass(person.userId, "1 hour");
    const stepUp = { recovery_code: person.recoveryCodes[0] };
    const raised = await duringLastFailedAttempt(person.userId, "second_factor", HOUR_MISSES, () =>
      weak.post("/v1/auth/mfa/verify", stepUp),
    );
    expect(raised.status).toBe(429);
    expect((await weak.get("/v1/auth/session")).body.session.aal).toBe("aal1");
    await letPass(person.userId, "1 hour");
    expect((await weak.post("/v1/auth/mfa/verify", stepUp)).status).toBe(200);
  });

  test.each([false, true])("emailed codes; of a user with a second factor: %p", async (withFactor) => {
    const person = await (withFactor ? enrolled(at) : registered(at.one.url));
    const code = await codeFor(person.email, 1);
    const response = await duringLastFailedAttempt(person.userId, "email_code", 20, () =>
      verifyCode(person.email, code),
    );
    expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
    await letPass(person.userId, "1 hour");
    expect((await verifyCode(person.email, code)).status).toBe(200);
  });
});

const verifyCode = (email: string, code: string, index = 0) =>
  new Client(replicaOf(index)).post("/v1/auth/email-otp/verify", { email, code });

async function codeFor(email: string, nth: number): Promise<string> {
  await new Client(at.one.url).post("/v1/auth/email-otp/request", { email });
  return codeIn((await at.mail.mailsTo(email, CODE, nth)).at(-1));
}

describe("wrong emailed codes of a user", () => {
  test("count over all codes, 20 in an hour and 60 in a day; beyond, the right one is refused too", async () => {
    const { email, userId } = await registered(at.one.url);
    let codes = 0;
    const nextCode = () => {
      codes += 1;
      return codeFor(email, codes);
    };
    const missUntilLocked = async () => {
      for (let round = 0; round < 4; round += 1) {
        const code = await nextCode();
        const responses = await race((index) => verifyCode(email, otherCode(code), index), 5);
        expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(401));
      }
    };
    await missUntilLocked();
    const wrong = await verifyCode(email, "000000");
    const locked = await nextCode();
    const response = await verifyCode(email, locked);
    expect([response.status, response.body]).toEqual([401, wrong.body]);
    await letPass(userId, "1 hour");
    expect((await verifyCode(email, locked)).status).toBe(200);

    await missUntilLocked();
    await letPass(userId, "1 hour");
    await missUntilLocked();
    await at.sql`
      update failed_attempts set hour_started_at = hour_started_at - interval '1 hour' where user_id = ${userId}`;
    const [row] = await at.sql`select day_count from failed_attempts where user_id = ${userId}`;
    expect(row?.day_count).toBe(60);
    const late = await nextCode();
    expect((await verifyCode(email, late)).status).toBe(401);
    await letPass(userId, "24 hours");
    expect((await verifyCode(email, late)).status).toBe(200);
  });

  test("are compared no more than 20 times in an hour, with any number of codes, also beside FLUSHALL", async () => {
    const { email, userId } = await registered(at.one.url);
    const redis = new Redis(at.redis.url);
    const emptying = over(() => redis.flushall());
    for (let round = 1; round <= 8; round += 1) {
      const code = await codeFor(email, round);
      const responses = await race((index) => verifyCode(email, otherCode(code), index), 25);
      expect(responses.every(({ status }) => status === 401)).toBe(true);
    }
    await emptying.stop();
    redis.disconnect();
    const [row] = await at.sql`select hour_count, day_count from failed_attempts where user_id = ${userId}`;
    expect(row).toEqual({ hour_count: 20, day_count: 20 } as never);
    expect((await verifyCode(email, await codeFor(email, 9))).status).toBe(401);
  });

  test("without a comparison do not count: no user is locked out without a code", async () => {
    const { email, userId } = await registered(at.one.url);
    await race((index) => verifyCode(email, "123456", index), 40);
    const code = await codeFor(email, 1);
    await race((index) => verifyCode(email, otherCode(code), index), 40);
    const [row] = await at.sql`select hour_count from failed_attempts where user_id = ${userId}`;
    expect(row?.hour_count).toBe(5);
    expect((await verifyCode(email, await codeFor(email, 2))).status).toBe(200);
  });
});
