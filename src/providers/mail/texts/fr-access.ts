import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Vérifiez votre compte {{brand}}",
    preheader: "Votre mot de passe a été réinitialisé. Mettez fin à ce que vous ne connaissez pas.",
    title: "Vérifiez ce qui a été configuré récemment",
    lead:
      "Le mot de passe de votre compte {{brand}} a été réinitialisé. Les clés d’accès, adresses et comptes associés " +
      "des sept derniers jours ne connectent personne avant votre confirmation.",
    listed: "Configuré récemment\u00A0:",
    end: "Si vous ne connaissez pas un élément, mettez fin à l’accès sur cette page\u00A0:",
    button: "Vérifier",
    after: "Si tout vient de vous, confirmez les éléments dans vos paramètres de sécurité.",
  },
  member_creations: {
    subject: "Clés et liens de {{address}} dans {{organization_name}}",
    preheader: "Cette personne est partie ou a désormais moins de droits. Vérifiez ce qui reste valide.",
    title: "Vérifiez ce qu’une personne a configuré",
    lead:
      "L’utilisateur {{address}} ne fait plus partie de {{organization_name}} sur {{brand}}, ou y dispose désormais " +
      "de moins de droits.",
    listed: "Ce que cette personne a configuré reste valide\u00A0:",
    button: "Vérifier et mettre fin",
    after: "Si votre organisation a besoin d’un élément, remplacez-le d’abord, puis mettez fin à l’accès.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Clé d’accès",
  identities: "Fournisseur associé",
  company_accounts: "Compte d’entreprise associé",
  address_changes: "Adresse e-mail",
  second_factor: "Application d’authentification",
  api_keys: "Clé API",
  webhooks: "Webhook",
  event_streams: "Flux d’événements",
  oauth_grants: "Application connectée",
  invitations: "Invitation en attente",
  setup_links: "Lien de configuration de l’authentification unique",
  connections: "Connexion d’authentification unique",
  domains: "Domaine",
};
