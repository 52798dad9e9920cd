/** English: the policy of organizations for single sign-on. */
import type { Shape } from "../shape.ts";

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
    saved: "The policy is saved.",
    ownersOnly: "Only owners can change the policy.",
  },
} as const;

export type SsoPolicyTexts = Shape<typeof ssoPolicyTexts>;
