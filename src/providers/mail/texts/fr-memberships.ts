import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
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
