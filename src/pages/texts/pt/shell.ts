import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `Menu de ${name}`,
    accountMenu: "Menu da conta:",
    yourAccount: "Sua conta",
    profile: "Perfil",
    switchOrganization: "Mudar de organização",
    allOrganizations: "Todas as organizações",
    directory: "Diretório",
    access: "Acesso",
    operations: "Operações",
    palette: "Abrir uma página ou pesquisar",
    searchIn: (place, text) => `${place}: “${text}”`,
    titleInConsole: (title) => `${title} · Console`,
    titleOfSearch: (title, q) => `“${q}” · ${title}`,
    titleOfPage: (title, page) => `${title}, página ${page}`,
  },
};
