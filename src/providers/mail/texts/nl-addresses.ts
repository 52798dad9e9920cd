import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Bevestig je e-mailadres voor {{brand}}",
    preheader: "De link is {{valid_for}} geldig, in een browser waarin je bent ingelogd.",
    title: "Bevestig je nieuwe adres",
    lead: "Bevestig dat dit adres bij je account bij {{brand}} hoort. Tot dan log je in met je huidige adres.",
    button: "Dit adres bevestigen",
    after: "Heb je dit niet aangevraagd? Negeer deze e-mail: zonder bevestiging wordt het adres niet gebruikt.",
  },
  email_in_use: {
    subject: "Je adres bij {{brand}}",
    preheader: "Het adres hoort al bij een account. Er is niets gewijzigd.",
    title: "Je adres is al in gebruik",
    lead:
      "Dit adres is aangevraagd voor een account bij {{brand}}. Het adres hoort al bij een account, dus er is niets " +
      "gewijzigd.",
    button: "Inloggen",
    after:
      "Was jij dit? Log dan in met dit adres of kies bij het inloggen een nieuw wachtwoord. Zo niet, negeer dan deze " +
      "e-mail.",
  },
  email_change_notice: {
    subject: "Het e-mailadres van je account bij {{brand}}",
    preheader: "{{device}}, {{time}}. Was jij dit niet? Maak de wijziging ongedaan.",
    title: "Je e\u2011mailadres",
    lead: "De e-mailadressen van je account bij {{brand}} worden gewijzigd of zijn gewijzigd.",
    change:
      "Er is een nieuw primair adres aangevraagd{{#new_email}}: {{new_email}}{{/new_email}}. Na de bevestiging " +
      "daarvan hoort dit adres niet meer bij het account.",
    addition:
      "Er is een extra adres aangevraagd{{#new_email}}: {{new_email}}{{/new_email}}. Na de bevestiging kan met dat " +
      "adres worden ingelogd en het wachtwoord worden gereset.",
    replaced:
      "Het primaire adres is gewijzigd{{#new_email}} in {{new_email}}{{/new_email}}. Met dit adres kun je nog steeds " +
      "inloggen.",
    undo:
      "Was jij dit niet? Maak de wijziging ongedaan. De link werkt één keer, tot {{undo_period}} na de wijziging. " +
      "Alle apparaten worden uitgelogd, en het wachtwoord en alle inlogmethoden die sinds de aanvraag zijn " +
      "toegevoegd, worden verwijderd:",
    noUndo: "Dit adres is nooit bevestigd voor het account, dus je hoeft niets te doen.",
    button: "Beveiliging controleren",
    after: "Was jij dit? Dan kun je deze e-mail negeren.",
  },
  email_removed: {
    subject: "Er is een e-mailadres verwijderd bij {{brand}}",
    preheader: "{{device}}, {{time}}. Was jij dit niet? Wijzig je wachtwoord.",
    title: "Er is een e\u2011mailadres verwijderd",
    lead: "Het adres {{email}} is verwijderd uit een account bij {{brand}}. Inloggen met het adres kan niet meer.",
    button: "Beveiliging controleren",
    after:
      "Was jij dit? Dan kun je deze e-mail negeren. Zo niet, wijzig dan meteen je wachtwoord en neem contact op met " +
      "je beheerder.",
  },
  email_reverted: {
    subject: "De wijziging van je adres bij {{brand}} is teruggedraaid",
    preheader: "Dit adres is weer het primaire adres. Stel een nieuw wachtwoord in.",
    title: "De wijziging van je adres is ongedaan gemaakt",
    lead:
      "Dit adres is weer het primaire adres van je account. Alle apparaten zijn uitgelogd, en het wachtwoord en alle " +
      "inlogmethoden die sinds de aanvraag zijn toegevoegd, zijn verwijderd. Stel een nieuw wachtwoord in.",
    button: "Nieuw wachtwoord instellen",
    after: "Heb je de wijziging niet ongedaan gemaakt? Neem contact op met je beheerder.",
  },
};
