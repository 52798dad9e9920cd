/** Italian: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

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
    saved: "I criteri sono stati salvati.",
    ownersOnly: "Solo i proprietari possono modificare i criteri.",
  },
};
