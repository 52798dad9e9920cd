/** Deutsch: Suche, Filter, Reihenfolge und Seiten von Listen. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("de");

export const listTexts: ListTexts = {
  lists: {
    apply: "Anwenden",
    clear: "Filter löschen",
    anyStatus: "Jeder Status",
    anyRole: "Jede Plattformrolle",
    anyFactor: "Mit und ohne Zwei-Faktor-Anmeldung",
    anyTier: "Jeder Tarif",
    anyType: "Jede Art",
    searchApis: "Nach Name oder Kennung suchen",
    searchFlags: "Nach Schlüssel oder Beschreibung suchen",
    nothingFound: (q) => `Nichts passt zu „${q}“.`,
    apiCount: (count) => plural(count, { one: "# API", other: "# APIs" }),
    flagCount: (count) => plural(count, { one: "# Flag", other: "# Flags" }),
    role: "Plattformrolle",
    factor: "Zwei-Faktor-Anmeldung",
    factorOn: "Eingerichtet",
    factorOff: "Keiner",
    createdFrom: "Angelegt ab",
    createdTo: "Angelegt bis",
    first: "Erste Seite",
    last: "Letzte Seite",
    pageSize: "Zeilen pro Seite",
    csv: "CSV exportieren",
    csvHint: (rows) =>
      plural(rows, { one: "Die gefundenen Zeilen, höchstens #", other: "Die gefundenen Zeilen, höchstens #" }),
    noMatch: "Kein Eintrag entspricht den Filtern. Ändern oder löschen Sie die Filter.",
    usersDisabled: (count) => plural(count, { one: "# deaktiviert", other: "# deaktiviert" }),
    organizationsSuspended: (count) => plural(count, { one: "# gesperrt", other: "# gesperrt" }),
    onlyMembers: (organization) => `Mitglieder von ${organization}`,
    redirectUri: "Redirect-URI",
    redirectUriLead: "Hinterlegen Sie diese Adresse beim Anbieter.",
    send: "Link senden",
    verification: "Link, der die E‑Mail-Adresse bestätigt",
    verificationSent: "Ein Link, der die Adresse bestätigt, ist an die Person unterwegs.",
    reset: "Link für ein neues Passwort",
    resetSent: "Ein Link für ein neues Passwort ist an die Person unterwegs.",
  },
};
