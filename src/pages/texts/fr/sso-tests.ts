/** French: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Comptes d’entreprise",
    lead: "Comptes du fournisseur d’identité de votre organisation avec lesquels vous vous connectez.",
    unlinkTitle: "Dissocier le compte d’entreprise\u202F?",
    unlinkText: "Les sessions du compte d’entreprise prennent fin immédiatement. Vous restez membre.",
    unlinked: "Le compte d’entreprise est dissocié.",
    notLinked: "Non associé",
    link: "Associer",
    linkTitle: "Associer ce compte d’entreprise\u202F?",
    linkText: (organization) => `Le compte d’entreprise vous connecte désormais à ${organization}.`,
    subject: "ID permanent",
    email: "Adresse e‑mail",
    linkFailed: "Le compte d’entreprise n’a pas été associé. Recommencez ou adressez-vous à votre administrateur.",
    linkTaken: "Ce compte d’entreprise est associé à un autre compte. Adressez-vous à votre administrateur.",
    linkDone: "Le compte d’entreprise est associé.",
    continueTo: (name) => `Continuer vers ${name}`,
    membersLead: "Membres qui se connectent par le fournisseur d’identité, avec l’origine de l’association.",
    noMembers: "Aucun membre ne s’est encore connecté par le fournisseur d’identité.",
    linkedBy: "Associé par",
    origins: { domain: "Domaine", user: "Membre", directory: "Annuaire" },
    unlinkMemberText:
      "Les sessions du compte d’entreprise se terminent immédiatement. Le membre reste dans l’organisation.",
    resetFactor: "Réinitialiser le second facteur",
    resetTitle: "Réinitialiser le second facteur\u202F?",
    resetText:
      "Le membre configure une nouvelle application d’authentification après la prochaine authentification unique. " +
      "Les sessions ouvertes continuent.",
    factorReset: "Le second facteur a été réinitialisé.",
    factorTitle: "Configurer un second facteur",
    factorLead: (organization) =>
      `${organization} exige un code d’une application d’authentification après l’authentification unique. ` +
      "L’application ne vaut que pour cette organisation.",
    stepUpLead: "Cette action nécessite une nouvelle confirmation. Confirmez avec votre compte d’entreprise.",
    stepUpFailed:
      "Le second facteur n’a pas été confirmé avec votre compte d’entreprise. Réessayez ou adressez-vous à " +
      "votre administrateur.",
    stepUpNever:
      "Cette action nécessite un second facteur, et votre organisation ne reconnaît aucun second facteur de " +
      "votre compte d’entreprise. Demandez à un administrateur de saisir les valeurs reconnues de acr ou amr " +
      "(mfa_trust) dans la connexion.",
  },
  ssoTests: {
    title: "Tester la connexion",
    lead: "Un test vous connecte auprès du fournisseur d’identité et ne change rien pour les membres.",
    start: "Lancer le test",
    again: "Tester de nouveau",
    go: "Continuer vers le fournisseur d’identité",
    incomplete: "Saisissez d’abord l’émetteur, l’ID client et le secret ou la clé.",
    last: "Dernier test\u00A0:",
    passed: "Le test a réussi.",
    failed: "Le test a échoué. Corrigez la vérification en échec, puis testez de nouveau.",
    outdated: "Les paramètres ont changé depuis ce test. Testez de nouveau.",
    outcomes: {
      pass: "Réussie",
      warning: "Avertissement",
      fail: "Échec",
      skipped: "Ignorée",
    },
    checks: {
      discovery: "Configuration chargée",
      state: "Même navigateur",
      provider_error: "Connexion auprès du fournisseur d’identité",
      issuer: "Émetteur exact",
      token_request: "ID client et secret ou clé acceptés",
      nonce: "Réponse liée au test",
      id_token: "Jeton d’identité valide",
      userinfo: "UserInfo lu",
      subject: "ID permanent présent",
      email: "Adresse e‑mail présente",
      email_verified: "Adresse vérifiée par le fournisseur d’identité",
      domain: "Adresse dans un domaine validé",
      groups: "Groupes présents",
      mfa: "Second facteur auprès du fournisseur d’identité",
    },
    hints: {
      email: "Le claim ne contient pas d’adresse e‑mail. Vérifiez les claims.",
      domain:
        "L’adresse n’est dans aucun domaine validé de cette connexion\u00A0: cet utilisateur ne peut pas se connecter.",
      groups: "La réponse ne contient pas de groupes, ou pas tous les groupes.",
      mfa: "Ni acr ni amr ne contient une valeur reconnue.",
    },
    effect: "Effet d’une connexion",
    effects: {
      sign_in: "L’utilisateur se connecte.",
      link: "L’utilisateur se connecte et le compte d’entreprise est associé.",
      create: "Un nouvel utilisateur est créé.",
      refused: "La connexion est refusée.",
    },
    mapping: "Données de l’utilisateur",
    received: "Claims reçus",
    subject: "ID permanent",
    role: "Rôle",
    twoStep: "Validation en deux étapes",
    yes: "Oui",
    no: "Non",
  },
};
