/** Français : applications ayant accès à une organisation et décisions sur les applications. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Applications",
    lead: "Applications ayant accès pour les membres de cette organisation.",
    notYours: "Seuls les administrateurs de l’organisation voient les applications.",
    requestsTitle: "Demandes des membres",
    requestsLead: "Des membres ont demandé ces applications. Vérifiez l’adresse avant d’approuver une application.",
    noRequest: "Aucune demande n’attend de décision.",
    usedTitle: "Applications ayant accès",
    none: "Aucune application n’a accès pour les membres de cette organisation.",
    end: "Mettre fin à l’accès",
    decisionsTitle: "Décisions",
    decisionsLead:
      "Les décisions comptent tant que les politiques de l’organisation n’autorisent que les applications approuvées.",
    approve: "Approuver",
    deny: "Refuser",
    approved: "L’application est approuvée.",
    denied: "L’application est refusée.",
    ended: "L’accès de l’application a pris fin.",
    endText:
      "Tous les membres sont déconnectés de l’application, et une approbation est retirée. Si les " +
      "politiques autorisent l’application, les membres peuvent de nouveau autoriser l’accès.",
    approvalAsk: "Demander à un administrateur",
    approvalBack: "Retour à l’application",
    statuses: { approved: "approuvée", denied: "refusée" },
    changed: "modifiée depuis l’approbation",
    requestOf: (name) => `demandée par ${name}`,
    endNamed: (name) => `Mettre fin à l’accès de ${name}`,
    endTitle: (name) => `Mettre fin à l’accès de ${name}\u202F?`,
    approveNamed: (name) => `Approuver ${name}`,
    denyNamed: (name) => `Refuser ${name}`,
    approvalTitle: (name) => `${name} a besoin d’une approbation`,
    approvalText: (organization) =>
      `${organization} n’autorise que les applications approuvées. Demandez à un administrateur ` +
      "d’approuver cette application.",
    approvalRequested: (organization) =>
      `La demande attend un administrateur de ${organization}. Reconnectez-vous à l’application après ` +
      "l’approbation.",
  },
};
