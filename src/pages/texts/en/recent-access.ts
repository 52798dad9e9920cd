import type { Shape } from "../shape.ts";

/** What was set up in an account or an organization, and may end. */
export const recentAccessTexts = {
  credentialReview: {
    title: "Set up recently",
    lead: "Check what was set up before the last reset of your password.",
    held: "Waits for your confirmation",
    confirm: "This was me",
    end: "End access",
    effects: "Ending removes every item of the list and signs you out on all other devices.",
    factorStays: "The authenticator app stays. Remove the app in your security settings, or ask your administrator.",
    confirmed: "The items are confirmed.",
    ended: "Access by the items of the list has ended.",
    note: "Your password was reset. Check what was set up before.",
    review: "Review",
    dead: "The link has expired or was used.",
    skip: "Continue to sign-in",
    none: "Nothing waits for a review.",
  },
  creations: {
    title: (name: string) => `Set up by ${name}`,
    lead: "What this person set up in the organization and is still valid.",
    end: "End keys and links",
    stays: "Connections and domains stay, because members sign in with them. Check each on its page.",
    ended: "Keys and links of the person have ended.",
    none: "Nothing that this person set up is valid.",
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
