/** Italian: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Account aziendali",
    lead: "Account del provider di identità della tua organizzazione con cui accedi.",
    unlinkTitle: "Scollegare l’account aziendale?",
    unlinkText: "Le sessioni dell’account aziendale terminano subito. Rimani membro.",
    unlinked: "L’account aziendale è stato scollegato.",
    notLinked: "Non collegato",
    link: "Collega",
    linkTitle: "Collegare questo account aziendale?",
    linkText: (organization) => `D’ora in poi accedi a ${organization} con l’account aziendale.`,
    subject: "ID permanente",
    email: "Indirizzo email",
    linkFailed: "L’account aziendale non è stato collegato. Ricomincia o rivolgiti all’amministratore.",
    linkTaken: "Questo account aziendale è collegato a un altro account. Rivolgiti all’amministratore.",
    linkDone: "L’account aziendale è collegato.",
    continueTo: (name) => `Continua su ${name}`,
    membersLead: "Membri che accedono tramite il provider di identità, con l’origine del collegamento.",
    noMembers: "Nessun membro ha ancora eseguito l’accesso tramite il provider di identità.",
    linkedBy: "Collegato da",
    origins: { domain: "Dominio", user: "Membro", directory: "Directory utenti" },
    unlinkMemberText: "Le sessioni dell’account aziendale terminano subito. Il membro resta nell’organizzazione.",
    resetFactor: "Reimposta il secondo fattore",
    resetTitle: "Reimpostare il secondo fattore?",
    resetText:
      "Il membro configura una nuova app di autenticazione dopo il prossimo single sign-on. Le sessioni aperte " +
      "continuano.",
    factorReset: "Il secondo fattore è stato reimpostato.",
    factorTitle: "Configura un secondo fattore",
    factorLead: (organization) =>
      `${organization} richiede un codice di un’app di autenticazione dopo il single sign-on. L’app vale solo per ` +
      "questa organizzazione.",
    stepUpLead: "Questa azione richiede un’altra conferma. Conferma con il tuo account aziendale.",
    stepUpFailed:
      "Il secondo fattore non è stato confermato con il tuo account aziendale. Riprova o rivolgiti " +
      "all’amministratore.",
    stepUpNever:
      "Questa azione richiede un secondo fattore e la tua organizzazione non riconosce alcun secondo fattore " +
      "del tuo account aziendale. Chiedi a un amministratore di inserire i valori riconosciuti di acr o amr " +
      "(mfa_trust) nella connessione.",
  },
  ssoTests: {
    title: "Prova la connessione",
    lead: "Una prova ti fa accedere presso il provider di identità e non cambia nulla per i membri.",
    start: "Avvia la prova",
    again: "Prova di nuovo",
    go: "Continua al provider di identità",
    incomplete: "Inserisci prima issuer, ID client e segreto o chiave.",
    last: "Ultima prova:",
    passed: "La prova è riuscita.",
    failed: "La prova non è riuscita. Correggi il controllo non superato e riprova.",
    outdated: "Le impostazioni sono cambiate dopo questa prova. Prova di nuovo.",
    outcomes: {
      pass: "Superato",
      warning: "Avviso",
      fail: "Non superato",
      skipped: "Saltato",
    },
    checks: {
      discovery: "Configurazione caricata",
      state: "Stesso browser",
      provider_error: "Accesso presso il provider di identità",
      issuer: "Issuer esatto",
      token_request: "ID client e segreto o chiave accettati",
      nonce: "Risposta relativa alla prova",
      id_token: "Token ID valido",
      userinfo: "UserInfo letto",
      subject: "ID permanente presente",
      email: "Indirizzo email presente",
      email_verified: "Indirizzo verificato dal provider di identità",
      domain: "Indirizzo in un dominio verificato",
      groups: "Gruppi presenti",
      mfa: "Secondo fattore presso il provider di identità",
    },
    hints: {
      email: "Il claim non contiene un indirizzo email. Controlla i claim.",
      domain: "L’indirizzo non è in nessun dominio verificato di questa connessione: questo utente non può accedere.",
      groups: "La risposta non contiene gruppi, o non tutti.",
      mfa: "Né acr né amr hanno un valore riconosciuto.",
    },
    effect: "Effetto di un accesso",
    effects: {
      sign_in: "L’utente accede.",
      link: "L’utente accede e l’account aziendale viene collegato.",
      create: "Viene creato un nuovo utente.",
      refused: "L’accesso viene rifiutato.",
    },
    mapping: "Dati dell’utente",
    received: "Claim ricevuti",
    subject: "ID permanente",
    role: "Ruolo",
    twoStep: "Verifica in due passaggi",
    yes: "Sì",
    no: "Non usata",
  },
};
