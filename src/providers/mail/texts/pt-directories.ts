import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "A chave do diretório “{{key_name}}” expira em breve",
    preheader: "Tempo restante: {{valid_for}}. Substitua a chave a tempo.",
    title: "Uma chave do diretório expira em breve",
    lead:
      "A chave de API da conta de serviço “{{key_name}}” expira em {{valid_for}}. Depois disso, o diretório não " +
      "poderá criar nem desativar usuários: quem sair da empresa manterá o acesso.",
    button: "Substituir a chave",
    after: "Crie uma segunda chave na página e insira a chave no diretório. Depois, revogue a chave antiga.",
  },
  directory_joined: {
    subject: "Sua conta agora faz parte de {{organization_name}}",
    preheader: "O diretório da organização adicionou você.",
    title: "Você foi adicionado a uma organização",
    lead:
      "O diretório de {{organization_name}} adicionou sua conta em {{brand}} como membro. Sua senha, seus outros " +
      "métodos de login e suas outras organizações não mudam. A organização pode encerrar a associação, mas não " +
      "a sua conta.",
    button: "Abrir a conta",
    after: "Se você não conhece a organização, pode sair dela na sua conta.",
  },
  directory_refused: {
    subject: "Uma alteração do diretório foi recusada",
    preheader: "O último proprietário e os usuários de acesso de emergência continuam ativos.",
    title: "Uma alteração do diretório foi recusada",
    lead:
      "O diretório de {{organization_name}} tentou desativar ou excluir o último proprietário ou um usuário de " +
      "acesso de emergência em {{brand}}. O usuário continua ativo para que a organização continue acessível.",
    button: "Verificar o diretório",
    after:
      "Se o usuário deve sair, primeiro torne outro membro proprietário ou altere os usuários de acesso de " +
      "emergência.",
  },
};
