/** German: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Gruppen",
    lead: "Eine Gruppe ist eine Liste von Mitgliedern. Ihre Rollen gelten für jedes Mitglied der Gruppe.",
    group: "Gruppe",
    create: "Neue Gruppe",
    createAction: "Gruppe erstellen",
    none: "Noch keine Gruppe. Erstellen Sie eine Gruppe für ein Team oder eine Aufgabe.",
    rolesOfMembers: "Rollen der Mitglieder",
    add: "E‑Mail-Adresse eines Mitglieds",
    addAction: "Hinzufügen",
    addedAt: "Hinzugefügt",
    noMembers: "Die Gruppe hat kein Mitglied.",
    remove: "Gruppe löschen",
    removeText: "Mitglieder verlieren die Rollen der Gruppe sofort. Die Mitglieder bleiben in der Organisation.",
    created: "Die Gruppe wurde erstellt.",
    saved: "Die Gruppe wurde gespeichert. Die Rollen gelten sofort.",
    deleted: "Die Gruppe wurde gelöscht.",
    added: "Das Mitglied wurde hinzugefügt.",
    removed: "Das Mitglied wurde aus der Gruppe entfernt.",
    taken: "Eine Gruppe mit diesem Namen existiert, oder die Höchstzahl der Gruppen ist erreicht.",
    tooManyRoles: "Ein Mitglied hat höchstens 10 weitere Rollen.",
    tooManyForMember: "Das Mitglied hätte mehr als 10 weitere Rollen.",
    notMember: "Kein Mitglied der Organisation hat diese Adresse.",
    full: "Die Gruppe hat die Höchstzahl an Mitgliedern.",
    ofDirectory: "Das Verzeichnis verwaltet diese Gruppe.",
    notYours: "Ihnen fehlt die Berechtigung, die Gruppen der Organisation zu sehen.",
    notYoursToChange: "Ihnen fehlt die Berechtigung, Gruppen zu ändern.",
    notIncluded: "Gruppen sind im Tarif Ihrer Organisation nicht enthalten.",
    removeTitle: (name) => `Gruppe ${name} löschen?`,
    fixed: {
      directory:
        "Das Verzeichnis verwaltet diese Gruppe. Rollen der Gruppe werden auf der Seite des Verzeichnisses zugewiesen.",
      permission: "Ihnen fehlt die Berechtigung, Gruppen zu ändern.",
      above:
        "Die Gruppe vergibt eine Rolle mit einer Berechtigung, die Ihnen fehlt. Sie können die Gruppe nicht ändern.",
    },
  },
};
