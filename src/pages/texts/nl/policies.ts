/** Dutch: the policies of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { PolicyTexts } from "../en/policies.ts";

const plural = pluralIn("nl");

export const policyTexts: PolicyTexts = {
  policies: {
    title: "Beleidsregels",
    lead:
      "Regels voor alle leden, alleen in deze organisatie. Beleidsregels maken de instellingen van deze service " +
      "strenger.",
    notYours: "Alleen eigenaren en beheerders van de organisatie kunnen de beleidsregels zien.",
    notIncluded: "Beleidsregels zitten niet in je abonnement. Neem contact op met de exploitant van deze service.",
    ownersOnly: "Alleen eigenaren en leden met een rol voor beleidsregels kunnen de beleidsregels wijzigen.",
    change: "Beleidsregels wijzigen",
    groups: {
      signIn: "Inloggen",
      sessions: "Sessies",
      network: "Netwerk",
      members: "Leden",
      applications: "Applicaties",
      passwords: "Wachtwoorden",
    },
    names: {
      mfa: "Verificatie in twee stappen",
      mfaGraceDays: "Tijd voor het instellen",
      methods: "Inlogmethoden",
      trustedBrowsers: "Vertrouwde browsers",
      signInNotices: "E‑mails over nieuwe browsers",
      sessionMaxHours: "Maximale sessieduur",
      sessionIdleMinutes: "Maximale inactiviteit",
      allowedIps: "Toegestane netwerken",
      inviteDomains: "Domeinen van uitgenodigde adressen",
      domainJoin: "Lid worden via een geverifieerd domein",
      thirdPartyClients: "Applicaties van andere aanbieders",
      approvedClients: "Goedgekeurde applicaties",
      deviceFlow: "Inloggen op apparaten met een code",
      passwordMinLength: "Minimale lengte van het wachtwoord",
      passwordCheck: "Veelgebruikte wachtwoorden",
    },
    mfa: {
      optional: "Optioneel",
      required: "Verplicht",
      phishing_resistant: "Toegangssleutel verplicht",
    },
    mfaHint: "Een lid zonder de factor kan alleen de factor instellen.",
    days: (count) => plural(count, { one: "# dag", other: "# dagen" }),
    noDays: "Geen: de regel geldt meteen",
    daysHint: "Dagen voor leden zonder de factor, vanaf het begin van de regel of van het lidmaatschap.",
    allMethods: "Alle methoden van deze service",
    methodsHint: "Zonder keuze zijn alle methoden toegestaan. Single sign-on is altijd toegestaan.",
    trustedBrowsers: {
      on: "Vervangen de tweede factor",
      off: "Vervangen de tweede factor niet",
    },
    signInNotices: {
      on: "Altijd",
      off: "Niet bij inloggen met single sign-on",
    },
    hours: (count) => plural(count, { one: "# uur", other: "# uur" }),
    minutes: (count) => plural(count, { one: "# minuut", other: "# minuten" }),
    byService: "Zoals ingesteld door deze service",
    hoursHint: "Uren vanaf het inloggen, 1 tot 2160. Leeg: zoals ingesteld door deze service.",
    minutesHint: "Minuten zonder gebruik, 5 tot 43200. Leeg: zoals ingesteld door deze service.",
    everyNetwork: "Elk netwerk",
    networksHint: (address) =>
      `Eén adres of bereik per regel, zoals 192.0.2.0/24. Leeg: elk netwerk. Je adres is ${address}.`,
    everyDomain: "Elk domein",
    domainsHint: "Eén domein per regel, zoals acme.com. Leeg: elk domein. Leden blijven lid.",
    domainJoin: {
      off: "Uit",
      ask: "Na toestemming van een beheerder",
      join: "Zonder toestemming",
    },
    thirdPartyClients: {
      any: "Alle",
      approved: "Alleen goedgekeurde applicaties",
      none: "Geen",
    },
    noApplications: "Geen",
    applicationsHint: "Applicaties die leden al gebruiken.",
    deviceFlow: {
      on: "Toegestaan",
      off: "Niet toegestaan",
    },
    characters: (count) => plural(count, { one: "# teken", other: "# tekens" }),
    lengthHint: "12 tot 64 tekens, voor het volgende wachtwoord. Leeg: zoals ingesteld door deze service.",
    passwordCheck: {
      on: "Geweigerd",
      off: "Zoals ingesteld door deze service",
    },
    start: "Begin",
    startHint: "De huidige beleidsregels gelden tot het begin.",
    pending: (time) => `Nieuwe beleidsregels gelden vanaf ${time}.`,
    cancelPending: "Nieuwe beleidsregels annuleren",
    cancelled: "De nieuwe beleidsregels zijn geannuleerd. De huidige beleidsregels blijven gelden.",
    saved: "De beleidsregels zijn opgeslagen.",
    now: "Nu",
    next: "Nieuw",
    policy: "Beleidsregel",
    review: "Wijziging controleren",
    unchanged: "Er verandert niets.",
    appliesNow: "De wijziging geldt zodra je bevestigt.",
    appliesFrom: (time) => `De wijziging geldt vanaf ${time}.`,
    effect: "Effect op leden",
    affected: (count) => plural(count, { one: "De wijziging betreft # lid.", other: "De wijziging betreft # leden." }),
    unaffected: "De wijziging betreft geen huidig lid.",
    ended: (count) => plural(count, { one: "# sessie eindigt.", other: "# sessies eindigen." }),
    member: "Lid",
    rules: {
      mfa: "Heeft de tweede factor niet",
      methods: "Heeft geen toegestane inlogmethode",
      session: "Een sessie eindigt",
      allowed_ips: "Laatst gezien buiten de toegestane netwerken",
      invite_domains: "Heeft een adres van een ander domein en blijft lid",
      device_flow: "Gebruikt een applicatie voor apparaten en kan geen nieuw apparaat verbinden",
      passwords: "Voor het volgende wachtwoord geldt de nieuwe regel",
      third_party_clients: "Een applicatie verliest de toegang",
      trusted_browsers: "Gebruikt de tweede factor ook in vertrouwde browsers",
    },
    affectedBy: "Gevolg",
    firstMembers: "De lijst bevat de eerste 100 adressen.",
    lockOuts: {
      policy_address: "Je adres ligt buiten de toegestane netwerken. Je zou jezelf buitensluiten.",
      policy_methods: "Je kunt geen van de toegestane methoden gebruiken. Je zou jezelf buitensluiten.",
      policy_passkey: "Je hebt geen toegangssleutel. Voeg eerst een toegangssleutel toe bij Beveiliging.",
      policy_join_role:
        "Gebruikers van het domein zouden als beheerder lid worden. Alleen een beheerder of eigenaar kan dit toestaan.",
      policy_owners: "Geen eigenaar zou met deze beleidsregels kunnen inloggen.",
    },
    noEmergency:
      "Wijs eerst een eigenaar aan voor noodtoegang, in het beleid voor single sign-on. Daarna kun je de " +
      "wijziging bevestigen.",
    accept: "De wijziging toch toepassen. Een eigenaar met noodtoegang kan de wijziging ongedaan maken.",
    apply: "Wijziging toepassen",
    back: "Terug naar het formulier",
    badNumber: "Vul een geheel getal binnen de grenzen in.",
    badNetworks:
      "Vul adressen of bereiken in zoals 192.0.2.0/24, maximaal 64. Een bereik van alle adressen wordt niet " +
      "geaccepteerd.",
    badDomains: "Vul domeinen in zoals acme.com, maximaal 50.",
  },
};
