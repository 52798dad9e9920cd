/** Italian: navigation, account menu, titles of documents. */
import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `Menu, accesso eseguito come ${name}`,
    accountMenu: "Menu account:",
    yourAccount: "Il tuo account",
    profile: "Profilo",
    switchOrganization: "Cambia organizzazione",
    allOrganizations: "Tutte le organizzazioni",
    directory: "Elenco",
    access: "Accesso",
    operations: "Operazioni",
    palette: "Apri una pagina o cerca",
    searchIn: (place, text) => `${place}: “${text}”`,
    titleInConsole: (title) => `${title} · Console`,
    titleOfSearch: (title, q) => `“${q}” · ${title}`,
    titleOfPage: (title, page) => `${title}, pagina ${page}`,
  },
};
