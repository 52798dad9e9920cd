/** French: set-up links, for administrators and for the person with the link. */
import type { SsoSetupTexts } from "../en/sso-setup.ts";

export const ssoSetupTexts: SsoSetupTexts = {
  ssoSetup: {
    links: "Liens de configuration",
    linksLead:
      "Avec un lien, l’administrateur de votre fournisseur d’identité configure l’authentification unique sans " +
      "compte.",
    noLinks: "Aucun lien de configuration pour le moment.",
    tasks: {
      domains: "Valider des domaines",
      connection: "Configurer une connexion",
      directory: "Créer un jeton d’annuaire",
    },
    tasksLabel: "Tâches",
    recipient: "Adresse e‑mail du destinataire",
    recipientHint: "Laissez vide pour transmettre le lien vous-même.",
    hours: "Heures avant l’expiration du lien",
    hoursHint: "De 1 à 336 heures.",
    create: "Créer un lien de configuration",
    badTasks: "Sélectionnez au moins une tâche.",
    full: "Votre organisation a 5 liens de configuration ouverts, le maximum. Révoquez d’abord un lien.",
    linkTitle: "Lien de configuration",
    linkLead: "Copiez le lien maintenant. Il ne sera plus affiché et ne fonctionne que dans un seul navigateur.",
    mailed: (email) => `Le lien a aussi été envoyé à ${email}.`,
    linkKept: "Retour à l’authentification unique",
    statuses: { pending: "Non ouvert", begun: "En cours", completed: "Terminé", revoked: "Révoqué", expired: "Expiré" },
    until: (time) => `Valable jusqu’au ${time}`,
    revoke: "Révoquer",
    revokeTitle: "Révoquer le lien de configuration\u202F?",
    revokeText: "Le lien cesse immédiatement de fonctionner. Les domaines et les connexions sont conservés.",
    revoked: "Le lien de configuration est révoqué.",
    awaitingOwner:
      "L’activation de cette connexion a été demandée au moyen d’un lien de configuration. Vérifiez les " +
      "paramètres, puis activez la connexion. Seul un propriétaire peut activer la connexion.",
    title: (organization) => `Configurer l’authentification unique de ${organization}`,
    invitedBy: (name, organization) =>
      `${name} vous demande de configurer l’authentification unique de ${organization}. Aucun compte n’est ` +
      "nécessaire.",
    invited: (organization) =>
      `Vous pouvez configurer l’authentification unique de ${organization}. Aucun compte n’est nécessaire.`,
    begin: "Commencer",
    beginHint: "Le lien ne fonctionnera ensuite que dans ce navigateur, pendant 8 heures.",
    dead:
      "Ce lien de configuration n’est plus valable ou a été ouvert dans un autre navigateur. Demandez un nouveau " +
      "lien à la personne qui vous l’a envoyé.",
    overview: "Tâches",
    overviewLead:
      "Effectuez les tâches dans cet ordre. Les résultats sont enregistrés, et vous pouvez revenir à chaque tâche.",
    toTasks: "Retour aux tâches",
    open: "Ouvrir",
    states: { open: "À faire", waiting: "En attente d’un propriétaire", done: "Terminé" },
    finish: "Terminer la configuration",
    finishLead: "Terminez lorsque toutes les tâches sont effectuées. Le lien cesse alors de fonctionner.",
    finishedTitle: "La configuration est terminée",
    finished: "Merci. Le lien ne fonctionne plus, et vous pouvez fermer cette page.",
    domainsElsewhere: "Les administrateurs de l’organisation valident les domaines.",
    selectProvider: "Sélectionnez votre fournisseur d’identité",
    requestLead: "Un propriétaire de l’organisation confirme l’activation. Les propriétaires reçoivent un e‑mail.",
    request: "Demander l’activation",
    requested: "Les propriétaires ont été priés d’activer la connexion. Vous pouvez terminer la configuration.",
    waiting: "Un propriétaire de l’organisation a été prié d’activer la connexion.",
    isActive: "La connexion est active.",
    directoryLead:
      "Avec le jeton, l’annuaire de votre fournisseur d’identité crée et désactive les comptes des membres.",
    createToken: "Créer un jeton",
    tokenCreated: "Le jeton a été créé. Si vous l’avez perdu, demandez un nouveau lien de configuration.",
  },
};
