/** Italian: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("it");

export const listTexts: ListTexts = {
  lists: {
    apply: "Applica",
    clear: "Cancella filtri",
    anyStatus: "Qualsiasi stato",
    anyRole: "Qualsiasi ruolo della piattaforma",
    anyFactor: "Con o senza verifica in due passaggi",
    anyTier: "Qualsiasi piano",
    anyType: "Qualsiasi tipo",
    searchApis: "Cerca per nome o identificatore",
    searchFlags: "Cerca per chiave o descrizione",
    nothingFound: (q) => `Nessun risultato per “${q}”.`,
    apiCount: (count) => plural(count, { one: "# API", many: "# di API", other: "# API" }),
    flagCount: (count) => plural(count, { one: "# flag", many: "# di flag", other: "# flag" }),
    role: "Ruolo della piattaforma",
    factor: "Verifica in due passaggi",
    factorOn: "Configurato",
    factorOff: "Nessuno",
    createdFrom: "Creazione da",
    createdTo: "Creazione fino a",
    first: "Prima pagina",
    last: "Ultima pagina",
    pageSize: "Righe per pagina",
    csv: "Esporta CSV",
    csvHint: (rows) =>
      plural(rows, {
        one: "Le righe corrispondenti, massimo #",
        many: "Le righe corrispondenti, massimo #",
        other: "Le righe corrispondenti, massimo #",
      }),
    noMatch: "Nessun risultato corrisponde ai filtri. Modifica o cancella i filtri.",
    usersDisabled: (count) => plural(count, { one: "# disabilitato", many: "# disabilitati", other: "# disabilitati" }),
    organizationsSuspended: (count) => plural(count, { one: "# sospesa", many: "# sospese", other: "# sospese" }),
    onlyMembers: (organization) => `Membri di ${organization}`,
    redirectUri: "URI di reindirizzamento",
    redirectUriLead: "Registra questo indirizzo presso il provider.",
    send: "Invia link",
    verification: "Link che conferma l’indirizzo email",
    verificationSent: "Un link che conferma l’indirizzo è stato inviato all’utente.",
    reset: "Link per una nuova password",
    resetSent: "Un link per una nuova password è stato inviato all’utente.",
  },
};
