/** Polish: navigation, account menu, titles of documents. */
import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `Menu, zalogowane konto: ${name}`,
    accountMenu: "Menu konta:",
    yourAccount: "Twoje konto",
    profile: "Profil",
    switchOrganization: "Zmień organizację",
    allOrganizations: "Wszystkie organizacje",
    directory: "Katalog",
    access: "Dostęp",
    operations: "Obsługa",
    palette: "Otwórz stronę lub wyszukaj",
    searchIn: (place, text) => `${place}: „${text}”`,
    titleInConsole: (title) => `${title} · Konsola`,
    titleOfSearch: (title, q) => `„${q}” · ${title}`,
    titleOfPage: (title, page) => `${title}, strona ${page}`,
  },
};
