import type { Shape } from "../shape.ts";

/** What was set up in an account or an organization, and may end. */
export const recentAccessTexts = {
  credentialReview: {
    title: "Recent changes",
    lead: "Review what was added to your account before your password was last reset.",
    held: "Needs your confirmation",
    confirm: "This was me",
    end: "Remove all",
    effects: "Every item on the list is removed, and you are signed out on all other devices.",
    factorStays:
      "Your authenticator app is not removed. Remove it in your security settings, or ask your administrator.",
    confirmed: "You confirmed the recent changes.",
    ended: "Everything on the list was removed.",
    note: "Your password was reset. Review the recent changes to your account.",
    review: "Review",
    dead: "This link has expired or was already used.",
    skip: "Continue to sign-in",
    none: "There is nothing to review.",
  },
  creations: {
    title: (name: string) => `Created by ${name}`,
    lead: "What this person created in the organization and still works.",
    end: "Revoke keys and links",
    stays: "Connections and domains are kept, because members sign in with them. Review each on its own page.",
    ended: "The keys and links of this person were revoked.",
    none: "This person created nothing that still works.",
    open: "Open",
  },
  accessItems: {
    passkeys: "Passkey",
    identities: "Linked provider",
    company_accounts: "Linked company account",
    address_changes: "E\u2011mail address",
    second_factor: "Authenticator app",
    api_keys: "API key",
    webhooks: "Webhook",
    event_streams: "Event stream",
    oauth_grants: "Connected application",
    invitations: "Open invitation",
    setup_links: "Set-up link for single sign-on",
    connections: "Connection for single sign-on",
    domains: "Domain",
  },
};

export type RecentAccessTexts = Shape<typeof recentAccessTexts>;
