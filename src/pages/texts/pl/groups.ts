/** Polish: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Grupy",
    lead: "Grupa to lista członków. Role grupy dotyczą każdego jej członka.",
    group: "Grupa",
    create: "Nowa grupa",
    none: "Brak grup. Utwórz grupę dla zespołu lub zadania.",
    rolesOfMembers: "Role członków",
    add: "Adres e‑mail członka",
    addAction: "Dodaj",
    addedAt: "Dodano",
    noMembers: "Grupa nie ma członków.",
    remove: "Usuń grupę",
    removeText: "Członkowie od razu tracą role grupy. Pozostają w organizacji.",
    created: "Utworzono grupę.",
    saved: "Zapisano grupę. Role obowiązują od razu.",
    deleted: "Usunięto grupę.",
    added: "Dodano członka.",
    removed: "Usunięto członka z grupy.",
    taken: "Grupa o tej nazwie już istnieje albo osiągnięto największą liczbę grup.",
    tooManyRoles: "Członek ma najwyżej 10 innych ról.",
    tooManyForMember: "Członek miałby więcej niż 10 innych ról.",
    notMember: "Żaden członek organizacji nie ma tego adresu.",
    full: "Grupa ma największą liczbę członków.",
    ofDirectory: "Tą grupą zarządza katalog.",
    notYours: "Nie masz uprawnienia do wglądu w grupy organizacji.",
    notYoursToChange: "Nie masz uprawnienia do zmiany grup.",
    notIncluded: "Grupy nie są zawarte w planie Twojej organizacji.",
    removeTitle: (name) => `Usunąć grupę ${name}?`,
    fixed: {
      directory: "Tą grupą zarządza katalog. Role grupy przypisuje się na stronie katalogu.",
      permission: "Nie masz uprawnienia do zmiany grup.",
      above: "Grupa nadaje rolę z uprawnieniem, którego nie masz. Nie możesz zmienić tej grupy.",
    },
  },
};
