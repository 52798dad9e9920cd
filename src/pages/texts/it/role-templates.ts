/** Italian: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Modelli di ruoli",
    lead: "Ruoli che ogni organizzazione può assegnare ai propri membri.",
    create: "Nuovo modello",
    createAction: "Crea modello",
    newLead: "Un modello non contiene permessi dei proprietari. Le organizzazioni possono assegnarlo subito.",
    none:
      "Ancora nessun modello. Crea un modello per un’attività di ogni organizzazione, come la lettura del " +
      "log di controllo.",
    organizations: "Organizzazioni",
    ownersOnly: "Solo un’organizzazione concede questo permesso, con un ruolo proprio.",
    created: "Il modello è stato creato.",
    saved: "Il modello è stato salvato. I nuovi permessi valgono subito.",
    deleted: "Il modello è stato eliminato.",
    wider:
      "I permessi modificati valgono subito per i membri. Se aggiungi permessi, i proprietari delle " +
      "organizzazioni che usano il modello ricevono un’email.",
  },
};
