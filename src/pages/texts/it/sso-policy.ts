/** Italian: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("it");

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Criteri",
    signIn: "Accesso",
    signInLead: "I criteri valgono per tutte le connessioni dell’organizzazione.",
    mode: "Single sign-on",
    open: "Modifica criteri",
    modes: {
      off: "Disattivato: le connessioni possono solo essere provate",
      optional: "Facoltativo: i membri possono usare il single sign-on",
      required: "Obbligatorio: i membri devono usare il single sign-on",
    },
    emergency:
      "Finché il single sign-on è obbligatorio, mantieni un accesso di emergenza con la tua password e il " +
      "tuo secondo fattore, per un’ora alla volta.",
    notReady:
      "Il single sign-on non può ancora essere obbligatorio. Servono una connessione attiva, un dominio " +
      "verificato e un accesso tramite la connessione di un proprietario o amministratore nelle ultime 24 " +
      "ore. Il tuo account deve avere un indirizzo verificato e un secondo fattore o una passkey.",
    jit: "Utenti che non sono membri",
    jits: {
      on: "Crea account e appartenenza al primo accesso",
      invited_only: "Ammetti utenti con un invito",
      off: "Non ammettere nessuno",
    },
    guests: "Membri con indirizzi di altri domini",
    guestRules: { own_methods: "Mantengono i propri metodi di accesso", required: "Usano anche il single sign-on" },
    guestsHint: "Vale quando il single sign-on è obbligatorio.",
    ownFactor: "Secondo fattore di questo servizio",
    ownFactors: { off: "Non richiesto", on: "Richiesto" },
    ownFactorHint:
      "Dopo il single sign-on i membri confermano anche un codice di un’app di autenticazione, solo per questa " +
      "organizzazione.",
    roles: "Ruoli",
    rolesLead: "Nessuna regola concede il ruolo di proprietario e nessuna regola modifica un proprietario.",
    defaultRole: "Ruolo senza regola corrispondente",
    sync: "Applica le regole",
    syncs: { always: "A ogni accesso", first: "Solo all’inizio dell’appartenenza" },
    rules: "Regole",
    rulesHint:
      "L’attributo è groups o un altro attributo della connessione. Vale il ruolo corrispondente più alto. Salva per " +
      "ottenere altre regole vuote.",
    rule: (number) => `Regola ${number}`,
    from: "Attributo",
    value: "Valore",
    badRules: "Inserisci attributo e valore in ogni regola. Al massimo 50 regole.",
    start: "Obbligatorio da",
    startKept: (time) => `Come impostato: ${time}`,
    startNow: "Subito",
    startIn: (count) => plural(count, { one: "Tra # giorno", many: "Tra # di giorni", other: "Tra # giorni" }),
    breakGlass: "Accesso di emergenza",
    breakGlassHint: "Proprietari con un indirizzo verificato e un secondo fattore o una passkey. Al massimo 5.",
    noBreakGlass: "Nessun proprietario ha ancora un indirizzo verificato e un secondo fattore o una passkey.",
    preview: "Anteprima",
    previewTitle: "Effetto delle impostazioni",
    covered: (count) =>
      plural(count, {
        one: "# membro deve usare il single sign-on.",
        many: "# di membri devono usare il single sign-on.",
        other: "# membri devono usare il single sign-on.",
      }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# di questi membri non ha ancora effettuato l’accesso con il single sign-on:",
        many: "# di questi membri non hanno ancora effettuato l’accesso con il single sign-on:",
        other: "# di questi membri non hanno ancora effettuato l’accesso con il single sign-on:",
      }),
    allLinked: "Tutti questi membri hanno già effettuato l’accesso con il single sign-on.",
    firstMembers: "L’elenco contiene i primi 100 indirizzi.",
    pausedUntil: (time) => `Il gestore di questo servizio ha sospeso l’obbligo fino al ${time}.`,
    console: {
      title: "Obbligo di single sign-on",
      off: "L’organizzazione non richiede il single sign-on.",
      on: "Il single sign-on è obbligatorio.",
      since: (time) => `Il single sign-on è obbligatorio dal ${time}.`,
      until: (time) => `L’obbligo è sospeso fino al ${time}.`,
      pause: "Sospendi per 24 ore",
      text:
        "I membri interessati possono usare i propri metodi di accesso per 24 ore. I proprietari ricevono " +
        "un’email con il motivo.",
      reasonHint: "Mostrato ai proprietari, al massimo 500 caratteri.",
      paused: "L’obbligo è sospeso per 24 ore.",
      end: "Termina la sospensione",
      ended: "L’obbligo è di nuovo in vigore.",
    },
    saved: "I criteri sono stati salvati.",
    ownersOnly: "Solo i proprietari possono modificare i criteri.",
  },
};
