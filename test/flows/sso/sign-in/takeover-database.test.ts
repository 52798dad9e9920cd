/**
 * Sequences of domains, registrations, sign-ins, invitations, policies, memberships, promotions, removals and links by
 * the flows over PostgreSQL (G170, G153, G281): identity providers of two organizations assert any subject and any
 * address, and take no account over; nobody signs in above the person who activated the connection by a link of the
 * domain. `MODEL_RUNS=10000` runs as many sequences.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { register } from "../../../../src/flows/auth/register.ts";
import { confirmSsoLink } from "../../../../src/flows/sso/links/confirm-link.ts";
import { offerSsoLink } from "../../../../src/flows/sso/links/offer-link.ts";
import type { OidcConnection, UsableConnection } from "../../../../src/flows/sso/sign-in/connection.ts";
import type { AssertedIdentity } from "../../../../src/flows/sso/sign-in/map-claims.ts";
import { provisionMember } from "../../../../src/flows/sso/sign-in/provision.ts";
import { recordRemoval } from "../../../../src/models/member/removal.ts";
import { DEFAULT_SSO_POLICY } from "../../../../src/models/sso-policy/sso-policy.ts";
import { JIT_MODES } from "../../../../src/vocabulary/sso/sso-policy-settings.ts";
import { callerOf, clientAt, unwrap } from "../../../support/accounts.ts";
import { PASSWORD } from "../../../support/client.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { storeConnection, storePolicy, TEST_OIDC_CONFIG } from "../../../support/sso-connections.ts";
import { assignResponsibility, insertMember } from "../../../support/states.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2611), numRuns: Number(process.env.MODEL_RUNS ?? 25) };
/** A long run reports its progress. */
const SEQUENCES_PER_REPORT = 500;
const SIDES = ["acme", "hooli"] as const;
type Side = (typeof SIDES)[number];
const NAMES = ["owner", "ada", "eve"] as const;
const ROLES = ["member", "admin", "owner"] as const;

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows({}, { isPatient: SETTINGS.numRuns >= SEQUENCES_PER_REPORT });
});
afterAll(() => flows.close());

let worlds = 0;
/** Without successes the invariants would hold by chance. */
const successes = { enter: 0, link: 0 };

type SignedIn = Awaited<ReturnType<typeof registerUser>>;

async function registerUser(email: string) {
  const organization = {
    organizationName: "Own",
    organizationSlug: undefined,
    email,
    password: PASSWORD,
    displayName: undefined,
  };
  return unwrap(await register(flows.deps, { organization, client: clientAt() }));
}

/** Two organizations with a connection, and the users that registered. */
class World {
  readonly users = new Map<string, SignedIn>();
  readonly connections = new Map<Side, UsableConnection>();
  /** The users who activated the connections. */
  readonly managers = new Map<Side, string>();
  readonly number: number;

  constructor() {
    worlds += 1;
    this.number = worlds;
  }

  domainOf(side: Side): string {
    return `${side}-${this.number}-${process.pid}.test`;
  }

  connection(side: Side): UsableConnection {
    const connection = this.connections.get(side);
    if (!connection) throw new Error(`no connection of ${side}`);
    return connection;
  }

  deps() {
    const find = (id: string) => [...this.connections.values()].find((each) => each.id === id);
    const policyOf = () => ({ ...DEFAULT_SSO_POLICY, mode: "optional" as const });
    return { ...flows.deps, ssoDirectory: { ...flows.deps.ssoDirectory, find, policyOf } };
  }

