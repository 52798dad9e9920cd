/** Dutch: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("nl");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `${name} selecteren`,
    rows: "Geselecteerde rijen",
    all: "Alles selecteren",
    back: "Terug naar de lijst",
    missing: "Deze rij bestaat niet meer.",
    bounds: (count) => plural(count, { one: "Selecteer # rij.", other: "Selecteer 1 tot # rijen." }),
    partial: (count) => plural(count, { one: "# rij is niet gewijzigd", other: "# rijen zijn niet gewijzigd" }),
    actions: {
      "remove-selected": {
        action: "Verwijderen",
        title: (count) => plural(count, { one: "# lid verwijderen?", other: "# leden verwijderen?" }),
        text: "De leden verliezen meteen de toegang tot deze organisatie. De accounts blijven bestaan.",
        done: (count) => plural(count, { one: "# lid verwijderd.", other: "# leden verwijderd." }),
      },
      "resend-selected": {
        action: "Opnieuw sturen",
        title: (count) =>
          plural(count, { one: "# uitnodiging opnieuw sturen?", other: "# uitnodigingen opnieuw sturen?" }),
        text: "Elke e‑mail bevat een nieuwe link. De eerdere links werken dan niet meer.",
        done: (count) =>
          plural(count, { one: "# uitnodiging opnieuw gestuurd.", other: "# uitnodigingen opnieuw gestuurd." }),
      },
      "revoke-selected": {
        action: "Intrekken",
        title: (count) => plural(count, { one: "# uitnodiging intrekken?", other: "# uitnodigingen intrekken?" }),
        text: "De links in de e‑mails werken dan niet meer.",
        done: (count) => plural(count, { one: "# uitnodiging ingetrokken.", other: "# uitnodigingen ingetrokken." }),
      },
      "end-selected": {
        action: "Sessies beëindigen",
        title: (count) => plural(count, { one: "# sessie beëindigen?", other: "# sessies beëindigen?" }),
        text: "De apparaten worden meteen uitgelogd. De gebruikers kunnen weer inloggen.",
        done: (count) => plural(count, { one: "# sessie beëindigd.", other: "# sessies beëindigd." }),
      },
      "disable-selected": {
        action: "Uitschakelen",
        title: (count) => plural(count, { one: "# gebruiker uitschakelen?", other: "# gebruikers uitschakelen?" }),
        text:
          "Alle sessies van deze gebruikers eindigen meteen en inloggen mislukt tot je de accounts weer " +
          "inschakelt.",
        done: (count) => plural(count, { one: "# gebruiker uitgeschakeld.", other: "# gebruikers uitgeschakeld." }),
      },
      "sign-out-selected": {
        action: "Overal uitloggen",
        title: (count) =>
          plural(count, { one: "# gebruiker overal uitloggen?", other: "# gebruikers overal uitloggen?" }),
        text: "Alle sessies van deze gebruikers eindigen meteen. De gebruikers kunnen weer inloggen.",
        done: (count) =>
          plural(count, { one: "# gebruiker overal uitgelogd.", other: "# gebruikers overal uitgelogd." }),
      },
    },
  },
};
