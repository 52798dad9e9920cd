import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Suppression de votre compte {{brand}}",
    preheader:
      "{{#link}}Vous pouvez conserver le compte pendant {{valid_for}}.{{/link}}{{^link}}Le compte est fermé.{{/link}}",
    title: "Votre compte va être supprimé",
    lead:
      "La suppression de votre compte {{brand}} a été demandée. Le compte est fermé\u00A0: tous les appareils et " +
      "toutes les applications sont déconnectés, et personne ne peut se connecter.",
    byAdministrator: "Un administrateur a demandé la suppression.",
    pending:
      "Toutes les données du compte seront effacées dans {{valid_for}}. D’ici là, vous pouvez conserver le compte. " +
      "Le lien ne fonctionne qu’une fois.",
    immediate: "Toutes les données du compte sont maintenant effacées. La suppression est irréversible.",
    button: "Conserver mon compte",
    after: "C’était vous\u202F? Vous n’avez rien d’autre à faire.",
  },
  organization_deletion: {
    subject: "Suppression de l’organisation «\u202F{{organization_name}}\u202F» sur {{brand}}",
    preheader: "Tout propriétaire peut conserver l’organisation pendant {{valid_for}}.",
    title: "Une organisation va être supprimée",
    lead:
      "La suppression de l’organisation {{organization_name}} a été demandée. L’organisation est suspendue\u00A0: " +
      "les membres et les clés API n’ont plus accès. Toutes ses données seront effacées dans {{valid_for}}. D’ici " +
      "là, chaque propriétaire peut conserver l’organisation. Le lien ne fonctionne qu’une fois.",
    button: "Conserver l’organisation",
    after:
      "Vous recevez cet e-mail en tant que propriétaire. La suppression est justifiée\u202F? Vous n’avez rien " +
      "d’autre à faire.",
  },
  data_export: {
    subject: "Vos données {{brand}} sont prêtes à être téléchargées",
    preheader: "Le téléchargement est disponible pendant {{valid_for}}.",
    title: "Vos données sont prêtes",
    lead:
      "La copie de vos données {{brand}} est prête. Connectez-vous pour la télécharger pendant {{valid_for}}\u202F; " +
      "passé ce délai, la copie sera supprimée.",
    button: "Télécharger mes données",
    after: "Vous n’avez pas demandé vos données\u202F? Modifiez votre mot de passe et prévenez votre administrateur.",
  },
};
