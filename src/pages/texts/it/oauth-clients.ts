/** Italian: the applications that use this service for sign-in, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { OAuthClientTexts } from "../en/oauth-clients.ts";

const plural = pluralIn("it");

export const oauthClientTexts: OAuthClientTexts = {
  clients: {
    title: "Applicazioni",
    count: (total) => plural(total, { one: "# applicazione", many: "# di applicazioni", other: "# applicazioni" }),
    search: "Nome o ID client",
    noMatch: (q) => `Nessuna applicazione corrisponde a “${q}”.`,
    none: "Ancora nessuna applicazione. Registra la prima applicazione che usa questo servizio per l’accesso.",
    create: "Nuova applicazione",
    createAction: "Registra applicazione",
    full: "Esistono già 1000 applicazioni. Elimina un’applicazione inutilizzata.",
    on: "attiva",
    off: "disattivata",
    firstPartyTag: "interna",
    readOnly: "Per modificare le impostazioni serve la verifica in due passaggi.",
    edit: "Modifica impostazioni",
    stepUpAgain:
      "Questa operazione richiede la verifica in due passaggi. Esegui la verifica in una nuova scheda, poi invia " +
      "questo modulo.",
    stepUp: "Verifica di nuovo",
    settings: "Impostazioni",
    saved: "Le modifiche sono state salvate e sono in uso.",
    created: "L’applicazione è stata registrata.",
    deleted: "L’applicazione è stata eliminata. I suoi token non funzionano più.",
    presetsTitle: "Tipo di applicazione",
    presets: {
      web: { title: "Applicazione web", lead: "Un server fa accedere gli utenti e conserva un segreto." },
      spa: {
        title: "Applicazione a pagina singola",
        lead: "Un sito web fa accedere gli utenti con JavaScript, senza segreto.",
      },
      native: {
        title: "Applicazione nativa",
        lead: "Un’applicazione su un telefono o un computer, senza segreto.",
      },
      machine: { title: "Macchina", lead: "Un server chiama le API per conto proprio, senza utenti." },
    },
    folds: {
      basics: "Informazioni di base",
      basicsLead: "Nome e indirizzi",
      tokens: "Token",
      tokensLead: "Grant, ambiti e API",
      advanced: "Avanzate",
      advancedLead: "Autenticazione, PKCE e uscita",
    },
    name: "Nome",
    nameHint: "Gli utenti leggono il nome durante l’accesso.",
    clientId: "ID client",
    logo: "Indirizzo del logo",
    logoHint: "Visualizzato durante l’accesso. Senza logo, gli utenti vedono le iniziali.",
    home: "Indirizzo della pagina iniziale",
    origin: "Registrazione",
    origins: {
      registered: "Da un amministratore",
      dynamic: "Dall’applicazione stessa",
      document: "Da un documento di metadati",
    },
    originTags: { dynamic: "autoregistrata", document: "da documento" },
    policy: "Indirizzo delle norme sulla privacy",
    terms: "Indirizzo dei termini di servizio",
    type: "Tipo",
    types: { web: "Applicazione web", native: "Applicazione nativa" },
    method: "Autenticazione del client",
    methods: {
      none: "Nessuna (client pubblico)",
      client_secret_basic: "Segreto, tramite HTTP Basic",
      client_secret_post: "Segreto, nel modulo",
      private_key_jwt: "Chiave propria (private_key_jwt)",
    },
    methodHint: "HTTP Basic e il modulo sono accettati entrambi. Un nuovo segreto viene mostrato una sola volta.",
    pkce: "PKCE",
    pkceOptions: { true: "Obbligatorio", false: "Facoltativo: le richieste senza PKCE richiedono un nonce" },
    pkceHint:
      "Scegli “facoltativo” solo per un server la cui libreria non supporta PKCE. Un client pubblico richiede sempre " +
      "PKCE.",
    pushed: "Richieste di autorizzazione inviate in anticipo (PAR)",
    pushedOptions: { true: "Obbligatorie", false: "Facoltative" },
    pushedHint:
      "L’applicazione invia prima la richiesta dal proprio server. " +
      "Scegli “Obbligatorie” solo se la libreria supporta PAR.",
    dpop: "Prova di possesso (DPoP)",
    dpopOptions: { true: "Obbligatoria", false: "Facoltativa" },
    dpopHint:
      "Un token rubato è inutile senza la chiave dell’applicazione. " +
      "Scegli “Obbligatoria” solo se la libreria supporta DPoP.",
    dpopNonce: "Nonce nelle prove (DPoP)",
    dpopNonceOptions: { true: "Obbligatorio", false: "Facoltativo" },
    dpopNonceHint:
      "Una prova vale solo con un nonce di questo servizio e non può essere creata in anticipo. " +
      "Scegli “Obbligatorio” solo se la libreria ripete le richieste con il nonce.",
    idTokenClaims: "Claim nel token ID",
    idTokenClaimsOptions: {
      scope: "Nome, indirizzo email e organizzazione, in base all’ambito",
      none: "Solo l’ID utente",
    },
    idTokenAlgorithm: "Firma del token ID",
    idTokenAlgorithmHint:
      "Tutte le librerie verificano RS256. ES256 ed EdDSA hanno firme più brevi e consumano meno CPU.",
    idTokenClaimsHint:
      "La maggior parte delle librerie legge nome e indirizzo email dal token ID. UserInfo li restituisce sempre.",
    sector: "Settore",
    sectorHint:
      "Un host come example.com: gli utenti hanno un ID diverso in ogni settore. Vuoto: un solo ID. Una modifica " +
      "sostituisce tutti gli ID.",
    keys: "Chiavi pubbliche",
    keysHint: "Solo per private_key_jwt: il JSON Web Key Set dell’applicazione.",
    jwksUri: "Indirizzo delle chiavi pubbliche",
    jwksUriHint: "Usa l’indirizzo al posto del campo “Chiavi pubbliche”.",
    profile: "Profilo di sicurezza",
    profileOptions: { none: "Nessuno", fapi2: "FAPI 2.0" },
    profileHint: "FAPI 2.0 richiede private_key_jwt, PAR e DPoP. Sceglilo solo se la libreria li supporta tutti.",
    signedRequests: "Richieste firmate (JAR)",
    signedRequestsOptions: { true: "Obbligatorie", false: "Facoltative" },
    signedRequestsHint: "L’applicazione firma ogni richiesta di autorizzazione con una delle sue chiavi.",
    rotation: "Token di aggiornamento",
    rotationOptions: { true: "Sostituiti a ogni uso", false: "Invariati fino alla scadenza" },
    rotationHint: "Un client pubblico richiede la sostituzione.",
    exchanges: "Scambi di token",
    exchangesHint: "Un elenco JSON. Un’API dell’applicazione (from) chiama l’API successiva (to) per lo stesso utente.",
    redirectUris: "URI di reindirizzamento",
    postLogoutUris: "URI di reindirizzamento dopo l’uscita",
    linesHint: "Un indirizzo per riga.",
    redirectHint:
      "Uno per riga: https, oppure http su questo computer (localhost, 127.0.0.1, [::1]). Applicazioni native: anche " +
      "com.example.app:/path.",
    postLogoutHint: "Un indirizzo per riga, con le stesse regole.",
    lineError: (line, reason) => `Riga ${line}: ${reason}`,
    addressProblems: {
      too_long: "L’indirizzo è troppo lungo. Usa massimo 500 caratteri.",
      not_absolute: "L’indirizzo è incompleto. Usa un indirizzo come https://app.example.com/callback.",
      unsafe_scheme: "Questo schema non è consentito.",
      fragment: "Rimuovi il frammento (la parte a partire da #).",
      user_information: "Rimuovi il nome utente e la password.",
      host: "Usa un nome host o un indirizzo IP, senza caratteri speciali e senza punto finale.",
      not_https: "Usa https. Solo un’applicazione nativa può usare uno schema proprio.",
      http_not_loopback: "Usa https. http è consentito solo su questo computer: localhost, 127.0.0.1 o [::1].",
      not_reversed_domain: "Usa come schema un nome di dominio invertito, ad esempio com.example.app:/callback.",
      duplicate: "L’elenco contiene due volte questo indirizzo.",
    },
    backchannel: "Indirizzo per il logout back-channel",
    backchannelHint: "L’indirizzo riceve una notifica quando termina una sessione.",
    grants: "Grant consentiti",
    grantTypes: {
      authorization_code: "Far accedere gli utenti (authorization_code)",
      refresh_token: "Rinnovare i propri token (refresh_token)",
      client_credentials: "Agire per conto proprio (client_credentials)",
      "urn:ietf:params:oauth:grant-type:device_code":
        "Far accedere gli utenti su dispositivi senza browser (device_code)",
      "urn:ietf:params:oauth:grant-type:token-exchange":
        "Scambiare i token ricevuti per l’API successiva (token-exchange)",
      "urn:ietf:params:oauth:grant-type:jwt-bearer":
        "Accettare l’accesso concesso dai provider di identità dei clienti (jwt-bearer)",
    },
    scopes: "Ambiti",
    ownScopes: "Ambiti personalizzati",
    ownScopesHint: "Separati da spazi, ad esempio invoices:read.",
    resources: "API che può chiamare",
    audiences: "API che offre (introspezione)",
    audiencesHint: "L’applicazione può eseguire l’introspezione dei token per questi indirizzi. Un indirizzo per riga.",
    firstParty: "Interna: agli utenti non viene chiesto il consenso",
    secrets: "Segreti",
    secretsLead:
      "Possono essere validi due segreti contemporaneamente, così puoi sostituire un segreto senza interruzioni.",
    secret: "Segreto",
    newSecret: "Nuovo segreto",
    displayedOnce: "Il segreto viene mostrato solo ora. Copialo nella configurazione dell’applicazione.",
    kept: "Fine",
    noSecret: "Nessun segreto. L’applicazione non può autenticarsi.",
    twoSecrets: "Esistono già due segreti. Prima eliminane uno.",
    deleteSecret: "Elimina segreto",
    deleteSecretTitle: (name, created) => `Eliminare il segreto di ${name} (creato: ${created})?`,
    deleteSecretText:
      "L’applicazione non potrà più usare questo segreto. Assicurati che l’applicazione usi l’altro segreto.",
    secretDeleted: "Il segreto è stato eliminato.",
    access: "Accesso",
    disable: "Disabilita",
    disableDetails:
      "Tutti i token dell’applicazione non saranno più validi. Gli utenti non potranno accedere finché " +
      "l’applicazione non verrà abilitata.",
    disableTitle: (name) => `Disabilitare ${name}?`,
    disableText:
      "Tutti i token di questa applicazione smetteranno subito di essere validi. Per ottenere nuovi token dovrai " +
      "abilitare l’applicazione.",
    disabledNow: "L’applicazione è stata disabilitata. I suoi token non sono più validi.",
    enable: "Abilita",
    enableDetails: "L’applicazione è disabilitata e non riceve token. I token precedenti resteranno non validi.",
    enabledNow: "L’applicazione è stata abilitata. I token precedenti restano non validi.",
    remove: "Elimina",
    removeDetails: "Verranno eliminati anche i consensi degli utenti.",
    removeTitle: (name) => `Eliminare ${name}?`,
    removeText:
      "Tutti i token dell’applicazione smetteranno subito di essere validi e i consensi verranno eliminati. Questa " +
      "operazione non può essere annullata.",
    rules: {
      exchanges: "Usa un elenco JSON con al massimo 20 scambi diversi, ciascuno con from, to e scopes.",
      id_token_signed_response_alg: "FAPI 2.0 richiede ES256 o EdDSA.",
      jwks_uri: "Usa un indirizzo https e lascia vuoto il campo delle chiavi.",
      profile: "FAPI 2.0 richiede private_key_jwt.",
      refresh_token_rotation: "Un client pubblico richiede la sostituzione a ogni uso.",
      require_signed_request_object: "Le richieste firmate richiedono chiavi pubbliche.",
      redirect_uris: "Usa fino a 20 indirizzi https diversi, senza frammento. Per l’accesso ne serve almeno uno.",
      post_logout_redirect_uris: "Usa fino a 20 indirizzi https diversi, senza frammento.",
      resources: "Usa fino a 20 indirizzi assoluti diversi, senza frammento.",
      audiences: "Usa fino a 20 indirizzi assoluti diversi, senza frammento.",
      backchannel_logout_uri: "Usa un indirizzo https.",
      logo_url: "Usa un indirizzo https.",
      scopes: "Usa fino a 50 nomi diversi di massimo 100 caratteri stampabili, senza virgolette e barre rovesciate.",
      grant_types:
        "Il rinnovo dei token richiede l’accesso degli utenti; per agire per conto proprio, l’applicazione deve " +
        "autenticarsi.",
      policy_uri: "Usa un indirizzo https.",
      tos_uri: "Usa un indirizzo https.",
      client_uri: "Usa un indirizzo https.",
      require_pkce: "Un’applicazione senza autenticazione richiede PKCE. Scegli “obbligatorio”.",
      sector: "Usa un nome host in minuscolo a cui appartengono tutti gli URI di reindirizzamento.",
      keys:
        "Usa un JSON Web Key Set con un massimo di otto chiavi pubbliche per private_key_jwt e lascia vuoto il campo " +
        "per gli altri metodi.",
    },
  },
  connect: {
    action: "Collega",
    title: (name) => `Collega ${name}`,
    lead: "Copia questi valori e uno degli esempi nella tua applicazione.",
    values: "Valori",
    issuer: "Issuer",
    redirectUri: "URI di reindirizzamento",
    secretHidden: "Il segreto è stato mostrato una sola volta. Se è andato perso, creane uno nuovo nelle impostazioni.",
    environment: "Variabili di ambiente degli esempi",
    endpoints: "Endpoint",
    endpointsLead: "Alla maggior parte delle librerie basta l’issuer: gli endpoint vengono letti tramite Discovery.",
    discovery: "Discovery",
    code: "Esempi",
    codeLead: "Ogni esempio è completo e legge le variabili di ambiente riportate sopra.",
    install: (library) => `Installazione di ${library}`,
    callback: (path) => `L’URI di reindirizzamento termina con ${path}.`,
    variable: (name) => `Imposta ${name} su un testo casuale di almeno 32 caratteri.`,
    withoutPkce: "Questa libreria non supporta PKCE. Imposta PKCE su “facoltativo” nelle impostazioni, in “Avanzate”.",
    unfit: "non adatta a questa applicazione",
    browserOnly:
      "Questa libreria viene eseguita in un browser e fa accedere gli utenti senza segreto. Registra un’applicazione " +
      "a pagina singola.",
    unsupported: {
      public: "Questa libreria richiede un segreto. Registra un’applicazione web.",
      secret: "Questa libreria non usa un segreto.",
      keys: "Questo esempio si autentica con un segreto. Scegli un segreto come metodo di autenticazione.",
      machine: "Questa libreria fa accedere gli utenti. L’applicazione agisce per conto proprio.",
      machine_keys: "Questo esempio si autentica con un segreto. Scegli un segreto come metodo di autenticazione.",
    },
    settings: "Impostazioni",
  },
};
