/** French: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Jetons d’enregistrement",
    lead: "Avec un jeton, les applications s’enregistrent elles-mêmes.",
    leadOff:
      "L’enregistrement est désactivé\u00A0: réglez SERVICE_OAUTH_REGISTRATION sur token. " +
      "D’ici là, aucune application ne peut utiliser un jeton.",
    leadOpen: "L’enregistrement est ouvert\u00A0: les applications n’ont pas besoin de jeton.",
    none: "Aucun jeton pour le moment.",
    create: "Nouveau jeton",
    name: "Nom",
    nameHint: "Par exemple l’équipe ou le produit qui reçoit le jeton.",
    maxUses: "Enregistrements",
    maxUsesHint: "Nombre d’applications qui peuvent s’enregistrer avec le jeton, de 1 à 1 000.",
    days: "Durée de validité en jours",
    daysHint: "De 1 à 365 jours.",
    createAction: "Créer le jeton",
    createdTitle: "Le nouveau jeton d’enregistrement",
    used: "Utilisé",
    uses: (uses: string, max: string) => `${uses} sur ${max}`,
    expires: "Expire",
    ended: "Expiré",
    remove: "Supprimer",
    removeTitle: (name: string) => `Supprimer le jeton ${name}\u202F?`,
    removeText:
      "Aucune autre application ne pourra s’enregistrer avec le jeton. Les applications enregistrées restent.",
    deleted: "Le jeton est supprimé.",
    full: "Il y a déjà 100 jetons. Supprimez un jeton inutilisé.",
  },
};
