/** What gives power in an organization, and the channels whose people each grant is compared with. */
import type { Channel } from "../../../vocabulary/channels.ts";

/** Everything that gives more power to a member or to users of a channel. */
export const GRANTS = [
  /** A higher built-in role of a member. */
  "member_role",
  /** Additional roles of a member. */
  "additional_roles",
  /** A place in a group of members, or the roles of the group. */
  "group",
  /** More permissions of a role that is in use. */
  "role_permissions",
  /** The roles of a group of the directory. */
  "group_mapping",
  /** The role of all users of the directory. */
  "directory_default",
  /** A rule for roles of single sign-on. */
  "role_rule",
  /** The role of users who join by single sign-on or by a domain. */
  "default_role",
  /** Joining by a domain without a decision of a member. */
  "domain_join",
  /** The former role of a member whom the directory activates again. */
  "reactivation",
] as const;
export type Grant = (typeof GRANTS)[number];

/**
 * How a grant is compared with a channel: `account` with the power that a member has afterwards, `entry` with the power
 * of users of the channel. Without a comparison, the reason.
 */
type Comparison = "account" | "entry" | { readonly reason: string };

const OWN_ROLES: Comparison = { reason: "The channel gives its own roles, which were compared when they were set." };
const NO_ACCOUNT: Comparison = { reason: "A domain reaches accounts by connections and keys only." };
const LINK: Comparison = { reason: "A link acts with the power that its creator has at that time." };
const NEXT_SIGN_IN: Comparison = { reason: "The next sign-in compares the power of the member (section 29.12)." };
const BY_KEYS: Comparison = { reason: "The keys of the directory fill its groups, and are compared themselves." };
const OTHER_WAY: Comparison = { reason: "The channel gives this role to no user." };

/** A higher power of members: a channel that reaches an account of a member gets the power too. */
const OF_MEMBERS = {
  linked_identity: "account",
  directory_key: "account",
  setup_key: "account",
  group_mapping: OWN_ROLES,
  role_rule: OWN_ROLES,
  default_role: OWN_ROLES,
  claimed_domain: NO_ACCOUNT,
  setup_link: LINK,
} as const;

/** A role of the directory: its keys decide who has the role. */
const OF_DIRECTORY = {
  ...OF_MEMBERS,
  directory_key: "entry",
  setup_key: "entry",
  group_mapping: BY_KEYS,
} as const;

const ELSEWHERE = {
  linked_identity: NEXT_SIGN_IN,
  directory_key: OTHER_WAY,
  setup_key: OTHER_WAY,
  group_mapping: OTHER_WAY,
  role_rule: OTHER_WAY,
  default_role: OTHER_WAY,
  claimed_domain: OTHER_WAY,
  setup_link: LINK,
} as const;

/** Every grant with every channel; a missing pair does not compile. */
export const COMPARISONS: Readonly<Record<Grant, Readonly<Record<Channel, Comparison>>>> = {
  member_role: OF_MEMBERS,
  additional_roles: OF_MEMBERS,
  group: OF_MEMBERS,
  role_permissions: { ...OF_MEMBERS, group_mapping: "entry", role_rule: "entry", claimed_domain: "entry" },
  group_mapping: OF_DIRECTORY,
  directory_default: OF_DIRECTORY,
  role_rule: { ...ELSEWHERE, role_rule: "entry", claimed_domain: "entry" },
  default_role: { ...ELSEWHERE, default_role: "entry", claimed_domain: "entry" },
  domain_join: { ...ELSEWHERE, claimed_domain: "entry" },
  reactivation: { ...ELSEWHERE, directory_key: "entry", setup_key: "entry" },
};
