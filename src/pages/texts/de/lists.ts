/** Deutsch: Suche, Filter, Reihenfolge und Seiten von Listen. */
import type { ListTexts } from "../en/lists.ts";

export const listTexts: ListTexts = {
  lists: {
    apply: "Anwenden",
    clear: "Filter löschen",
    anyStatus: "Jeder Status",
    anyRole: "Jede Plattformrolle",
    anyFactor: "Jeder zweite Faktor",
    anyTier: "Jeder Tarif",
    role: "Plattformrolle",
    factor: "Zweiter Faktor",
    factorOn: "Eingerichtet",
    factorOff: "Keiner",
    createdFrom: "Angelegt ab",
    createdTo: "Angelegt bis",
    first: "Erste Seite",
    last: "Letzte Seite",
    pageSize: "Zeilen pro Seite",
    csv: "CSV exportieren",
    csvHint: (rows) => `Die gefundenen Zeilen, höchstens ${rows}`,
    noMatch: "Kein Eintrag entspricht den Filtern. Ändern oder löschen Sie die Filter.",
    usersDisabled: (users, disabled) => `${users}, davon ${disabled} deaktiviert`,
    organizationsSuspended: (organizations, suspended) => `${organizations}, davon ${suspended} gesperrt`,
    onlyMembers: (organization) => `Mitglieder von ${organization}`,
    send: "Link senden",
    verification: "Link, der die E-Mail-Adresse bestätigt",
    verificationSent: "Ein Link, der die Adresse bestätigt, ist an die Person unterwegs.",
    reset: "Link für ein neues Passwort",
    resetSent: "Ein Link für ein neues Passwort ist an die Person unterwegs.",
  },
};
