import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Your permissions in {{organization_name}} have changed",
    preheader: "See who else has access to your account.",
    title: "You have more permissions",
    lead:
      "You have more permissions in {{organization_name}} now. These connections and keys also reach your " +
      "account, with the responsible person in parentheses: {{channels}}.",
    button: "Open security settings",
    after:
      "If you can no longer sign in with your company account, sign in with a method of your own and link the " +
      "company account in your security settings.",
  },
  channels_accepted: {
    subject: "New permissions in {{organization_name}} were confirmed",
    preheader: "People with fewer permissions are responsible for ways to them.",
    title: "A grant was confirmed",
    lead:
      "Permissions in {{organization_name}} were granted, although people with fewer permissions are " +
      "responsible for these ways to them: {{channels}}.",
    button: "Review the organization",
    after: "If you do not expect this, undo the change, or replace the connections and keys.",
  },
  role_template_widened: {
    subject: "The role “{{role_name}}” has new permissions",
    preheader: "Members of {{organization_name}} with the role have the permissions now.",
    title: "A role has new permissions",
    lead:
      "The platform {{brand}} added permissions to the template “{{role_name}}”, which " +
      "{{organization_name}} uses. Members with the role have the permissions from now on: {{added}}.",
    button: "Review the role",
    after:
      "If members should not have the permissions, remove the role from the members, or create a role of " +
      "your own.",
  },
  join_requested: {
    subject: "A request to join {{organization_name}}",
    preheader: "{{address}} asks to become a member. Time to decide: {{valid_for}}.",
    title: "A request to join your organization",
    lead:
      "The user {{address}} asks to join {{organization_name}} at {{brand}}. The address is in a verified domain of " +
      "the organization. The request ends after {{valid_for}}.",
    button: "Review the request",
    after: "If you do not know the user, deny the request.",
  },
  join_approved: {
    subject: "You are now a member of {{organization_name}}",
    preheader: "Your request to join was approved.",
    title: "Your request was approved",
    lead:
      "Your request to join {{organization_name}} at {{brand}} was approved. You can switch to the " +
      "organization in your account.",
    button: "Open account",
    after: "If you did not ask to join, tell your administrator.",
  },
  join_denied: {
    subject: "Your request to join {{organization_name}} was denied",
    preheader: "You can ask again later.",
    title: "Your request was denied",
    lead:
      "Your request to join {{organization_name}} at {{brand}} was denied. You can ask again {{valid_for}} " +
      "after your request.",
    button: "Open account",
    after: "If you need access now, ask a member of the organization for an invitation.",
  },
};
