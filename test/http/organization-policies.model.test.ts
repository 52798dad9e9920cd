/**
 * Model of the policies of an organization (G218): fast-check generates histories of policies, roles, sign-ins,
 * switches and refreshes over two replicas, and each response equals the response of the model within a second. The
 * seed is fixed; `MODEL_SEED` and `MODEL_RUNS` override seed and number of runs.
 */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, Client, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { addPasskey } from "../support/passkeys.ts";
import { memberOf, membersOf, memberWith } from "../support/team.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 3312), numRuns: Number(process.env.MODEL_RUNS ?? 20) };
const COMMANDS_MAX = 14;
/** The time within which every replica knows a change. */
const REPLICATED_MS = 1_000;
const ENDED_MS = 10_000;
const MODEL_MS = 120_000;
const SESSIONS = 50_000;

type Methods = readonly string[] | null;

interface Model {
  mfa: "optional" | "required";
  methods: Methods;
  role: "admin" | "member";
  /** The session of the member; undefined before a sign-in. */
  session: { inside: boolean; alive: boolean; readonly factor: boolean } | undefined;
}

interface Real {
  client: Client | undefined;
}

type Command = fc.AsyncCommand<Model, Real>;

let at: Deployment;
let owner: Awaited<ReturnType<typeof enrolled>>;
/** A member of the organization and of an organization of the member's own; one with a second factor, one without. */
let members: readonly { readonly userId: string; readonly email: string; readonly home: string; secret?: string }[];

beforeAll(async () => {
  at = await deployment();
  owner = await enrolled(at);
  await addPasskey(owner.client);
  await at.sql`
    update sessions set auth_method = 'passkey', phishing_resistant = true where user_id = ${owner.userId}`;
  const plain = await outsideMember();
  const strong = await outsideMember();
  const { secret } = await withAuthenticator(at, strong);
  members = [plain, { ...strong, secret }];
});

async function outsideMember() {
  const person = await registered(at.one.url);
  await at.sql`insert into members values (${owner.organizationId}, ${person.userId}, 'member', now())`;
  return { ...person, home: person.organizationId };
}

