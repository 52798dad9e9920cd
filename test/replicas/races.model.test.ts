/**
 * Models of the two hardest races: fast-check generates histories over two replicas, and each response must equal the
 * response of the model. The seed is fixed; `MODEL_SEED` and `MODEL_RUNS` override seed and number of runs.
 */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { Client, registered } from "../support/client.ts";
import { type Deployment, ownDeployment, race, whileShared } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, wrongCode } from "../support/mfa.ts";
import type { TestRedis } from "../support/services.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2611), numRuns: Number(process.env.MODEL_RUNS ?? 30) };
const COMMANDS_MAX = 16;

let at: Deployment & { redis: TestRedis };
beforeAll(async () => {
  at = await ownDeployment();
});

const urlOf = (replica: number) => (replica === 0 ? at.one : at.other).url;
const replica = fc.nat({ max: 1 });

/** A session family: the issued tokens, and the state. */
interface Family {
  alive: boolean;
  /** The number of rotations; the current token is the last token. */
  rotations: number;
  /** True for ten seconds after the last rotation. */
  young: boolean;
}

interface RealFamily {
  readonly sessionId: string;
  /** Refresh tokens by rotation. */
  readonly tokens: string[];
}

type FamilyCommand = fc.AsyncCommand<Family, RealFamily>;

async function refreshWith(token: string | undefined, replica: number) {
  const response = await new Client(urlOf(replica)).post("/v1/auth/refresh", undefined, {
    headers: { cookie: `service_rt=${token}` },
    csrf: false,
  });
  return { status: response.status, token: /service_rt=([^;]+)/.exec(response.setCookies.join("\n"))?.[1] };
}

