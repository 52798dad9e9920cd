/** Português: aplicativos com acesso a uma organização e decisões sobre aplicativos. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Aplicativos",
    lead: "Aplicativos com acesso em nome de membros desta organização.",
    notYours: "Somente administradores da organização veem os aplicativos.",
    requestsTitle: "Solicitações de membros",
    requestsLead: "Membros solicitaram estes aplicativos. Verifique o endereço antes de aprovar um aplicativo.",
    noRequest: "Nenhuma solicitação aguarda uma decisão.",
    usedTitle: "Aplicativos com acesso",
    none: "Nenhum aplicativo tem acesso em nome de membros desta organização.",
    end: "Encerrar acesso",
    decisionsTitle: "Decisões",
    decisionsLead: "As decisões valem enquanto as políticas da organização permitirem somente aplicativos aprovados.",
    approve: "Aprovar",
    deny: "Recusar",
    approved: "O aplicativo está aprovado.",
    denied: "O aplicativo está recusado.",
    ended: "O acesso do aplicativo foi encerrado.",
    endText:
      "Todos os membros são desconectados do aplicativo e uma aprovação é retirada. Se as políticas " +
      "permitirem o aplicativo, os membros podem permitir o acesso novamente.",
    approvalAsk: "Pedir a um administrador",
    approvalBack: "Voltar ao aplicativo",
    statuses: { approved: "aprovado", denied: "recusado" },
    changed: "alterado desde a aprovação",
    requestOf: (name) => `solicitado por ${name}`,
    endNamed: (name) => `Encerrar o acesso de ${name}`,
    endTitle: (name) => `Encerrar o acesso de ${name}?`,
    approveNamed: (name) => `Aprovar ${name}`,
    denyNamed: (name) => `Recusar ${name}`,
    approvalTitle: (name) => `${name} precisa de aprovação`,
    approvalText: (organization) =>
      `${organization} permite somente aplicativos aprovados. Peça a um administrador que aprove este aplicativo.`,
    approvalRequested: (organization) =>
      `A solicitação aguarda um administrador de ${organization}. Faça login no aplicativo novamente após ` +
      "a aprovação.",
  },
};
