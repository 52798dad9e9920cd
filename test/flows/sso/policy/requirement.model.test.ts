/**
 * Sequences of policies, pauses, domains, prerequisites, ends of sessions and losses of emergency access against the
 * model of `sso-access-model.ts` (G200, G202 to G204): a requirement ends the access of covered members alone, and
 * locks no organization out. `MODEL_RUNS=10000` runs as many sequences, `MODEL_SEED` changes the sequences.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { changeRole, removeMember } from "../../../../src/flows/members/change.ts";
import { endSessionsWithoutAccess } from "../../../../src/flows/organization-policies/end-sessions-without-access.ts";
import { endSsoPause, pauseSsoPolicy } from "../../../../src/flows/sso/policy/pause.ts";
import { replacePolicy } from "../../../../src/flows/sso/policy/replace.ts";
import { authorizePermission, type MemberCaller } from "../../../../src/flows/steps/authorization/authorize-member.ts";
import {
  authorizePlatformRole,
  type PlatformCaller,
} from "../../../../src/flows/steps/authorization/authorize-platform-role.ts";
import { identifyCaller } from "../../../../src/flows/steps/authorization/identify-caller.ts";
import type { SignInResult } from "../../../../src/flows/steps/sign-in/complete-sign-in.ts";
import { DEFAULT_SSO_POLICY } from "../../../../src/models/sso-policy/sso-policy.ts";
import { GUEST_RULES, SSO_MODES } from "../../../../src/vocabulary/sso/sso-policy-settings.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  enrol,
  HOUR_MS,
  MINUTE_MS,
  registerAccount,
  signIn,
  unwrap,
} from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { type ModelPerson, type ModelPolicy, type ModelProof, verdictOf } from "../../../support/sso-access-model.ts";
import { storeConnection } from "../../../support/sso-connections.ts";
import { assignPlatformRole, deleteMemberships, moveSessions, proveMailbox } from "../../../support/states.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2613), numRuns: Number(process.env.MODEL_RUNS ?? 20) };
const LONG_RUN = 500;
const DEADLINE_MS = 7_200_000;
const PAUSE_MS = 24 * HOUR_MS;
const DOMAIN = "requirement-model.test";

/** A session with the person's token, and what the model knows about the session. */
interface Held {
  readonly person: "covered" | "guest" | "emergency";
  readonly email: string;
  readonly proof: Omit<ModelProof, "ageMs">;
  signedIn: SignInResult;
  id: string;
}

let flows: Flows;
let organizationId: string;
let emergencyId: string;
let unfitId: string;
let connectionId: string;
let owner: MemberCaller;
let admin: PlatformCaller;
let held: Readonly<Record<string, Held>>;
/** Without successes the invariants would hold by chance. */
const seen = { admitted: 0, refused: 0, ended: 0, required: 0, conflict: 0, kept: 0 };

const idOf = async (signedIn: SignInResult) => (await callerOf(flows, signedIn)).id;

beforeAll(async () => {
  flows = await openFlows({}, { isPatient: SETTINGS.numRuns >= LONG_RUN });
  const [host, covered, guest, unfit] = [
    await registerAccount(flows),
    await registerAccount(flows),
    await registerAccount(flows),
    await registerAccount(flows),
  ];
  [organizationId, emergencyId, unfitId] = [host.organizationId, host.userId, unfit.userId];
  for (const { userId } of [covered, guest, unfit]) {
    await deleteMemberships(flows.sql, userId);
    const role = userId === unfitId ? "owner" : "member";
    await flows.sql`insert into members values (${organizationId}, ${userId}, ${role}, now())`;
    await moveSessions(flows.sql, userId, organizationId);
  }
  await flows.sql`update users set email = ${`ada@${DOMAIN}`} where id = ${covered.userId}`;
  const [bound, strong] = [await signIn(flows, `ada@${DOMAIN}`), await signIn(flows, host.email)];
  await enrol(flows, host);
  await proveMailbox(flows.sql, emergencyId);
  connectionId = await storeConnection(flows.sql, organizationId);
  const session = await callerOf(flows, host.signedIn);
  owner = unwrap(await authorizePermission(flows.deps, session, organizationId, "policies.manage"));
  await assignPlatformRole(flows.sql, session.userId, "admin");
  admin = unwrap(await authorizePlatformRole(flows.deps, session, "admin"));
  const own = { aal: "aal1" } as const;
  const emails = { covered: `ada@${DOMAIN}`, guest: guest.email, emergency: host.email };
  const hold = async (person: Held["person"], signedIn: SignInResult, proof: Held["proof"] = own): Promise<Held> => {
    return { person, email: emails[person], proof, signedIn, id: await idOf(signedIn) };
  };
  held = {
    covered: await hold("covered", covered.signedIn),
    bound: await hold("covered", bound, { aal: "aal1", boundTo: "this" }),
    guest: await hold("guest", guest.signedIn),
    strong: await hold("emergency", strong, { aal: "aal2" }),
    weak: await hold("emergency", host.signedIn),
  };
});
afterAll(() => flows.close());

