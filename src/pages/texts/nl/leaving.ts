/** Dutch: copies of the user's data, and the deletion of accounts and organizations. */
import { pluralIn } from "../../../base/plural.ts";
import type { LeavingTexts } from "../en/leaving.ts";

const plural = pluralIn("nl");

export const leavingTexts: LeavingTexts = {
  dataExport: {
    title: "Je gegevens",
    lead: "Vraag een kopie aan van de gegevens van je account. Je krijgt een e‑mail als de kopie klaar is.",
    contents:
      "De kopie is een JSON-bestand met je profiel, adressen, organisaties, sessies, toegangssleutels, applicaties, " +
      "verstuurde uitnodigingen en je activiteit. Het bestand bevat geen wachtwoorden of sleutels.",
    request: "Kopie aanvragen",
    requested: "Je kopie wordt gemaakt. Je krijgt een e‑mail als de kopie klaar is.",
    limited: (span) => `Je kunt één kopie per dag aanvragen. Probeer het over ${span} opnieuw.`,
    copies: "Kopieën",
    none: "Er is geen kopie aangevraagd.",
    pending: "In voorbereiding",
    failed: "De kopie kon niet worden gemaakt. Vraag een nieuwe kopie aan.",
    until: (time) => `Beschikbaar tot ${time}`,
    requestedOn: (day) => `Aangevraagd op ${day}`,
    download: "Downloaden",
    signInAgain: "Log uit en log opnieuw in om door te gaan.",
  },
  deleteAccount: {
    title: "Account verwijderen",
    open: "Mijn account verwijderen",
    rowDetails: "Sluit het account nu en wist later alle gegevens.",
    exportDetails: "Download een kopie van je gegevens als bestand.",
    now: "Meteen",
    signedOut: "Je wordt uitgelogd op alle apparaten en applicaties verliezen de toegang.",
    noSignIn: "Niemand kan meer inloggen bij het account.",
    invitations: "Je openstaande uitnodigingen vervallen.",
    organizationsSuspended: (names) => `Deze organisaties hebben geen ander lid en worden opgeschort: ${names}.`,
    later: (days) => plural(days, { one: "Na # dag", other: "Na # dagen" }),
    immediately: "Direct daarna",
    erased: "Je profiel, adressen, inlogmethoden, apparaten en de toegang van applicaties worden gewist.",
    organizationsErased: (names) => `Deze organisaties worden samen met je account gewist: ${names}.`,
    kept: "Activiteitslogboeken houden een ID zonder je naam en adres.",
    cancelUntil: "Tot dan kun je het account behouden met de link in een e‑mail die we je sturen.",
    noCancel: "Het verwijderen kan niet ongedaan worden gemaakt.",
    lastOwner: (names) => `Maak eerst een ander lid eigenaar van deze organisaties: ${names}.`,
    breakGlass: (names) => `Je hebt de noodtoegang van deze organisaties. Wijs daar eerst een ander lid aan: ${names}.`,
    lastPlatformOwner: "Je bent de laatste eigenaar van het platform. Maak eerst een andere gebruiker eigenaar.",
    typeEmail: (email) => `Typ ${email} om te bevestigen`,
    wrongEmail: "Dit is niet het adres van je account.",
    code: "Code uit de e‑mail",
    sendCode: "Code sturen",
    codeSent: "We hebben een code naar je adres gestuurd.",
    wrongCode: "De code is onjuist of verlopen.",
    codeLead: "Je account heeft geen wachtwoord. Je bevestigt het verwijderen met een code.",
    done:
      "We hebben je een e‑mail gestuurd. Tot je gegevens worden gewist, kun je het account behouden met de link in " +
      "de e‑mail.",
    doneImmediate: "Alle gegevens van het account worden gewist.",
  },
  cancelDeletion: {
    title: "Account behouden",
    lead: "Het verwijderen wordt geannuleerd en je kunt weer inloggen. Je blijft uitgelogd op alle apparaten.",
    action: "Mijn account behouden",
    doneTitle: "Het account blijft bestaan",
    done: "Het verwijderen is geannuleerd. Je kunt weer inloggen.",
    organizationTitle: "Organisatie behouden",
    organizationLead: "Het verwijderen wordt geannuleerd en leden en API-sleutels krijgen weer toegang.",
    organizationAction: "Organisatie behouden",
    organizationDoneTitle: "De organisatie blijft bestaan",
    organizationDone: "Het verwijderen is geannuleerd. Leden kunnen weer inloggen.",
    dead: "De link is verlopen of al gebruikt.",
  },
  deleteOrganization: {
    title: (name) => `${name} verwijderen`,
    open: "Organisatie verwijderen",
    lead:
      "Alle gegevens van de organisatie worden na 30 dagen gewist. Tot dan kan elke eigenaar de organisatie " +
      "behouden.",
    suspended: "De organisatie wordt meteen opgeschort: leden en API-sleutels hebben geen toegang.",
    erased:
      "Na 30 dagen worden leden, uitnodigingen, API-sleutels en webhooks gewist. Accounts van leden blijven bestaan.",
    notice: "Elke eigenaar krijgt een e‑mail met een link om de organisatie te behouden.",
    export: "Gegevens downloaden",
    typeSlug: (slug) => `Typ ${slug} om te bevestigen`,
    wrongSlug: "Dit is niet de slug van de organisatie.",
    done: "De organisatie is opgeschort en wordt verwijderd.",
    ownersOnly: "Alleen een eigenaar kan de organisatie verwijderen.",
  },
  adminDeletions: {
    title: "Verwijderingen",
    lead: "Lopende verwijderingen en wissingen van de laatste 180 dagen.",
    none: "Er zijn geen lopende verwijderingen.",
    user: "Gebruiker",
    organization: "Organisatie",
    due: "Wissen op",
    erased: "Gewist",
    reason: "Reden",
    reasonHint: "De reden wordt samen met de gegevens gewist.",
    badReason: "Vul een reden in van maximaal 500 tekens.",
    cancel: "Verwijdering annuleren",
    cancelled: "De verwijdering is geannuleerd.",
    pendingUntil: (time) => `De gegevens worden gewist op ${time}.`,
    deleteUser: "Gebruiker verwijderen",
    deleteUserText:
      "Het account wordt meteen gesloten. De gebruiker krijgt een e‑mail met een link om de verwijdering te annuleren.",
    deleteOrganization: "Organisatie verwijderen",
    deleteOrganizationText:
      "De organisatie wordt meteen opgeschort. Eigenaren krijgen een e‑mail met een link om de verwijdering te " +
      "annuleren.",
    requestedDone: "De verwijdering is aangevraagd.",
    conflict: "Dit is niet mogelijk: er loopt al een verwijdering of een organisatie zou geen eigenaar meer hebben.",
  },
};
