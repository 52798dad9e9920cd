import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Confirm your e-mail address for {{brand}}",
    preheader: "The link is valid for {{valid_for}}, in a browser in which you are signed in.",
    title: "Confirm your new address",
    lead:
      "Confirm that this address belongs to your account at {{brand}}. Until then you sign in with your present " +
      "address.",
    button: "Confirm this address",
    after: "Did you not request this? Ignore this e-mail: without the confirmation the address is not used.",
  },
  email_in_use: {
    subject: "Your address at {{brand}}",
    preheader: "The address belongs to an account already. Nothing has changed.",
    title: "Your address is in use already",
    lead:
      "This address was requested for an account at {{brand}}. The address belongs to an account already, so " +
      "nothing has changed.",
    button: "Sign in",
    after:
      "Was this you? Then sign in with this address, or choose a new password at sign-in. If not, ignore this " +
      "e-mail.",
  },
  email_change_notice: {
    subject: "The e-mail address of your account at {{brand}}",
    preheader: "{{device}}, {{time}}. If this was not you, undo the change.",
    title: "Your e\u2011mail address",
    lead: "The e-mail addresses of your account at {{brand}} are about to change, or have changed.",
    change:
      "A new primary address was requested{{#new_email}}: {{new_email}}{{/new_email}}. After its confirmation this " +
      "address no longer belongs to the account.",
    addition:
      "An additional address was requested{{#new_email}}: {{new_email}}{{/new_email}}. After its confirmation the " +
      "address can sign in and reset the password.",
    replaced:
      "The primary address was changed{{#new_email}} to {{new_email}}{{/new_email}}. This address can still sign in.",
    undo:
      "If this was not you, undo the change. The link works once, until {{undo_period}} after the change. All " +
      "devices are signed out, and the password and all sign-in methods added since the request are removed:",
    noUndo: "This address was never confirmed for the account, so no step is necessary.",
    button: "Review security settings",
    after: "Was this you? Then you can ignore this e-mail.",
  },
  email_removed: {
    subject: "An e-mail address was removed at {{brand}}",
    preheader: "{{device}}, {{time}}. If this was not you, change your password.",
    title: "An e\u2011mail address was removed",
    lead: "The address {{email}} was removed from an account at {{brand}}. The address can no longer sign in.",
    button: "Review security settings",
    after:
      "Was this you? Then you can ignore this e-mail. If not, change your password at once and tell your " +
      "administrator.",
  },
  email_reverted: {
    subject: "The change of your address at {{brand}} was undone",
    preheader: "This address is the primary address again. Set a new password.",
    title: "The change of your address was undone",
    lead:
      "This address is the primary address of your account again. All devices were signed out, and the password " +
      "and all sign-in methods added since the request were removed. Set a new password.",
    button: "Set a new password",
    after: "Did you not undo the change? Tell your administrator.",
  },
};
