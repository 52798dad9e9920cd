/** Italian: the policies of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { PolicyTexts } from "../en/policies.ts";

const plural = pluralIn("it");

export const policyTexts: PolicyTexts = {
  policies: {
    title: "Criteri",
    lead:
      "Regole per tutti i membri, solo in questa organizzazione. I criteri rendono più severe le impostazioni di " +
      "questo servizio.",
    notYours: "Solo i proprietari e gli amministratori dell’organizzazione possono vedere i criteri.",
    notIncluded: "Il tuo piano non include i criteri. Rivolgiti al gestore di questo servizio.",
    ownersOnly: "Solo i proprietari e i membri con un ruolo per i criteri possono modificare i criteri.",
    change: "Modifica i criteri",
    groups: {
      signIn: "Accesso",
      sessions: "Sessioni",
      network: "Rete",
      members: "Membri",
      applications: "Applicazioni",
      passwords: "Password",
    },
    names: {
      mfa: "Verifica in due passaggi",
      mfaGraceDays: "Tempo per la configurazione",
      methods: "Metodi di accesso",
      trustedBrowsers: "Browser attendibili",
      signInNotices: "Email sui nuovi browser",
      sessionMaxHours: "Durata massima della sessione",
      sessionIdleMinutes: "Inattività massima",
      allowedIps: "Reti consentite",
      inviteDomains: "Domini degli indirizzi invitati",
      domainJoin: "Adesione tramite un dominio verificato",
      thirdPartyClients: "Applicazioni di altri fornitori",
      approvedClients: "Applicazioni approvate",
      deviceFlow: "Accesso dei dispositivi con codice",
      passwordMinLength: "Lunghezza minima della password",
      passwordCheck: "Password comuni",
    },
    mfa: {
      optional: "Facoltativa",
      required: "Obbligatoria",
      phishing_resistant: "Passkey obbligatoria",
    },
    mfaHint: "Un membro senza il fattore può solo configurare il fattore.",
    days: (count) => plural(count, { one: "# giorno", many: "# di giorni", other: "# giorni" }),
    noDays: "Nessuno: la regola vale subito",
    daysHint: "Giorni per i membri senza il fattore, dall’inizio della regola o dell’appartenenza.",
    allMethods: "Tutti i metodi di questo servizio",
    methodsHint: "Senza una scelta sono consentiti tutti i metodi. Il single sign-on è sempre consentito.",
    trustedBrowsers: {
      on: "Sostituiscono il secondo fattore",
      off: "Non sostituiscono il secondo fattore",
    },
    signInNotices: {
      on: "Sempre",
      off: "Non per gli accessi con single sign-on",
    },
    hours: (count) => plural(count, { one: "# ora", many: "# di ore", other: "# ore" }),
    minutes: (count) => plural(count, { one: "# minuto", many: "# di minuti", other: "# minuti" }),
    byService: "Come impostato da questo servizio",
    hoursHint: "Ore dall’accesso, da 1 a 2160. Vuoto: come impostato da questo servizio.",
    minutesHint: "Minuti senza uso, da 5 a 43200. Vuoto: come impostato da questo servizio.",
    everyNetwork: "Tutte le reti",
    networksHint: (address) =>
      `Un indirizzo o intervallo per riga, come 192.0.2.0/24. Vuoto: tutte le reti. Il tuo indirizzo è ${address}.`,
    everyDomain: "Tutti i domini",
    domainsHint: "Un dominio per riga, come acme.com. Vuoto: tutti i domini. I membri restano membri.",
    domainJoin: {
      off: "Disattivata",
      ask: "Con il consenso di un amministratore",
      join: "Senza consenso",
    },
    thirdPartyClients: {
      any: "Tutte",
      approved: "Solo applicazioni approvate",
      none: "Nessuna",
    },
    noApplications: "Nessuna",
    applicationsHint: "Applicazioni che i membri usano già.",
    deviceFlow: {
      on: "Consentito",
      off: "Non consentito",
    },
    characters: (count) => plural(count, { one: "# carattere", many: "# di caratteri", other: "# caratteri" }),
    lengthHint: "Da 12 a 64 caratteri, per la prossima password. Vuoto: come impostato da questo servizio.",
    passwordCheck: {
      on: "Rifiutate",
      off: "Come impostato da questo servizio",
    },
    start: "Inizio",
    startHint: "I criteri attuali valgono fino all’inizio.",
    pending: (time) => `I nuovi criteri valgono dal ${time}.`,
    cancelPending: "Annulla i nuovi criteri",
    cancelled: "I nuovi criteri sono stati annullati. I criteri attuali restano validi.",
    saved: "I criteri sono stati salvati.",
    now: "Ora",
    next: "Nuovo",
    policy: "Criterio",
    review: "Verifica la modifica",
    unchanged: "Non cambia nulla.",
    appliesNow: "La modifica vale appena confermi.",
    appliesFrom: (time) => `La modifica vale dal ${time}.`,
    effect: "Effetto sui membri",
    affected: (count) =>
      plural(count, {
        one: "La modifica riguarda # membro.",
        many: "La modifica riguarda # di membri.",
        other: "La modifica riguarda # membri.",
      }),
    unaffected: "La modifica non riguarda alcun membro attuale.",
    ended: (count) =>
      plural(count, { one: "Termina # sessione.", many: "Terminano # di sessioni.", other: "Terminano # sessioni." }),
    member: "Membro",
    rules: {
      mfa: "Non ha il secondo fattore",
      methods: "Non ha alcun metodo di accesso consentito",
      session: "Termina una sessione",
      allowed_ips: "Visto l’ultima volta fuori dalle reti consentite",
      invite_domains: "Ha un indirizzo di un altro dominio e resta membro",
      device_flow: "Usa un’applicazione per dispositivi e non può collegare altri dispositivi",
      passwords: "La prossima password segue la nuova regola",
      third_party_clients: "Un’applicazione perde l’accesso",
      trusted_browsers: "Presenta il secondo fattore anche nei browser attendibili",
    },
    affectedBy: "Effetto",
    firstMembers: "L’elenco contiene i primi 100 indirizzi.",
    lockOuts: {
      policy_address: "Il tuo indirizzo è fuori dalle reti consentite. Perderesti l’accesso.",
      policy_methods: "Non puoi usare nessuno dei metodi consentiti. Perderesti l’accesso.",
      policy_passkey: "Non hai una passkey. Aggiungi prima una passkey in Sicurezza.",
      policy_join_role:
        "Gli utenti del dominio entrerebbero come amministratori. " +
        "Solo un amministratore o un proprietario può consentirlo.",
      policy_owners: "Nessun proprietario potrebbe accedere con questi criteri.",
    },
    noEmergency:
      "Designa prima un proprietario per l’accesso di emergenza, nei criteri del single sign-on. Poi puoi " +
      "confermare la modifica.",
    accept: "Applica comunque la modifica. Un proprietario con accesso di emergenza può annullare la modifica.",
    apply: "Applica la modifica",
    back: "Torna al modulo",
    badNumber: "Inserisci un numero intero entro i limiti.",
    badNetworks:
      "Inserisci indirizzi o intervalli come 192.0.2.0/24, al massimo 64. Un intervallo di tutti gli indirizzi " +
      "non è accettato.",
    badDomains: "Inserisci domini come acme.com, al massimo 50.",
  },
};
