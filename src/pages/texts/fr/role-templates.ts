/** French: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Modèles de rôles",
    lead: "Des rôles que chaque organisation peut attribuer à ses membres.",
    create: "Nouveau modèle",
    createAction: "Créer le modèle",
    newLead:
      "Un modèle ne contient aucune autorisation de propriétaire. Les organisations peuvent l’attribuer aussitôt.",
    none:
      "Aucun modèle. Créez un modèle pour une tâche de toutes les organisations, comme la lecture du " +
      "journal d’audit.",
    organizations: "Organisations",
    ownersOnly: "Seule une organisation accorde cette autorisation, par son propre rôle.",
    created: "Le modèle est créé.",
    saved: "Le modèle est enregistré. Les nouvelles autorisations s’appliquent immédiatement.",
    deleted: "Le modèle est supprimé.",
    wider:
      "Les autorisations modifiées s’appliquent aussitôt aux membres. Si vous en ajoutez, les " +
      "propriétaires des organisations qui utilisent le modèle reçoivent un e‑mail.",
  },
};
