/** Nederlands: applicaties met toegang tot een organisatie en beslissingen over applicaties. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Applicaties",
    lead: "Applicaties met toegang voor leden van deze organisatie.",
    notYours: "Alleen beheerders van de organisatie zien de applicaties.",
    requestsTitle: "Verzoeken van leden",
    requestsLead:
      "Leden hebben om deze applicaties gevraagd. Controleer het adres voordat je een applicatie goedkeurt.",
    noRequest: "Er wacht geen verzoek op een beslissing.",
    usedTitle: "Applicaties met toegang",
    none: "Geen enkele applicatie heeft toegang voor leden van deze organisatie.",
    end: "Toegang beëindigen",
    decisionsTitle: "Beslissingen",
    decisionsLead: "Beslissingen tellen zolang het beleid van de organisatie alleen goedgekeurde applicaties toestaat.",
    approve: "Goedkeuren",
    deny: "Afwijzen",
    approved: "De applicatie is goedgekeurd.",
    denied: "De applicatie is afgewezen.",
    ended: "De toegang van de applicatie is beëindigd.",
    endText:
      "Alle leden worden bij de applicatie uitgelogd en een goedkeuring wordt ingetrokken. Als het " +
      "beleid de applicatie toestaat, kunnen leden opnieuw toegang geven.",
    approvalAsk: "Een beheerder vragen",
    approvalBack: "Terug naar de applicatie",
    statuses: { approved: "goedgekeurd", denied: "afgewezen" },
    changed: "gewijzigd sinds de goedkeuring",
    requestOf: (name) => `gevraagd door ${name}`,
    endNamed: (name) => `Toegang van ${name} beëindigen`,
    endTitle: (name) => `Toegang van ${name} beëindigen?`,
    approveNamed: (name) => `${name} goedkeuren`,
    denyNamed: (name) => `${name} afwijzen`,
    approvalTitle: (name) => `${name} heeft goedkeuring nodig`,
    approvalText: (organization) =>
      `${organization} staat alleen goedgekeurde applicaties toe. Vraag een beheerder om deze applicatie ` +
      "goed te keuren.",
    approvalRequested: (organization) =>
      `Het verzoek wacht op een beheerder van ${organization}. Log na de goedkeuring opnieuw in bij de ` +
      "applicatie.",
  },
};
