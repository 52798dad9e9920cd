/** English: domains of organizations. */
import type { Shape } from "../shape.ts";

export const singleSignOnTexts = {
  singleSignOn: {
    title: "Single sign-on",
    notYours: "Only owners and admins of the organization can manage single sign-on.",
    notIncluded: "Your plan does not include single sign-on. Contact the operator of this service.",
    domains: "Domains",
    domainsLead: "A DNS record proves that your organization owns the addresses of a domain.",
    domain: "Domain",
    domainHint: "For example acme.com. A domain does not include its subdomains.",
    notAccepted: "This domain belongs to a provider or to many owners. Enter a domain of your organization.",
    add: "Add domain",
    readOnly: "Confirm your second factor to make changes.",
    noDomains: "No domains yet. Add the domain of your e‑mail addresses.",
    added: "The domain is added. Now add the TXT record to DNS.",
    alreadyAdded: "Your organization has this domain already, or the maximum of 50 domains.",
    statuses: { pending: "Not verified", verified: "Verified", failing: "Record missing", lost: "Lost" },
    pendingText: "Add this TXT record to DNS, then check the domain. DNS changes can take an hour.",
    verifiedText: "Keep the TXT record in DNS: the service checks the record once a day.",
    failingText: (date: string) => `Add the TXT record again before ${date}. Otherwise you lose the domain.`,
    lostText: "The TXT record was missing for seven days. Add the record again, then check the domain.",
    conflictText:
      "Another organization uses this domain. Keep your record in DNS: the domain becomes yours after the record of " +
      "the other organization has been missing for seven days.",
    record: "TXT record",
    recordName: "Name",
    recordValue: "Value",
    checked: "checked",
    neverChecked: "not checked yet",
    checkNow: "Check now",
    checkNamed: (domain: string) => `Check now: ${domain}`,
    results: {
      verified: "The domain is verified.",
      waiting: "Your record is in DNS. The domain waits for the other organization.",
      missing: "Your record is not in DNS yet. DNS changes can take an hour.",
      noResponse: "The DNS servers do not respond. Try again in a few minutes.",
    },
    found: "Values found in DNS",
    removeTitle: (domain: string) => `Remove ${domain}?`,
    removeText: "Single sign-on ends immediately for addresses of the domain. Open sessions continue.",
    removed: "The domain is removed.",
  },
} as const;

export type SingleSignOnTexts = Shape<typeof singleSignOnTexts>;
