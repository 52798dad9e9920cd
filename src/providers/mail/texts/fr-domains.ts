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
  organization_factor_enabled: {
    subject: "Second facteur configuré pour {{organization_name}}",
    preheader: "{{device}}, {{time}}. Si ce n’était pas vous, prévenez un administrateur de {{organization_name}}.",
    title: "Un second facteur a été configuré",
    lead:
      "Une application d’authentification a été configurée pour l’authentification unique de " +
      "{{organization_name}}. Elle n’est demandée qu’après cette connexion. Votre mot de passe et vos autres " +
      "méthodes de connexion restent inchangés.",
    button: "Vérifier votre compte",
    after:
      "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, prévenez immédiatement un administrateur de " +
      "{{organization_name}}.",
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
  requirement_lifted: {
    subject: "Une obligation de votre organisation a pu prendre fin",
    preheader: "Le réglage {{setting}} faisait partie de l’obligation.",
    title: "Un réglage d’une obligation a changé",
    lead:
      "Votre organisation exige l’authentification unique ou un second facteur. Le réglage {{setting}}, qui " +
      "fait partie de cette obligation, a été modifié ou supprimé le {{time}} par un membre autorisé à " +
      "modifier les règles.",
    button: "Vérifier l’authentification unique",
    after:
      "Si vous n’attendez pas cette modification, rétablissez le réglage et consultez le journal d’audit " +
      "pour savoir qui l’a faite.",
  },
  sso_certificate_expiring: {
    subject: "Un certificat de votre fournisseur d’identité expire le {{time}}",
    preheader: "La connexion {{connection}} utilise ce certificat.",
    title: "Un certificat expire",
    lead:
      "Un certificat du fournisseur d’identité de la connexion {{connection}} est valable jusqu’au {{time}}. " +
      "Demandez le prochain certificat à l’administrateur du fournisseur d’identité.",
    button: "Vérifier la connexion",
    after:
      "Ajoutez le prochain certificat à côté de l’ancien pour qu’aucune connexion n’échoue. Avec l’adresse des " +
      "métadonnées, le service lit lui-même les nouveaux certificats.",
  },
  sso_secret_expiring: {
    subject: "Le secret client de votre fournisseur d’identité expire le {{time}}",
    preheader: "La connexion {{connection}} utilise ce secret.",
    title: "Un secret client expire",
    lead:
      "Le secret client de la connexion {{connection}} est valable jusqu’au {{time}}. Créez un nouveau secret chez " +
      "le fournisseur d’identité.",
    button: "Vérifier la connexion",
    after:
      "Saisissez le nouveau secret et la nouvelle date avant l’expiration de l’ancien pour qu’aucune connexion " +
      "n’échoue.",
  },
  sso_certificates_changed: {
    subject: "Les certificats de la connexion {{connection}} ont changé",
    preheader: "Les métadonnées de votre fournisseur d’identité ont changé le {{time}}.",
    title: "Des certificats ont changé",
    lead:
      "Le service a lu le {{time}} de nouvelles métadonnées du fournisseur d’identité de la connexion " +
      "{{connection}} et a modifié les certificats de la connexion.",
    button: "Vérifier la connexion",
    after:
      "Si vous n’attendez pas cette modification, désactivez la connexion et adressez-vous à l’administrateur du " +
      "fournisseur d’identité.",
  },
  sso_setup_link: {
    subject: "Authentification unique pour {{organization_name}}",
    preheader: "{{inviter_name}} vous demande de connecter votre fournisseur d’identité.",
    title: "Configurez l’authentification unique",
    lead:
      "{{inviter_name}} vous demande de configurer l’authentification unique de {{organization_name}} sur " +
      "{{brand}}. Aucun compte n’est nécessaire. Le lien ne fonctionne que dans un seul navigateur\u00A0: " +
      "ouvrez-le dans celui avec lequel vous gérez votre fournisseur d’identité.",
    button: "Commencer la configuration",
    after: "Ne transférez pas le lien. Si vous n’attendez pas cet e-mail, ignorez-le.",
  },
  sso_activation_requested: {
    subject: "Une connexion attend votre activation",
    preheader: "La configuration de {{connection}} est terminée.",
    title: "Activez la connexion",
    lead:
      "La configuration de la connexion {{connection}} a été terminée le {{time}} au moyen d’un lien de " +
      "configuration. Vérifiez les paramètres. Les membres pourront se connecter dès qu’un propriétaire aura " +
      "activé la connexion.",
    button: "Vérifier la connexion",
    after: "Si vous ne savez pas qui a configuré la connexion, ne l’activez pas et révoquez le lien de configuration.",
  },
};
