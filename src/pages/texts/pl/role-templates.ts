/** Polish: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Szablony ról",
    lead: "Role, które każda organizacja może przypisać swoim członkom.",
    create: "Nowy szablon",
    createAction: "Utwórz szablon",
    newLead: "Szablon nie zawiera uprawnień właścicieli. Organizacje mogą go przypisać od razu.",
    none: "Brak szablonów. Utwórz szablon do zadania w każdej organizacji, na przykład do czytania dziennika audytu.",
    organizations: "Organizacje",
    ownersOnly: "To uprawnienie nadaje tylko organizacja, własną rolą.",
    created: "Utworzono szablon.",
    saved: "Zapisano szablon. Nowe uprawnienia obowiązują od razu.",
    deleted: "Usunięto szablon.",
    wider:
      "Zmienione uprawnienia obowiązują członków od razu. Jeśli dodasz uprawnienia, właściciele " +
      "organizacji używających szablonu otrzymają e‑mail.",
  },
};
