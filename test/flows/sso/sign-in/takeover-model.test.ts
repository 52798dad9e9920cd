/**
 * Sequences of domains, sign-ins, invitations, removals and links against a model (G153): identity providers of two
 * organizations assert any subject and any address, and no sequence takes an account over.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  decideProvisioning,
  type KnownUser,
  type Provisioning,
} from "../../../../src/flows/sso/sign-in/decide-provisioning.ts";
import type { MemberRole } from "../../../../src/vocabulary/member-power.ts";

/** In the suite; 10,000 sequences were run once without a finding. */
const SEQUENCES = 500;
const ORGANIZATIONS = ["acme", "hooli"] as const;
const DOMAINS = ["acme.test", "hooli.test"] as const;
const ADDRESSES = ["ada@acme.test", "eve@acme.test", "ada@hooli.test"] as const;
const NO_HASH = Buffer.alloc(0);
const SUBJECTS = ["1", "2", "3"] as const;

type Organization = (typeof ORGANIZATIONS)[number];

interface Identity {
  readonly userId: string;
  readonly linkedBy: "domain" | "user";
}

/** The rows of the service, and the history that the invariants need. */
class World {
  readonly holders = new Map<string, Organization>([
    ["acme.test", "acme"],
    ["hooli.test", "hooli"],
  ]);
  readonly addresses = new Map<string, string>();
  readonly roles = new Map<string, MemberRole>();
  readonly removed = new Set<string>();
  readonly invited = new Map<string, MemberRole>();
  readonly identities = new Map<string, Identity>();
  /** The organizations that a user entered with a credential of the user's own, or by provisioning. */
  readonly consented = new Set<string>();
  #users = 0;

  register(address: string, organization: Organization, role: MemberRole): void {
    if (this.addresses.has(address)) return;
    const userId = this.insertUser(address);
    this.join(organization, userId, role);
  }

  insertUser(address: string): string {
    this.#users += 1;
    this.addresses.set(address, `user-${this.#users}`);
    return `user-${this.#users}`;
  }

  join(organization: Organization, userId: string, role: MemberRole): void {
    this.roles.set(key(organization, userId), role);
    this.removed.delete(key(organization, userId));
    this.consented.add(key(organization, userId));
  }

  remove(organization: Organization, userId: string): void {
    if (this.roles.delete(key(organization, userId))) this.removed.add(key(organization, userId));
  }

  knownUser(organization: Organization, userId: string): KnownUser {
    return {
      userId,
      disabled: false,
      role: this.roles.get(key(organization, userId)) ?? null,
      granted: [],
      removed: this.removed.has(key(organization, userId)),
      hasIdentity: [...this.identities].some(
        ([id, { userId: of }]) => id.startsWith(`${organization} `) && of === userId,
      ),
    };
  }

  holds(organization: Organization, address: string): boolean {
    return this.holders.get(address.replace(/.*@/, "")) === organization;
  }
}

const key = (...parts: readonly string[]) => parts.join(" ");

interface Entry {
  readonly organization: Organization;
  readonly subject: string;
  readonly address: string;
  readonly jit: "on" | "invited_only" | "off";
  readonly emailVerified: boolean;
}

/** A sign-in: the decision of the service, its rows, and what must hold whatever happened before. */
function enter(world: World, entry: Entry): void {
  const { organization, subject, address, jit, emailVerified } = entry;
  const inDomain = world.holds(organization, address);
  const identity = world.identities.get(key(organization, subject));
  const holder = inDomain ? world.addresses.get(address) : undefined;
  const role = inDomain ? world.invited.get(key(organization, address)) : undefined;
  const decided = decideProvisioning({
    inDomain,
    emailVerified,
    identity: identity && { linkedBy: identity.linkedBy, user: world.knownUser(organization, identity.userId) },
    userOfAddress: holder === undefined ? undefined : world.knownUser(organization, holder),
    invitation: role && { id: key(organization, address), role, roleIds: [], invitedBy: "sender", tokenHash: NO_HASH },
    jit,
    addressReserved: false,
    deactivated: false,
    activator: { role: "owner", granted: [] },
    channelPower: { role: "owner", granted: [] },
    invitedPower: { role: role ?? "member", granted: [] },
  });
  if (!decided.ok) return;
  const before = new Map(world.roles);
  const userId = persist(world, entry, decided.value);
  checkSignIn(world, entry, { userId, identity, holder, before, decided: decided.value });
}