  async open(): Promise<void> {
    for (const side of SIDES) {
      const email = `owner@${this.domainOf(side)}`;
      const owner = await registerUser(email);
      this.users.set(email, owner);
      const { organizationId } = owner.session;
      const { userId } = (await registerUser(`manager@${this.domainOf(side)}`)).session;
      this.managers.set(side, userId);
      await insertMember(flows.sql, organizationId, userId, "owner");
      const id = await storeConnection(flows.sql, organizationId);
      await assignResponsibility(flows.sql, id, userId);
      await storePolicy(flows.sql, organizationId, { jit: "on" });
      const organization = { id: organizationId, name: side, slug: side, suspended: false };
      this.connections.set(side, {
        id,
        organizationId,
        protocol: "oidc",
        name: side,
        preset: "custom",
        status: "active",
        config: TEST_OIDC_CONFIG as OidcConnection["config"],
        sealedSecret: null,
        keyId: null,
        revision: 1,
        activatedBy: userId,
        organization,
        serviceKeys: [],
      });
      await this.hold(this.domainOf(side), side);
    }
  }

  async hold(domain: string, side: Side | undefined): Promise<void> {
    await flows.sql`delete from organization_domains where domain = ${domain}`;
    if (!side) return;
    await flows.sql`
      insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
      values (${randomUUID()}, ${this.connection(side).organizationId}, ${domain}, 'token', 'verified', now(), now())`;
  }

  /** Deletes the rows of the world: a snapshot reads every row. */
  async close(): Promise<void> {
    for (const { id } of this.connections.values()) await flows.sql`delete from sso_connections where id = ${id}`;
    const organizations = [...this.users.values()].map(({ session }) => session.organizationId);
    await flows.sql`delete from organizations where id = any(${organizations}::uuid[])`;
    await flows.sql`
      delete from users where split_part(email, '@', 2) = any(${SIDES.map((side) => this.domainOf(side))}::text[])`;
  }

  async roleOf(side: Side, userId: string | undefined): Promise<number> {
    const [row] = await flows.sql`
      select role from members
      where organization_id = ${this.connection(side).organizationId} and user_id = ${userId ?? null}`;
    return ROLES.indexOf(row?.role);
  }

  async holds(side: Side, email: string): Promise<boolean> {
    const rows = await flows.sql`
      select 1 from organization_domains
      where domain = ${email.replace(/.*@/, "")} and organization_id = ${this.connection(side).organizationId}`;
    return rows.length > 0;
  }

  /** All rows that a takeover would change, by key. */
  async snapshot() {
    const [members, users, identities] = await Promise.all([
      flows.sql`select organization_id, user_id, role from members`,
      flows.sql`select id, email from users`,
      flows.sql`select connection_id, subject, user_id, linked_by from sso_identities`,
    ]);
    return {
      members: new Map(members.map((row) => [`${row.organization_id} ${row.user_id}`, String(row.role)])),
      users: new Map(users.map((row) => [String(row.id), String(row.email)])),
      identities: new Map(
        identities.map((row) => [
          `${row.connection_id} ${row.subject}`,
          { userId: String(row.user_id), by: row.linked_by },
        ]),
      ),
    };
  }
}

type Snapshot = Awaited<ReturnType<World["snapshot"]>>;

function assertedOf(subject: string, email: string, emailVerified: boolean): AssertedIdentity {
  return {
    subject,
    email,
    emailVerified,
    displayName: "Asserted",
    groups: [],
    groupsIncomplete: false,
    attributes: {},
    isMultiFactor: false,
    authTime: undefined,
    sessionEndsAt: undefined,
    sessionIndex: undefined,
  };
}

