/** English: joining of organizations by a verified domain. */
import type { Shape } from "../shape.ts";

export const joiningTexts = {
  joining: {
    join: "Join",
    joinOf: (name: string) => `Join ${name}`,
    ask: "Ask to join",
    askOf: (name: string) => `Ask to join ${name}`,
    openTo: (domain: string) => `Open to your address in ${domain}`,
    asks: (domain: string) => `Your address in ${domain} lets you ask; a member decides`,
    requested: "Requested",
    denied: "Denied",
    deniedHint: "Ask a member for an invitation, or ask again 30 days after your request",
    sent: "Your request is sent. You receive an e‑mail with the decision.",
    unavailable: "You can no longer join this organization, or the organization has too many open requests.",
    title: "Requests to join",
    lead: "Users with a confirmed address in a domain of the organization ask to become members.",
    approve: "Approve",
    approveOf: (name: string) => `Approve ${name}`,
    deny: "Deny",
    denyOf: (name: string) => `Deny ${name}`,
    denyTitle: (name: string) => `Deny the request of ${name}?`,
    denyText: "The user receives an e‑mail, and can ask again 30 days after the request.",
    asked: "asked",
    approved: "The user is now a member and receives an e‑mail.",
    deniedNow: "The request is denied. The user receives an e‑mail.",
    outdated: "The request is decided already, or the user can no longer join by the domain.",
  },
  ownOrganizations: {
    lead: "You become the owner. Your session stays in the present organization.",
    created: "The organization is created. Switch to the organization below.",
    taken: "This slug is in use already. Choose another slug.",
    tooMany: "You own as many organizations as this service permits.",
    unverified: "Confirm your e‑mail address first.",
  },
};

export type JoiningTexts = Shape<typeof joiningTexts>;
