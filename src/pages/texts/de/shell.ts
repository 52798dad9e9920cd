import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name: string) => `Menü, angemeldet als ${name}`,
    accountMenu: "Kontomenü:",
    yourAccount: "Ihr Konto",
    profile: "Profil",
    switchOrganization: "Organisation wechseln",
    allOrganizations: "Alle Organisationen",
    directory: "Verzeichnis",
    access: "Zugriff",
    operations: "Betrieb",
    palette: "Seite öffnen oder suchen",
    searchIn: (place, text) => `${place}: „${text}“`,
    titleInConsole: (title: string) => `${title} · Konsole`,
    titleOfSearch: (title: string, q: string) => `„${q}“ · ${title}`,
    titleOfPage: (title: string, page: string) => `${title}, Seite ${page}`,
  },
};
