/** Italiano: applicazioni con accesso a un’organizzazione e decisioni sulle applicazioni. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Applicazioni",
    lead: "Applicazioni con accesso per i membri di questa organizzazione.",
    notYours: "Solo gli amministratori dell’organizzazione vedono le applicazioni.",
    requestsTitle: "Richieste dei membri",
    requestsLead:
      "I membri hanno richiesto queste applicazioni. Controlla l’indirizzo prima di approvare un’applicazione.",
    noRequest: "Nessuna richiesta attende una decisione.",
    usedTitle: "Applicazioni con accesso",
    none: "Nessuna applicazione ha accesso per i membri di questa organizzazione.",
    end: "Termina l’accesso",
    decisionsTitle: "Decisioni",
    decisionsLead: "Le decisioni contano finché i criteri dell’organizzazione permettono solo applicazioni approvate.",
    approve: "Approva",
    deny: "Rifiuta",
    approved: "L’applicazione è approvata.",
    denied: "L’applicazione è rifiutata.",
    ended: "L’accesso dell’applicazione è terminato.",
    endText:
      "Tutti i membri vengono disconnessi dall’applicazione e un’approvazione viene ritirata. Se i " +
      "criteri permettono l’applicazione, i membri possono consentire di nuovo l’accesso.",
    approvalAsk: "Chiedi a un amministratore",
    approvalBack: "Torna all’applicazione",
    statuses: { approved: "approvata", denied: "rifiutata" },
    changed: "modificata dopo l’approvazione",
    requestOf: (name) => `richiesta da ${name}`,
    endNamed: (name) => `Termina l’accesso di ${name}`,
    endTitle: (name) => `Terminare l’accesso di ${name}?`,
    approveNamed: (name) => `Approva ${name}`,
    denyNamed: (name) => `Rifiuta ${name}`,
    approvalTitle: (name) => `${name} richiede un’approvazione`,
    approvalText: (organization) =>
      `${organization} permette solo applicazioni approvate. Chiedi a un amministratore di approvare ` +
      "questa applicazione.",
    approvalRequested: (organization) =>
      `La richiesta attende un amministratore di ${organization}. Accedi di nuovo all’applicazione dopo ` +
      "l’approvazione.",
  },
};
