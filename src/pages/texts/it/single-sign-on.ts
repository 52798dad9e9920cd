/** Italian: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Single sign-on",
    notYours: "Solo i proprietari e gli amministratori dell’organizzazione possono gestire il single sign-on.",
    notIncluded: "Il tuo piano non include il single sign-on. Rivolgiti al gestore di questo servizio.",
    domains: "Domini",
    domainsLead: "Un record DNS dimostra che gli indirizzi di un dominio appartengono alla tua organizzazione.",
    domain: "Dominio",
    domainHint: "Ad esempio acme.com. Un dominio non include i suoi sottodomini.",
    notAccepted:
      "Questo dominio appartiene a un provider o a molti proprietari. Inserisci un dominio della tua organizzazione.",
    add: "Aggiungi dominio",
    readOnly: "Conferma il secondo fattore per apportare modifiche.",
    noDomains: "Ancora nessun dominio. Aggiungi il dominio dei tuoi indirizzi email.",
    added: "Il dominio è stato aggiunto. Ora aggiungi il record TXT al DNS.",
    alreadyAdded: "La tua organizzazione ha già questo dominio o ha raggiunto il massimo di 50 domini.",
    statuses: { pending: "Non verificato", verified: "Verificato", failing: "Record mancante", lost: "Perso" },
    pendingText:
      "Aggiungi questo record TXT al DNS, poi controlla il dominio. Le modifiche del DNS possono richiedere un’ora.",
    verifiedText: "Mantieni il record TXT nel DNS: il servizio lo controlla una volta al giorno.",
    failingText: (date) =>
      `Aggiungi di nuovo il record TXT prima di questa data: ${date}. Altrimenti perderai il dominio.`,
    lostText: "Il record TXT è mancato per sette giorni. Aggiungilo di nuovo, poi controlla il dominio.",
    conflictText:
      "Un’altra organizzazione usa questo dominio. Mantieni il tuo record nel DNS: il dominio diventerà tuo quando " +
      "il record dell’altra organizzazione sarà mancato per sette giorni.",
    record: "Record TXT",
    recordName: "Nome",
    recordValue: "Valore",
    checked: "ultimo controllo:",
    neverChecked: "non ancora controllato",
    checkNow: "Controlla ora",
    checkNamed: (domain) => `Controlla ora: ${domain}`,
    results: {
      verified: "Il dominio è verificato.",
      waiting: "Il tuo record è nel DNS. Il dominio è in attesa dell’altra organizzazione.",
      missing: "Il tuo record non è ancora nel DNS. Le modifiche del DNS possono richiedere un’ora.",
      noResponse: "I server DNS non rispondono. Riprova tra qualche minuto.",
    },
    found: "Valori trovati nel DNS",
    removeTitle: (domain) => `Rimuovere ${domain}?`,
    removeText: "Il single sign-on terminerà subito per gli indirizzi del dominio. Le sessioni aperte continuano.",
    removed: "Il dominio è stato rimosso.",
  },
};
