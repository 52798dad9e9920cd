/** French texts of the shell: navigation, account menu, titles of documents. */
import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `Menu, connecté en tant que ${name}`,
    accountMenu: "Menu du compte\u00A0:",
    yourAccount: "Votre compte",
    profile: "Profil",
    switchOrganization: "Changer d’organisation",
    allOrganizations: "Toutes les organisations",
    directory: "Annuaire",
    access: "Accès",
    operations: "Exploitation",
    palette: "Ouvrir une page ou rechercher",
    searchIn: (place, text) => `${place}\u00A0: «\u202F${text}\u202F»`,
    titleInConsole: (title) => `${title} · Console`,
    titleOfSearch: (title, q) => `«\u202F${q}\u202F» · ${title}`,
    titleOfPage: (title, page) => `${title}, page ${page}`,
  },
};