/** Signs in anew: a session that has ended stays ended. */
async function renew(each: Held): Promise<void> {
  const setFactor = (at: Date | null) => flows.sql`
    update totp_factors set confirmed_at = ${at} where user_id = ${emergencyId}`;
  await setFactor(null);
  each.signedIn = await signIn(flows, each.email);
  each.id = await idOf(each.signedIn);
  await setFactor(new Date());
}

class World {
  policy: ModelPolicy & { readonly breakGlass: readonly string[] } = {
    mode: "off",
    guests: "own_methods",
    breakGlass: [],
  };
  hasConnection = true;
  hasDomain = true;
  hasSignIn = true;
  ageMs = 0;
  readonly ended = new Set<string>();

  async open(): Promise<void> {
    await flows.sql`delete from sso_policies where organization_id = ${organizationId}`;
    await flows.sql`delete from outbox`;
    await flows.sql`
      insert into members values (${organizationId}, ${emergencyId}, 'owner', now())
      on conflict (user_id, organization_id) do update set role = 'owner'`;
    const at = new Date(flows.clock.now());
    const ended = await flows.sql`select id from sessions where revoked_at is not null`;
    const endedIds = new Set(ended.map(({ id }) => id));
    for (const each of Object.values(held)) if (endedIds.has(each.id)) await renew(each);
    await flows.sql`delete from sessions where revoked_at is not null`;
    for (const { id, proof } of Object.values(held)) {
      await flows.sql`
        update sessions set auth_time = ${at}, aal = ${proof.aal},
          mfa_verified_at = ${proof.aal === "aal2" ? at : null}, organization_bound = ${proof.boundTo === "this"}
        where id = ${id}`;
    }
    await this.store();
  }

  async store(): Promise<void> {
    const { sql, clock } = flows;
    await sql`
      update sso_connections set status = ${this.hasConnection ? "active" : "inactive"} where id = ${connectionId}`;
    await sql`delete from organization_domains where organization_id = ${organizationId}`;
    await sql`
      insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
      values (gen_random_uuid(), ${organizationId}, ${DOMAIN}, 'token', ${this.hasDomain ? "verified" : "pending"},
              now(), now())`;
    await sql`delete from sso_attempts where connection_id = ${connectionId}`;
    const at = new Date(clock.now());
    if (this.hasSignIn)
      await sql`
        insert into sso_attempts (id, connection_id, at, outcome, step, requested, request_id, user_id)
        values (gen_random_uuid(), ${connectionId}, ${at}, 'success', 'session', true, gen_random_uuid()::text,
                ${emergencyId})`;
  }

  personOf(person: Held["person"]): ModelPerson {
    const isInDomain = person === "covered" && this.hasDomain;
    return { isInDomain, isEmergency: person === "emergency" && this.policy.breakGlass.includes(emergencyId) };
  }

  admits({ person, proof }: Held): boolean {
    return verdictOf(this.policy, this.personOf(person), { ...proof, ageMs: this.ageMs }) === "admitted";
  }
}

