import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "The directory key “{{key_name}}” expires soon",
    preheader: "Time left: {{valid_for}}. Replace the key in time.",
    title: "A directory key expires soon",
    lead:
      "The API key of the service account “{{key_name}}” expires in {{valid_for}}. After that, your directory can " +
      "neither create nor deactivate users: users who leave your company keep their access.",
    button: "Replace the key",
    after: "Create a second key on the page and enter the key in your directory. Then revoke the old key.",
  },
  directory_joined: {
    subject: "Your account is now part of {{organization_name}}",
    preheader: "The directory of the organization added you.",
    title: "You were added to an organization",
    lead:
      "The directory of {{organization_name}} added your account at {{brand}} as a member. Your password, your " +
      "other sign-in methods and your other organizations stay unchanged. The organization can end the membership, " +
      "not your account.",
    button: "Open account",
    after: "If you do not recognize the organization, you can leave the organization in your account.",
  },
  directory_refused: {
    subject: "A change by your directory was refused",
    preheader: "The last owner and users for emergency access stay active.",
    title: "A change by your directory was refused",
    lead:
      "The directory of {{organization_name}} tried to deactivate or delete the last owner or a user for emergency " +
      "access at {{brand}}. The user stays active, so that the organization remains accessible.",
    button: "Review the directory",
    after: "If the user is to leave, first make another member an owner or change the users for emergency access.",
  },
};
