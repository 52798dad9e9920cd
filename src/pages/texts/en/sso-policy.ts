/** English: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { Shape } from "../shape.ts";

const plural = pluralIn("en");

export const ssoPolicyTexts = {
  ssoPolicy: {
    title: "Policy",
    signIn: "Sign-in",
    signInLead: "The policy applies to all connections of the organization.",
    mode: "Single sign-on",
    open: "Change policy",
    modes: {
      off: "Off: connections can only be tested",
      optional: "Optional: members may use single sign-on",
      required: "Required: members must use single sign-on",
    },
    emergency:
      "While single sign-on is required, you keep emergency access with your own password and second " +
      "factor, for one hour each time.",
    notReady:
      "Single sign-on cannot be required yet. It needs an active connection, a verified domain, a sign-in " +
      "through the connection by an owner or admin within 24 hours, and your account needs a verified " +
      "address and a second factor or a passkey.",
    jit: "Users without a membership",
    jits: {
      on: "Create account and membership at the first sign-in",
      invited_only: "Admit users with an invitation",
      off: "Admit no new users",
    },
    guests: "Members with addresses of other domains",
    guestRules: { own_methods: "Keep their own sign-in methods", required: "Use single sign-on too" },
    guestsHint: "Applies as soon as single sign-on is required.",
    ownFactor: "Second factor of this service",
    ownFactors: { off: "Not required", on: "Required" },
    ownFactorHint:
      "After single sign-on, members also confirm a code from an authenticator app, for this organization only.",
    roles: "Roles",
    rolesLead: "No rule grants the role Owner, and no rule changes an owner.",
    defaultRole: "Role without a matching rule",
    sync: "Apply the rules",
    syncs: { always: "At every sign-in", first: "At the start of the membership only" },
    rules: "Rules",
    rulesHint:
      "The attribute is groups, or a further attribute of the connection. The highest matching role applies. Save to " +
      "get further empty rules.",
    rule: (number: string) => `Rule ${number}`,
    from: "Attribute",
    value: "Value",
    badRules: "Enter attribute and value in every rule. At most 50 rules.",
    start: "Required from",
    startKept: (time: string) => `As set: ${time}`,
    startNow: "At once",
    startIn: (count: number) => plural(count, { one: "In # day", other: "In # days" }),
    breakGlass: "Emergency access",
    breakGlassHint: "Owners with a verified address and a second factor or a passkey. At most 5.",
    noBreakGlass: "No owner has a verified address and a second factor or a passkey yet.",
    preview: "Preview",
    previewTitle: "Effect of the settings",
    covered: (count: number) =>
      plural(count, { one: "# member must use single sign-on.", other: "# members must use single sign-on." }),
    withoutIdentity: (count: number) =>
      plural(count, {
        one: "# of these members has not signed in by single sign-on yet:",
        other: "# of these members have not signed in by single sign-on yet:",
      }),
    allLinked: "All of these members have signed in by single sign-on.",
    firstMembers: "The list has the first 100 addresses.",
    pausedUntil: (time: string) => `The operator of this service paused the requirement until ${time}.`,
    console: {
      title: "Requirement of single sign-on",
      off: "The organization does not require single sign-on.",
      on: "Single sign-on is required.",
      since: (time: string) => `Single sign-on is required from ${time}.`,
      until: (time: string) => `The requirement is paused until ${time}.`,
      pause: "Pause for 24 hours",
      text:
        "Covered members can use their own sign-in methods for 24 hours. The owners receive an e‑mail with the " +
        "reason.",
      reasonHint: "Displayed to the owners, at most 500 characters.",
      paused: "The requirement is paused for 24 hours.",
      end: "End the pause",
      ended: "The requirement applies again.",
    },
    saved: "The policy is saved.",
    ownersOnly: "Only owners can change the policy.",
  },
} as const;

export type SsoPolicyTexts = Shape<typeof ssoPolicyTexts>;
