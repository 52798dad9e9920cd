/** Deutsch: ausgewählte Zeilen von Listen und Aktionen für diese Zeilen. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("de");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `${name} auswählen`,
    rows: "Ausgewählte Zeilen",
    all: "Alle auswählen",
    back: "Zurück zur Liste",
    missing: "Diese Zeile gibt es nicht mehr.",
    bounds: (count) => plural(count, { one: "Wählen Sie # Zeile aus.", other: "Wählen Sie 1 bis # Zeilen aus." }),
    partial: (count) => plural(count, { one: "# Zeile ist unverändert", other: "# Zeilen sind unverändert" }),
    actions: {
      "remove-selected": {
        action: "Entfernen",
        title: (count) => plural(count, { one: "# Mitglied entfernen?", other: "# Mitglieder entfernen?" }),
        text: "Der Zugang der Mitglieder zu dieser Organisation endet sofort. Die Konten bleiben.",
        done: (count) => plural(count, { one: "# Mitglied entfernt.", other: "# Mitglieder entfernt." }),
      },
      "resend-selected": {
        action: "Erneut senden",
        title: (count) => plural(count, { one: "# Einladung erneut senden?", other: "# Einladungen erneut senden?" }),
        text: "Jede E‑Mail enthält einen neuen Link. Die früheren Links gelten dann nicht mehr.",
        done: (count) =>
          plural(count, { one: "# Einladung erneut gesendet.", other: "# Einladungen erneut gesendet." }),
      },
      "revoke-selected": {
        action: "Widerrufen",
        title: (count) => plural(count, { one: "# Einladung widerrufen?", other: "# Einladungen widerrufen?" }),
        text: "Die Links in den E‑Mails gelten dann nicht mehr.",
        done: (count) => plural(count, { one: "# Einladung widerrufen.", other: "# Einladungen widerrufen." }),
      },
      "end-selected": {
        action: "Sitzungen beenden",
        title: (count) => plural(count, { one: "# Sitzung beenden?", other: "# Sitzungen beenden?" }),
        text: "Die Geräte werden sofort abgemeldet. Eine neue Anmeldung ist möglich.",
        done: (count) => plural(count, { one: "# Sitzung beendet.", other: "# Sitzungen beendet." }),
      },
      "disable-selected": {
        action: "Deaktivieren",
        title: (count) => plural(count, { one: "# Benutzer deaktivieren?", other: "# Benutzer deaktivieren?" }),
        text: "Alle Sitzungen dieser Benutzer enden sofort, und bis zur Aktivierung schlägt jede Anmeldung fehl.",
        done: (count) => plural(count, { one: "# Benutzer deaktiviert.", other: "# Benutzer deaktiviert." }),
      },
      "sign-out-selected": {
        action: "Überall abmelden",
        title: (count) => plural(count, { one: "# Benutzer überall abmelden?", other: "# Benutzer überall abmelden?" }),
        text: "Alle Sitzungen dieser Benutzer enden sofort. Eine neue Anmeldung ist möglich.",
        done: (count) =>
          plural(count, { one: "# Benutzer überall abgemeldet.", other: "# Benutzer überall abgemeldet." }),
      },
    },
  },
};
