/** The provisioning table of single sign-on (docs/contract.md, section 29.12), without I/O (G153). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  decideProvisioning,
  isAboveChannel,
  type KnownUser,
  type ProvisioningContext,
  roleOfMember,
  roleOfNewMember,
} from "../../../../src/flows/sso/sign-in/decide-provisioning.ts";
import type { OpenInvitation } from "../../../../src/models/invitation/invitation.ts";
import type { MemberRole } from "../../../../src/vocabulary/member-power.ts";

const user = (details: Partial<KnownUser> = {}): KnownUser => ({
  userId: "ada",
  disabled: false,
  role: "member",
  granted: [],
  removed: false,
  hasIdentity: false,
  ...details,
});

const context = (details: Partial<ProvisioningContext> = {}): ProvisioningContext => ({
  inDomain: true,
  emailVerified: true,
  identity: undefined,
  userOfAddress: undefined,
  addressReserved: false,
  deactivated: false,
  invitation: undefined,
  jit: "on",
  activator: { role: "admin", granted: [] },
  channelPower: { role: "admin", granted: [] },
  invitedPower: { role: details.invitation?.role ?? "member", granted: [] },
  ...details,
});

const outcomeOf = (details: Partial<ProvisioningContext>): string => {
  const decided = decideProvisioning(context(details));
  if (!decided.ok) return decided.error;
  const { kind, joining } = decided.value;
  const links = decided.value.kind === "sign_in" && decided.value.links ? " link" : "";
  return `${kind}${links}${joining ? ` ${joining.by}` : ""}`;
};

const identity = (linkedBy: "domain" | "user" | "directory", details: Partial<KnownUser> = {}) => ({
  linkedBy,
  user: user({ hasIdentity: true, ...details }),
});
const known = identity("domain");
const invitationAs = (role: MemberRole): OpenInvitation => ({
  id: "invitation",
  role,
  roleIds: [],
  invitedBy: "sender",
  tokenHash: Buffer.alloc(0),
});
const invitation = invitationAs("admin");

const TABLE: readonly (readonly [string, Partial<ProvisioningContext>, string])[] = [
  ["a known identity of a member", { identity: known }, "sign_in"],
  ["a known identity, jit off", { identity: known, jit: "off" }, "sign_in"],
  ["a known identity after the loss of the domain", { identity: known, inDomain: false }, "domain"],
  [
    "an identity of the directory after the loss of the domain",
    { identity: identity("directory"), inDomain: false },
    "domain",
  ],
  [
    "an identity linked by the user, with a foreign address",
    { identity: identity("user"), inDomain: false },
    "sign_in",
  ],
  [
    "an identity linked by the user, with an unverified address",
    { identity: identity("user"), emailVerified: false },
    "sign_in",
  ],
  [
    "a known identity of a member who became an owner",
    { identity: identity("domain", { role: "owner" }) },
    "link_required",
  ],
  [
    "a known identity of an owner, activation by an owner",
    { identity: identity("domain", { role: "owner" }), channelPower: { role: "owner", granted: [] } },
    "sign_in",
  ],
  [
    "a known identity of an administrator, activation by a member with sso.manage",
    {
      identity: identity("directory", { role: "admin" }),
      channelPower: { role: "member", granted: ["sso.manage"] },
    },
    "link_required",
  ],
  [
    "a known identity of a member with a permission that the activator lacks",
    { identity: identity("domain", { granted: ["policies.manage"] }) },
    "link_required",
  ],
  [
    "an owner who linked in person, activation by a member",
    { identity: identity("user", { role: "owner" }), channelPower: { role: "member", granted: [] } },
    "sign_in",
  ],
  [
    "a known identity of a plain member after the departure of the activator",
    { identity: known, activator: undefined, channelPower: { role: "member", granted: [] } },
    "sign_in",
  ],
  [
    "an invitation as administrator, activation by a member",
    { invitation, jit: "invited_only", channelPower: { role: "member", granted: ["sso.manage"] } },
    "not_invited",
  ],
  [
    "an invitation with a role beyond the activator, jit on",
    { invitation, invitedPower: { role: "admin", granted: ["policies.manage"] } },
    "create jit",
  ],
  ["a known identity with an unverified address", { identity: known, emailVerified: false }, "email_not_verified"],
  ["a known identity of a former member", { identity: identity("domain", { role: null }) }, "not_a_member"],
  [
    "a known identity of a removed member, jit on",
    { identity: identity("domain", { role: null, removed: true }) },
    "not_a_member",
  ],
  [
    "a known identity of a removed member with an invitation",
    {
      identity: identity("domain", { role: null, removed: true }),
      userOfAddress: user({ role: null, removed: true, hasIdentity: true }),
      invitation,
    },
    "sign_in invitation",
  ],
  [
    "an invitation to the address of another user",
    { identity: identity("domain", { role: null }), userOfAddress: user({ userId: "eve" }), invitation },
    "not_a_member",
  ],
  ["a known identity of a disabled user", { identity: identity("domain", { disabled: true }) }, "disabled"],
  ["an unknown identity with a foreign address", { inDomain: false }, "domain"],
  ["an unknown identity with the foreign address of a member", { inDomain: false, userOfAddress: user() }, "domain"],
  ["an unknown identity with an unverified address", { emailVerified: false }, "email_not_verified"],
  [
    "a second subject with the address of a member",
    { userOfAddress: user({ hasIdentity: true }) },
    "identity_conflict",
  ],
  ["a new user whom the directory deactivated", { deactivated: true }, "not_a_member"],
  ["a user whom the directory deactivated", { deactivated: true, userOfAddress: user({ role: null }) }, "not_a_member"],
  ["a member", { userOfAddress: user() }, "sign_in link"],
  ["a member, jit off", { userOfAddress: user(), jit: "off" }, "sign_in link"],
  ["an administrator, activation by an administrator", { userOfAddress: user({ role: "admin" }) }, "sign_in link"],
  [
    "an administrator, activation by a member of today",
    { userOfAddress: user({ role: "admin" }), activator: { role: "member", granted: [] } },
    "link_required",
  ],
  [
    "a member with a permission that the activator lacks",
    {
      userOfAddress: user({ granted: ["policies.manage"] }),
      activator: { role: "member", granted: ["sso.manage"] },
    },
    "link_required",
  ],
  [
    "a member with a permission of owners, activation by an administrator",
    { userOfAddress: user({ granted: ["policies.manage"] }) },
    "link_required",
  ],
  ["a member, activation by a user who left", { userOfAddress: user(), activator: undefined }, "link_required"],
  [
    "an owner, activation by an owner",
    { userOfAddress: user({ role: "owner" }), activator: { role: "owner", granted: [] } },
    "link_required",
  ],
  ["a disabled user", { userOfAddress: user({ disabled: true }) }, "disabled"],
  ["a user who is no member", { userOfAddress: user({ role: null }) }, "sign_in link jit"],
  ["a user who is no member, invited", { userOfAddress: user({ role: null }), invitation }, "sign_in link invitation"],
  [
    "a user who is no member, invited only",
    { userOfAddress: user({ role: null }), jit: "invited_only" },
    "not_invited",
  ],
  [
    "a user who is no member, jit off and invited",
    { userOfAddress: user({ role: null }), jit: "off", invitation },
    "not_invited",
  ],
  ["a removed member with a new subject", { userOfAddress: user({ role: null, removed: true }) }, "not_a_member"],
  [
    "a removed member with a new subject, invited",
    { userOfAddress: user({ role: null, removed: true }), invitation },
    "sign_in link invitation",
  ],
  [
    "a removed member with a second subject",
    { userOfAddress: user({ role: null, removed: true, hasIdentity: true }) },
    "not_a_member",
  ],
  [
    "a removed member with a second subject, invited",
    { userOfAddress: user({ role: null, removed: true, hasIdentity: true }), invitation },
    "identity_conflict",
  ],
  ["no user", {}, "create jit"],
  ["no user, invited", { invitation }, "create invitation"],
  ["no user, invited as owner", { invitation: invitationAs("owner"), jit: "invited_only" }, "not_invited"],
  ["no user, invited only, with an invitation", { jit: "invited_only", invitation }, "create invitation"],
  ["no user, invited only", { jit: "invited_only" }, "not_invited"],
  ["no user, jit off", { jit: "off", invitation }, "not_invited"],
];

describe("the provisioning of a verified identity (G153)", () => {
  for (const [title, details, expected] of TABLE) {
    test(`${title}: ${expected}`, () => {
      expect(outcomeOf(details)).toBe(expected);
    });
  }

  const role = fc.constantFrom("member", "admin", "owner", null);
  const anyUser = fc.record({
    userId: fc.constantFrom("ada", "eve"),
    disabled: fc.boolean(),
    role,
    granted: fc.constant([]),
    removed: fc.boolean(),
    hasIdentity: fc.boolean(),
  });
  const anyContext: fc.Arbitrary<ProvisioningContext> = fc.record({
    inDomain: fc.boolean(),
    emailVerified: fc.boolean(),
    identity: fc.option(
      fc.record({ linkedBy: fc.constantFrom("domain" as const, "user" as const, "directory" as const), user: anyUser }),
      { nil: undefined },
    ),
    userOfAddress: fc.option(anyUser, { nil: undefined }),
    addressReserved: fc.boolean(),
    deactivated: fc.boolean(),
    invitation: fc.option(fc.constantFrom<MemberRole>("member", "admin", "owner").map(invitationAs), {
      nil: undefined,
    }),
    jit: fc.constantFrom("on" as const, "invited_only" as const, "off" as const),
    activator: fc.option(
      fc.record({
        role: fc.constantFrom("member" as const, "admin" as const, "owner" as const),
        granted: fc.constant([]),
      }),
      { nil: undefined },
    ),
    channelPower: fc.record({
      role: fc.constantFrom("member" as const, "admin" as const, "owner" as const),
      granted: fc.constant([]),
    }),
    invitedPower: fc.record({
      role: fc.constantFrom("member" as const, "admin" as const, "owner" as const),
      granted: fc.constant([]),
    }),
  });

  test("never links or creates outside of the domains, an owner, or a disabled user.", () => {
    fc.assert(
      fc.property(anyContext, (given) => {
        const decided = decideProvisioning(given);
        if (!decided.ok) return;
        const { value } = decided;
        const provenByUser = given.identity?.linkedBy === "user";
        if (!provenByUser) expect([given.inDomain, given.emailVerified]).toEqual([true, true]);
        if (value.kind === "create") {
          expect([given.identity, given.userOfAddress, given.addressReserved]).toEqual([undefined, undefined, false]);
          return;
        }
        const of = given.identity?.user ?? given.userOfAddress;
        expect([value.userId, of?.disabled]).toEqual([of?.userId ?? "", false]);
        if (of?.role && given.identity && !provenByUser) expect(isAboveChannel(of, given)).toBe(false);
        if (value.links)
          expect([given.identity, of?.role === "owner", of?.hasIdentity]).toEqual([undefined, false, false]);
        if (value.joining?.by === "invitation") expect(given.invitation?.role).not.toBe("owner");
        if (value.joining?.by === "jit")
          expect([given.jit, of?.removed, given.deactivated]).toEqual(["on", false, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the role of a mapping", () => {
  const policy = {
    defaultRole: "member" as const,
    sync: "always" as const,
    roleRules: [
      { from: "groups", value: "Admins", role: "admin" as const },
      { from: "department", value: "IT", role: "admin" as const },
      { from: "groups", value: "Staff", role: "member" as const },
    ],
  };
  const none = { groups: [], attributes: {} };
  const owner = { role: "owner" as const, granted: [] };

  test("is the highest matching role of a new member, compared exactly, else the default role.", () => {
    const roles = (groups: string[], attributes: Record<string, string> = {}) =>
      roleOfNewMember(policy, { groups, attributes }, owner);
    expect(roles(["Staff", "Admins"])).toBe("admin");
    expect(roles(["Staff"], { department: "IT" })).toBe("admin");
    expect(roles(["admins", "Admins "])).toBe("member");
    expect(roles([], { groups: "Admins", __proto__: "IT" as never })).toBe("member");
    expect(roleOfNewMember({ ...policy, defaultRole: "admin" }, none, owner)).toBe("admin");
    expect(roleOfNewMember({ ...policy, defaultRole: "admin" }, { ...none, groups: ["Staff"] }, owner)).toBe("member");
  });

  test("applies at every sign-in, or at the start of the membership; never to an owner, and not without rules.", () => {
    const admin = { ...none, groups: ["Admins"] };
    expect(roleOfMember(policy, admin, { role: "member", isProvisioned: false }, owner)).toBe("admin");
    expect(roleOfMember(policy, none, { role: "admin", isProvisioned: false }, owner)).toBe("member");
    expect(roleOfMember({ ...policy, sync: "first" }, admin, { role: "member", isProvisioned: false }, owner)).toBe(
      "member",
    );
    expect(roleOfMember(policy, none, { role: "owner", isProvisioned: false }, owner)).toBe("owner");
    expect(roleOfMember({ ...policy, roleRules: [] }, none, { role: "admin", isProvisioned: false }, owner)).toBe(
      "admin",
    );
  });

  test("leaves the role of a user whom an active directory provisions.", () => {
    const admin = { ...none, groups: ["Admins"] };
    expect(roleOfMember(policy, admin, { role: "member", isProvisioned: true }, owner)).toBe("member");
    expect(roleOfMember(policy, none, { role: "admin", isProvisioned: true }, owner)).toBe("admin");
  });

  test("grants no more than the person behind the connection has.", () => {
    const admin = { ...none, groups: ["Admins"] };
    const weak = { role: "member" as const, granted: ["sso.manage"] };
    expect(roleOfNewMember(policy, admin, weak)).toBe("member");
    expect(roleOfMember(policy, admin, { role: "member", isProvisioned: false }, weak)).toBe("member");
    expect(roleOfMember(policy, admin, { role: "admin", isProvisioned: false }, weak)).toBe("admin");
    expect(roleOfMember(policy, none, { role: "admin", isProvisioned: false }, weak)).toBe("member");
  });
});
