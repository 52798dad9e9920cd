/** Dutch: the applications that use this service for sign-in, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { OAuthClientTexts } from "../en/oauth-clients.ts";

const plural = pluralIn("nl");

export const oauthClientTexts: OAuthClientTexts = {
  clients: {
    title: "Applicaties",
    count: (total) => plural(total, { one: "# applicatie", other: "# applicaties" }),
    search: "Naam of client-ID",
    noMatch: (q) => `Geen applicaties gevonden voor “${q}”.`,
    none: "Er zijn nog geen applicaties. Registreer de eerste applicatie die deze service gebruikt om in te loggen.",
    create: "Nieuwe applicatie",
    createAction: "Applicatie registreren",
    full: "Er zijn al 1.000 applicaties. Verwijder een ongebruikte applicatie.",
    on: "aan",
    off: "uit",
    firstPartyTag: "eigen",
    readOnly: "Om de instellingen te bewerken is verificatie in twee stappen nodig.",
    edit: "Instellingen bewerken",
    stepUpAgain:
      "Hiervoor is verificatie in twee stappen nodig. Bevestig opnieuw in een nieuw tabblad en verzend daarna dit " +
      "formulier.",
    stepUp: "Opnieuw bevestigen",
    settings: "Instellingen",
    saved: "De wijzigingen zijn opgeslagen en in gebruik.",
    created: "De applicatie is geregistreerd.",
    deleted: "De applicatie is verwijderd. De tokens werken niet meer.",
    presetsTitle: "Soort applicatie",
    presets: {
      web: { title: "Webapplicatie", lead: "Een server logt gebruikers in en bewaart een geheim." },
      spa: {
        title: "Single-page-applicatie",
        lead: "Een website logt gebruikers in met JavaScript, zonder geheim.",
      },
      native: {
        title: "Native applicatie",
        lead: "Een applicatie op een telefoon of computer, zonder geheim.",
      },
      machine: { title: "Server", lead: "Een server roept API’s aan onder eigen naam, zonder gebruikers." },
    },
    folds: {
      basics: "Algemeen",
      basicsLead: "Naam en adressen",
      tokens: "Tokens",
      tokensLead: "Grants, scopes en API’s",
      advanced: "Geavanceerd",
      advancedLead: "Authenticatie, PKCE en uitloggen",
    },
    name: "Naam",
    nameHint: "Gebruikers zien deze naam bij het inloggen.",
    clientId: "Client-ID",
    logo: "Adres van het logo",
    logoHint: "Wordt getoond bij het inloggen. Zonder logo zien gebruikers de initialen.",
    home: "Adres van de startpagina",
    origin: "Registratie",
    origins: {
      registered: "Door een beheerder",
      dynamic: "Door de applicatie zelf",
      document: "Door een metagegevensdocument",
    },
    originTags: { dynamic: "zelf geregistreerd", document: "via document" },
    policy: "Adres van het privacybeleid",
    terms: "Adres van de servicevoorwaarden",
    type: "Soort",
    types: { web: "Webapplicatie", native: "Native applicatie" },
    method: "Clientauthenticatie",
    methods: {
      none: "Geen (openbare client)",
      client_secret_basic: "Geheim, via HTTP Basic",
      client_secret_post: "Geheim, in het formulier",
      private_key_jwt: "Eigen sleutel (private_key_jwt)",
    },
    methodHint: "HTTP Basic en het formulier worden allebei geaccepteerd. Een nieuw geheim wordt één keer getoond.",
    pkce: "PKCE",
    pkceOptions: { true: "Vereist", false: "Optioneel: verzoeken zonder PKCE hebben een nonce nodig" },
    pkceHint:
      "Kies “Optioneel” alleen voor een server waarvan de bibliotheek geen PKCE heeft. Een openbare client heeft " +
      "altijd PKCE nodig.",
    pushed: "Vooraf verzonden autorisatieverzoeken (PAR)",
    pushedOptions: { true: "Vereist", false: "Optioneel" },
    pushedHint:
      "De applicatie stuurt het verzoek eerst vanaf haar server. " +
      "Kies “Vereist” alleen als de bibliotheek PAR ondersteunt.",
    dpop: "Bewijs van bezit (DPoP)",
    dpopOptions: { true: "Vereist", false: "Optioneel" },
    dpopHint:
      "Gestolen tokens zijn waardeloos zonder de sleutel van de applicatie. " +
      "Kies “Vereist” alleen als de bibliotheek DPoP ondersteunt.",
    dpopNonce: "Nonce in bewijzen (DPoP)",
    dpopNonceOptions: { true: "Vereist", false: "Optioneel" },
    dpopNonceHint:
      "Een bewijs geldt alleen met een nonce van deze service en kan niet vooraf worden gemaakt. " +
      "Kies “Vereist” alleen als de bibliotheek verzoeken met de nonce herhaalt.",
    idTokenClaims: "Claims in het ID-token",
    idTokenClaimsOptions: {
      scope: "Naam, e‑mailadres en organisatie, afhankelijk van de scope",
      none: "Alleen de gebruikers-ID",
    },
    idTokenAlgorithm: "Handtekening van het ID-token",
    idTokenAlgorithmHint:
      "Elke bibliotheek verifieert RS256. ES256 en EdDSA hebben kortere handtekeningen en kosten minder CPU.",
    idTokenClaimsHint:
      "De meeste bibliotheken lezen naam en e‑mailadres uit het ID-token. UserInfo geeft altijd beide terug.",
    sector: "Sector",
    sectorHint:
      "Een host zoals example.com: gebruikers hebben per sector een andere ID. Leeg: één ID. Een wijziging vervangt " +
      "alle ID’s.",
    keys: "Openbare sleutels",
    keysHint: "Alleen voor private_key_jwt: de JSON Web Key Set van de applicatie.",
    jwksUri: "Adres van de openbare sleutels",
    jwksUriHint: "Gebruik het adres in plaats van het veld “Openbare sleutels”.",
    profile: "Beveiligingsprofiel",
    profileOptions: { none: "Geen", fapi2: "FAPI 2.0" },
    profileHint:
      "FAPI 2.0 vereist private_key_jwt, PAR en DPoP. Kies dit alleen als de bibliotheek alle drie ondersteunt.",
    signedRequests: "Ondertekende verzoeken (JAR)",
    signedRequestsOptions: { true: "Vereist", false: "Optioneel" },
    signedRequestsHint: "De applicatie ondertekent elk autorisatieverzoek met een van haar sleutels.",
    rotation: "Vernieuwingstokens",
    rotationOptions: { true: "Bij elk gebruik vervangen", false: "Ongewijzigd tot ze verlopen" },
    rotationHint: "Een openbare client heeft vervanging nodig.",
    exchanges: "Tokenuitwisselingen",
    exchangesHint:
      "Een JSON-lijst. Een API van de applicatie (from) roept de volgende API (to) aan voor dezelfde gebruiker.",
    redirectUris: "Omleidings-URI’s",
    postLogoutUris: "Omleidings-URI’s na uitloggen",
    linesHint: "Eén adres per regel.",
    redirectHint:
      "Eén per regel: https, of http op deze computer (localhost, 127.0.0.1, [::1]). Native: ook com.example.app:/pad.",
    postLogoutHint: "Eén adres per regel, met dezelfde regels.",
    lineError: (line, reason) => `Regel ${line}: ${reason}`,
    addressProblems: {
      too_long: "Het adres is te lang. Gebruik maximaal 500 tekens.",
      not_absolute: "Het adres is onvolledig. Gebruik een adres zoals https://app.example.com/callback.",
      unsafe_scheme: "Dit schema is niet toegestaan.",
      fragment: "Verwijder het fragment (het deel vanaf #).",
      user_information: "Verwijder de gebruikersnaam en het wachtwoord.",
      host: "Gebruik een hostnaam of een IP-adres, zonder speciale tekens en zonder punt aan het einde.",
      not_https: "Gebruik https. Alleen een native applicatie mag een eigen schema gebruiken.",
      http_not_loopback: "Gebruik https. http is alleen toegestaan op deze computer: localhost, 127.0.0.1 of [::1].",
      not_reversed_domain: "Gebruik een omgekeerde domeinnaam als schema, bijvoorbeeld com.example.app:/callback.",
      duplicate: "Dit adres staat twee keer in de lijst.",
    },
    backchannel: "Adres voor back-channel logout",
    backchannelHint: "Het adres krijgt een melding als een sessie eindigt.",
    grants: "Toegestane grants",
    grantTypes: {
      authorization_code: "Gebruikers inloggen (authorization_code)",
      refresh_token: "Eigen tokens vernieuwen (refresh_token)",
      client_credentials: "Onder eigen naam handelen (client_credentials)",
      "urn:ietf:params:oauth:grant-type:device_code": "Gebruikers inloggen op apparaten zonder browser (device_code)",
      "urn:ietf:params:oauth:grant-type:token-exchange":
        "Ontvangen tokens inwisselen voor de volgende API (token-exchange)",
      "urn:ietf:params:oauth:grant-type:jwt-bearer":
        "Toegang via identiteitsproviders van klanten accepteren (jwt-bearer)",
    },
    scopes: "Scopes",
    ownScopes: "Eigen scopes",
    ownScopesHint: "Gescheiden door spaties, bijvoorbeeld invoices:read.",
    resources: "API’s die de applicatie mag aanroepen",
    audiences: "API’s die de applicatie aanbiedt (introspectie)",
    audiencesHint: "De applicatie mag tokens voor deze adressen inspecteren. Eén adres per regel.",
    firstParty: "Eigen applicatie: gebruikers wordt niet om toestemming gevraagd",
    secrets: "Geheimen",
    secretsLead: "Er kunnen twee geheimen tegelijk geldig zijn, zodat je een geheim zonder onderbreking vervangt.",
    secret: "Geheim",
    newSecret: "Nieuw geheim",
    displayedOnce: "Het geheim wordt alleen nu getoond. Kopieer het naar de configuratie van de applicatie.",
    kept: "Klaar",
    noSecret: "Er is geen geheim. De applicatie kan zich niet authenticeren.",
    twoSecrets: "Er zijn al twee geheimen. Verwijder eerst een geheim.",
    deleteSecret: "Geheim verwijderen",
    deleteSecretTitle: (name, created) => `Geheim van ${name} verwijderen, gemaakt op ${created}?`,
    deleteSecretText:
      "De applicatie kan dit geheim niet meer gebruiken. Zorg dat de applicatie het andere geheim gebruikt.",
    secretDeleted: "Het geheim is verwijderd.",
    access: "Toegang",
    disable: "Uitschakelen",
    disableDetails:
      "Alle tokens van de applicatie vervallen. Gebruikers kunnen niet inloggen tot de applicatie wordt ingeschakeld.",
    disableTitle: (name) => `${name} uitschakelen?`,
    disableText:
      "Alle tokens van deze applicatie vervallen meteen. Nieuwe tokens zijn pas mogelijk als je de applicatie weer " +
      "inschakelt.",
    disabledNow: "De applicatie is uitgeschakeld. De tokens zijn vervallen.",
    enable: "Inschakelen",
    enableDetails: "De applicatie is uitgeschakeld en krijgt geen tokens. Eerdere tokens blijven ongeldig.",
    enabledNow: "De applicatie is ingeschakeld. Eerdere tokens blijven ongeldig.",
    remove: "Verwijderen",
    removeDetails: "De toestemmingen van gebruikers worden ook verwijderd.",
    removeTitle: (name) => `${name} verwijderen?`,
    removeText:
      "Alle tokens van de applicatie vervallen meteen en de toestemmingen worden verwijderd. Je kunt dit niet " +
      "ongedaan maken.",
    rules: {
      exchanges: "Gebruik een JSON-lijst met maximaal 20 verschillende uitwisselingen, elk met from, to en scopes.",
      id_token_signed_response_alg: "FAPI 2.0 heeft ES256 of EdDSA nodig.",
      jwks_uri: "Gebruik een https-adres en laat het veld voor sleutels leeg.",
      profile: "FAPI 2.0 heeft private_key_jwt nodig.",
      refresh_token_rotation: "Een openbare client heeft vervanging bij elk gebruik nodig.",
      require_signed_request_object: "Ondertekende verzoeken hebben openbare sleutels nodig.",
      redirect_uris:
        "Gebruik maximaal 20 verschillende https-adressen zonder fragment. Voor inloggen is er minstens één nodig.",
      post_logout_redirect_uris: "Gebruik maximaal 20 verschillende https-adressen zonder fragment.",
      resources: "Gebruik maximaal 20 verschillende absolute adressen zonder fragment.",
      audiences: "Gebruik maximaal 20 verschillende absolute adressen zonder fragment.",
      backchannel_logout_uri: "Gebruik een https-adres.",
      logo_url: "Gebruik een https-adres.",
      scopes:
        "Gebruik maximaal 50 verschillende namen van maximaal 100 afdrukbare tekens, zonder aanhalingstekens en " +
        "backslashes.",
      grant_types:
        "Voor vernieuwen is inloggen nodig, en voor handelen onder eigen naam een applicatie die zich authenticeert.",
      policy_uri: "Gebruik een https-adres.",
      tos_uri: "Gebruik een https-adres.",
      client_uri: "Gebruik een https-adres.",
      require_pkce: "Een applicatie zonder authenticatie heeft PKCE nodig. Kies “Vereist”.",
      sector: "Gebruik een hostnaam in kleine letters waar elke omleidings-URI onder valt.",
      keys:
        "Gebruik een JSON Web Key Set met één tot acht openbare sleutels voor private_key_jwt, en niets voor andere " +
        "methoden.",
    },
  },
  connect: {
    action: "Verbinden",
    title: (name) => `${name} verbinden`,
    lead: "Kopieer deze waarden en een van de voorbeelden naar je applicatie.",
    values: "Waarden",
    issuer: "Issuer",
    redirectUri: "Omleidings-URI",
    secretHidden: "Het geheim is één keer getoond. Maak een nieuw geheim in de instellingen als je het kwijt bent.",
    environment: "Omgevingsvariabelen van de voorbeelden",
    endpoints: "Eindpunten",
    endpointsLead: "De meeste bibliotheken hebben alleen de issuer nodig en lezen de eindpunten via discovery.",
    discovery: "Discovery",
    code: "Voorbeelden",
    codeLead: "Elk voorbeeld is volledig en leest de omgevingsvariabelen hierboven.",
    install: (library) => `Installatie van ${library}`,
    callback: (path) => `De omleidings-URI eindigt op ${path}.`,
    variable: (name) => `Stel ${name} in op een willekeurige tekst van 32 tekens of meer.`,
    withoutPkce: "Deze bibliotheek heeft geen PKCE. Zet PKCE op “Optioneel” in de instellingen onder “Geavanceerd”.",
    unfit: "niet voor deze applicatie",
    browserOnly:
      "Deze bibliotheek werkt in een browser en logt gebruikers in zonder geheim. Registreer een single-page " +
      "applicatie.",
    unsupported: {
      public: "Deze bibliotheek heeft een geheim nodig. Registreer een webapplicatie.",
      secret: "Deze bibliotheek gebruikt geen geheim.",
      keys: "Dit voorbeeld authenticeert met een geheim. Kies een geheim als authenticatiemethode.",
      machine: "Deze bibliotheek logt gebruikers in. De applicatie handelt onder eigen naam.",
      machine_keys: "Dit voorbeeld authenticeert met een geheim. Kies een geheim als authenticatiemethode.",
    },
    settings: "Instellingen",
  },
};
