import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
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
