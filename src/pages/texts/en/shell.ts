/** English texts of the shell: navigation, account menu, titles of documents. */
import type { Shape } from "../shape.ts";

export const shellTexts = {
  shell: {
    menuOf: (name: string) => `Menu, signed in as ${name}`,
    accountMenu: "Account menu:",
    yourAccount: "Your account",
    profile: "Profile",
    switchOrganization: "Switch organization",
    allOrganizations: "All organizations",
    directory: "Directory",
    access: "Access",
    operations: "Operations",
    palette: "Go to a page or search",
    searchIn: (place: string, text: string) => `${place}: “${text}”`,
    titleInConsole: (title: string) => `${title} · Console`,
    titleOfSearch: (title: string, q: string) => `“${q}” · ${title}`,
    titleOfPage: (title: string, page: string) => `${title}, page ${page}`,
  },
} as const;

export type ShellTexts = Shape<typeof shellTexts>;
