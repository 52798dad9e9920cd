/** German: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Rollenvorlagen",
    lead: "Rollen, die jede Organisation ihren Mitgliedern zuweisen kann.",
    create: "Neue Vorlage",
    createAction: "Vorlage erstellen",
    newLead: "Eine Vorlage enthält keine Berechtigung für Inhaber. Organisationen können die Vorlage sofort zuweisen.",
    none:
      "Noch keine Vorlage. Erstellen Sie eine Vorlage für eine Aufgabe in jeder Organisation, zum Beispiel " +
      "das Lesen des Audit-Protokolls.",
    organizations: "Organisationen",
    ownersOnly: "Nur eine Organisation vergibt diese Berechtigung, durch eine eigene Rolle.",
    created: "Die Vorlage wurde erstellt.",
    saved: "Die Vorlage wurde gespeichert. Die neuen Berechtigungen gelten sofort.",
    deleted: "Die Vorlage wurde gelöscht.",
    wider:
      "Geänderte Berechtigungen gelten für Mitglieder sofort. Fügen Sie Berechtigungen hinzu, erhalten die " +
      "Inhaber der Organisationen, die die Vorlage verwenden, eine E‑Mail.",
  },
};
