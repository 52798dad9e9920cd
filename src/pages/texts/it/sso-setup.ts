/** Italian: set-up links, for administrators and for the person with the link. */
import type { SsoSetupTexts } from "../en/sso-setup.ts";

export const ssoSetupTexts: SsoSetupTexts = {
  ssoSetup: {
    links: "Link di configurazione",
    linksLead:
      "Con un link, l’amministratore del tuo provider di identità configura il single sign-on senza un account.",
    noLinks: "Ancora nessun link di configurazione.",
    tasks: {
      domains: "Verificare domini",
      connection: "Configurare una connessione",
      directory: "Creare un token della directory",
    },
    tasksLabel: "Attività",
    recipient: "Indirizzo email del destinatario",
    recipientHint: "Lascia vuoto per consegnare il link di persona.",
    hours: "Ore alla scadenza del link",
    hoursHint: "Da 1 a 336 ore.",
    create: "Crea link di configurazione",
    badTasks: "Seleziona almeno un’attività.",
    full: "La tua organizzazione ha 5 link di configurazione aperti, il massimo. Prima revoca un link.",
    linkTitle: "Link di configurazione",
    linkLead: "Copia il link ora. Non verrà mostrato di nuovo e funziona in un solo browser.",
    mailed: (email) => `Il link è stato inviato anche a ${email}.`,
    linkKept: "Torna al single sign-on",
    statuses: {
      pending: "Non aperto",
      begun: "In uso",
      completed: "Completato",
      revoked: "Revocato",
      expired: "Scaduto",
    },
    until: (time) => `Valido fino al ${time}`,
    revoke: "Revoca",
    revokeTitle: "Revocare il link di configurazione?",
    revokeText: "Il link smette subito di funzionare. Domini e connessioni restano.",
    revoked: "Il link di configurazione è stato revocato.",
    awaitingOwner:
      "L’attivazione di questa connessione è stata richiesta con un link di configurazione. Controlla le " +
      "impostazioni, poi attiva la connessione. Solo un proprietario può attivare la connessione.",
    title: (organization) => `Configura il single sign-on di ${organization}`,
    invitedBy: (name, organization) =>
      `${name} ti chiede di configurare il single sign-on di ${organization}. Non serve un account.`,
    invited: (organization) => `Puoi configurare il single sign-on di ${organization}. Non serve un account.`,
    begin: "Inizia",
    beginHint: "Il link funzionerà poi solo in questo browser, per 8 ore.",
    dead:
      "Questo link di configurazione è terminato o è stato aperto in un altro browser. Chiedi un nuovo link a chi " +
      "te l’ha inviato.",
    overview: "Attività",
    overviewLead: "Completa le attività in quest’ordine. I risultati vengono salvati e puoi tornare a ogni attività.",
    toTasks: "Torna alle attività",
    open: "Apri",
    states: { open: "Da fare", waiting: "In attesa di un proprietario", done: "Fatto" },
    finish: "Termina la configurazione",
    finishLead: "Termina quando tutte le attività sono fatte. Il link smette allora di funzionare.",
    finishedTitle: "La configurazione è terminata",
    finished: "Grazie. Il link non funziona più e puoi chiudere questa pagina.",
    domainsElsewhere: "Gli amministratori dell’organizzazione verificano i domini.",
    selectProvider: "Seleziona il tuo provider di identità",
    requestLead: "Un proprietario dell’organizzazione conferma l’attivazione. I proprietari ricevono un’email.",
    request: "Richiedi attivazione",
    requested: "È stato chiesto ai proprietari di attivare la connessione. Puoi terminare la configurazione.",
    waiting: "È stato chiesto a un proprietario dell’organizzazione di attivare la connessione.",
    isActive: "La connessione è attiva.",
    directoryLead: "Con il token, la directory del tuo provider di identità crea e disattiva gli account dei membri.",
    createToken: "Crea token",
    tokenCreated: "Il token è stato creato. Se lo hai perso, chiedi un nuovo link di configurazione.",
  },
};
