/** French: roles and permissions of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { RoleTexts } from "../en/roles.ts";

const plural = pluralIn("fr");

export const roleTexts: RoleTexts = {
  customRoles: {
    title: "Rôles",
    lead: "Un membre a un rôle prédéfini et jusqu’à 10 autres rôles. Les autorisations s’ajoutent.",
    create: "Nouveau rôle",
    createAction: "Créer le rôle",
    newLead: "Vous pouvez accorder les autorisations que vous avez vous-même.",
    own: "Rôles de l’organisation",
    none: "Aucun rôle. Créez un rôle pour une tâche de votre organisation, comme la validation des factures.",
    builtIn: "Rôles prédéfinis",
    builtInTag: "Prédéfini",
    template: "Modèle",
    templates: "Modèles",
    templatesLead: "La plateforme gère les modèles. Votre organisation peut les attribuer.",
    role: "Rôle",
    name: "Nom",
    key: "Clé",
    keyHint:
      "Pour les programmes, par exemple auditor. Si le champ est vide, la clé vient du nom. Elle ne change jamais.",
    description: "Description",
    permissions: "Autorisations",
    noPermissions: "Aucune autorisation.",
    members: "Membres",
    settings: "Paramètres",
    builtInLeads: {
      owner: "A toutes les autorisations, y compris celles des applications.",
      admin:
        "A toutes les autorisations, sauf celles des rôles, des politiques, de l’accès du support et de la " +
        "suppression de l’organisation.",
      member: "N’a aucune autorisation d’administration.",
    },
    areas: {
      members: "Membres",
      rules: "Rôles et politiques",
      identity: "Connexion et annuaire",
      organization: "Organisation",
      developers: "Développeurs",
    },
    names: {
      "applications.manage": "Gérer les applications de l’organisation",
      "audit.read": "Lire le journal d’audit de l’organisation",
      "directory.manage": "Gérer l’annuaire (SCIM)",
      "machines.manage": "Gérer les comptes de service et les clés API",
      "members.invite": "Inviter des membres et décider des demandes d’adhésion",
      "members.list": "Voir les membres, invitations, sessions, rôles et groupes",
      "members.remove": "Retirer des membres et mettre fin à leurs sessions",
      "members.role": "Modifier les rôles, groupes et métadonnées des membres",
      "organization.delete": "Supprimer et exporter l’organisation",
      "organization.update": "Modifier l’identité visuelle et les métadonnées de l’organisation",
      "policies.manage": "Modifier les politiques de l’organisation",
      "roles.manage": "Créer, modifier et supprimer des rôles",
      "sso.manage": "Gérer l’authentification unique et les domaines",
      "support.grant": "Autoriser le support à accéder à l’organisation",
      "webhooks.manage": "Gérer les webhooks",
    },
    lacking: "Vous n’avez pas cette autorisation.",
    unregistered: "N’est plus enregistrée",
    unregisteredHint:
      "Plus aucune application ne nomme cette autorisation. L’enregistrement retire l’autorisation du rôle.",
    fixed: {
      template: "La plateforme gère ce modèle.",
      permission: "Vous n’avez pas l’autorisation de modifier les rôles.",
      own: "Vous avez ce rôle. Un autre membre peut modifier le rôle.",
      above: "Le rôle a une autorisation que vous n’avez pas. Vous ne pouvez pas modifier le rôle.",
    },
    noneToAssign: "Aucun rôle.",
    notAssignable: {
      own: "Vous avez ce rôle. Un autre membre peut l’attribuer.",
      above: "Le rôle a une autorisation que vous n’avez pas.",
    },
    further: "Autres rôles",
    changeRoles: "Modifier les rôles",
    rolesOf: (name) => `Rôles de ${name}`,
    assigned: "Les rôles sont modifiés.",
    ownRoles: "Vous ne pouvez pas modifier vos propres rôles.",
    memberAbove: "Le membre a une autorisation que vous n’avez pas. Vous ne pouvez pas modifier ses rôles.",
    elsewhere: "Rôles d’une autre source",
    elsewhereLead: "Un groupe, l’annuaire ou l’authentification unique accorde ces rôles et les retire.",
    fixedBuiltIn: "Les rôles prédéfinis ne peuvent pas être modifiés.",
    noHolders: "Aucun membre n’a ce rôle.",
    sources: {
      manual: "Attribué",
      group: "Par un groupe",
      directory: "Par l’annuaire",
      sso: "Par l’authentification unique",
    },
    groupCount: (count) => plural(count, { one: "# groupe", many: "# de groupes", other: "# groupes" }),
    invitationCount: (count) =>
      plural(count, {
        one: "# invitation en attente",
        many: "# d’invitations en attente",
        other: "# invitations en attente",
      }),
    inUseBy: (users) => `Utilisé par ${users}.`,
    unused: "Le rôle n’est pas utilisé.",
    remove: "Supprimer le rôle",
    removeText: "Les membres, groupes et invitations perdent le rôle immédiatement.",
    removeTitle: (name) => `Supprimer le rôle ${name}\u202F?`,
    reassign: "Retirer le rôle à tous les membres qui l’ont",
    inUse: "Des membres ont ce rôle. Confirmez dans le formulaire que le rôle leur est retiré.",
    created: "Le rôle est créé.",
    saved: "Le rôle est enregistré. Les nouvelles autorisations s’appliquent immédiatement.",
    deleted: "Le rôle est supprimé.",
    keyTaken: "Un rôle ou un modèle a cette clé, ou le nombre maximal de rôles est atteint.",
    badKey:
      "Saisissez une minuscule, puis 1 à 39 lettres, chiffres, tirets ou traits de soulignement. Ni owner, ni admin, " +
      "ni member.",
    badDescription: "Saisissez une ligne de 500 caractères au maximum.",
    badPermissions: "Choisissez des autorisations de la liste.",
    beyondOwn:
      "Vous ne pouvez ni accorder une autorisation que vous n’avez pas, ni modifier un rôle que vous avez vous-même.",
    notYours: "Vous n’avez pas l’autorisation de voir les rôles de l’organisation.",
    notIncluded: "Les rôles personnalisés ne sont pas inclus dans l’offre de votre organisation.",
  },
};
