/** Polish: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("pl");

export const listTexts: ListTexts = {
  lists: {
    apply: "Zastosuj",
    clear: "Wyczyść filtry",
    anyStatus: "Każdy stan",
    anyRole: "Każda rola na platformie",
    anyFactor: "Z weryfikacją dwuetapową lub bez niej",
    anyTier: "Każdy plan",
    role: "Rola na platformie",
    factor: "Weryfikacja dwuetapowa",
    factorOn: "Skonfigurowany",
    factorOff: "Brak",
    createdFrom: "Utworzono od",
    createdTo: "Utworzono do",
    first: "Pierwsza strona",
    last: "Ostatnia strona",
    pageSize: "Wierszy na stronę",
    csv: "Eksportuj CSV",
    csvHint: (rows) =>
      plural(rows, {
        one: "Pasujące wiersze, najwyżej #",
        few: "Pasujące wiersze, najwyżej #",
        many: "Pasujące wiersze, najwyżej #",
        other: "Pasujące wiersze, najwyżej #",
      }),
    noMatch: "Nic nie pasuje do filtrów. Zmień lub wyczyść filtry.",
    usersDisabled: (count) =>
      plural(count, { one: "# wyłączony", few: "# wyłączonych", many: "# wyłączonych", other: "# wyłączonego" }),
    organizationsSuspended: (count) =>
      plural(count, { one: "# zawieszona", few: "# zawieszone", many: "# zawieszonych", other: "# zawieszonej" }),
    anyType: "Każdy typ",
    searchApis: "Szukaj po nazwie lub identyfikatorze",
    searchFlags: "Szukaj po kluczu lub opisie",
    nothingFound: (q) => `Nic nie pasuje do „${q}”.`,
    apiCount: (count) =>
      plural(count, {
        one: "# interfejs API",
        few: "# interfejsy API",
        many: "# interfejsów API",
        other: "# interfejsu API",
      }),
    flagCount: (count) => plural(count, { one: "# flaga", few: "# flagi", many: "# flag", other: "# flagi" }),
    onlyMembers: (organization) => `Członkowie organizacji ${organization}`,
    redirectUri: "Identyfikator URI przekierowania",
    redirectUriLead: "Zarejestruj ten adres u dostawcy.",
    send: "Wyślij link",
    verification: "Link potwierdzający adres e‑mail",
    verificationSent: "Wysłaliśmy użytkownikowi link potwierdzający adres.",
    reset: "Link do nowego hasła",
    resetSent: "Wysłaliśmy użytkownikowi link do nowego hasła.",
  },
};
