/** Dutch: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Groepen",
    lead: "Een groep is een lijst met leden. De rollen van de groep gelden voor elk lid van de groep.",
    group: "Groep",
    create: "Nieuwe groep",
    none: "Nog geen groep. Maak een groep voor een team of een taak.",
    rolesOfMembers: "Rollen van de leden",
    add: "E‑mailadres van een lid",
    addAction: "Toevoegen",
    addedAt: "Toegevoegd",
    noMembers: "De groep heeft geen leden.",
    remove: "Groep verwijderen",
    removeText: "Leden verliezen de rollen van de groep meteen. De leden blijven in de organisatie.",
    created: "De groep is gemaakt.",
    saved: "De groep is opgeslagen. De rollen gelden meteen.",
    deleted: "De groep is verwijderd.",
    added: "Het lid is toegevoegd.",
    removed: "Het lid is uit de groep verwijderd.",
    taken: "Er is al een groep met deze naam, of het maximale aantal groepen is bereikt.",
    tooManyRoles: "Een lid heeft maximaal 10 andere rollen.",
    tooManyForMember: "Het lid zou meer dan 10 andere rollen hebben.",
    notMember: "Geen lid van de organisatie heeft dit adres.",
    full: "De groep heeft het maximale aantal leden.",
    ofDirectory: "De directory beheert deze groep.",
    notYours: "Je hebt geen recht om de groepen van de organisatie te zien.",
    notYoursToChange: "Je hebt geen recht om groepen te wijzigen.",
    notIncluded: "Groepen zijn niet inbegrepen in het abonnement van je organisatie.",
    removeTitle: (name) => `Groep ${name} verwijderen?`,
    fixed: {
      directory: "De directory beheert deze groep. Rollen van de groep wijs je toe op de pagina van de directory.",
      permission: "Je hebt geen recht om groepen te wijzigen.",
      above: "De groep geeft een rol met een recht dat je niet hebt. Je kunt de groep niet wijzigen.",
    },
  },
};
