/** Dutch. Pages of a sign-in to an application. */
import type { OAuthTexts } from "../en/oauth.ts";

export const oauthTexts: OAuthTexts = {
  oauth: {
    continueTo: "om door te gaan naar",
    title: (name) => `Inloggen bij ${name}`,
    lead: (name) => `${name} wil:`,
    notYou: "Ben je dit niet?",
    organizationHint: "De toegang geldt voor deze organisatie.",
    change: "Wijzigen",
    changeOrganization: "van de organisatie",
    switchHint: "Kies de organisatie. Je wisselt hier dan ook naar deze organisatie.",
    goesTo: (host) => `Je gaat terug naar ${host}.`,
    removable: "Je kunt de toegang op elk moment verwijderen bij “Applicaties” in je account.",
    policy: (name) => `Privacybeleid van ${name}`,
    terms: (name) => `Servicevoorwaarden van ${name}`,
    allow: "Toestaan",
    deny: "Weigeren",
    otherAccount: "Ander account gebruiken",
    resource: "namens jou handelen bij deze service",
    otherScope: "een machtiging van de applicatie gebruiken",
    offlineUntil: "Tot je de toegang verwijdert",
    scopes: {
      openid: "je identiteit bevestigen",
      profile: "je naam, foto en taal bekijken",
      email: "je e-mailadres bekijken",
      organization: "je organisatie en je rol daarin bekijken",
      offline_access: "toegang houden als je offline bent",
    },
    passOnTitle: "Een ogenblik",
    passOn: "Je wordt doorgestuurd naar de applicatie.",
    open: (name) => `${name} openen`,
    openHint: "De applicatie wordt op dit apparaat geopend. Gebeurt dat niet, klik dan op de knop.",
    openClose: "Daarna kun je dit venster sluiten.",
    errorTitle: "Het inloggen kon niet worden voltooid",
    errorText:
      "De applicatie die je hierheen stuurde, heeft een fout gemaakt, of het verzoek is te oud. Begin opnieuw in de " +
      "applicatie.",
    logoutLead: (name, email) => `${name} vraagt om je uit te loggen. Je bent ingelogd als ${email}.`,
    applications: "Applicaties",
    allowed: "Toegestane applicaties",
    applicationsLead:
      "Bij deze applicaties log je in met dit account. Een applicatie ziet alleen de vermelde gegevens.",
    none: "Je hebt met dit account nog niet bij een andere applicatie ingelogd.",
    ours: "onderdeel van deze service",
    takeBack: "Verwijderen",
    takeBackFrom: (name) => `${name} verwijderen`,
    takeBackTitle: (name) => `${name} verwijderen?`,
    takeBackText:
      "De applicatie wordt uitgelogd en verliest meteen de toegang. Bij de volgende keer inloggen wordt opnieuw om " +
      "toestemming gevraagd.",
    since: (day) => `Sinds ${day}`,
    used: "Laatst gebruikt",
    takenBack: "Verwijderd. De applicatie is uitgelogd en vraagt de volgende keer om toestemming.",
    logoutErrorTitle: "Het uitloggen kon niet worden voltooid",
    logoutErrorText: "De applicatie die je hierheen stuurde, heeft een fout gemaakt. Er is niemand uitgelogd.",
  },
};
