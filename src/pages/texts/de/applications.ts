/** Deutsch: Anwendungen mit Zugriff auf eine Organisation und Entscheidungen über Anwendungen. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Anwendungen",
    lead: "Anwendungen mit Zugriff für Mitglieder dieser Organisation.",
    notYours: "Nur Administratoren der Organisation sehen die Anwendungen.",
    requestsTitle: "Anfragen von Mitgliedern",
    requestsLead:
      "Mitglieder haben diese Anwendungen angefragt. Prüfen Sie die Adresse, bevor Sie eine Anwendung freigeben.",
    noRequest: "Keine Anfrage wartet auf eine Entscheidung.",
    usedTitle: "Anwendungen mit Zugriff",
    none: "Keine Anwendung hat Zugriff für Mitglieder dieser Organisation.",
    end: "Zugriff beenden",
    decisionsTitle: "Entscheidungen",
    decisionsLead:
      "Entscheidungen gelten, solange die Richtlinien der Organisation nur freigegebene Anwendungen erlauben.",
    approve: "Freigeben",
    deny: "Ablehnen",
    approved: "Die Anwendung ist freigegeben.",
    denied: "Die Anwendung ist abgelehnt.",
    ended: "Der Zugriff der Anwendung ist beendet.",
    endText:
      "Alle Mitglieder werden von der Anwendung abgemeldet, und eine Freigabe wird zurückgezogen. " +
      "Wenn die Richtlinien die Anwendung erlauben, können Mitglieder den Zugriff erneut erlauben.",
    approvalAsk: "Administrator fragen",
    approvalBack: "Zurück zur Anwendung",
    statuses: { approved: "freigegeben", denied: "abgelehnt" },
    changed: "seit der Freigabe geändert",
    requestOf: (name) => `angefragt von ${name}`,
    endNamed: (name) => `Zugriff von ${name} beenden`,
    endTitle: (name) => `Zugriff von ${name} beenden?`,
    approveNamed: (name) => `${name} freigeben`,
    denyNamed: (name) => `${name} ablehnen`,
    approvalTitle: (name) => `${name} braucht eine Freigabe`,
    approvalText: (organization) =>
      `${organization} erlaubt nur freigegebene Anwendungen. Bitten Sie einen Administrator, diese ` +
      "Anwendung freizugeben.",
    approvalRequested: (organization) =>
      `Die Anfrage wartet auf einen Administrator von ${organization}. Melden Sie sich nach der Freigabe ` +
      "erneut bei der Anwendung an.",
  },
};
