/** Dutch texts of the shell: navigation, account menu, titles of documents. */
import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `Menu, ingelogd als ${name}`,
    accountMenu: "Accountmenu:",
    yourAccount: "Je account",
    profile: "Profiel",
    switchOrganization: "Van organisatie wisselen",
    allOrganizations: "Alle organisaties",
    directory: "Gebruikersbeheer",
    access: "Toegang",
    operations: "Beheer",
    palette: "Pagina openen of zoeken",
    searchIn: (place, text) => `${place}: “${text}”`,
    titleInConsole: (title) => `${title} · Console`,
    titleOfSearch: (title, q) => `“${q}” · ${title}`,
    titleOfPage: (title, page) => `${title}, pagina ${page}`,
  },
};
