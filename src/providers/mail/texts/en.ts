import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./en-access.ts";
import { addressEmails } from "./en-addresses.ts";
import { directoryEmails } from "./en-directories.ts";
import { domainEmails } from "./en-domains.ts";
import { leavingEmails } from "./en-leaving.ts";
import { membershipEmails } from "./en-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("en");

export const emailTexts: EmailTexts = {
  greeting: "Hello{{#name}} {{name}}{{/name}},",
  codeValidity: "The code works once and is valid for {{valid_for}}.",
  linkValidity: "The link works once and is valid for {{valid_for}}.",
  copyLink: "If the button does not work, open this address:",
  labels: {
    device: "Device",
    address: "IP address",
    location: "Place",
    time: "Time",
    account: "Account",
    provider: "Provider",
    endpoint: "Endpoint",
    since: "Since",
    domain: "Domain",
    recordName: "Name of the TXT record",
    recordValue: "Value of the TXT record",
  },
  unknownBrowser: "Unknown browser",
  browserOn: "{{browser}} on {{system}}",
  unknownBrowserOn: "Unknown browser on {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "# more change of this kind was made since the previous e-mail about it.",
      other: "# more changes of this kind were made since the previous e-mail about them.",
    }),
  reasons: {
    request: "You receive this e-mail because this address was entered at {{brand}}.",
    invitation: "You receive this e-mail because a member of an organization at {{brand}} invited this address.",
    security: "You receive this notice because it concerns the security of your account. It cannot be turned off.",
    webhook: "You receive this notice because you are responsible for this webhook at {{brand}}.",
    owner: "You receive this notice because you own an organization at {{brand}}.",
    data: "You receive this e-mail because a copy of your data was requested at {{brand}}.",
  },
  providedBy: "Provided by {{brand}}",
  links: { support: "Help", privacy: "Privacy", terms: "Terms" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    email_code: {
      subject: "Your sign-in code for {{brand}}",
      preheader: "The code is valid for {{valid_for}}. Never share the code.",
      title: "Your sign-in code",
      lead: "Enter this code to sign in to {{brand}}:",
      after:
        "Did you not try to sign in? Ignore this e-mail: no one can sign in without the code. Never share the code.",
    },
    email_verification: {
      subject: "Confirm your e-mail address for {{brand}}",
      preheader: "Finish setting up your account. The link is valid for {{valid_for}}.",
      title: "Confirm your e\u2011mail address",
      lead:
        "This address was used to create an account at {{brand}}. Confirm the address to finish setting up your " +
        "account.",
      button: "Confirm this address",
      after:
        "Do not confirm unless you registered this account yourself. If you did not sign up, ignore this e-mail " +
        "and do not open the link.",
    },
    ...addressEmails,
    ...leavingEmails,
    password_reset: {
      subject: "Choose a new password for {{brand}}",
      preheader: "The link is valid for {{valid_for}}. Your password changes only when you choose a new one.",
      title: "Choose a new password",
      lead: "A new password was requested for your account at {{brand}}.",
      button: "Choose a new password",
      after: "Did you not request a new password? Ignore this e-mail: your password does not change.",
    },
    invitation: {
      subject: "Invitation to join “{{organization_name}}” at {{brand}}",
      preheader: "Accept within {{valid_for}}.",
      title: "You are invited",
      lead: "{{inviter_name}} invites you to join {{organization_name}} at {{brand}}.",
      button: "Accept the invitation",
      after: "Do you not know the sender? Ignore this e-mail.",
    },
    password_changed: {
      subject: "Your password for {{brand}} was changed",
      preheader: "{{device}}, {{time}}. If this was not you, reset your password.",
      title: "Your password was changed",
      lead: "The password of your account was changed. All other sessions have been signed out.",
      button: "Reset password",
      after:
        "Was this you? Then you can ignore this e-mail. If not, reset your password at once and tell your " +
        "administrator.",
    },
    password_removed: {
      subject: "Your password at {{brand}} was removed",
      preheader: "{{device}}, {{time}}. If this was not you, set a new password.",
      title: "Your password was removed",
      lead: "Your account no longer has a password. Sign in with a passkey.",
      button: "Set a new password",
      after:
        "Was this you? Then you can ignore this e-mail. If not, set a new password: a new password signs out all " +
        "sessions.",
    },
    mfa_enabled: {
      subject: "Two-step verification was turned on for {{brand}}",
      preheader: "{{device}}, {{time}}. If this was not you, change your password.",
      title: "Two-step verification is on",
      lead: "An authenticator app was added to your account. From now on, sign-in asks for a code from the app.",
      button: "Review security settings",
      after:
        "Was this you? Then you can ignore this e-mail. If not, change your password at once and tell your " +
        "administrator.",
    },
    mfa_disabled: {
      subject: "Two-step verification was turned off for {{brand}}",
      preheader: "{{device}}, {{time}}. If this was not you, change your password.",
      title: "Two-step verification is off",
      lead: "The authenticator app was removed from your account. Sign-in no longer asks for a code from the app.",
      button: "Review security settings",
      after:
        "Was this you? Then you can ignore this e-mail. If not, change your password at once and tell your " +
        "administrator.",
    },
    mfa_reset: {
      subject: "Two-step verification for {{brand}} was reset",
      preheader: "An administrator removed your authenticator app. Set up a new one.",
      title: "Two-step verification was reset",
      lead:
        "An administrator removed the authenticator app, the recovery codes and the trusted browsers of your " +
        "account, and signed out all its sessions.",
      button: "Set up two-step verification",
      after: "Did you not ask for the reset? Change your password and ask your administrator.",
    },
    recovery_codes_renewed: {
      subject: "New recovery codes for {{brand}}",
      preheader: "{{device}}, {{time}}. The old codes no longer work.",
      title: "New recovery codes",
      lead: "New recovery codes were created for your account. The old codes no longer work.",
      button: "Review security settings",
      after:
        "Was this you? Then you can ignore this e-mail. If not, change your password at once, create new recovery " +
        "codes and tell your administrator.",
    },
    passkey_added: {
      subject: "A passkey was added to your account at {{brand}}",
      preheader: "{{device}}, {{time}}. If this was not you, delete the passkey.",
      title: "A passkey was added",
      lead: "A passkey was added to your account. The passkey can sign in to your account without a password.",
      button: "Review passkeys",
      after:
        "Was this you? Then you can ignore this e-mail. If not, delete the passkey, change your password and tell " +
        "your administrator.",
    },
    new_browser: {
      subject: "New sign-in to {{brand}}",
      preheader: "{{device}}, {{time}}. If this was not you, secure your account.",
      title: "New sign-in to your account",
      lead: "Your account at {{brand}} was used to sign in from a browser that we have not seen before.",
      notMe:
        "This was not you? Open this link to sign out all devices, remove the password, and remove what was added " +
        "since this sign-in. The link works once, within {{valid_for}}:",
      button: "Review activity",
      after: "Was this you? Then you can ignore this e-mail.",
    },
    identity_linked: {
      subject: "{{provider}} can now be used to sign in at {{brand}}",
      preheader: "{{device}}, {{time}}. If this was not you, change your passwords.",
      title: "{{provider}} was connected",
      lead:
        "Your account at {{provider}} was connected to your account at {{brand}}" +
        "{{^by_user}}, because both have this verified address{{/by_user}}. " +
        "Anyone who can sign in at {{provider}} can now sign in to your account.",
      button: "Review linked providers",
      after:
        "Was this you? Then you can ignore this e-mail. If not, change your password at {{provider}} and here, and " +
        "tell your administrator.",
    },
    identity_unlinked: {
      subject: "{{provider}} can no longer be used to sign in at {{brand}}",
      preheader: "{{device}}, {{time}}. If this was not you, end all other sessions.",
      title: "{{provider}} was unlinked",
      lead: "Your account at {{provider}} was unlinked from your account here. Sign in here in another way.",
      button: "Review linked providers",
      after:
        "Was this you? Then you can ignore this e-mail. If not, sign in, end all other sessions and link the " +
        "provider again.",
    },
    account_secured: {
      subject: "Your account at {{brand}} is now yours alone",
      preheader: "Everything that was set up before you confirmed your address was removed.",
      title: "Your account is now yours alone",
      lead:
        "You have confirmed for the first time that you own the address of your account at {{brand}}. Someone else " +
        "could have registered the account before. Everything that was set up in the account until then was " +
        "therefore removed: all other sessions, passkeys, linked providers and connected applications, trusted " +
        "browsers, open invitations, API keys, webhooks and event streams.",
      secondFactor: "The authenticator app and its recovery codes were removed as well. Please set up a new one.",
      password:
        "The password was removed as well. To set a new password, choose “Forgot password” when you sign in: you " +
        "receive an e-mail with a link.",
      removed: "Removed:",
      items: {
        password: "Password",
        second_factor: "Authenticator app and recovery codes",
        passkeys: "Passkey",
        identities: "Linked provider",
        company_accounts: "Linked company account",
        trusted_browsers: "Trusted browser",
        invitations: "Open invitation",
        api_keys: "API key",
        webhooks: "Webhook (turned off)",
        event_streams: "Event stream (turned off)",
        setup_links: "Set-up link for single sign-on",
        oauth_grants: "Connected application",
      },
      named: " “{{name}}”",
      moreRemoved: (count) => plural(count, { one: "and # more", other: "and # more" }),
      joined:
        "These members joined by an invitation from the account before you confirmed your address. They were not " +
        "removed:",
      member: "{{name}} in “{{organization_name}}”",
      moreMembers: "and more",
      members: "If you do not know a member, remove the member on this page:",
      button: "Review security settings",
      after: "If this was not you, reset your password at once and tell your administrator.",
    },
    webhook_failing: {
      subject: "A webhook at {{brand}} has failed for an hour",
      preheader: "Deliveries to {{webhook_host}} fail. The service keeps trying for three days.",
      title: "A webhook is failing",
      lead:
        "Deliveries to your webhook fail. The service keeps trying for three days; after three days, events are " +
        "discarded.",
      button: "Review deliveries",
      after:
        "The page displays the last responses and the time of the next attempt. You receive this notice once for " +
        "each outage.",
    },
    webhook_disabled: {
      subject: "A webhook at {{brand}} was turned off",
      preheader: "{{webhook_host}} receives no more events.",
      title: "A webhook was turned off",
      lead: "The service turned off your webhook. No events are kept for the webhook while it is off.",
      gone: "The endpoint responded with the status 410: it wants no more events.",
      backlog: "More than 50,000 deliveries waited for the endpoint.",
      button: "Review the webhook",
      after: "After you turn on the webhook again, events of the last 30 days can be sent again.",
    },
  },
};
