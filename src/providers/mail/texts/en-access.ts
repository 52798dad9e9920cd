import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Check what was set up in your account at {{brand}}",
    preheader: "Your password was reset. If you did not set up an item, end the access.",
    title: "Check what was set up recently",
    lead:
      "The password of your account at {{brand}} was reset. Passkeys, addresses and linked accounts of the last " +
      "seven days sign nobody in until you confirm them.",
    listed: "What was set up recently:",
    end: "If you do not know an item, end the access with one button on this page:",
    button: "Review",
    after: "If everything is yours, confirm the items in your security settings.",
  },
  member_creations: {
    subject: "Keys and links of {{address}} in {{organization_name}}",
    preheader: "The person was removed or has a lower role. Check what is still valid.",
    title: "Check what a person set up",
    lead: "The user {{address}} was removed from {{organization_name}} at {{brand}} or has a lower role now.",
    listed: "What this person set up is still valid:",
    button: "Review and end",
    after: "If your organization needs an item, replace the item first and end the access afterwards.",
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
