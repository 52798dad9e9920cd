/** English: people behind ways to power. */

export const channelTexts = {
  channels: {
    title: "Confirm the new permissions",
    text: "These people have fewer permissions, and are responsible for ways to what you grant:",
    action: "Grant anyway",
    note: "Members whom a connection signs in must link their company account themselves before the next sign-in.",
    nobody: "Deleted account",
    holders: "Who else has access to this account",
    holdersLead: "New permissions need a confirmation if one of these people has fewer.",
    kinds: {
      linked_identity: "Connection that signs the member in",
      directory_key: "Key of the directory",
      setup_key: "Key of the directory, made by a set-up link",
      group_mapping: "Key that fills the groups",
      role_rule: "Connection that reports the groups",
      default_role: "Connection whose users join",
      claimed_domain: "Domain whose users join",
      setup_link: "Set-up link",
    },
  },
};