/** The current token, presented by a client or by several clients concurrently: the result is a single lineage. */
class RefreshCurrent implements FamilyCommand {
  readonly #replica: number;
  readonly #clients: number;
  constructor(replica: number, clients: number) {
    [this.#replica, this.#clients] = [replica, clients];
  }
  check = () => true;
  async run(model: Family, real: RealFamily) {
    const current = real.tokens[model.rotations];
    const responses = await race((index) => refreshWith(current, (this.#replica + index) % 2), this.#clients);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => (model.alive ? 200 : 401)));
    if (!model.alive) return;
    expect(new Set(responses.map(({ token }) => token)).size).toBe(1);
    real.tokens.push(responses[0]?.token ?? "");
    model.rotations += 1;
    model.young = true;
  }
  toString = () => `RefreshCurrent(${this.#clients} clients)`;
}

/** An earlier token: while young, the token of a second tab, otherwise the token of a thief. */
class RefreshOlder implements FamilyCommand {
  readonly #replica: number;
  readonly #back: number;
  constructor(replica: number, back: number) {
    [this.#replica, this.#back] = [replica, back];
  }
  check = (model: Readonly<Family>) => model.rotations >= this.#back;
  async run(model: Family, real: RealFamily) {
    const response = await refreshWith(real.tokens[model.rotations - this.#back], this.#replica);
    const secondTab = model.alive && this.#back === 1 && model.young;
    expect(response).toEqual(
      secondTab ? { status: 200, token: real.tokens[model.rotations] } : { status: 401, token: undefined },
    );
    if (!secondTab) model.alive = false;
  }
  toString = () => `RefreshOlder(${this.#back} back)`;
}

/** Ten seconds pass: the test moves the times of the family back. */
class TimePasses implements FamilyCommand {
  check = () => true;
  async run(model: Family, { sessionId }: RealFamily) {
    await at.sql`update sessions set rotated_at = rotated_at - interval '11 seconds' where id = ${sessionId}`;
    model.young = false;
  }
  toString = () => "TimePasses";
}

class RedisIsEmptied<Model extends object, Real> implements fc.AsyncCommand<Model, Real> {
  readonly #forget: (model: Model) => void;
  constructor(forget: (model: Model) => void) {
    this.#forget = forget;
  }
  check = () => true;
  async run(model: Model) {
    at.redis.empty();
    this.#forget(model);
  }
  toString = () => "RedisIsEmptied";
}

test("refresh rotation: one lineage, and the end of the family for whoever shows an older token (G4)", async () => {
  const commands = fc.commands<Family, RealFamily, false>(
    [
      fc.tuple(replica, fc.integer({ min: 1, max: 5 })).map(([where, clients]) => new RefreshCurrent(where, clients)),
      fc.tuple(replica, fc.integer({ min: 1, max: 3 })).map(([where, back]) => new RefreshOlder(where, back)),
      fc.constant(new TimePasses()),
      fc.constant(new RedisIsEmptied<Family, RealFamily>(() => undefined)),
    ] as fc.Arbitrary<FamilyCommand>[],
    { maxCommands: COMMANDS_MAX, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (history) => {
      const person = await registered(at.one.url);
      const setup = async () => ({
        model: { alive: true, rotations: 0, young: false },
        real: { sessionId: person.sessionId, tokens: [person.client.cookie("service_rt") ?? ""] },
      });
      await fc.asyncModelRun(setup, history);
    }),
    SETTINGS,
  );
});

/** An mfa_token: PostgreSQL stores the consumption forever, Redis until the loss of the data. */
interface Token {
  used: boolean;
  burned: boolean;
  misses: number;
}

interface Challenges {
  readonly tokens: Token[];
  /** Failed attempts of the user over all tokens, which PostgreSQL counts. */
  misses: number;
}

interface RealChallenges {
  readonly person: Awaited<ReturnType<typeof enrolled>>;
  readonly tokens: string[];
}

type ChallengeCommand = fc.AsyncCommand<Challenges, RealChallenges>;

const TOKEN_MISSES = 5;
const USER_MISSES = 30;

class ShowPassword implements ChallengeCommand {
  check = () => true;
  async run(model: Challenges, { person, tokens }: RealChallenges) {
    tokens.push(await passwordShown(at.one.url, person.email));
    model.tokens.push({ used: false, burned: false, misses: 0 });
  }
  toString = () => "ShowPassword";
}

class Challenge implements ChallengeCommand {
  readonly #token: number;
  readonly #right: boolean;
  readonly #clients: number;
  constructor(token: number, right: boolean, clients: number) {
    [this.#token, this.#right, this.#clients] = [token, right, clients];
  }
  check = (model: Readonly<Challenges>) => model.tokens.length > 0;
  async run(model: Challenges, { person, tokens }: RealChallenges) {
    const index = this.#token % tokens.length;
    const known = model.tokens[index];
    if (!known) return;
    // The reset makes the time step unused: the assertion concerns the token, not the code.
    await forgetUsedStep(at.sql, person.userId);
    const code = this.#right ? codeOf(person.secret) : wrongCode(person.secret);
    const responses = await race(
      (each) => new Client(urlOf(each % 2)).post("/v1/auth/mfa/challenge", { mfa_token: tokens[index], code }),
      this.#clients,
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual(this.#expected(model, known).sort());
  }
  /**
   * A code for a consumed token counts as a failed attempt. A locked token reveals nothing about the code, including
   * the right code.
   */
  #expected(model: Challenges, known: Token): number[] {
    return Array.from({ length: this.#clients }, () => {
      if (model.misses >= USER_MISSES) return 429;
      if (known.burned) return 401;
      if (known.misses >= TOKEN_MISSES) return 429;
      if (this.#right) {
        const status = known.used ? 401 : 200;
        if (known.used) model.misses += 1;
        known.used = true;
        known.burned = true;
        return status;
      }
      known.misses += 1;
      model.misses += 1;
      return 401;
    });
  }
  toString = () => `Challenge(token ${this.#token}, ${this.#right ? "right" : "wrong"}, ${this.#clients} clients)`;
}

test("an mfa_token makes one session, and five misses lock it, also when Redis forgets (G1, G3)", async () => {
  const commands = fc.commands<Challenges, RealChallenges, false>(
    [
      fc.constant(new ShowPassword()),
      fc
        .tuple(fc.nat({ max: 3 }), fc.boolean(), fc.integer({ min: 1, max: 4 }))
        .map(([token, right, clients]) => new Challenge(token, right, clients)),
      fc.constant(
        new RedisIsEmptied<Challenges, RealChallenges>((model) => {
          for (const token of model.tokens) Object.assign(token, { misses: 0, burned: false });
        }),
      ),
    ] as fc.Arbitrary<ChallengeCommand>[],
    { maxCommands: COMMANDS_MAX, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (history) => {
      await whileShared([at.one, at.other], async () => {
        const person = await enrolled(at);
        await fc.asyncModelRun(
          async () => ({ model: { tokens: [], misses: 0 }, real: { person, tokens: [] } }),
          history,
        );
        const sessions = await at.sql`
          select mfa_token_jti from sessions where user_id = ${person.userId} and mfa_token_jti is not null`;
        expect(new Set(sessions.map((session) => session.mfa_token_jti)).size).toBe(sessions.length);
      });
    }),
    SETTINGS,
  );
});
