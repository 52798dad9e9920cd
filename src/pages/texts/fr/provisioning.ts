/** French: the directory of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { ProvisioningTexts } from "../en/provisioning.ts";

const plural = pluralIn("fr");

export const provisioningTexts: ProvisioningTexts = {
  provisioning: {
    title: "Annuaire",
    lead: "Votre annuaire crée, modifie et désactive automatiquement les membres (SCIM 2.0).",
    none: "Aucun annuaire. Créez l’annuaire, puis connectez votre produit.",
    create: "Créer l’annuaire",
    created: "L’annuaire est créé. Créez une clé pour connecter votre produit.",
    saved: "Les paramètres sont enregistrés.",
    paused: "L’annuaire est suspendu.",
    resumed: "L’annuaire est actif.",
    deleted: "L’annuaire est supprimé. Les membres sont conservés.",
    mapped: "Le rôle du groupe est modifié.",
    statuses: { active: "Actif", paused: "Suspendu" },
    sections: { overview: "Configuration", groups: "Groupes", users: "Utilisateurs", requests: "Requêtes refusées" },
    lastRequest: "Dernière requête",
    noRequest: "Aucune requête",
    connect: "Connecter votre annuaire",
    connectLead: "Saisissez l’URL de base et une clé dans la console de votre produit. Les noms sont en anglais.",
    baseUrl: "URL de base",
    enterUrl: (field: string) => `Saisissez l’URL de base sous «\u202F${field}\u202F».`,
    enterKey: (field: string) => `Saisissez une clé sous «\u202F${field}\u202F».`,
    keys: "Clés",
    keysLead:
      "Deux clés peuvent être valides en même temps, pour remplacer une clé sans interruption. Les " +
      "propriétaires reçoivent un e‑mail avant l’expiration d’une clé.",
    noKeys: "Aucune clé.",
    createKey: "Créer une clé",
    settings: "Paramètres",
    roleSource: "Rôles des membres",
    roleSources: { groups: "Selon les groupes de l’annuaire", none: "Les groupes n’attribuent aucun rôle" },
    defaultRole: "Rôle si aucun groupe n’attribue de rôle",
    outsideDomains: "Adresses hors de vos domaines validés",
    outsideRules: { invite: "Inviter", refuse: "Refuser" },
    pause: "Suspendre l’annuaire",
    pauseTitle: "Suspendre l’annuaire\u202F?",
    pauseText: "L’annuaire peut lire, mais les modifications sont refusées jusqu’à la réactivation.",
    resume: "Réactiver l’annuaire",
    resumeText: "Les modifications par l’annuaire sont de nouveau acceptées.",
    remove: "Supprimer l’annuaire",
    removeTitle: "Supprimer l’annuaire\u202F?",
    removeText:
      "Les utilisateurs, les groupes et les requêtes refusées de l’annuaire sont supprimés. Les membres " +
      "sont conservés.",
    pauseFirst: "Suspendez d’abord l’annuaire.",
    groupsLead:
      "Un groupe n’attribue aucun rôle tant que vous ne lui en affectez pas. Un aperçu présente d’abord l’effet.",
    noGroups: "Aucun groupe. Envoyez les groupes depuis votre produit.",
    group: "Groupe",
    members: "Membres",
    noRole: "Aucun rôle",
    roleOf: (group: string) => `Rôle de ${group}`,
    changeRole: "Modifier le rôle",
    previewTitle: (group: string, role: string) => `${group}\u00A0: ${role}`,
    previewText: (count: number) =>
      plural(count, {
        one: "Le rôle de # membre change.",
        many: "Le rôle de # de membres change.",
        other: "Le rôle de # membres change.",
      }),
    previewMore: (count: number) =>
      plural(count, { one: "et # autre membre", many: "et # d’autres membres", other: "et # autres membres" }),
    applyRole: "Appliquer",
    noUsers: "Aucun utilisateur. Affectez des utilisateurs dans votre produit.",
    user: "Utilisateur",
    link: "Association",
    updated: "Modifié",
    inactive: "Inactif",
    notLinked: "Sans effet",
    links: {
      domain: "Par le domaine validé",
      member: "À un membre existant",
      invitation: "Invité",
      none: "Aucune adresse utilisable, ou l’adresse appartient à une autre fiche",
    },
    requestsLead: "Les 500 dernières requêtes refusées sur 30 jours, sans valeurs. Les motifs sont en anglais.",
    noRequests: "Aucune requête refusée.",
    request: "Requête",
    cause: "Motif",
    notYours: "Seuls les propriétaires et les administrateurs peuvent gérer l’annuaire.",
    notIncluded: "Les annuaires ne sont pas inclus dans l’offre de votre organisation.",
    consoleNone: "Aucun annuaire.",
  },
};
