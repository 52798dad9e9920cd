import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Manca il record DNS di {{domain}}",
    preheader: "Senza il record, la tua organizzazione perderà il dominio tra {{valid_for}}.",
    title: "Manca un record DNS",
    lead:
      "Manca il record TXT che dimostra che {{domain}} appartiene alla tua organizzazione. Aggiungi di nuovo il " +
      "record: altrimenti la tua organizzazione perderà il dominio tra {{valid_for}} e il single sign-on non varrà " +
      "più per gli indirizzi del dominio.",
    button: "Controlla il dominio",
    after: "Il servizio controlla il record una volta al giorno. Puoi controllarlo in qualsiasi momento nella pagina.",
  },
  domain_lost: {
    subject: "La tua organizzazione ha perso il dominio {{domain}}",
    preheader: "Il record DNS è mancato per sette giorni.",
    title: "Un dominio è stato perso",
    lead:
      "Il record TXT di {{domain}} è mancato per sette giorni. Il single sign-on non vale più per gli indirizzi del " +
      "dominio. Le sessioni aperte continuano.",
    button: "Verifica di nuovo",
    after: "Per usare di nuovo il dominio, aggiungi il record al DNS e controlla il dominio nella pagina.",
  },
  domain_transferred: {
    subject: "Il dominio {{domain}} è stato trasferito",
    preheader: "Il gestore di {{brand}} ha deciso a chi appartiene il dominio.",
    title: "Un dominio è stato trasferito",
    lead: "Il gestore di {{brand}} ha deciso a quale organizzazione appartiene il dominio {{domain}}.",
    gained:
      "Il dominio appartiene ora alla tua organizzazione. Mantieni il record TXT nel DNS: il servizio lo controlla " +
      "una volta al giorno.",
    givenUp:
      "Il dominio non appartiene più alla tua organizzazione. Il single sign-on non vale più per gli indirizzi del " +
      "dominio. Le sessioni aperte continuano.",
    button: "Controlla i domini",
    after: "Se hai domande, rivolgiti al gestore di {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Un accesso con single sign-on è stato rifiutato",
    preheader: "Due account del tuo provider di identità hanno l’indirizzo {{address}}.",
    title: "Un accesso è stato rifiutato",
    lead:
      "Presso il tuo provider di identità, un secondo account ha l’indirizzo {{address}} di un membro. " +
      "L’accesso tramite la connessione {{connection}} ({{time}}) è stato rifiutato, per evitare che il secondo " +
      "account ottenga l’accesso di quel membro.",
    button: "Controlla il single sign-on",
    after:
      "Se il membro ha un nuovo account presso il tuo provider di identità, scollega l’account precedente nella " +
      "pagina. Altrimenti correggi l’indirizzo presso il tuo provider di identità.",
  },
  sso_linked: {
    subject: "Ora puoi accedere tramite {{organization_name}}",
    preheader: "{{organization_name}} ti fa accedere con il suo provider di identità, solo in questa organizzazione.",
    title: "Il single sign-on è configurato",
    lead:
      "Il tuo account {{brand}} è ora collegato al tuo account presso il provider di identità di " +
      "{{organization_name}}. Questo accesso riguarda solo questa organizzazione. La password, gli altri " +
      "metodi di accesso e le altre organizzazioni restano invariati.",
    button: "Controlla il tuo account",
    after: "Se non riconosci questo accesso, avvisa un amministratore di {{organization_name}}.",
  },
  organization_factor_enabled: {
    subject: "Secondo fattore configurato per {{organization_name}}",
    preheader: "{{device}}, {{time}}. Se non sei stato tu, avvisa un amministratore di {{organization_name}}.",
    title: "È stato configurato un secondo fattore",
    lead:
      "È stata configurata un’app di autenticazione per il single sign-on di {{organization_name}}. L’app è " +
      "richiesta solo dopo questo accesso. La password e gli altri metodi di accesso restano invariati.",
    button: "Controlla il tuo account",
    after:
      "L’hai fatto tu? Allora puoi ignorare questa email. Altrimenti avvisa subito un amministratore di " +
      "{{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "L’accesso di emergenza è stato usato",
    preheader: "L’account {{address}} ha effettuato l’accesso senza il tuo provider di identità.",
    title: "L’accesso di emergenza è stato usato",
    lead:
      "L’account {{address}} ha usato l’accesso di emergenza il {{time}}, mentre la tua organizzazione richiede il " +
      "single sign-on. La sessione termina dopo un’ora.",
    button: "Controlla il single sign-on",
    after: "Se non ti aspettavi questo accesso, termina la sessione dell’utente e modifica il criterio.",
  },
  sso_paused: {
    subject: "Single sign-on facoltativo per 24 ore",
    preheader: "Il gestore di {{brand}} ha sospeso l’obbligo.",
    title: "L’obbligo è sospeso",
    lead:
      "Il gestore di {{brand}} ha sospeso l’obbligo del single sign-on nella tua organizzazione fino al " +
      "{{time}}. I membri possono accedere con i propri metodi. Motivo: {{reason}}",
    button: "Controlla il single sign-on",
    after: "L’obbligo riprende da solo. Per domande, rivolgiti al gestore di {{brand}}.",
  },
  requirement_lifted: {
    subject: "Un obbligo della tua organizzazione potrebbe non valere più",
    preheader: "L’impostazione {{setting}} faceva parte dell’obbligo.",
    title: "Un’impostazione di un obbligo è cambiata",
    lead:
      "La tua organizzazione richiede il single sign-on o un secondo fattore. L’impostazione {{setting}}, " +
      "che fa parte di questo obbligo, è stata modificata o rimossa il {{time}} da un membro che può " +
      "modificare i criteri.",
    button: "Controlla il single sign-on",
    after:
      "Se non ti aspetti questa modifica, ripristina l’impostazione e verifica nel registro di controllo chi " +
      "l’ha eseguita.",
  },
  sso_certificate_expiring: {
    subject: "Un certificato del tuo provider di identità scade il {{time}}",
    preheader: "La connessione {{connection}} usa questo certificato.",
    title: "Un certificato scade",
    lead:
      "Un certificato del provider di identità della connessione {{connection}} è valido fino al {{time}}. " +
      "Chiedi il prossimo certificato all’amministratore del provider di identità.",
    button: "Controlla la connessione",
    after:
      "Aggiungi il prossimo certificato accanto al precedente, così nessun accesso fallisce. Con l’indirizzo dei " +
      "metadati, il servizio legge da solo i nuovi certificati.",
  },
  sso_secret_expiring: {
    subject: "Il segreto del client del tuo provider di identità scade il {{time}}",
    preheader: "La connessione {{connection}} usa questo segreto.",
    title: "Un segreto del client scade",
    lead:
      "Il segreto del client della connessione {{connection}} è valido fino al {{time}}. Crea un nuovo segreto " +
      "presso il provider di identità.",
    button: "Controlla la connessione",
    after:
      "Inserisci il nuovo segreto e la nuova data prima della scadenza del precedente, così nessun accesso fallisce.",
  },
  sso_certificates_changed: {
    subject: "I certificati della connessione {{connection}} sono cambiati",
    preheader: "I metadati del tuo provider di identità sono cambiati il {{time}}.",
    title: "I certificati sono cambiati",
    lead:
      "Il servizio ha letto il {{time}} nuovi metadati del provider di identità della connessione {{connection}} " +
      "e ha modificato i certificati della connessione.",
    button: "Controlla la connessione",
    after:
      "Se non ti aspetti questa modifica, disattiva la connessione e chiedi all’amministratore del provider di " +
      "identità.",
  },
  sso_setup_link: {
    subject: "Configura il single sign-on per {{organization_name}}",
    preheader: "{{inviter_name}} ti chiede di collegare il tuo provider di identità.",
    title: "Configura il single sign-on",
    lead:
      "{{inviter_name}} ti chiede di configurare il single sign-on di {{organization_name}} su {{brand}}. Non " +
      "serve un account. Il link funziona in un solo browser: aprilo nel browser con cui gestisci il provider di " +
      "identità.",
    button: "Inizia la configurazione",
    after: "Non inoltrare il link. Se non aspetti questa email, ignorala.",
  },
  sso_activation_requested: {
    subject: "Una connessione attende la tua attivazione",
    preheader: "La configurazione di {{connection}} è completa.",
    title: "Attiva la connessione",
    lead:
      "La configurazione della connessione {{connection}} è stata completata il {{time}} con un link di " +
      "configurazione. Controlla le impostazioni. I membri potranno accedere quando un proprietario attiverà la " +
      "connessione.",
    button: "Controlla la connessione",
    after: "Se non sai chi ha configurato la connessione, non attivarla e revoca il link di configurazione.",
  },
};
