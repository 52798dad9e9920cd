/** Italian: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Unisciti",
    joinOf: (name) => `Unisciti a ${name}`,
    ask: "Chiedi di unirti",
    askOf: (name) => `Chiedi di unirti: ${name}`,
    openTo: (domain) => `Aperta al tuo indirizzo in ${domain}`,
    asks: (domain) => `Con il tuo indirizzo in ${domain} puoi inviare una richiesta; decide un membro`,
    requested: "Richiesta inviata",
    denied: "Rifiutata",
    deniedHint: "Chiedi un invito a un membro, o fai una nuova richiesta 30 giorni dopo la precedente",
    sent: "La richiesta è stata inviata. Riceverai un’email con la decisione.",
    unavailable: "Non puoi più unirti a questa organizzazione, o ci sono troppe richieste aperte.",
    title: "Richieste di adesione",
    lead: "Utenti con un indirizzo confermato in un dominio dell’organizzazione chiedono di diventare membri.",
    approve: "Accetta",
    approveOf: (name) => `Accetta ${name}`,
    deny: "Rifiuta",
    denyOf: (name) => `Rifiuta ${name}`,
    denyTitle: (name) => `Rifiutare la richiesta di ${name}?`,
    denyText: "L’utente riceve un’email e può fare una nuova richiesta 30 giorni dopo la precedente.",
    asked: "richiesta",
    approved: "L’utente è ora membro e riceve un’email.",
    deniedNow: "La richiesta è stata rifiutata. L’utente riceve un’email.",
    outdated: "La richiesta è già stata decisa, o l’utente non può più unirsi tramite il dominio.",
  },
  ownOrganizations: {
    lead: "Diventi il proprietario. La tua sessione resta nell’organizzazione attuale.",
    created: "L’organizzazione è stata creata. Passa all’organizzazione qui sotto.",
    taken: "Questo slug è già in uso. Scegli un altro slug.",
    tooMany: "Possiedi già tante organizzazioni quante ne consente questo servizio.",
    unverified: "Conferma prima il tuo indirizzo email.",
  },
};
