import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "La clé d’annuaire «\u202F{{key_name}}\u202F» expire bientôt",
    preheader: "Temps restant\u00A0: {{valid_for}}. Remplacez la clé à temps.",
    title: "Une clé d’annuaire expire bientôt",
    lead:
      "La clé API du compte de service «\u202F{{key_name}}\u202F» expire dans {{valid_for}}. Ensuite, votre " +
      "annuaire ne pourra plus créer ni désactiver d’utilisateurs\u00A0: les personnes qui quittent votre " +
      "entreprise conserveront leur accès.",
    button: "Remplacer la clé",
    after: "Créez une seconde clé sur la page et saisissez-la dans votre annuaire. Révoquez ensuite l’ancienne clé.",
  },
  directory_joined: {
    subject: "Votre compte fait désormais partie de {{organization_name}}",
    preheader: "L’annuaire de l’organisation vous a ajouté.",
    title: "Vous avez été ajouté à une organisation",
    lead:
      "L’annuaire de {{organization_name}} a ajouté votre compte {{brand}} comme membre. Votre mot de passe, vos " +
      "autres méthodes de connexion et vos autres organisations restent inchangés. L’organisation peut mettre fin " +
      "à l’adhésion, mais pas à votre compte.",
    button: "Ouvrir le compte",
    after: "Si vous ne connaissez pas l’organisation, vous pouvez la quitter depuis votre compte.",
  },
  directory_refused: {
    subject: "Une modification par votre annuaire a été refusée",
    preheader: "Le dernier propriétaire et les utilisateurs d’accès d’urgence restent actifs.",
    title: "Une modification par votre annuaire a été refusée",
    lead:
      "L’annuaire de {{organization_name}} a tenté de désactiver ou de supprimer le dernier propriétaire ou un " +
      "utilisateur d’accès d’urgence sur {{brand}}. L’utilisateur reste actif afin que l’organisation reste " +
      "accessible.",
    button: "Vérifier l’annuaire",
    after:
      "Si l’utilisateur doit partir, nommez d’abord un autre membre propriétaire ou modifiez les utilisateurs " +
      "d’accès d’urgence.",
  },
};
