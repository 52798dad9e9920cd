/** Portuguese: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Contas da empresa",
    lead: "Contas do provedor de identidade da sua organização com as quais você faz login.",
    unlinkTitle: "Desvincular a conta da empresa?",
    unlinkText: "As sessões da conta da empresa terminam imediatamente. Você continua sendo membro.",
    unlinked: "A conta da empresa foi desvinculada.",
    notLinked: "Não vinculada",
    link: "Vincular",
    linkTitle: "Vincular esta conta da empresa?",
    linkText: (organization) => `A partir de agora, você faz login em ${organization} com a conta da empresa.`,
    subject: "ID permanente",
    email: "E‑mail",
    linkFailed: "A conta da empresa não foi vinculada. Comece de novo ou fale com seu administrador.",
    linkTaken: "Esta conta da empresa está vinculada a outra conta. Fale com seu administrador.",
    linkDone: "A conta da empresa foi vinculada.",
    continueTo: (name) => `Continuar para ${name}`,
    membersLead: "Membros que fazem login pelo provedor de identidade, com a origem do vínculo.",
    noMembers: "Nenhum membro fez login pelo provedor de identidade ainda.",
    linkedBy: "Vinculado por",
    origins: { domain: "Domínio", user: "Membro", directory: "Diretório" },
    unlinkMemberText: "As sessões da conta da empresa terminam imediatamente. O membro continua na organização.",
    resetFactor: "Redefinir o segundo fator",
    resetTitle: "Redefinir o segundo fator?",
    resetText:
      "O membro configura um novo app autenticador depois do próximo logon único. As sessões abertas continuam.",
    factorReset: "O segundo fator foi redefinido.",
    factorTitle: "Configurar um segundo fator",
    factorLead: (organization) =>
      `${organization} exige um código de um app autenticador depois do logon único. O app vale somente para esta ` +
      "organização.",
    stepUpLead: "Esta ação exige uma nova confirmação. Confirme com sua conta da empresa.",
    stepUpFailed:
      "O segundo fator não foi confirmado com sua conta da empresa. Tente novamente ou fale com seu " +
      "administrador.",
    stepUpNever:
      "Esta ação exige um segundo fator, e sua organização não reconhece nenhum segundo fator da sua conta da " +
      "empresa. Peça a um administrador que digite os valores reconhecidos de acr ou amr (mfa_trust) na " +
      "conexão.",
  },
  ssoTests: {
    title: "Teste a conexão",
    lead: "Um teste faz seu login no provedor de identidade e não muda nada para os membros.",
    start: "Testar conexão",
    again: "Testar novamente",
    go: "Continuar para o provedor de identidade",
    incomplete: "Digite primeiro o emissor, o ID do cliente e o segredo ou a chave.",
    last: "Último teste:",
    passed: "O teste foi bem-sucedido.",
    failed: "O teste falhou. Corrija a verificação que falhou e teste novamente.",
    outdated: "As configurações mudaram depois deste teste. Teste novamente.",
    outcomes: {
      pass: "Aprovada",
      warning: "Aviso",
      fail: "Falhou",
      skipped: "Ignorada",
    },
    checks: {
      discovery: "Configuração carregada",
      state: "Mesmo navegador",
      provider_error: "Login no provedor de identidade",
      issuer: "Emissor exato",
      token_request: "ID do cliente e segredo ou chave aceitos",
      nonce: "A resposta pertence ao teste",
      id_token: "Token de ID válido",
      userinfo: "UserInfo lido",
      subject: "ID permanente presente",
      email: "Endereço de e‑mail presente",
      email_verified: "Endereço verificado pelo provedor de identidade",
      domain: "Endereço em um domínio verificado",
      groups: "Grupos presentes",
      mfa: "Segundo fator no provedor de identidade",
    },
    hints: {
      email: "A claim não contém um endereço de e‑mail. Verifique as claims.",
      domain: "O endereço não está em nenhum domínio verificado desta conexão: este usuário não pode fazer login.",
      groups: "A resposta não contém grupos, ou não todos.",
      mfa: "Nem acr nem amr têm um valor reconhecido.",
    },
    effect: "Efeito de um login",
    effects: {
      sign_in: "O usuário faz login.",
      link: "O usuário faz login, e a conta da empresa é vinculada.",
      create: "Um novo usuário é criado.",
      refused: "O login é recusado.",
    },
    mapping: "Dados do usuário",
    received: "Claims recebidas",
    subject: "ID permanente",
    role: "Função",
    twoStep: "Verificação em duas etapas",
    yes: "Sim",
    no: "Não",
  },
};
