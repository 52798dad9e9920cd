import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Vos autorisations dans {{organization_name}} ont changé",
    preheader: "Voyez qui d’autre a accès à votre compte.",
    title: "Vous avez plus d’autorisations",
    lead:
      "Vous avez désormais plus d’autorisations dans {{organization_name}}. Ces connexions et ces clés " +
      "atteignent aussi votre compte, avec la personne responsable entre parenthèses : {{channels}}.",
    button: "Ouvrir les paramètres de sécurité",
    after:
      "Si la connexion avec votre compte d’entreprise ne fonctionne plus, connectez-vous par une méthode " +
      "personnelle et associez le compte d’entreprise dans les paramètres de sécurité.",
  },
  channels_accepted: {
    subject: "De nouvelles autorisations dans {{organization_name}} ont été confirmées",
    preheader: "Des personnes ayant moins d’autorisations sont responsables d’accès à celles-ci.",
    title: "Une attribution a été confirmée",
    lead:
      "Des autorisations ont été accordées dans {{organization_name}}, bien que des personnes ayant moins " +
      "d’autorisations soient responsables de ces accès : {{channels}}.",
    button: "Vérifier l’organisation",
    after: "Si vous ne vous y attendez pas, annulez la modification ou remplacez les connexions et les clés.",
  },
  role_template_widened: {
    subject: "Le rôle «\u202F{{role_name}}\u202F» a de nouvelles autorisations",
    preheader: "Les membres de {{organization_name}} qui ont le rôle ont désormais les autorisations.",
    title: "Un rôle a de nouvelles autorisations",
    lead:
      "La plateforme {{brand}} a ajouté des autorisations au modèle «\u202F{{role_name}}\u202F», que " +
      "{{organization_name}} utilise. Les membres qui ont le rôle ont désormais ces autorisations\u00A0: " +
      "{{added}}.",
    button: "Vérifier le rôle",
    after:
      "Si les membres ne doivent pas avoir ces autorisations, retirez-leur le rôle ou créez votre propre " + "rôle.",
  },
  join_requested: {
    subject: "Demande d’adhésion à {{organization_name}}",
    preheader: "{{address}} souhaite devenir membre. Délai de décision\u00A0: {{valid_for}}.",
    title: "Une demande d’adhésion à votre organisation",
    lead:
      "L’utilisateur {{address}} souhaite rejoindre {{organization_name}} sur {{brand}}. L’adresse appartient à un " +
      "domaine validé de l’organisation. La demande prend fin après {{valid_for}}.",
    button: "Examiner la demande",
    after: "Si vous ne connaissez pas l’utilisateur, refusez la demande.",
  },
  join_approved: {
    subject: "Vous êtes maintenant membre de {{organization_name}}",
    preheader: "Votre demande d’adhésion a été acceptée.",
    title: "Votre demande a été acceptée",
    lead:
      "Votre demande d’adhésion à {{organization_name}} sur {{brand}} a été acceptée. Vous pouvez passer à " +
      "l’organisation depuis votre compte.",
    button: "Ouvrir le compte",
    after: "Si vous n’avez pas fait cette demande, prévenez votre administrateur.",
  },
  join_denied: {
    subject: "Votre demande d’adhésion à {{organization_name}} a été refusée",
    preheader: "Vous pourrez refaire une demande plus tard.",
    title: "Votre demande a été refusée",
    lead:
      "Votre demande d’adhésion à {{organization_name}} sur {{brand}} a été refusée. Vous pourrez refaire " +
      "une demande {{valid_for}} après la première.",
    button: "Ouvrir le compte",
    after: "Si vous avez besoin d’un accès maintenant, demandez une invitation à un membre de l’organisation.",
  },
};
