/** Portuguese: set-up links, for administrators and for the person with the link. */
import type { SsoSetupTexts } from "../en/sso-setup.ts";

export const ssoSetupTexts: SsoSetupTexts = {
  ssoSetup: {
    links: "Links de configuração",
    linksLead: "Com um link, o administrador do seu provedor de identidade configura o logon único sem uma conta.",
    noLinks: "Nenhum link de configuração ainda.",
    tasks: {
      domains: "Verificar domínios",
      connection: "Configurar uma conexão",
      directory: "Criar um token de diretório",
    },
    tasksLabel: "Tarefas",
    recipient: "Endereço de e-mail do destinatário",
    recipientHint: "Deixe em branco para entregar o link pessoalmente.",
    hours: "Horas até o link expirar",
    hoursHint: "De 1 a 336 horas.",
    create: "Criar link de configuração",
    badTasks: "Selecione pelo menos uma tarefa.",
    full: "Sua organização tem 5 links de configuração abertos, o máximo. Revogue um link primeiro.",
    linkTitle: "Link de configuração",
    linkLead: "Copie o link agora. Ele não será exibido de novo e funciona em um só navegador.",
    mailed: (email) => `O link também foi enviado para ${email}.`,
    linkKept: "Voltar ao logon único",
    statuses: {
      pending: "Não aberto",
      begun: "Em uso",
      completed: "Concluído",
      revoked: "Revogado",
      expired: "Expirado",
    },
    until: (time) => `Válido até ${time}`,
    revoke: "Revogar",
    revokeTitle: "Revogar o link de configuração?",
    revokeText: "O link deixa de funcionar imediatamente. Domínios e conexões são mantidos.",
    revoked: "O link de configuração foi revogado.",
    awaitingOwner:
      "Um link de configuração solicitou a ativação desta conexão. Confira as configurações e depois ative a " +
      "conexão. Somente um proprietário pode ativar a conexão.",
    title: (organization) => `Configurar o logon único de ${organization}`,
    invitedBy: (name, organization) =>
      `${name} pede que você configure o logon único de ${organization}. Você não precisa de uma conta.`,
    invited: (organization) => `Você pode configurar o logon único de ${organization}. Você não precisa de uma conta.`,
    begin: "Começar",
    beginHint: "Depois, o link funciona somente neste navegador, por 8 horas.",
    dead:
      "Este link de configuração foi encerrado ou aberto em outro navegador. Peça um novo link à pessoa que o " +
      "enviou.",
    overview: "Tarefas",
    overviewLead: "Conclua as tarefas nesta ordem. Os resultados são salvos, e você pode voltar a cada tarefa.",
    open: "Abrir",
    states: { open: "A fazer", waiting: "Aguardando um proprietário", done: "Feito" },
    finish: "Concluir a configuração",
    finishLead: "Conclua quando todas as tarefas estiverem feitas. O link então deixa de funcionar.",
    finishedTitle: "A configuração foi concluída",
    finished: "Obrigado. O link não funciona mais, e você pode fechar esta página.",
    domainsElsewhere: "Os administradores da organização verificam os domínios.",
    selectProvider: "Selecione seu provedor de identidade",
    requestLead: "Um proprietário da organização confirma a ativação. Os proprietários recebem um e-mail.",
    request: "Solicitar ativação",
    requested: "Foi pedido aos proprietários que ativem a conexão. Você pode concluir a configuração.",
    waiting: "Foi pedido a um proprietário da organização que ative a conexão.",
    isActive: "A conexão está ativa.",
    directoryLead: "Com o token, o diretório do seu provedor de identidade cria e desativa as contas dos membros.",
    createToken: "Criar token",
    tokenCreated: "O token foi criado. Se você o perdeu, peça um novo link de configuração.",
  },
};
