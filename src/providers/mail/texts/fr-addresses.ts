import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Confirmez votre adresse e-mail pour {{brand}}",
    preheader: "Le lien est valable {{valid_for}}, dans un navigateur où vous êtes connecté.",
    title: "Confirmez votre nouvelle adresse",
    lead:
      "Confirmez que cette adresse est associée à votre compte {{brand}}. D’ici là, connectez-vous avec votre " +
      "adresse actuelle.",
    button: "Confirmer cette adresse",
    after:
      "Vous n’êtes pas à l’origine de cette demande\u202F? Ignorez cet e-mail\u00A0: sans confirmation, l’adresse " +
      "n’est pas utilisée.",
  },
  email_in_use: {
    subject: "Votre adresse sur {{brand}}",
    preheader: "L’adresse est déjà associée à un compte. Rien n’a changé.",
    title: "Votre adresse est déjà utilisée",
    lead:
      "Cette adresse a été demandée pour un compte {{brand}}. Elle est déjà associée à un compte\u202F; rien n’a " +
      "donc changé.",
    button: "Se connecter",
    after:
      "C’était vous\u202F? Connectez-vous avec cette adresse ou choisissez un nouveau mot de passe lors de la " +
      "connexion. Sinon, ignorez cet e-mail.",
  },
  email_change_notice: {
    subject: "L’adresse e-mail de votre compte {{brand}}",
    preheader: "{{device}}, {{time}}. Si ce n’était pas vous, annulez la modification.",
    title: "Votre adresse e\u2011mail",
    lead: "Les adresses e-mail de votre compte {{brand}} ont été modifiées ou sont sur le point de l’être.",
    change:
      "Une nouvelle adresse principale a été demandée{{#new_email}}\u00A0: {{new_email}}{{/new_email}}. Une fois " +
      "celle-ci confirmée, la présente adresse ne sera plus associée au compte.",
    addition:
      "Une adresse supplémentaire a été demandée{{#new_email}}\u00A0: {{new_email}}{{/new_email}}. Une fois " +
      "confirmée, elle permettra de se connecter et de réinitialiser le mot de passe.",
    replaced:
      "L’adresse principale a été modifiée{{#new_email}}\u00A0: {{new_email}}{{/new_email}}. La présente adresse " +
      "permet toujours de se connecter.",
    undo:
      "Si ce n’était pas vous, annulez la modification. Le lien ne fonctionne qu’une fois, au plus tard " +
      "{{undo_period}} après la modification. Tous les appareils seront déconnectés\u202F; le mot de passe et " +
      "toutes les méthodes de connexion ajoutées depuis la demande seront supprimés\u00A0:",
    noUndo: "Cette adresse n’a jamais été confirmée pour le compte\u202F; aucune action n’est donc nécessaire.",
    button: "Vérifier la sécurité",
    after: "C’était vous\u202F? Vous pouvez ignorer cet e-mail.",
  },
  email_removed: {
    subject: "Une adresse e-mail a été supprimée sur {{brand}}",
    preheader: "{{device}}, {{time}}. Si ce n’était pas vous, modifiez votre mot de passe.",
    title: "Une adresse e\u2011mail a été supprimée",
    lead: "L’adresse {{email}} a été supprimée d’un compte {{brand}}. Elle ne permet plus de se connecter.",
    button: "Vérifier la sécurité",
    after:
      "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, modifiez immédiatement votre mot de passe et " +
      "prévenez votre administrateur.",
  },
  email_reverted: {
    subject: "La modification de votre adresse {{brand}} est annulée",
    preheader: "Cette adresse est de nouveau l’adresse principale. Définissez un nouveau mot de passe.",
    title: "La modification de votre adresse a été annulée",
    lead:
      "Cette adresse est de nouveau l’adresse principale de votre compte. Tous les appareils ont été " +
      "déconnectés\u202F; le mot de passe et toutes les méthodes de connexion ajoutées depuis la demande ont été " +
      "supprimés. Définissez un nouveau mot de passe.",
    button: "Définir un mot de passe",
    after: "Vous n’avez pas annulé la modification\u202F? Prévenez votre administrateur.",
  },
};
