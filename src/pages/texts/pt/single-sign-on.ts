/** Portuguese: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "Logon único",
    notYours: "Somente proprietários e administradores da organização podem gerenciar o logon único.",
    notIncluded: "Seu plano não inclui o logon único. Fale com o operador deste serviço.",
    domains: "Domínios",
    domainsLead: "Um registro DNS comprova que os endereços de um domínio pertencem à sua organização.",
    domain: "Domínio",
    domainHint: "Por exemplo, acme.com. Um domínio não inclui seus subdomínios.",
    notAccepted: "Este domínio é de um provedor ou de muitos titulares. Digite um domínio da sua organização.",
    add: "Adicionar domínio",
    readOnly: "Confirme seu segundo fator para fazer alterações.",
    noDomains: "Nenhum domínio ainda. Adicione o domínio dos seus endereços de e‑mail.",
    added: "O domínio foi adicionado. Agora adicione o registro TXT ao DNS.",
    alreadyAdded: "Sua organização já tem este domínio ou já tem o máximo de 50 domínios.",
    statuses: { pending: "Não verificado", verified: "Verificado", failing: "Registro ausente", lost: "Perdido" },
    pendingText: "Adicione este registro TXT ao DNS e verifique o domínio. As mudanças no DNS podem levar uma hora.",
    verifiedText: "Mantenha o registro TXT no DNS: o serviço o verifica uma vez por dia.",
    failingText: (date) => `Adicione o registro TXT novamente antes de ${date}. Caso contrário, você perde o domínio.`,
    lostText: "O registro TXT esteve ausente por sete dias. Adicione o registro novamente e verifique o domínio.",
    conflictText:
      "Outra organização usa este domínio. Mantenha seu registro no DNS: o domínio passa a ser seu depois que o " +
      "registro da outra organização estiver ausente por sete dias.",
    record: "Registro TXT",
    recordName: "Nome",
    recordValue: "Valor",
    checked: "última verificação:",
    neverChecked: "ainda não verificado",
    checkNow: "Verificar agora",
    checkNamed: (domain) => `Verificar agora: ${domain}`,
    results: {
      verified: "O domínio foi verificado.",
      waiting: "Seu registro está no DNS. O domínio aguarda a outra organização.",
      missing: "Seu registro ainda não está no DNS. As mudanças no DNS podem levar uma hora.",
      noResponse: "Os servidores DNS não respondem. Tente novamente em alguns minutos.",
    },
    found: "Valores encontrados no DNS",
    removeTitle: (domain) => `Remover ${domain}?`,
    removeText: "O logon único termina imediatamente para os endereços do domínio. As sessões abertas continuam.",
    removed: "O domínio foi removido.",
  },
};
