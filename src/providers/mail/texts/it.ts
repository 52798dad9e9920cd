import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./it-access.ts";
import { addressEmails } from "./it-addresses.ts";
import { directoryEmails } from "./it-directories.ts";
import { domainEmails } from "./it-domains.ts";
import { leavingEmails } from "./it-leaving.ts";
import { membershipEmails } from "./it-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("it");

export const emailTexts: EmailTexts = {
  greeting: "Ciao{{#name}} {{name}}{{/name}},",
  codeValidity: "Il codice può essere usato una sola volta ed è valido per {{valid_for}}.",
  linkValidity: "Il link può essere usato una sola volta ed è valido per {{valid_for}}.",
  copyLink: "Se il pulsante non funziona, apri questo indirizzo:",
  labels: {
    device: "Dispositivo",
    address: "Indirizzo IP",
    location: "Luogo",
    time: "Ora",
    account: "Account",
    provider: "Provider",
    endpoint: "Endpoint",
    since: "Da",
    domain: "Dominio",
    recordName: "Nome del record TXT",
    recordValue: "Valore del record TXT",
  },
  unknownBrowser: "Browser sconosciuto",
  browserOn: "{{browser}} su {{system}}",
  unknownBrowserOn: "Browser sconosciuto su {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "Dopo la precedente email in merito c’è stata # altra modifica di questo tipo.",
      many: "Dopo la precedente email in merito ci sono state # di altre modifiche di questo tipo.",
      other: "Dopo la precedente email in merito ci sono state altre # modifiche di questo tipo.",
    }),
  reasons: {
    request: "Ricevi questa email perché questo indirizzo è stato inserito su {{brand}}.",
    invitation: "Ricevi questa email perché un membro di un’organizzazione su {{brand}} ha invitato questo indirizzo.",
    security: "Ricevi questo avviso perché riguarda la sicurezza del tuo account. Non può essere disattivato.",
    webhook: "Ricevi questo avviso perché sei responsabile di questo webhook su {{brand}}.",
    owner: "Ricevi questo avviso perché sei tra i proprietari di un’organizzazione su {{brand}}.",
    data: "Ricevi questa email perché è stata richiesta una copia dei tuoi dati su {{brand}}.",
  },
  providedBy: "Fornito da {{brand}}",
  links: { support: "Assistenza", privacy: "Privacy", terms: "Termini" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    email_code: {
      subject: "Il tuo codice di accesso per {{brand}}",
      preheader: "Il codice è valido per {{valid_for}}. Non condividerlo mai.",
      title: "Il tuo codice di accesso",
      lead: "Inserisci questo codice per accedere a {{brand}}:",
      after:
        "Non hai provato ad accedere? Ignora questa email: nessuno può accedere senza il codice. Non condividere mai " +
        "il codice.",
    },
    email_verification: {
      subject: "Conferma il tuo indirizzo email per {{brand}}",
      preheader: "Completa la configurazione del tuo account. Il link è valido per {{valid_for}}.",
      title: "Conferma il tuo indirizzo email",
      lead:
        "Questo indirizzo è stato usato per creare un account su {{brand}}. Conferma l’indirizzo per completare la " +
        "configurazione del tuo account.",
      button: "Conferma indirizzo",
      after:
        "Conferma l’indirizzo solo se hai registrato tu questo account. Altrimenti ignora questa email e non aprire " +
        "il link.",
    },
    ...addressEmails,
    ...leavingEmails,
    password_reset: {
      subject: "Scegli una nuova password per {{brand}}",
      preheader: "Il link è valido per {{valid_for}}. La password cambierà solo quando ne sceglierai una nuova.",
      title: "Scegli una nuova password",
      lead: "È stata richiesta una nuova password per il tuo account {{brand}}.",
      button: "Scegli nuova password",
      after: "Non hai richiesto una nuova password? Ignora questa email: la tua password non cambierà.",
    },
    invitation: {
      subject: "Invito a unirti a “{{organization_name}}” su {{brand}}",
      preheader: "Accetta entro {{valid_for}}.",
      title: "Hai ricevuto un invito",
      lead: "{{inviter_name}} ti invita a unirti a {{organization_name}} su {{brand}}.",
      button: "Accetta l’invito",
      after: "Non conosci il mittente? Ignora questa email.",
    },
    password_changed: {
      subject: "La tua password di {{brand}} è stata modificata",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, reimposta la password.",
      title: "La tua password è stata modificata",
      lead: "La password del tuo account è stata modificata. Tutte le altre sessioni sono state chiuse.",
      button: "Reimposta password",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti reimposta subito la password e avvisa " +
        "l’amministratore.",
    },
    password_removed: {
      subject: "La tua password di {{brand}} è stata rimossa",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, imposta una nuova password.",
      title: "La tua password è stata rimossa",
      lead: "Il tuo account non ha più una password. Accedi con una passkey.",
      button: "Imposta nuova password",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti imposta una nuova password: in questo modo " +
        "chiudi tutte le sessioni.",
    },
    mfa_enabled: {
      subject: "Verifica in due passaggi attivata per {{brand}}",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, cambia la password.",
      title: "La verifica in due passaggi è attiva",
      lead:
        "Un’app di autenticazione è stata aggiunta al tuo account. D’ora in poi l’accesso richiederà un codice " +
        "dell’app.",
      button: "Controlla la sicurezza",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti cambia subito la password e avvisa " +
        "l’amministratore.",
    },
    mfa_disabled: {
      subject: "Verifica in due passaggi disattivata per {{brand}}",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, cambia la password.",
      title: "La verifica in due passaggi non è più attiva",
      lead: "L’app di autenticazione è stata rimossa dal tuo account. L’accesso non richiede più un codice dell’app.",
      button: "Controlla la sicurezza",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti cambia subito la password e avvisa " +
        "l’amministratore.",
    },
    mfa_reset: {
      subject: "Verifica in due passaggi reimpostata per {{brand}}",
      preheader: "Un amministratore ha rimosso la tua app di autenticazione. Configurane una nuova.",
      title: "La verifica in due passaggi è stata reimpostata",
      lead:
        "Un amministratore ha rimosso l’app di autenticazione, i codici di recupero e i browser attendibili del tuo " +
        "account e ha chiuso tutte le sessioni.",
      button: "Configura la verifica",
      after: "Non hai chiesto la reimpostazione? Cambia la password e rivolgiti all’amministratore.",
    },
    recovery_codes_renewed: {
      subject: "Nuovi codici di recupero per {{brand}}",
      preheader: "{{device}}, {{time}}. I codici precedenti non funzionano più.",
      title: "Nuovi codici di recupero",
      lead: "Sono stati creati nuovi codici di recupero per il tuo account. I codici precedenti non funzionano più.",
      button: "Controlla la sicurezza",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti cambia subito la password, crea nuovi codici " +
        "di recupero e avvisa l’amministratore.",
    },
    passkey_added: {
      subject: "Passkey aggiunta al tuo account {{brand}}",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, elimina la passkey.",
      title: "È stata aggiunta una passkey",
      lead:
        "Una passkey è stata aggiunta al tuo account. Con la passkey è possibile accedere al tuo account senza " +
        "password.",
      button: "Controlla le passkey",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti elimina la passkey, cambia la password e " +
        "avvisa l’amministratore.",
    },
    new_browser: {
      subject: "Nuovo accesso a {{brand}}",
      preheader: "{{device}}, {{time}}. Se non hai eseguito tu l’accesso, proteggi il tuo account.",
      title: "Nuovo accesso al tuo account",
      lead: "È stato eseguito l’accesso al tuo account {{brand}} da un browser che non avevamo mai visto prima.",
      notMe:
        "Non hai eseguito tu l’accesso? Apri questo link per chiudere tutte le sessioni, rimuovere la password e " +
        "rimuovere ciò che è stato aggiunto dopo questo accesso. Il link può essere usato una sola volta, entro " +
        "{{valid_for}}:",
      button: "Controlla l’attività",
      after: "Hai eseguito tu l’accesso? Allora puoi ignorare questa email.",
    },
    identity_linked: {
      subject: "Ora si può accedere a {{brand}} con {{provider}}",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, cambia le tue password.",
      title: "{{provider}}: account collegato",
      lead:
        "Il tuo account {{provider}} è stato collegato al tuo account {{brand}}" +
        "{{^by_user}}, perché entrambi hanno questo indirizzo verificato{{/by_user}}. " +
        "Chiunque possa accedere a {{provider}} può ora accedere al tuo account.",
      button: "Controlla i provider",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti cambia la password di {{provider}} e quella " +
        "di questo account e avvisa l’amministratore.",
    },
    identity_unlinked: {
      subject: "Non si può più accedere a {{brand}} con {{provider}}",
      preheader: "{{device}}, {{time}}. Se non l’hai fatto tu, chiudi tutte le altre sessioni.",
      title: "{{provider}}: account scollegato",
      lead: "Il tuo account {{provider}} è stato scollegato da questo account. Accedi qui in un altro modo.",
      button: "Controlla i provider",
      after:
        "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti accedi, chiudi tutte le altre sessioni e " +
        "collega di nuovo il provider.",
    },
    account_secured: {
      subject: "Il tuo account {{brand}} è ora solo tuo",
      preheader: "Tutto ciò che era stato configurato prima della conferma del tuo indirizzo è stato rimosso.",
      title: "Il tuo account è ora solo tuo",
      lead:
        "Hai confermato per la prima volta che l’indirizzo del tuo account {{brand}} è tuo. Qualcun altro avrebbe " +
        "potuto registrare l’account in precedenza. Per questo è stato rimosso tutto ciò che era stato configurato " +
        "nell’account fino a quel momento: tutte le altre sessioni, le passkey, i provider e le applicazioni " +
        "collegati, i browser attendibili, gli inviti in attesa, le chiavi API, i webhook e i flussi di eventi.",
      secondFactor:
        "Anche l’app di autenticazione e i suoi codici di recupero sono stati rimossi. Configurane una nuova.",
      password:
        "Anche la password è stata rimossa. Per impostarne una nuova, scegli “Password dimenticata?” quando accedi: " +
        "riceverai un’email con un link.",
      removed: "Elementi rimossi:",
      items: {
        password: "Password",
        second_factor: "App di autenticazione e codici di recupero",
        passkeys: "Passkey",
        identities: "Provider collegato",
        company_accounts: "Account aziendale collegato",
        trusted_browsers: "Browser attendibile",
        invitations: "Invito in attesa",
        api_keys: "Chiave API",
        webhooks: "Webhook (disattivato)",
        event_streams: "Flusso di eventi (disattivato)",
        setup_links: "Link di configurazione del single sign-on",
        oauth_grants: "Applicazione collegata",
      },
      named: " “{{name}}”",
      moreRemoved: (count) => plural(count, { one: "e # altro", many: "e # di altri", other: "e altri #" }),
      joined:
        "Questi membri si sono uniti tramite un invito dell’account prima della conferma del tuo indirizzo. Non sono " +
        "stati rimossi:",
      member: "{{name}} in “{{organization_name}}”",
      moreMembers: "e altri",
      members: "Se non conosci un membro, rimuovilo in questa pagina:",
      button: "Controlla la sicurezza",
      after: "Se non l’hai fatto tu, reimposta subito la password e avvisa l’amministratore.",
    },
    webhook_failing: {
      subject: "Un webhook su {{brand}} non funziona da un’ora",
      preheader: "Le consegne a {{webhook_host}} non riescono. Il servizio continuerà a riprovare per tre giorni.",
      title: "Un webhook non funziona",
      lead:
        "Le consegne al tuo webhook non riescono. Il servizio continuerà a riprovare per tre giorni; dopo tre giorni " +
        "gli eventi verranno scartati.",
      button: "Controlla le consegne",
      after:
        "La pagina mostra le ultime risposte e l’ora del prossimo tentativo. Ricevi questo avviso una sola volta per " +
        "ogni interruzione.",
    },
    webhook_disabled: {
      subject: "Un webhook su {{brand}} è stato disattivato",
      preheader: "{{webhook_host}} non riceve più eventi.",
      title: "Un webhook è stato disattivato",
      lead:
        "Il servizio ha disattivato il tuo webhook. Finché è disattivato, non viene conservato nessun evento per il " +
        "webhook.",
      gone: "L’endpoint ha risposto con lo stato 410: non vuole altri eventi.",
      backlog: "Più di 50.000 consegne erano in attesa dell’endpoint.",
      button: "Controlla il webhook",
      after: "Dopo aver riattivato il webhook, è possibile inviare di nuovo gli eventi degli ultimi 30 giorni.",
    },
  },
};
