/** Spanish: navigation, account menu, titles of documents. */
import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `Menú, sesión iniciada como ${name}`,
    accountMenu: "Menú de la cuenta:",
    yourAccount: "Tu cuenta",
    profile: "Perfil",
    switchOrganization: "Cambiar de organización",
    allOrganizations: "Todas las organizaciones",
    directory: "Directorio",
    access: "Acceso",
    operations: "Operaciones",
    palette: "Abrir una página o buscar",
    searchIn: (place, text) => `${place}: «${text}»`,
    titleInConsole: (title) => `${title} · Consola`,
    titleOfSearch: (title, q) => `«${q}» · ${title}`,
    titleOfPage: (title, page) => `${title}, página ${page}`,
  },
};
