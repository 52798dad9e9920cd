import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Review recent changes to your account at {{brand}}",
    preheader: "Your password was reset. Remove anything that you do not recognize.",
    title: "Review recent changes",
    lead:
      "The password of your account at {{brand}} was reset. Passkeys, addresses and linked accounts that were added " +
      "in the last seven days cannot be used to sign in until you confirm them.",
    listed: "Recently added:",
    end: "If you do not recognize an item, remove everything on the list on this page:",
    button: "Review",
    after: "If you recognize every item, confirm the list in your security settings.",
  },
  member_creations: {
    subject: "Keys and links of {{address}} in {{organization_name}}",
    preheader: "The person left or has fewer permissions now. Check what still works.",
    title: "Review what a former or demoted member created",
    lead:
      "The user {{address}} is no longer a member of {{organization_name}} at {{brand}}, or has fewer permissions " +
      "there now.",
    listed: "This person created the following items, which still work:",
    button: "Review",
    after: "If your organization still needs an item, replace it before you revoke the old one.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Passkey",
  identities: "Linked provider",
  company_accounts: "Linked company account",
  address_changes: "E-mail address",
  second_factor: "Authenticator app",
  api_keys: "API key",
  webhooks: "Webhook",
  event_streams: "Event stream",
  oauth_grants: "Connected application",
  invitations: "Open invitation",
  setup_links: "Set-up link for single sign-on",
  connections: "Connection for single sign-on",
  domains: "Domain",
};
