/** The channels of an organization: the ways to power that people set up (docs/contract.md, section 32.9). */
export const CHANNELS = [
  /** An identity provider that signs a member in by a link that the member did not make in person. */
  "linked_identity",
  /** A key that changes the directory. */
  "directory_key",
  /** A key of the directory that a set-up link made. */
  "setup_key",
  /** The keys that fill the groups of the directory. */
  "group_mapping",
  /** The identity providers that assert the values of the rules for roles. */
  "role_rule",
  /** The identity providers whose users join with the default role. */
  "default_role",
  /** A domain whose users join. */
  "claimed_domain",
  /** A set-up link that may still act. */
  "setup_link",
] as const;
export type Channel = (typeof CHANNELS)[number];