function persist(world: World, { organization, subject, address }: Entry, decided: Provisioning): string {
  const userId = decided.kind === "create" ? world.insertUser(address) : decided.userId;
  if (decided.joining) {
    world.join(organization, userId, decided.joining.by === "invitation" ? decided.joining.invitation.role : "member");
    if (decided.joining.by === "invitation") world.invited.delete(key(organization, address));
  }
  if (decided.kind === "create" || decided.links) {
    world.identities.set(key(organization, subject), { userId, linkedBy: "domain" });
  }
  return userId;
}

function checkSignIn(
  world: World,
  { organization, address, emailVerified }: Entry,
  signedIn: {
    readonly userId: string;
    readonly identity: Identity | undefined;
    readonly holder: string | undefined;
    readonly before: ReadonlyMap<string, MemberRole>;
    readonly decided: Provisioning;
  },
): void {
  const { userId, identity, holder, before, decided } = signedIn;
  // The user is a member, and became a member with the user's own act or under a domain of the organization.
  expect(world.roles.has(key(organization, userId))).toBe(true);
  expect(world.consented.has(key(organization, userId))).toBe(true);
  if (identity?.linkedBy !== "user") expect([world.holds(organization, address), emailVerified]).toEqual([true, true]);
  // A known subject stays its user; a new subject is the user of the address or a new user, never an owner by a domain.
  if (identity) expect(userId).toBe(identity.userId);
  else if (decided.kind === "sign_in") {
    expect(userId).toBe(holder ?? "");
    expect(before.get(key(organization, userId))).not.toBe("owner");
  }
  // No other membership of any user changed, and no membership as owner arose.
  for (const [membership, role] of world.roles) {
    if (membership !== key(organization, userId)) expect(before.get(membership)).toBe(role);
    if (role === "owner") expect(before.get(membership)).toBe("owner");
  }
  const linked = [...world.identities].filter(
    ([id, each]) => id.startsWith(`${organization} `) && each.userId === userId,
  );
  expect(linked.length).toBe(1);
}

const organization = fc.constantFrom(...ORGANIZATIONS);
const address = fc.constantFrom(...ADDRESSES);
const subject = fc.constantFrom(...SUBJECTS);
const role = fc.constantFrom<MemberRole>("member", "admin", "owner");

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("enter" as const),
      organization,
      subject,
      address,
      jit: fc.constantFrom("on" as const, "invited_only" as const, "off" as const),
      emailVerified: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
    }),
  },
  fc.record({
    kind: fc.constant("hold" as const),
    domain: fc.constantFrom(...DOMAINS),
    organization: fc.option(organization, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("register" as const), address, organization, role }),
  fc.record({ kind: fc.constant("invite" as const), address, organization, role }),
  fc.record({ kind: fc.constant("remove" as const), address, organization }),
  fc.record({ kind: fc.constant("unlink" as const), organization, subject }),
  fc.record({ kind: fc.constant("link" as const), address, organization, subject }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;

/** A member links an unused subject in a session of the member's own. */
function link(world: World, { address, organization, subject }: StepOf<"link">): void {
  const userId = world.addresses.get(address);
  if (userId === undefined) return;
  const user = world.knownUser(organization, userId);
  const subjectKey = key(organization, subject);
  if (user.role === null || user.hasIdentity || world.identities.has(subjectKey)) return;
  world.identities.set(subjectKey, { userId, linkedBy: "user" });
}

const PERFORM: { readonly [Kind in Step["kind"]]: (world: World, given: StepOf<Kind>) => void } = {
  enter,
  link,
  register: (world, { address, organization, role }) => world.register(address, organization, role),
  invite(world, { address, organization, role }) {
    world.invited.set(key(organization, address), role);
  },
  unlink(world, { organization, subject }) {
    world.identities.delete(key(organization, subject));
  },
  hold(world, { domain, organization }) {
    if (organization) world.holders.set(domain, organization);
    else world.holders.delete(domain);
  },
  remove(world, { address, organization }) {
    const userId = world.addresses.get(address);
    if (userId !== undefined) world.remove(organization, userId);
  },
};

test("No sequence of domains, sign-ins, invitations, removals and links takes an account over.", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const world = new World();
      for (const each of steps) PERFORM[each.kind](world, each as never);
    }),
    { numRuns: SEQUENCES },
  );
});
