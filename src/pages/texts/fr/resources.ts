/** French: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("fr");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "API",
    lead:
      "Les applications demandent l’accès aux API par des champs d’application (scopes). Les utilisateurs lisent les " +
      "descriptions avant d’autoriser l’accès.",
    none:
      "Aucune API pour le moment. Sans API enregistrée, les utilisateurs ne voient que les noms des champs " +
      "d’application.",
    create: "Nouvelle API",
    createAction: "Enregistrer l’API",
    full: "Il existe déjà 1\u202F000 API. Supprimez une API inutilisée.",
    taken: "Une autre API a cet identifiant.",
    identifier: "Identifiant",
    identifierHint:
      "L’adresse de l’API, telle que les applications l’envoient dans le paramètre resource. Elle ne pourra plus " +
      "être modifiée.",
    name: "Nom",
    scopes: "Champs d’application (scopes)",
    scopesLead:
      "La page d’autorisation affiche la description dans la langue de l’utilisateur, sinon la description en anglais.",
    scopeCount: (total) =>
      plural(total, {
        one: "# champ d’application",
        many: "# de champs d’application",
        other: "# champs d’application",
      }),
    noScope: "L’API n’a pas encore de champ d’application.",
    addScope: "Ajouter un champ d’application",
    editScope: "Modifier",
    editScopeNamed: (name) => `Modifier ${name}`,
    scopeName: "Champ d’application (scope)",
    scopeNameHint: "Tel que les applications l’envoient, par exemple invoices:read.",
    permission: "Autorisation",
    permissionHint:
      "Seuls les utilisateurs dont un rôle contient l’autorisation obtiennent ce champ, par exemple " +
      "invoices.approve. Vide\u00A0: tous.",
    isPublic: "Les applications sans enregistrement peuvent obtenir ce champ",
    publicTag: "public",
    sensitive: "Chaque autorisation demande le consentement",
    sensitiveTag: "consentement à chaque fois",
    description: (language) => `Description (${language})`,
    descriptionHint:
      "Complète «\u202FAcme Wiki souhaite\u00A0: …\u202F», par exemple «\u202Fconsulter vos factures\u202F».",
    noDescription: "aucune description",
    scopeExists: "L’API a déjà un champ d’application portant ce nom.",
    scopesFull: "L’API a déjà 100 champs d’application. Supprimez un champ d’application inutilisé.",
    scopeSaved: "Le champ d’application est enregistré. La page d’autorisation affiche la nouvelle description.",
    scopeDeleted: "Le champ d’application a été supprimé.",
    deleteScope: "Supprimer",
    deleteScopeNamed: (name) => `Supprimer ${name}`,
    deleteScopeTitle: (name) => `Supprimer le champ d’application ${name}\u202F?`,
    deleteScopeText:
      "La page d’autorisation affichera désormais le nom du champ d’application. Les jetons et les autorisations " +
      "restent valables.",
    settings: "Paramètres",
    created: "L’API est enregistrée. Ajoutez les champs d’application.",
    saved: "Les modifications sont enregistrées et appliquées.",
    deleted: "L’API a été supprimée.",
    changedMeanwhile: "Un autre utilisateur a modifié l’API. Vérifiez l’API, puis réessayez.",
    access: "Accès",
    algorithm: "Signature des jetons d’accès",
    algorithmHint: "RS256, sauf si l’API vérifie l’autre algorithme. Les nouveaux jetons ont la nouvelle signature.",
    dpop: "Preuve de possession (DPoP)",
    dpopOptions: { allowed: "Autorisée", required: "Obligatoire" },
    dpopHint: "Avec «\u202FObligatoire\u202F», les applications n’obtiennent que des jetons liés à leur clé.",
    lifetime: "Durée de vie des jetons d’accès, en secondes",
    lifetimeHint: "De 60 à 3600. Vide\u00A0: la durée de vie pour les sessions.",
    minAcr: "Connexion requise",
    minAcrOptions: {
      none: "Toute connexion",
      aal1: "Un facteur (aal1)",
      aal2: "Deux facteurs (aal2)",
      phr: "Clé d’accès (phr)",
    },
    openTo: "Disponible pour",
    openToOptions: {
      registered: "Les applications enregistrées",
      any: "Toutes les applications, pour les champs publics",
    },
    organizations: "Organisations",
    organizationsHint: "Un identifiant par ligne. Vide\u00A0: toutes les organisations.",
    claims: "Claims des jetons d’accès",
    claimNames: {
      email: "Adresse e‑mail",
      name: "Nom",
      organization: "Organisation",
      roles: "Rôles",
      permissions: "Autorisations",
      groups: "Groupes",
    },
    disable: "Désactiver",
    disableDetails:
      "Les applications n’obtiennent plus de nouvel accès à cette API. Les accès existants restent valables.",
    disableTitle: (name) => `Désactiver ${name}\u202F?`,
    disableText:
      "Les applications n’obtiennent plus de nouvel accès à cette API tant que vous ne la réactivez pas. Les accès " +
      "existants restent valables.",
    disabledNow: "L’API est désactivée.",
    enable: "Réactiver",
    enableDetails: "L’API est désactivée\u00A0: les applications n’obtiennent aucun nouvel accès.",
    enabledNow: "L’API est réactivée.",
    remove: "Supprimer",
    removeDetails:
      "Les applications conservent leur accès\u202F; les utilisateurs voient les noms des champs d’application.",
    removeTitle: (name) => `Supprimer ${name}\u202F?`,
    removeText:
      "Les descriptions des champs d’application sont supprimées. Les applications conservent leur accès. Cette " +
      "action est irréversible.",
    rules: {
      token_lifetime_seconds: "Utilisez un nombre entier de 60 à 3600, ou laissez le champ vide.",
      identifier: "Utilisez une adresse https de 500 caractères au maximum, sans fragment.",
      organizations: "Utilisez des identifiants d’organisations, 1000 au maximum, ou laissez le champ vide.",
    },
    scopeRules: {
      permission: "Utilisez un nom tel que invoices.approve\u202F; pas d’autorisation de ce service.",
      name:
        "Utilisez de 1 à 100 caractères imprimables, sans espaces, guillemets ni barres obliques inverses\u202F; " +
        "pas de champ d’application de ce service.",
      description: "Utilisez une ligne de 200 caractères au maximum, sans caractères invisibles.",
    },
  },
};
