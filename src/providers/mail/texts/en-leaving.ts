import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Your account at {{brand}} is being deleted",
    preheader: "{{#link}}You can keep the account for {{valid_for}}.{{/link}}{{^link}}The account is closed.{{/link}}",
    title: "Your account is being deleted",
    lead:
      "The deletion of your account at {{brand}} was requested. The account is closed: all devices and applications " +
      "are signed out, and no one can sign in.",
    byAdministrator: "An administrator requested the deletion.",
    pending:
      "All data of the account is erased after {{valid_for}}. Until then you can keep the account. The link works " +
      "once.",
    immediate: "All data of the account is erased now. The deletion cannot be undone.",
    button: "Keep my account",
    after: "If this was you, no action is needed.",
  },
  organization_deletion: {
    subject: "The organization “{{organization_name}}” at {{brand}} is being deleted",
    preheader: "Any owner can keep the organization for {{valid_for}}.",
    title: "An organization is being deleted",
    lead:
      "The deletion of {{organization_name}} was requested. The organization is suspended: members and API keys have " +
      "no access. All data of the organization is erased after {{valid_for}}. Until then every owner can keep the " +
      "organization. The link works once.",
    button: "Keep the organization",
    after: "You receive this e‑mail as an owner. If the deletion is intended, no action is needed.",
  },
  data_export: {
    subject: "Your data at {{brand}} is ready to download",
    preheader: "The download is available for {{valid_for}}.",
    title: "Your data is ready",
    lead:
      "The copy of your data at {{brand}} is ready. Sign in to download the copy within {{valid_for}}; after that " +
      "time the copy is deleted.",
    button: "Download my data",
    after: "If you did not request your data, change your password and tell your administrator.",
  },
};
