/** French: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Groupes",
    lead: "Un groupe est une liste de membres. Ses rôles valent pour chaque membre du groupe.",
    group: "Groupe",
    create: "Nouveau groupe",
    createAction: "Créer le groupe",
    none: "Aucun groupe. Créez un groupe pour une équipe ou une tâche.",
    rolesOfMembers: "Rôles des membres",
    add: "Adresse e‑mail d’un membre",
    addAction: "Ajouter",
    addedAt: "Ajouté",
    noMembers: "Le groupe n’a aucun membre.",
    remove: "Supprimer le groupe",
    removeText: "Les membres perdent immédiatement les rôles du groupe. Ils restent dans l’organisation.",
    created: "Le groupe est créé.",
    saved: "Le groupe est enregistré. Les rôles s’appliquent immédiatement.",
    deleted: "Le groupe est supprimé.",
    added: "Le membre est ajouté.",
    removed: "Le membre est retiré du groupe.",
    taken: "Un groupe porte déjà ce nom, ou le nombre maximal de groupes est atteint.",
    tooManyRoles: "Un membre a au maximum 10 autres rôles.",
    tooManyForMember: "Le membre aurait plus de 10 autres rôles.",
    notMember: "Aucun membre de l’organisation n’a cette adresse.",
    full: "Le groupe a le nombre maximal de membres.",
    ofDirectory: "L’annuaire gère ce groupe.",
    notYours: "Vous n’avez pas l’autorisation de voir les groupes de l’organisation.",
    notYoursToChange: "Vous n’avez pas l’autorisation de modifier les groupes.",
    notIncluded: "Les groupes ne sont pas inclus dans l’offre de votre organisation.",
    removeTitle: (name) => `Supprimer le groupe ${name}\u202F?`,
    fixed: {
      directory: "L’annuaire gère ce groupe. Les rôles du groupe s’attribuent sur la page de l’annuaire.",
      permission: "Vous n’avez pas l’autorisation de modifier les groupes.",
      above:
        "Le groupe accorde un rôle avec une autorisation que vous n’avez pas. Vous ne pouvez pas modifier le groupe.",
    },
  },
};
