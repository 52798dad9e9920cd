/**
 * Model of the policies of an organization (G218): fast-check generates histories of policies, the requirement of
 * single sign-on, roles, sign-ins by password, second factor and identity provider, switches and refreshes over two
 * replicas, and each response equals the response of the model within a second. The seed is fixed; `MODEL_SEED` and
 * `MODEL_RUNS` override seed and number of runs.
 */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, Client, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, eventually } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { addPasskey } from "../support/passkeys.ts";
import { company, routable, SsoBrowser, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { insertMember, moveSessions, proveMailbox } from "../support/states.ts";
import { memberOf, membersOf, memberWith } from "../support/team.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 3312), numRuns: Number(process.env.MODEL_RUNS ?? 20) };
const COMMANDS_MAX = 14;
/** The time within which every replica knows a change. */
const REPLICATED_MS = 1_000;
const ENDED_MS = 10_000;
const SESSIONS = Number(process.env.POLICY_SESSIONS ?? 2_000);
const ALL_ENDED_MS = 300_000;
/** Runs beyond the default need about two seconds each. */
const MODEL_MS = 400_000 + Number(process.env.MODEL_RUNS ?? 0) * 10_000;

type Methods = readonly string[] | null;
type Mfa = "optional" | "phishing_resistant" | "required";
type Ranges = readonly string[];
/** Ranges with and without the address of the clients. */
const [INSIDE, OUTSIDE] = [["127.0.0.0/8", "::1"], ["203.0.113.0/24"]] as const;

interface Model {
  /** No member has a passkey. */
  mfa: Mfa;
  methods: Methods;
  allowedIps: Ranges;
  /** Whether the organization requires single sign-on of all members. */
  sso: "optional" | "required";
  role: "admin" | "member";
  session: ModelSession | undefined;
}

interface ModelSession {
  readonly who: Who;
  inside: boolean;
  alive: boolean;
  /** Whether the session presented a second factor. */
  readonly factor: boolean;
  /** Whether the identity provider of the organization began the session. */
  readonly bound: boolean;
}

/** Members with a password, with a second factor too, and with an account at the identity provider alone. */
type Who = "plain" | "strong" | "employee";

interface Real {
  client: Client | undefined;
}

type Command = fc.AsyncCommand<Model, Real>;

let at: Deployment;
let provider: SsoDeployment["forged"]["provider"];
/** An owner with emergency access. */
let owner: { readonly client: Client; readonly userId: string; readonly organizationId: string };
let connectionId: string;
interface Claims {
  readonly sub: string;
  readonly email: string;
}
/** The employee of the histories, and an admin whose sign-in is the prerequisite of the requirement. */
let claims: Readonly<Record<"director" | "employee", Claims>>;
interface Member {
  readonly userId: string;
  readonly email: string;
  /** An organization of the member's own. */
  readonly home: string;
  readonly secret?: string;
}
let members: Readonly<Record<Who, Member>>;

beforeAll(async () => {
  const sso = await ssoDeployment();
  at = sso.at;
  provider = sso.forged.provider;
  const host = await company(at, crypto.randomUUID(), provider.url);
  ({ connectionId } = host);
  await routable(at, [connectionId]);
  const founder = { client: host.owner, userId: host.ownerId, organizationId: host.organizationId };
  await proveMailbox(at.sql, founder.userId);
  owner = await withAuthenticator(at, founder);
  await addPasskey(owner.client);
  const plain = await outsideMember();
  const strong = await outsideMember();
  const { secret } = await withAuthenticator(at, strong);
  const claimsOf = (name: string) => ({ sub: `${name}-${host.domain}`, email: `${name}@${host.domain}` });
  claims = { director: claimsOf("director"), employee: claimsOf("employee") };
  const { body } = await enterByProvider(at.one.url, claims.employee);
  const employee = { userId: String(body.user.user_id), email: claims.employee.email, home: plain.home };
  const director = await enterByProvider(at.one.url, claims.director);
  await at.sql`update members set role = 'admin' where user_id = ${director.body.user.user_id}`;
  members = { plain, strong: { ...strong, secret }, employee };
});

/** Signs an employee in at the identity provider. */
async function enterByProvider(url: string, who: Claims): Promise<Answer & { readonly client: Client }> {
  provider.claims = { ...who };
  const browser = new SsoBrowser(url);
  const answer = await browser.enter(connectionId);
  return { ...answer, client: browser.client };
}

async function outsideMember() {
  const person = await registered(at.one.url);
  await insertMember(at.sql, owner.organizationId, person.userId);
  return { ...person, home: person.organizationId };
}

const urlOf = (replica: number) => (replica === 0 ? at.one : at.other).url;
const outcome = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${body?.error?.code}`);
const admitsPassword = ({ methods }: Model) => methods === null || methods.includes("password");

const admitsAddress = ({ allowedIps }: Model) => !allowedIps.includes(OUTSIDE[0]);
/** Whether sessions by password end: a refusal of the address ends no session. */
const endsPassword = (model: Model) => model.sso === "required" || !admitsPassword(model);

/** The refusal of a sign-in by password, or of a session from such a sign-in. */
function refusalOf(model: Model) {
  if (model.sso === "required") return "403 sso_required";
  return admitsAddress(model) && admitsPassword(model) ? undefined : "403 forbidden";
}

/** The response of the organization to a request of a live session; undefined: the session is admitted. */
function accessOf(model: Model, { bound, factor }: ModelSession) {
  const ofAddress = admitsAddress(model) ? undefined : "403 forbidden";
  const refusal = bound ? ofAddress : refusalOf(model);
  const lacksFactor = model.mfa === "phishing_resistant" || (model.mfa === "required" && !factor);
  return refusal ?? (lacksFactor ? "401 mfa_required" : undefined);
}

/** The owner repeats the sign-in, which emergency access and changes of policies need. */
async function renewOwner(): Promise<void> {
  await at.sql`
    update sessions set mfa_verified_at = now(), auth_time = now(), phishing_resistant = true
    where user_id = ${owner.userId}`;
}

/** The session ends if the organization of the session no longer admits the session. */
async function endIfRefused(model: Model): Promise<void> {
  const { session } = model;
  if (!session?.inside || !session.alive || session.bound || !endsPassword(model)) return;
  session.alive = false;
  await eventually("the sessions of the members are revoked", ENDED_MS, async () => {
    const rows = await at.sql`
      select 1 from sessions where user_id = ${members[session.who].userId} and revoked_at is null
        and organization_id = ${owner.organizationId}`;
    return rows.length === 0;
  });
}

class SetPolicy implements Command {
  readonly #replica: number;
  readonly #mfa: Model["mfa"];
  readonly #methods: Methods;
  readonly #allowedIps: Ranges;
  constructor(replica: number, mfa: Mfa, methods: Methods, allowedIps: Ranges) {
    [this.#replica, this.#mfa, this.#methods, this.#allowedIps] = [replica, mfa, methods, allowedIps];
  }
  check = () => true;
  async run(model: Model) {
    // The owner has emergency access, and confirms policies without the own address.
    const policies = { mfa: this.#mfa, methods: this.#methods, allowed_ips: this.#allowedIps, confirm: true };
    const path = `/v1/orgs/${owner.organizationId}/policies`;
    await renewOwner();
    expect(outcome(await owner.client.at(urlOf(this.#replica)).put(path, policies))).toBe(200);
    [model.mfa, model.methods, model.allowedIps] = [this.#mfa, this.#methods, this.#allowedIps];
    await endIfRefused(model);
  }
  toString = () => `SetPolicy(${this.#mfa}, ${this.#methods}, ${this.#allowedIps})`;
}

class SetSso implements Command {
  readonly #replica: number;
  readonly #mode: Model["sso"];
  constructor(replica: number, mode: Model["sso"]) {
    [this.#replica, this.#mode] = [replica, mode];
  }
  check = () => true;
  async run(model: Model) {
    const policy = { mode: this.#mode, guests: "required", break_glass: [owner.userId], sync: "first" };
    const path = `/v1/orgs/${owner.organizationId}/sso/policy`;
    await renewOwner();
    const put = await owner.client.at(urlOf(this.#replica)).put(path, policy);
    expect([outcome(put), put.body.error?.message]).toEqual([200, undefined]);
    model.sso = this.#mode;
    await endIfRefused(model);
  }
  toString = () => `SetSso(${this.#mode})`;
}

class SetRole implements Command {
  readonly #role: Model["role"];
  constructor(role: Model["role"]) {
    this.#role = role;
  }
  check = () => true;
  async run(model: Model) {
    for (const { userId } of Object.values(members)) {
      const changed = await owner.client.patch(memberOf(owner.organizationId, userId), { role: this.#role });
      expect(outcome(changed)).toBe(200);
    }
    model.role = this.#role;
  }
  toString = () => `SetRole(${this.#role})`;
}

class SignIn implements Command {
  readonly #replica: number;
  readonly #who: Exclude<Who, "employee">;
  readonly #inside: boolean;
  constructor(replica: number, who: Exclude<Who, "employee">, inside: boolean) {
    [this.#replica, this.#who, this.#inside] = [replica, who, inside];
  }
  check = () => true;
  async run(model: Model, real: Real) {
    const member = members[this.#who];
    const client = new Client(urlOf(this.#replica));
    const organization_id = this.#inside ? owner.organizationId : member.home;
    const shown = await client.post("/v1/auth/login", { email: member.email, password: PASSWORD, organization_id });
    const refusal = this.#inside ? refusalOf(model) : undefined;
    expect(outcome(shown)).toBe(refusal ?? 200);
    if (refusal) return;
    if (member.secret !== undefined) {
      await forgetUsedStep(at.sql, member.userId);
      const challenge = { mfa_token: shown.body.mfa_token, code: codeOf(member.secret) };
      expect(outcome(await client.post("/v1/auth/mfa/challenge", challenge))).toBe(200);
    }
    real.client = client;
    const factor = this.#who === "strong";
    model.session = { who: this.#who, inside: this.#inside, alive: true, factor, bound: false };
  }
  toString = () => `SignIn(${this.#who}, ${this.#inside ? "inside" : "outside"})`;
}

class SignInByProvider implements Command {
  readonly #replica: number;
  constructor(replica: number) {
    this.#replica = replica;
  }
  check = () => true;
  async run(model: Model, real: Real) {
    const { client, ...answer } = await enterByProvider(urlOf(this.#replica), claims.employee);
    expect(outcome(answer)).toBe(admitsAddress(model) ? 200 : "403 forbidden");
    if (!admitsAddress(model)) return;
    real.client = client;
    model.session = { who: "employee", inside: true, alive: true, factor: false, bound: true };
  }
  toString = () => "SignInByProvider";
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
      ? (accessOf(model, session) ?? (model.role === "admin" ? 200 : "403 forbidden"))
      : "401 authentication_required";
    await expectSoon(expected, () => client.get(membersOf(owner.organizationId)));
  }
  override toString = () => "ListMembers";
}

class ReadOwnSessions extends SessionCommand {
  override async act(model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const refusal = session.inside ? accessOf(model, session) : undefined;
    await expectSoon(session.alive ? (refusal ?? 200) : "401 authentication_required", () =>
      client.get("/v1/auth/sessions"),
    );
  }
  override toString = () => "ReadOwnSessions";
}

class Switch extends SessionCommand {
  override check = ({ session }: Readonly<Model>) => session?.alive === true;
  override async act(model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const organization_id = session.inside ? members[session.who].home : owner.organizationId;
    const expected = session.bound ? "403 forbidden" : session.inside ? 200 : (accessOf(model, session) ?? 200);
    await expectSoon(expected, () => client.post("/v1/auth/organization", { organization_id }));
    if (expected === 200) session.inside = !session.inside;
  }
  override toString = () => "Switch";
}

class Refresh extends SessionCommand {
  override async act(model: Model, session: NonNullable<Model["session"]>, client: Client) {
    const expected = session.inside && !admitsAddress(model) ? "403 forbidden" : 200;
    const refreshed = await client.post("/v1/auth/refresh");
    expect(outcome(refreshed)).toBe(session.alive ? expected : "401 authentication_required");
  }
  override toString = () => "Refresh";
}

const replica = fc.nat({ max: 1 });
const mfa = fc.constantFrom<Mfa>("optional", "required", "required", "phishing_resistant");
const ranges = fc.constantFrom<Ranges>([], [], INSIDE, OUTSIDE);
const methods = fc.constantFrom<Methods>(null, ["password", "passkey"], ["passkey"]);
const sso = fc.constantFrom<Model["sso"]>("optional", "required");
const commands = fc.commands(
  [
    fc.tuple(replica, mfa, methods, ranges).map((each) => new SetPolicy(...each)),
    fc.constantFrom<Model["role"]>("admin", "member").map((role) => new SetRole(role)),
    fc.tuple(replica, sso).map((each) => new SetSso(...each)),
    fc.tuple(replica, fc.constantFrom("plain", "strong"), fc.boolean()).map((each) => new SignIn(...each)),
    replica.map((each) => new SignInByProvider(each)),
    replica.map((each) => new ListMembers(each)),
    replica.map((each) => new ReadOwnSessions(each)),
    replica.map((each) => new Switch(each)),
    replica.map((each) => new Refresh(each)),
  ],
  { maxCommands: COMMANDS_MAX, size: "max" },
);

test(
  "Policies, single sign-on, roles, methods, switches and refreshes respond as the model, on both replicas.",
  async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (history) => {
        const policies = { mfa: "optional", methods: null, allowedIps: [], sso: "optional" } as const;
        const model: Model = { ...policies, role: "member", session: undefined };
        await new SetPolicy(0, model.mfa, model.methods, []).run(model);
        await new SetSso(0, model.sso).run(model);
        await enterByProvider(at.other.url, claims.director);
        await new SetRole(model.role).run(model);
        await fc.asyncModelRun(() => ({ model, real: { client: undefined } }), history);
      }),
      SETTINGS,
    );
  },
  MODEL_MS,
);

test(
  "A policy over thousands of sessions is refused on both replicas within a second.",
  async () => {
    const host = await enrolled(at);
    await addPasskey(host.client);
    const member = await memberWith(at, host.organizationId, "member");
    await moveSessions(at.sql, member.userId, host.organizationId);
    await at.sql`
      insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                            rotated_at, expires_at, ends_at, created_at)
      select gen_random_uuid(), ${member.userId}, ${host.organizationId}, 'password', 'aal1', now(),
             gen_random_uuid(), gen_random_uuid(), now(), now() + interval '1 day', now() + interval '1 day', now()
      from generate_series(1, ${SESSIONS}::integer)`;
    const paths = ["/v1/auth/session", "/v1/users/me", "/v1/auth/sessions"];
    const requests = [at.one.url, at.other.url].flatMap((url) => paths.map((path) => [url, path] as const));
    const send = ([url, path]: readonly [string, string]) => member.client.at(url).get(path);
    expect((await Promise.all(requests.map(send))).map(({ status }) => status)).toEqual(requests.map(() => 200));
    const began = performance.now();
    const set = await host.client.put(`/v1/orgs/${host.organizationId}/policies`, { methods: ["passkey"] });
    expect(set.status).toBe(200);
    const changed = performance.now();
    await eventually("both replicas refuse the session", REPLICATED_MS, async () => {
      return (await Promise.all(requests.map(send))).every(({ status }) => status === 401);
    });
    const refused = performance.now();
    if (process.env.POLICY_SESSIONS) await reportEnd(host.organizationId, { began, changed, refused });
    // The end of the sessions in batches would be load for the tests that share the deployment.
    await at.sql`delete from sessions where user_id = ${member.userId}`;
  },
  MODEL_MS,
);

interface Times {
  readonly began: number;
  readonly changed: number;
  readonly refused: number;
}

/** Prints the times of a change over `POLICY_SESSIONS` sessions, after the last session was revoked. */
async function reportEnd(organizationId: string, times: Times) {
  await eventually("all sessions are revoked", ALL_ENDED_MS, async () => {
    const [row] = await at.sql`
      select count(*)::int as live from sessions
      where organization_id = ${organizationId} and auth_method = 'password' and revoked_at is null`;
    return row?.live <= 1;
  });
  const since = (from: number, to: number) => `${Math.round(to - from)} ms`;
  const revoked = since(times.changed, performance.now());
  console.info(
    `${SESSIONS} sessions: the change took ${since(times.began, times.changed)}, every request was refused after ` +
      `${since(times.changed, times.refused)}, all sessions were revoked after ${revoked}`,
  );
}
