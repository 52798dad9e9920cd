/** Dutch: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("nl");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "API’s",
    lead:
      "Applicaties vragen met scopes toegang tot API’s. Gebruikers lezen de beschrijvingen voordat ze toegang " +
      "toestaan.",
    none: "Er zijn nog geen API’s. Zonder geregistreerde API zien gebruikers alleen de namen van scopes.",
    create: "Nieuwe API",
    createAction: "API registreren",
    full: "Er zijn al 1.000 API’s. Verwijder een ongebruikte API.",
    taken: "Een andere API heeft deze identificatie.",
    identifier: "Identificatie",
    identifierHint:
      "Het adres van de API, zoals applicaties het in de parameter resource sturen. Je kunt het later niet wijzigen.",
    name: "Naam",
    scopes: "Scopes",
    scopesLead:
      "De toestemmingspagina toont de beschrijving in de taal van de gebruiker, anders de Engelse beschrijving.",
    scopeCount: (total) => plural(total, { one: "# scope", other: "# scopes" }),
    noScope: "De API heeft nog geen scopes.",
    addScope: "Scope toevoegen",
    editScope: "Bewerken",
    editScopeNamed: (name) => `${name} bewerken`,
    scopeName: "Scope",
    scopeNameHint: "Zoals applicaties de scope sturen, bijvoorbeeld invoices:read.",
    permission: "Recht",
    permissionHint:
      "Alleen gebruikers met een rol die het recht bevat, krijgen de scope, bijvoorbeeld invoices.approve. Leeg: " +
      "iedereen.",
    isPublic: "Applicaties zonder registratie mogen de scope krijgen",
    publicTag: "openbaar",
    sensitive: "Elke autorisatie vraagt om toestemming",
    sensitiveTag: "elke keer toestemming",
    description: (language) => `Beschrijving in het ${language}`,
    descriptionHint: "Vult “Acme Wiki wil: …” aan, bijvoorbeeld “je facturen bekijken”.",
    noDescription: "geen beschrijving",
    scopeExists: "De API heeft al een scope met deze naam.",
    scopesFull: "De API heeft al 100 scopes. Verwijder een ongebruikte scope.",
    scopeSaved: "De scope is opgeslagen. De toestemmingspagina toont de nieuwe beschrijving.",
    scopeDeleted: "De scope is verwijderd.",
    deleteScope: "Verwijderen",
    deleteScopeNamed: (name) => `${name} verwijderen`,
    deleteScopeTitle: (name) => `De scope ${name} verwijderen?`,
    deleteScopeText:
      "De toestemmingspagina toont voortaan de naam van de scope. Tokens en toestemmingen blijven geldig.",
    settings: "Instellingen",
    created: "De API is geregistreerd. Voeg de scopes toe.",
    saved: "De wijzigingen zijn opgeslagen en in gebruik.",
    deleted: "De API is verwijderd.",
    changedMeanwhile: "Iemand anders heeft de API gewijzigd. Controleer de API en probeer het opnieuw.",
    access: "Toegang",
    algorithm: "Handtekening van toegangstokens",
    algorithmHint:
      "RS256, tenzij de API het andere algoritme verifieert. Nieuwe tokens krijgen de nieuwe handtekening.",
    dpop: "Bewijs van bezit (DPoP)",
    dpopOptions: { allowed: "Toegestaan", required: "Vereist" },
    dpopHint: "Met “Vereist” krijgen applicaties alleen tokens die aan hun sleutel gebonden zijn.",
    lifetime: "Geldigheid van toegangstokens in seconden",
    lifetimeHint: "60 tot 3600. Leeg: de geldigheid voor sessies.",
    minAcr: "Vereiste inlogmethode",
    minAcrOptions: {
      none: "Elke inlogmethode",
      aal1: "Eén factor (aal1)",
      aal2: "Twee factoren (aal2)",
      phr: "Toegangssleutel (phr)",
    },
    openTo: "Beschikbaar voor",
    openToOptions: { registered: "Geregistreerde applicaties", any: "Alle applicaties, voor openbare scopes" },
    organizations: "Organisaties",
    organizationsHint: "Eén ID per regel. Leeg: elke organisatie.",
    claims: "Claims van toegangstokens",
    claimNames: {
      email: "E‑mailadres",
      name: "Naam",
      organization: "Organisatie",
      roles: "Rollen",
      permissions: "Rechten",
      groups: "Groepen",
    },
    disable: "Uitschakelen",
    disableDetails: "Applicaties krijgen geen nieuwe toegang tot deze API. Bestaande toegang blijft geldig.",
    disableTitle: (name) => `${name} uitschakelen?`,
    disableText:
      "Applicaties krijgen geen nieuwe toegang tot deze API tot je de API weer inschakelt. Bestaande toegang blijft " +
      "geldig.",
    disabledNow: "De API is uitgeschakeld.",
    enable: "Inschakelen",
    enableDetails: "De API is uitgeschakeld: applicaties krijgen geen nieuwe toegang.",
    enabledNow: "De API is ingeschakeld.",
    remove: "Verwijderen",
    removeDetails: "Applicaties houden hun toegang; gebruikers zien de namen van de scopes.",
    removeTitle: (name) => `${name} verwijderen?`,
    removeText:
      "De beschrijvingen van de scopes worden verwijderd. Applicaties houden hun toegang. Je kunt dit niet ongedaan " +
      "maken.",
    rules: {
      token_lifetime_seconds: "Gebruik een geheel getal van 60 tot 3600 of laat het veld leeg.",
      identifier: "Gebruik een https-adres van maximaal 500 tekens zonder fragment.",
      organizations: "Gebruik ID’s van organisaties, maximaal 1000, of laat het veld leeg.",
    },
    scopeRules: {
      permission: "Gebruik een naam zoals invoices.approve; geen recht van deze service.",
      name:
        "Gebruik 1 tot 100 afdrukbare tekens zonder spaties, aanhalingstekens en backslashes; geen scope van deze " +
        "service.",
      description: "Gebruik één regel van maximaal 200 tekens, zonder onzichtbare tekens.",
    },
  },
};
