/** Dutch: connections of organizations to identity providers. */
import type { SsoConnectionTexts } from "../en/sso-connections.ts";

export const ssoConnectionTexts: SsoConnectionTexts = {
  ssoConnections: {
    title: "Verbindingen",
    lead: "Leden loggen met hun bedrijfsaccount in bij je identiteitsprovider.",
    none: "Nog geen verbindingen. Kies eerst je identiteitsprovider.",
    create: "Nieuwe verbinding",
    newLead: "Kies je identiteitsprovider. De volgende pagina bevat de instructies.",
    otherProvider: "Andere identiteitsprovider",
    full: "Je organisatie heeft het maximum van 10 verbindingen. Verwijder eerst een verbinding.",
    created: "De verbinding is gemaakt. Volg de stappen op deze pagina.",
    saved: "De verbinding is opgeslagen.",
    lastSignIn: "Laatst ingelogd:",
    noSignIn: "Nog niet ingelogd",
    statuses: { draft: "Concept", active: "Actief", inactive: "Niet actief" },
    sections: { overview: "Instellen", mapping: "Gebruikersgegevens", attempts: "Inlogpogingen" },
    provider: "Identiteitsprovider instellen",
    providerLead: "Volg deze instructies in de console van de identiteitsprovider. De namen zijn in het Engels.",
    instructions: "Instructies",
    guide: {
      open: (path) => `Open “${path}”.`,
      select: (field, value) => `Kies bij “${field}” de optie “${value}”.`,
      choose: (value) => `Kies “${value}”.`,
      enter: (field) => `Vul dit adres in bij “${field}”:`,
      copy: (field, target) => `Kopieer “${field}” naar het veld “${target}” in stap 2 van deze pagina.`,
      repeat: (field, target) => `Kopieer “${field}” naar het veld “${target}”.`,
    },
    addresses: "Alle adressen van de verbinding",
    values: "Waarden invullen",
    name: "Naam van de verbinding",
    nameHint: "Leden zien de naam bij het inloggen.",
    issuerHint: (format) => `Notatie: ${format}`,
    clientSecret: "Clientgeheim",
    tokenAuth: "Verificatie van deze service",
    tokenAuths: { client_secret: "Clientgeheim", private_key_jwt: "Sleutelpaar (private_key_jwt)" },
    secretStored: "Er is een geheim opgeslagen. Laat het veld leeg om het geheim te houden.",
    secretNew: "Het geheim wordt versleuteld opgeslagen en niet opnieuw getoond.",
    clearSecret: "Opgeslagen geheim verwijderen",
    secretExpiry: "Vervaldatum van het geheim",
    secretExpiryHint:
      "De datum die de identiteitsprovider toont. Eigenaren krijgen 30, 14 en 7 dagen en 1 dag van tevoren een e‑mail.",
    secretEnds: (date: string) =>
      `Het clientgeheim is geldig tot ${date}. Maak bij de identiteitsprovider een nieuw geheim.`,
    secretEnded: (date: string) => `Het clientgeheim is verlopen op ${date}. Vul een nieuw geheim in.`,
    noConfigKey:
      "Deze service kan geen geheimen of sleutels opslaan. Neem contact op met de exploitant van deze service.",
    keysLead: "De identiteitsprovider laadt de openbare sleutels van dit adres.",
    keyStatuses: { next: "Volgende", current: "In gebruik", previous: "Vorige" },
    addKey: "Volgende sleutel maken",
    promoteKey: "Volgende sleutel gebruiken",
    removeKey: "Vorige sleutel intrekken",
    keyAdded: "De volgende sleutel is gepubliceerd. Gebruik de sleutel zodra de identiteitsprovider hem heeft geladen.",
    keyPromoted: "De volgende sleutel is in gebruik. De vorige sleutel blijft gepubliceerd.",
    keyRemoved: "De vorige sleutel is ingetrokken.",
    unlinkText:
      "Er zijn gebruikers aan deze verbinding gekoppeld. De wijziging ontkoppelt alle gebruikers en beëindigt hun " +
      "sessies.",
    unlink: "Alle gebruikers ontkoppelen",
    domains: "Domein verifiëren",
    domainsLead:
      "Alleen adressen van je geverifieerde domeinen kunnen inloggen. Een domein zonder toewijzing geldt voor elke " +
      "actieve verbinding.",
    openToAll: "Elke actieve verbinding",
    onlyHere: "Alleen deze verbinding",
    onlyOther: "Andere verbinding",
    assign: "Toewijzen",
    assignNamed: (domain) => `Toewijzen: ${domain}`,
    release: "Toewijzing opheffen",
    releaseNamed: (domain) => `Toewijzing opheffen: ${domain}`,
    assigned: "Het domein is aan deze verbinding toegewezen.",
    released: "De toewijzing is opgeheven.",
    manageDomains: "Domeinen beheren",
    activation: "Verbinding activeren",
    activationLead: "Leden kunnen met een actieve verbinding inloggen zolang het beleid single sign-on toestaat.",
    conditions: {
      values: "Issuer en client-ID",
      credential: "Clientgeheim of sleutelpaar",
      domain: "Geverifieerd domein",
      test: "Geslaagde test met de huidige instellingen",
    },
    met: "Klaar",
    missing: "Ontbreekt",
    activate: "Activeren",
    activated: "De verbinding is actief.",
    notReady: "De verbinding kan nog niet worden geactiveerd. Rond de stappen op deze pagina af.",
    deactivate: "Deactiveren",
    deactivateTitle: (name) => `${name} deactiveren?`,
    deactivateText: "Inloggen met de verbinding is niet meer mogelijk. Sessies van de verbinding eindigen meteen.",
    deactivated: "De verbinding is niet actief. De sessies zijn beëindigd.",
    remove: "Verbinding verwijderen",
    removeLead: "Verwijdert de instellingen, de koppelingen met gebruikers en de lijst met inlogpogingen.",
    removeTitle: (name) => `${name} verwijderen?`,
    removeText:
      "Instellingen, koppelingen met gebruikers en de lijst met inlogpogingen worden verwijderd. Sessies eindigen " +
      "meteen.",
    removed: "De verbinding is verwijderd.",
    mapping: "Gegevens uit claims",
    mappingLead: "Namen van claims in het antwoord van de identiteitsprovider. De namen moeten exact overeenkomen.",
    claims: {
      subject_from: "Vaste ID van de gebruiker",
      email_from: "E‑mailadres",
      first_name_from: "Voornaam",
      last_name_from: "Achternaam",
      display_name_from: "Volledige naam",
      groups_from: "Groepen",
    },
    subjectHint: "Een waarde die nooit verandert en nooit van een andere gebruiker is.",
    claimsFrom: "Bron van de claims",
    claimsFroms: { id_token: "ID-token", userinfo: "UserInfo-eindpunt" },
    attributes: "Overige attributen",
    attributesHint: "Eén regel per attribuut: naam = claim. Maximaal 16.",
    factor: "Tweede factor",
    factorLead: "Inloggen met verificatie in twee stappen bij de identiteitsprovider.",
    mfaTrust: "Vertrouwde waarden van acr of amr",
    mfaHint:
      "Eén regel per waarde. Met een vertrouwde waarde telt het inloggen als verificatie in twee stappen. " +
      "Laat het veld leeg om geen waarde te vertrouwen.",
    request: "Verzoek",
    requestLead: "Instellingen die maar enkele identiteitsproviders nodig hebben.",
    scopesHint: "Gescheiden door spaties, met openid.",
    parameters: "Overige parameters",
    parametersHint: "Eén regel per parameter: naam = waarde. Maximaal 10.",
    skew: "Toegestaan tijdsverschil in seconden",
    idpInitiated: "Inloggen vanuit de portal van de identiteitsprovider toestaan",
    rules: {
      issuer:
        "Vul de issuer precies in zoals de identiteitsprovider hem toont: één tenant, https, zonder queryparameters.",
      client_id: "Vul de client-ID van de identiteitsprovider in.",
      client_secret: "Vul het clientgeheim van de identiteitsprovider in, maximaal 1.024 tekens.",
      client_secret_expires_on: "Vul een datum in.",
      claim: "Vul de naam van een claim in, maximaal 255 tekens.",
      attributes: "Schrijf elke regel als naam = claim, met verschillende namen, maximaal 16.",
      mfa_trust: "Vul maximaal 10 waarden van 255 tekens in.",
      scopes: "Scheid scopes met één spatie. De scope openid is nodig.",
      extra_parameters: "Schrijf elke regel als naam = waarde, zonder parameters van het protocol, maximaal 10.",
      clock_skew_seconds: "Vul een geheel getal van 0 tot en met 300 in.",
    },
    attemptsLead: "Maximaal 200 inlogpogingen van de laatste 30 dagen.",
    noAttempts: "Nog geen inlogpogingen. Geslaagde en geweigerde pogingen verschijnen hier.",
    time: "Tijd",
    result: "Resultaat",
    requestId: "Verzoek-ID",
    succeeded: "Ingelogd",
    refused: "Geweigerd",
    reasons: {
      state: "De poging is verlopen of begon in een andere browser. De gebruiker kan opnieuw beginnen.",
      discovery: "De configuratie van de identiteitsprovider kon niet worden geladen. Controleer de issuer.",
      provider_error:
        "De identiteitsprovider heeft het inloggen geweigerd. Controleer of de applicatie aan de gebruiker is " +
        "toegewezen.",
      issuer: "Het antwoord kwam van een andere issuer. Vul de issuer precies in.",
      token_request: "De identiteitsprovider heeft client-ID of geheim geweigerd. Vul een geldig geheim in.",
      id_token: "Het ID-token is niet geldig. Controleer client-ID, handtekeningalgoritme en klok.",
      nonce: "Het ID-token hoort bij een andere poging. De gebruiker kan opnieuw beginnen.",
      userinfo: "UserInfo kon niet worden gelezen of hoort bij een andere gebruiker.",
      subject: "De vaste ID of het e‑mailadres ontbreekt. Controleer de claims.",
      domain: "Het adres hoort niet bij een geverifieerd domein van deze verbinding. Verifieer het domein.",
      email_not_verified: "De identiteitsprovider markeert het adres als niet geverifieerd.",
      disabled: "De gebruiker is uitgeschakeld.",
      not_a_member: "Het lidmaatschap is beëindigd. Nodig de gebruiker opnieuw uit.",
      identity_conflict:
        "Het adres is van een gebruiker die aan een ander account van de identiteitsprovider is gekoppeld.",
      link_required:
        "Een gebruiker met deze rol wordt niet via het adres gekoppeld. De gebruiker kan het bedrijfsaccount " +
        "koppelen op de beveiligingspagina van het account.",
      not_invited: "De gebruiker heeft geen uitnodiging en het beleid laat geen nieuwe gebruikers toe.",
      step_up: "De identiteitsprovider heeft de gebruiker niet opnieuw bevestigd met een vertrouwde tweede factor.",
      too_large: "Het antwoord is te groot, of het lezen duurde te lang.",
      not_xml: "Het antwoord is geen geldig XML-document van SAML 2.0.",
      structure: "Het antwoord heeft elementen die SAML 2.0 niet toestaat, of niet precies één assertie.",
      status:
        "De identiteitsprovider heeft het inloggen geweigerd. Controleer of de applicatie aan de gebruiker " +
        "is toegewezen.",
      signature:
        "De handtekening ontbreekt of is ongeldig. Laat de identiteitsprovider de assertie met RSA-SHA256 " +
        "ondertekenen.",
      key:
        "De handtekening is van een andere sleutel. Laad de metagegevens opnieuw, of vul het huidige " +
        "certificaat in.",
      decryption: "De assertie kon niet worden ontsleuteld, of de versleuteling wijkt af van de instellingen.",
      destination: "Het antwoord noemt een andere bestemming. Controleer de ACS-URL bij de identiteitsprovider.",
      recipient: "De assertie noemt een andere ontvanger. Controleer de ACS-URL bij de identiteitsprovider.",
      audience:
        "De assertie is voor een andere service. Controleer de entiteits-ID (audience) bij de identiteitsprovider.",
      in_response_to:
        "Het antwoord hoort niet bij een lopende inlogpoging. De gebruiker moet beginnen op de inlogpagina van " +
        "de service.",
      time: "Het antwoord is verlopen, of de klokken verschillen. Controleer de klok van de identiteitsprovider.",
      condition: "De assertie heeft een voorwaarde die de service niet kent.",
      replayed: "De identiteitsprovider heeft de ID van een eerdere assertie opnieuw gebruikt.",
      implementations_disagree:
        "Twee implementaties lezen het antwoord verschillend. Neem contact op met de exploitant van de service.",
      changed: "De instellingen zijn tijdens het inloggen gewijzigd. De gebruiker kan opnieuw beginnen.",
    },
    warnings: {
      address_taken:
        "Het nieuwe adres van de gebruiker is van een andere gebruiker. De gebruiker houdt het huidige adres.",
    },
    console: {
      noConnections: "De organisatie heeft geen verbindingen.",
      noDomains: "De organisatie heeft geen domeinen.",
      connection: "Verbinding",
      lastSignIn: "Laatst ingelogd",
      lastCheck: "Laatste controle",
      claimed: "Betwiste aanvraag",
      transfer: "Domein overdragen",
      transferTitle: (domain) => `${domain} overdragen`,
      transferText:
        "Het domein is van een andere organisatie. Na de overdracht is het domein van deze " +
        "organisatie. De eigenaren van beide organisaties krijgen een e‑mail waarin de reden niet staat.",
      reason: "Reden",
      reasonHint: "Voor het auditlogboek van het platform, maximaal 500 tekens.",
      transferred: "Het domein is nu van deze organisatie.",
      noConflict: "Het domein is niet van een andere organisatie.",
    },
  },
};
