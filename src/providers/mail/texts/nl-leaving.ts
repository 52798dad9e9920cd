import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Je account bij {{brand}} wordt verwijderd",
    preheader:
      "{{#link}}Je kunt het account nog {{valid_for}} behouden.{{/link}}{{^link}}Het account is gesloten.{{/link}}",
    title: "Je account wordt verwijderd",
    lead:
      "Er is gevraagd om je account bij {{brand}} te verwijderen. Het account is gesloten: alle apparaten en " +
      "applicaties zijn uitgelogd en niemand kan inloggen.",
    byAdministrator: "Een beheerder heeft hierom gevraagd.",
    pending:
      "Alle gegevens van het account worden na {{valid_for}} gewist. Tot dan kun je het account behouden. De link " +
      "werkt één keer.",
    immediate: "Alle gegevens van het account worden nu gewist. Dit kan niet ongedaan worden gemaakt.",
    button: "Mijn account behouden",
    after: "Was jij dit? Dan hoef je verder niets te doen.",
  },
  organization_deletion: {
    subject: "De organisatie “{{organization_name}}” bij {{brand}} wordt verwijderd",
    preheader: "Elke eigenaar kan de organisatie nog {{valid_for}} behouden.",
    title: "Een organisatie wordt verwijderd",
    lead:
      "Er is gevraagd om {{organization_name}} te verwijderen. De organisatie is opgeschort: leden en API-sleutels " +
      "hebben geen toegang. Alle gegevens van de organisatie worden na {{valid_for}} gewist. Tot dan kan elke " +
      "eigenaar de organisatie behouden. De link werkt één keer.",
    button: "Organisatie behouden",
    after: "Je ontvangt deze e-mail als eigenaar. Is de verwijdering terecht? Dan hoef je verder niets te doen.",
  },
  data_export: {
    subject: "Je gegevens bij {{brand}} staan klaar om te downloaden",
    preheader: "De download is {{valid_for}} beschikbaar.",
    title: "Je gegevens staan klaar",
    lead:
      "De kopie van je gegevens bij {{brand}} staat klaar. Log binnen {{valid_for}} in om de kopie te downloaden; " +
      "daarna wordt de kopie verwijderd.",
    button: "Mijn gegevens downloaden",
    after: "Heb je je gegevens niet aangevraagd? Wijzig je wachtwoord en neem contact op met je beheerder.",
  },
};
