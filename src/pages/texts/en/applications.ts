/** English: applications with access to an organization, and the decisions about applications. */
import type { Shape } from "../shape.ts";

export const applicationTexts = {
  applications: {
    title: "Applications",
    lead: "Applications with access for members of this organization.",
    notYours: "Only administrators of the organization see the applications.",
    requestsTitle: "Requests of members",
    requestsLead: "Members asked for these applications. Check the address before you approve an application.",
    noRequest: "No request waits for a decision.",
    usedTitle: "Applications with access",
    none: "No application has access for members of this organization.",
    end: "End access",
    decisionsTitle: "Decisions",
    decisionsLead: "Decisions count while the policies of the organization permit approved applications only.",
    approve: "Approve",
    deny: "Deny",
    approved: "The application is approved.",
    denied: "The application is denied.",
    ended: "The access of the application has ended.",
    endText:
      "All members are signed out of the application, and an approval is withdrawn. Where the " +
      "policies permit the application, members can allow access again.",
    approvalAsk: "Ask an administrator",
    approvalBack: "Back to the application",
    statuses: { approved: "approved", denied: "denied" },
    changed: "changed since the approval",
    requestOf: (name: string) => `requested by ${name}`,
    endNamed: (name: string) => `End the access of ${name}`,
    endTitle: (name: string) => `End the access of ${name}?`,
    approveNamed: (name: string) => `Approve ${name}`,
    denyNamed: (name: string) => `Deny ${name}`,
    approvalTitle: (name: string) => `${name} needs an approval`,
    approvalText: (organization: string) =>
      `${organization} permits approved applications only. Ask an administrator to approve this application.`,
    approvalRequested: (organization: string) =>
      `The request waits for an administrator of ${organization}. Sign in to the application again after ` +
      "the approval.",
  },
};

export type ApplicationTexts = Shape<typeof applicationTexts>;