const urlOf = (replica: number) => (replica === 0 ? at.one : at.other).url;
const outcome = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${body?.error?.code}`);
const admitsPassword = ({ methods }: Model) => methods === null || methods.includes("password");

/** The response of the organization to a request of a live session. */
function accessOf(model: Model, factor: boolean) {
  if (!admitsPassword(model)) return "403 forbidden";
  if (model.mfa === "required" && !factor) return "401 mfa_required";
  return undefined;
}

class SetPolicy implements Command {
  readonly #replica: number;
  readonly #mfa: Model["mfa"];
  readonly #methods: Methods;
  constructor(replica: number, mfa: Model["mfa"], methods: Methods) {
    [this.#replica, this.#mfa, this.#methods] = [replica, mfa, methods];
  }
  check = () => true;
  async run(model: Model) {
    const policies = { mfa: this.#mfa, methods: this.#methods };
    const path = `/v1/orgs/${owner.organizationId}/policies`;
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${owner.userId}`;
    expect(outcome(await owner.client.at(urlOf(this.#replica)).put(path, policies))).toBe(200);
    [model.mfa, model.methods] = [this.#mfa, this.#methods];
    if (!model.session?.inside || !model.session.alive || admitsPassword(model)) return;
    model.session.alive = false;
    await eventually("the sessions of the members are revoked", ENDED_MS, async () => {
      const ids = members.map(({ userId }) => userId);
      const rows = await at.sql`
        select 1 from sessions where user_id = any(${ids}::uuid[]) and revoked_at is null
          and organization_id = ${owner.organizationId}`;
      return rows.length === 0;
    });
  }
  toString = () => `SetPolicy(${this.#mfa}, ${this.#methods})`;
}

class SetRole implements Command {
  readonly #role: Model["role"];
  constructor(role: Model["role"]) {
    this.#role = role;
  }
  check = () => true;
  async run(model: Model) {
    for (const { userId } of members) {
      const changed = await owner.client.patch(memberOf(owner.organizationId, userId), { role: this.#role });
      expect(outcome(changed)).toBe(200);
    }
    model.role = this.#role;
  }
  toString = () => `SetRole(${this.#role})`;
}

class SignIn implements Command {
  readonly #replica: number;
  readonly #factor: boolean;
  readonly #inside: boolean;
  constructor(replica: number, factor: boolean, inside: boolean) {
    [this.#replica, this.#factor, this.#inside] = [replica, factor, inside];
  }
  check = () => true;
  async run(model: Model, real: Real) {
    const member = members[this.#factor ? 1 : 0];
    if (!member) throw new Error("no member");
    const client = new Client(urlOf(this.#replica));
    const organization_id = this.#inside ? owner.organizationId : member.home;
    const shown = await client.post("/v1/auth/login", { email: member.email, password: PASSWORD, organization_id });
    const isRefused = this.#inside && !admitsPassword(model);
    expect(outcome(shown)).toBe(isRefused ? "403 forbidden" : 200);
    if (isRefused) return;
    if (member.secret !== undefined) {
      await forgetUsedStep(at.sql, member.userId);
      const challenge = { mfa_token: shown.body.mfa_token, code: codeOf(member.secret) };
      expect(outcome(await client.post("/v1/auth/mfa/challenge", challenge))).toBe(200);
    }
    real.client = client;
    model.session = { inside: this.#inside, alive: true, factor: this.#factor };
  }
  toString = () => `SignIn(${this.#factor ? "factor" : "no factor"}, ${this.#inside ? "inside" : "outside"})`;
}

abstract class SessionCommand implements Command {
  readonly replica: number;
  constructor(replica: number) {
    this.replica = replica;
  }
  check = ({ session }: Readonly<Model>) => session !== undefined;
  async run(model: Model, { client }: Real) {
    if (!model.session || !client) throw new Error("no session");
    await this.act(model, model.session, client.at(urlOf(this.replica)));
  }
  protected abstract act(model: Model, session: NonNullable<Model["session"]>, client: Client): Promise<void>;
}

/** Sends a request until the response equals the response of the model. */
async function expectSoon(expected: number | string, send: () => Promise<Answer>): Promise<void> {
  let last: number | string = "";
  await eventually(`the response is ${expected}`, REPLICATED_MS, async () => {
    last = outcome(await send());
    return last === expected;
  }).catch(() => expect(last).toBe(expected));
}

class ListMembers extends SessionCommand {
  override async act(model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const expected = session.alive
      ? (accessOf(model, session.factor) ?? (model.role === "admin" ? 200 : "403 forbidden"))
      : "401 authentication_required";
    await expectSoon(expected, () => client.get(membersOf(owner.organizationId)));
  }
  override toString = () => "ListMembers";
}

class ReadOwnSessions extends SessionCommand {
  override async act(model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const refusal = session.inside ? accessOf(model, session.factor) : undefined;
    await expectSoon(session.alive ? (refusal ?? 200) : "401 authentication_required", () =>
      client.get("/v1/auth/sessions"),
    );
  }
  override toString = () => "ReadOwnSessions";
}

class Switch extends SessionCommand {
  override check = ({ session }: Readonly<Model>) => session?.alive === true;
  override async act(model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const home = members[session.factor ? 1 : 0]?.home;
    const organization_id = session.inside ? home : owner.organizationId;
    const expected = session.inside ? 200 : (accessOf(model, session.factor) ?? 200);
    await expectSoon(expected, () => client.post("/v1/auth/organization", { organization_id }));
    if (expected === 200) session.inside = !session.inside;
  }
  override toString = () => "Switch";
}

class Refresh extends SessionCommand {
  override async act(_model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const refreshed = await client.post("/v1/auth/refresh");
    expect(outcome(refreshed)).toBe(session.alive ? 200 : "401 authentication_required");
  }
  override toString = () => "Refresh";
}

const replica = fc.nat({ max: 1 });
const mfa = fc.constantFrom<Model["mfa"]>("optional", "required");
const methods = fc.constantFrom<Methods>(null, ["password", "passkey"], ["passkey"]);
const commands = fc.commands(
  [
    fc.tuple(replica, mfa, methods).map((each) => new SetPolicy(...each)),
    fc.constantFrom<Model["role"]>("admin", "member").map((role) => new SetRole(role)),
    fc.tuple(replica, fc.boolean(), fc.boolean()).map((each) => new SignIn(...each)),
    replica.map((each) => new ListMembers(each)),
    replica.map((each) => new ReadOwnSessions(each)),
    replica.map((each) => new Switch(each)),
    replica.map((each) => new Refresh(each)),
  ],
  { maxCommands: COMMANDS_MAX, size: "max" },
);

test(
  "Policies, roles, methods, switches and refreshes respond as the model, on both replicas.",
  async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (history) => {
        const model: Model = { mfa: "optional", methods: null, role: "member", session: undefined };
        await new SetPolicy(0, model.mfa, model.methods).run(model);
        await new SetRole(model.role).run(model);
        await fc.asyncModelRun(() => ({ model, real: { client: undefined } }), history);
      }),
      SETTINGS,
    );
  },
  MODEL_MS,
);

test(
  "A policy over 50,000 sessions is refused on both replicas within a second.",
  async () => {
    const host = await enrolled(at);
    await addPasskey(host.client);
    const member = await memberWith(at, host.organizationId, "member");
    await at.sql`update sessions set organization_id = ${host.organizationId} where user_id = ${member.userId}`;
    await at.sql`
      insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                            rotated_at, expires_at, ends_at, created_at)
      select gen_random_uuid(), ${member.userId}, ${host.organizationId}, 'password', 'aal1', now(),
             gen_random_uuid(), gen_random_uuid(), now(), now() + interval '1 day', now() + interval '1 day', now()
      from generate_series(1, ${SESSIONS}::integer)`;
    const set = await host.client.put(`/v1/orgs/${host.organizationId}/policies`, { methods: ["passkey"] });
    expect(set.status).toBe(200);
    await eventually("both replicas refuse a session", REPLICATED_MS, async () => {
      const answers = [at.one.url, at.other.url].map((url) => member.client.at(url).get("/v1/auth/session"));
      return (await Promise.all(answers)).every(({ status }) => status === 401);
    });
    // The end of the sessions in batches would be load for the tests that share the deployment.
    await at.sql`delete from sessions where user_id = ${member.userId}`;
  },
  MODEL_MS,
);
