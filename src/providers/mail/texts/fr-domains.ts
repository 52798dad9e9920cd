import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Enregistrement DNS manquant pour {{domain}}",
    preheader: "Sans cet enregistrement, votre organisation perdra le domaine dans {{valid_for}}.",
    title: "Un enregistrement DNS est manquant",
    lead:
      "L’enregistrement TXT qui prouve que {{domain}} appartient à votre organisation est manquant. Ajoutez-le de " +
      "nouveau\u00A0: sinon, votre organisation perdra le domaine dans {{valid_for}}, et l’authentification unique " +
      "prendra fin pour les adresses du domaine.",
    button: "Vérifier le domaine",
    after: "Le service vérifie l’enregistrement une fois par jour. Vous pouvez le vérifier à tout moment sur la page.",
  },
  domain_lost: {
    subject: "Votre organisation a perdu le domaine {{domain}}",
    preheader: "L’enregistrement DNS a été absent pendant sept jours.",
    title: "Un domaine a été perdu",
    lead:
      "L’enregistrement TXT de {{domain}} a été absent pendant sept jours. L’authentification unique ne s’applique " +
      "plus aux adresses du domaine. Les sessions ouvertes sont conservées.",
    button: "Valider à nouveau le domaine",
    after: "Pour utiliser de nouveau le domaine, ajoutez l’enregistrement au DNS et vérifiez le domaine sur la page.",
  },
  domain_transferred: {
    subject: "Le domaine {{domain}} a été transféré",
    preheader: "L’exploitant de {{brand}} a statué sur la propriété du domaine.",
    title: "Un domaine a été transféré",
    lead: "L’exploitant de {{brand}} a décidé à quelle organisation appartient le domaine {{domain}}.",
    gained:
      "Le domaine appartient désormais à votre organisation. Conservez l’enregistrement TXT dans le DNS\u00A0: le " +
      "service le vérifie une fois par jour.",
    givenUp:
      "Le domaine n’appartient plus à votre organisation. L’authentification unique ne s’applique plus aux adresses " +
      "du domaine. Les sessions ouvertes sont conservées.",
    button: "Consulter les domaines",
    after: "Pour toute question, contactez l’exploitant de {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Une connexion par authentification unique a été refusée",
    preheader: "Deux comptes de votre fournisseur d’identité ont l’adresse {{address}}.",
    title: "Une connexion a été refusée",
    lead:
      "Chez votre fournisseur d’identité, un second compte a l’adresse {{address}} d’un membre. La connexion " +
      "via {{connection}} ({{time}}) a été refusée, afin que le second compte n’obtienne pas l’accès de ce membre.",
    button: "Vérifier l’authentification unique",
    after:
      "Si le membre a un nouveau compte chez votre fournisseur d’identité, dissociez l’ancien compte sur la " +
      "page. Sinon, corrigez l’adresse chez votre fournisseur d’identité.",
  },
  sso_linked: {
    subject: "Vous pouvez vous connecter via {{organization_name}}",
    preheader:
      "{{organization_name}} vous connecte par son fournisseur d’identité, pour cette organisation uniquement.",
    title: "L’authentification unique est configurée",
    lead:
      "Votre compte {{brand}} est désormais associé à votre compte chez le fournisseur d’identité de " +
      "{{organization_name}}. Une connexion par ce fournisseur ne donne accès qu’à cette organisation. " +
      "Votre mot de passe, vos autres méthodes de connexion et vos autres organisations restent inchangés.",
    button: "Vérifier votre compte",
    after: "Si vous ne reconnaissez pas cette connexion, prévenez un administrateur de {{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "Accès d’urgence utilisé",
    preheader: "Le compte {{address}} s’est connecté sans votre fournisseur d’identité.",
    title: "L’accès d’urgence a été utilisé",
    lead:
      "Le compte {{address}} s’est connecté avec l’accès d’urgence le {{time}}, alors que votre organisation exige " +
      "l’authentification unique. La session prend fin au bout d’une heure.",
    button: "Vérifier l’authentification unique",
    after: "Si vous n’attendiez pas cette connexion, mettez fin à la session de cette personne et modifiez la règle.",
  },
  sso_paused: {
    subject: "Authentification unique facultative pendant 24 h",
    preheader: "L’exploitant de {{brand}} a suspendu l’obligation.",
    title: "L’obligation est suspendue",
    lead:
      "L’exploitant de {{brand}} a suspendu l’obligation d’authentification unique dans votre " +
      "organisation jusqu’au {{time}}. Les membres peuvent se connecter avec leurs propres méthodes. " +
      "Motif : {{reason}}",
    button: "Vérifier l’authentification unique",
    after: "L’obligation reprend d’elle-même. Pour toute question, adressez-vous à l’exploitant de {{brand}}.",
  },
};