const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: kind("policy"),
      mode: fc.oneof(fc.constantFrom(...SSO_MODES), fc.constant("required" as const)),
      guests: fc.constantFrom(...GUEST_RULES),
      users: fc.constantFrom("emergency", "emergency", "emergency", "none", "unfit"),
      aheadMs: fc.constantFrom(undefined, undefined, 2 * HOUR_MS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("pause") }) },
  fc.record({ kind: kind("resume") }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind("pass"), ms: fc.constantFrom(20 * MINUTE_MS, HOUR_MS, 25 * HOUR_MS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("end") }) },
  fc.record({
    kind: kind("prerequisite"),
    name: fc.constantFrom("hasConnection", "hasDomain", "hasSignIn"),
    is: fc.boolean(),
  }),
  fc.record({ kind: kind("lose"), how: fc.constantFrom("demotion", "removal") }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;

async function change(world: World, { mode, guests, users, aheadMs }: StepOf<"policy">): Promise<void> {
  const before = world.policy;
  const breakGlass = { emergency: [emergencyId], none: [], unfit: [unfitId] }[users];
  const requiredInMs = mode === "required" ? aheadMs : undefined;
  const requiredAt = requiredInMs === undefined ? null : new Date(flows.clock.now() + requiredInMs);
  const settings = { ...DEFAULT_SSO_POLICY, mode, guests, breakGlass, requiredAt };
  const replaced = codeOf(await replacePolicy(flows.deps, { caller: owner, settings, client: clientAt() }));
  const coversMore = before.mode !== "required" || (guests === "required" && before.guests !== "required");
  const isMissing = coversMore && !(world.hasConnection && world.hasDomain && world.hasSignIn);
  const isRefused = users === "unfit" || (mode === "required" && (isMissing || users === "none"));
  expect(replaced).toBe(isRefused ? "conflict" : "ok");
  seen.conflict += isRefused ? 1 : 0;
  if (isRefused) return;
  world.policy = { ...before, mode, guests, breakGlass, requiredInMs: requiredInMs ?? 0 };
}

async function pass(world: World, ms: number): Promise<void> {
  const past = `${ms} ms`;
  await flows.sql`
    update sso_policies
    set required_at = required_at - ${past}::interval, paused_until = paused_until - ${past}::interval
    where organization_id = ${organizationId}`;
  const ids = Object.values(held).map(({ id }) => id);
  await flows.sql`update sessions set auth_time = auth_time - ${past}::interval where id = any(${ids}::uuid[])`;
  const { requiredInMs = 0, pausedForMs = 0 } = world.policy;
  world.policy = { ...world.policy, requiredInMs: requiredInMs - ms, pausedForMs: pausedForMs - ms };
  world.ageMs += ms;
}

/** The last user with emergency access stays, by every way out. */
async function lose(world: World, how: StepOf<"lose">["how"]): Promise<void> {
  const isKept = world.policy.mode === "required" && world.policy.breakGlass.includes(emergencyId);
  if (!isKept) return;
  seen.kept += 1;
  const input = { caller: owner, userId: emergencyId, client: clientAt() };
  const lost =
    how === "demotion"
      ? await changeRole(flows.deps, { ...input, role: "admin" })
      : await removeMember(flows.deps, input);
  expect(codeOf(lost)).toBe("conflict");
}

async function take(world: World, step: Step): Promise<void> {
  const { deps } = flows;
  const client = clientAt();
  if (step.kind === "policy") return await change(world, step);
  if (step.kind === "pass") return await pass(world, step.ms);
  if (step.kind === "lose") return await lose(world, step.how);
  if (step.kind === "prerequisite") {
    world[step.name] = step.is;
    return await world.store();
  }
  if (step.kind === "pause") {
    const paused = await pauseSsoPolicy(deps, { caller: admin, organizationId, reason: "model", client });
    expect(codeOf(paused)).toBe(world.policy.mode === "required" ? "ok" : "conflict");
    if (paused.ok) world.policy = { ...world.policy, pausedForMs: PAUSE_MS };
  } else if (step.kind === "resume") {
    const isPaused = (world.policy.pausedForMs ?? 0) > 0;
    expect(codeOf(await endSsoPause(deps, { caller: admin, organizationId, client }))).toBe(
      isPaused ? "ok" : "conflict",
    );
    if (isPaused) world.policy = { ...world.policy, pausedForMs: 0 };
  } else {
    await endSessionsWithoutAccess(deps, organizationId, () => false);
    for (const [name, each] of Object.entries(held)) if (!world.admits(each)) world.ended.add(name);
    seen.ended += world.ended.size;
  }
}

/** Every session has the access of the model, and an organization in force keeps a way in. */
async function expectAccess(world: World): Promise<void> {
  for (const [name, each] of Object.entries(held)) {
    const isAdmitted = world.admits(each) && !world.ended.has(name);
    const found = await identifyCaller(flows.deps, each.signedIn.tokens.accessToken);
    expect([name, world.policy, found.ok]).toEqual([name, world.policy, isAdmitted]);
    seen[isAdmitted ? "admitted" : "refused"] += 1;
  }
  if (world.policy.mode !== "required") return;
  seen.required += 1;
  const kept = await flows.sql`
    select 1 from sso_policies p
    join members m on m.organization_id = p.organization_id and m.user_id = any(p.break_glass)
    join totp_factors t on t.user_id = m.user_id and t.confirmed_at is not null
    where p.organization_id = ${organizationId} and m.role = 'owner'`;
  expect(kept).toHaveLength(1);
}

test(
  "A requirement ends the access of covered members alone, and locks no organization out",
  async () => {
    const sequence = fc.array(step, { minLength: 4, maxLength: 10 });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        runs += 1;
        if (runs % LONG_RUN === 0) process.stdout.write(`${runs} sequences\n`);
        const world = new World();
        await world.open();
        for (const each of steps) {
          await take(world, each);
          await expectAccess(world);
        }
      }),
      SETTINGS,
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  DEADLINE_MS,
);
