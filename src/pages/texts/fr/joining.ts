/** French: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Rejoindre",
    joinOf: (name) => `Rejoindre ${name}`,
    ask: "Demander à rejoindre",
    askOf: (name) => `Demander à rejoindre ${name}`,
    openTo: (domain) => `Ouverte à votre adresse en ${domain}`,
    asks: (domain) => `Votre adresse en ${domain} vous permet de faire une demande, qu’un membre examine`,
    requested: "Demande envoyée",
    denied: "Refusée",
    deniedHint: "Demandez une invitation à un membre, ou refaites une demande 30 jours après la première",
    sent: "Votre demande est envoyée. Vous recevrez la décision par e‑mail.",
    unavailable: "Vous ne pouvez plus rejoindre cette organisation, ou elle a trop de demandes en cours.",
    title: "Demandes d’adhésion",
    lead: "Des utilisateurs avec une adresse confirmée dans un domaine de l’organisation souhaitent devenir membres.",
    approve: "Accepter",
    approveOf: (name) => `Accepter ${name}`,
    deny: "Refuser",
    denyOf: (name) => `Refuser ${name}`,
    denyTitle: (name) => `Refuser la demande de ${name}\u202F?`,
    denyText: "L’utilisateur reçoit un e‑mail et peut refaire une demande 30 jours après la première.",
    asked: "demandé",
    approved: "L’utilisateur est maintenant membre et reçoit un e‑mail.",
    deniedNow: "La demande est refusée. L’utilisateur reçoit un e‑mail.",
    outdated: "La demande est déjà traitée, ou l’utilisateur ne peut plus adhérer par le domaine.",
  },
  ownOrganizations: {
    lead: "Vous devenez propriétaire. Votre session reste dans l’organisation actuelle.",
    created: "L’organisation est créée. Passez à l’organisation ci-dessous.",
    taken: "Ce slug est déjà utilisé. Choisissez un autre slug.",
    tooMany: "Vous possédez déjà autant d’organisations que ce service l’autorise.",
    unverified: "Confirmez d’abord votre adresse e‑mail.",
  },
};