const side = fc.constantFrom(...SIDES);
const address = fc.record({ name: fc.constantFrom(...NAMES), at: side });
const subject = fc.constantFrom("1", "2", "3");
const verified = fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("enter" as const), side, subject, address, verified }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("link" as const), side, subject, address }) },
  fc.record({ kind: fc.constant("hold" as const), domain: side, holder: fc.option(side, { nil: undefined }) }),
  fc.record({ kind: fc.constant("register" as const), address }),
  fc.record({ kind: fc.constant("join" as const), side, address, role: fc.constantFrom("member", "admin", "owner") }),
  fc.record({ kind: fc.constant("invite" as const), side, address, role: fc.constantFrom("member", "admin", "owner") }),
  fc.record({ kind: fc.constant("policy" as const), side, jit: fc.constantFrom(...JIT_MODES) }),
  fc.record({ kind: fc.constant("remove" as const), side, address }),
  fc.record({ kind: fc.constant("unlink" as const), side, subject }),
  fc.record({ kind: fc.constant("promote" as const), side, address, role: fc.constantFrom(...ROLES) }),
  fc.record({ kind: fc.constant("power" as const), side, role: fc.constantFrom(...ROLES) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;
type Address = StepOf<"register">["address"];

const emailOf = (world: World, { name, at }: Address) => `${name}@${world.domainOf(at)}`;

async function userOf(world: World, at: Address): Promise<string | undefined> {
  const [row] = await flows.sql`select id from users where email = ${emailOf(world, at)}`;
  return row && String(row.id);
}

/** A sign-in, and what must hold whatever happened before. */
async function enter(world: World, { side, subject, address, verified }: StepOf<"enter">): Promise<void> {
  const connection = world.connection(side);
  const email = emailOf(world, address);
  const inDomain = await world.holds(side, email);
  const before = await world.snapshot();
  const holder = [...before.users].find(([, each]) => each === email)?.[0];
  const at = new Date(flows.clock.now());
  const input = { connection, asserted: assertedOf(subject, email, verified), client: clientAt(), at };
  const outcome = await provisionMember(world.deps(), input);
  const after = await world.snapshot();
  if (!outcome.ok) return expect(after).toEqual(before);
  successes.enter += 1;
  const { userId } = outcome.value;
  const membership = `${connection.organizationId} ${userId}`;
  const identity = before.identities.get(`${connection.id} ${subject}`);
  expect(after.members.has(membership)).toBe(true);
  if (identity?.by !== "user") expect([inDomain, verified]).toEqual([true, true]);
  if (identity?.by !== "user") {
    expect(await world.roleOf(side, world.managers.get(side))).toBeGreaterThanOrEqual(await world.roleOf(side, userId));
  }
  if (identity) expect(userId).toBe(identity.userId);
  else if (before.users.has(userId)) expect([userId, before.members.get(membership)]).not.toEqual([holder, "owner"]);
  if (!identity && before.users.has(userId)) expect(userId).toBe(String(holder));
  expectUnchangedBeside(before, after, { userId, membership, own: `${connection.id} ${subject}` });
}

function expectUnchangedBeside(
  before: Snapshot,
  after: Snapshot,
  { userId, membership, own }: { readonly userId: string; readonly membership: string; readonly own: string },
): void {
  for (const [key, role] of after.members) {
    if (key !== membership) expect([key, role]).toEqual([key, before.members.get(key) ?? "none"]);
    if (role === "owner") expect(before.members.get(key)).toBe("owner");
  }
  for (const [id, email] of before.users) if (id !== userId) expect(after.users.get(id)).toBe(email);
  for (const [key, identity] of before.identities) {
    // A first controlling proof ends the links that the user made, except the link of the sign-in.
    const mayEnd = identity.by === "user" && identity.userId === userId && key !== own;
    expect(after.identities.get(key) ?? (mayEnd ? identity : undefined)).toEqual(identity);
  }
}

/** A link by a registered user, in the session of the registration. */
async function link(world: World, { side, subject, address }: StepOf<"link">): Promise<void> {
  const signedIn = world.users.get(emailOf(world, address));
  const session = signedIn && (await callerOf(flows, signedIn).catch(() => undefined));
  if (!session) return;
  const connection = world.connection(side);
  const before = await world.snapshot();
  const deps = world.deps();
  const asserted = assertedOf(subject, "anyone@elsewhere.test", true);
  const offered = await offerSsoLink(deps, { connection, session, browserToken: "b", redirectTo: "/", asserted });
  const linked = offered.ok
    ? await confirmSsoLink(deps, { caller: session, id: offered.value, client: clientAt() })
    : undefined;
  const after = await world.snapshot();
  expect([after.members, after.users]).toEqual([before.members, before.users]);
  if (!linked?.ok) return expect(after.identities).toEqual(before.identities);
  successes.link += 1;
  const key = `${connection.id} ${subject}`;
  // A link by the domain becomes the user's own link.
  const own = { userId: session.userId, by: "domain" };
  expect(before.identities.get(key) ?? own).toEqual(own);
  expect(after.identities.get(key)).toEqual({ userId: session.userId, by: "user" });
  expect(before.members.has(`${connection.organizationId} ${session.userId}`)).toBe(true);
}

const PERFORM: { readonly [Kind in Step["kind"]]: (world: World, given: StepOf<Kind>) => Promise<void> } = {
  enter,
  link,
  hold: (world, { domain, holder }) => world.hold(world.domainOf(domain), holder),
  async register(world, { address }) {
    const email = emailOf(world, address);
    if ((await userOf(world, address)) === undefined) world.users.set(email, await registerUser(email));
  },
  async join(world, { side, address, role }) {
    const userId = await userOf(world, address);
    const { organizationId } = world.connection(side);
    if (userId === undefined) return;
    await flows.sql`
      insert into members values (${organizationId}, ${userId}, ${role}, now())
      on conflict do nothing`;
  },
  async invite(world, { side, address, role }) {
    const email = emailOf(world, address);
    const owner = world.users.get(`owner@${world.domainOf(side)}`);
    await flows.sql`
      insert into invitations (id, organization_id, email, role, token_hash, invited_by, expires_at, created_at)
      values (${randomUUID()}, ${world.connection(side).organizationId}, ${email}, ${role}, ${randomBytes(32)},
              ${owner?.session.userId ?? null}, now() + interval '1 day', now())
      on conflict do nothing`;
  },
  policy: (world, { side, jit }) => storePolicy(flows.sql, world.connection(side).organizationId, { jit }),
  async remove(world, { side, address }) {
    const userId = await userOf(world, address);
    const { organizationId } = world.connection(side);
    if (userId === undefined) return;
    const removed = await flows.sql`
      delete from members where organization_id = ${organizationId} and user_id = ${userId} returning 1`;
    const person = { userId, addressHashes: [] };
    if (removed.length > 0) await recordRemoval(flows.sql, organizationId, person, new Date(flows.clock.now()));
  },
  async promote(world, { side, address, role }) {
    const userId = await userOf(world, address);
    await flows.sql`
      update members set role = ${role}
      where organization_id = ${world.connection(side).organizationId} and user_id = ${userId ?? null}`;
  },
  async power(world, { side, role }) {
    await flows.sql`
      update members set role = ${role}
      where organization_id = ${world.connection(side).organizationId}
        and user_id = ${world.managers.get(side) ?? null}`;
  },
  async unlink(world, { side, subject }) {
    await flows.sql`
      delete from sso_identities where connection_id = ${world.connection(side).id} and subject = ${subject}`;
  },
};

const HOOLI_OWNER = { side: "hooli", subject: "1", address: { name: "owner", at: "hooli" } } as const;
/** The link of the sign-in survives the controlling proof that the sign-in makes. */
const LINK_THEN_ENTER: Step[] = [
  { kind: "link", ...HOOLI_OWNER },
  { kind: "enter", ...HOOLI_OWNER, verified: true },
  { kind: "enter", ...HOOLI_OWNER, verified: true },
];

test(
  "No sequence of domains, registrations, sign-ins, invitations, removals and links takes an account over.",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const world = new World();
        await world.open();
        for (const each of steps) await PERFORM[each.kind](world, each as never);
        await world.close();
        if (world.number % SEQUENCES_PER_REPORT === 0) console.info(`${world.number} sequences, no take-over`);
      }),
      { ...SETTINGS, examples: [[LINK_THEN_ENTER]] },
    );
    expect(Math.min(successes.enter, successes.link)).toBeGreaterThan(SETTINGS.numRuns / 5);
  },
  SETTINGS.numRuns * 10_000,
);
