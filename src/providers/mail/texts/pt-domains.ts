import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Falta o registro DNS de {{domain}}",
    preheader: "Sem o registro, sua organização perde o domínio em {{valid_for}}.",
    title: "Falta um registro DNS",
    lead:
      "O registro TXT que comprova que {{domain}} pertence à sua organização está ausente. Adicione-o novamente: " +
      "caso contrário, sua organização perde o domínio em {{valid_for}}, e o logon único termina para os endereços " +
      "do domínio.",
    button: "Verificar domínio",
    after: "O serviço verifica o registro uma vez por dia. Você pode verificá-lo na página a qualquer momento.",
  },
  domain_lost: {
    subject: "Sua organização perdeu o domínio {{domain}}",
    preheader: "O registro DNS esteve ausente por sete dias.",
    title: "Um domínio foi perdido",
    lead:
      "O registro TXT de {{domain}} esteve ausente por sete dias. O logon único não vale mais para os endereços do " +
      "domínio. As sessões abertas continuam.",
    button: "Verificar novamente",
    after: "Para voltar a usar o domínio, adicione o registro ao DNS e verifique o domínio na página.",
  },
  domain_transferred: {
    subject: "O domínio {{domain}} foi transferido",
    preheader: "O operador de {{brand}} decidiu a quem o domínio pertence.",
    title: "Um domínio foi transferido",
    lead: "O operador de {{brand}} decidiu a qual organização pertence o domínio {{domain}}.",
    gained:
      "O domínio agora pertence à sua organização. Mantenha o registro TXT no DNS: o serviço o verifica uma vez por " +
      "dia.",
    givenUp:
      "O domínio não pertence mais à sua organização. O logon único não vale mais para os endereços do domínio. As " +
      "sessões abertas continuam.",
    button: "Revisar domínios",
    after: "Em caso de dúvida, fale com o operador de {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Um logon único foi recusado",
    preheader: "Duas contas do seu provedor de identidade têm o endereço {{address}}.",
    title: "Um login foi recusado",
    lead:
      "No seu provedor de identidade, uma segunda conta tem o endereço {{address}} de um membro. O login pela " +
      "conexão {{connection}} ({{time}}) foi recusado para que a segunda conta não tenha o acesso desse membro.",
    button: "Verificar o logon único",
    after:
      "Se o membro tem uma conta nova no seu provedor de identidade, desvincule a conta anterior na página. " +
      "Caso contrário, corrija o endereço no seu provedor de identidade.",
  },
  sso_linked: {
    subject: "Agora você pode entrar por {{organization_name}}",
    preheader: "{{organization_name}} faz seu login pelo próprio provedor de identidade, só nesta organização.",
    title: "O logon único foi configurado",
    lead:
      "Sua conta em {{brand}} agora está vinculada à sua conta no provedor de identidade de " +
      "{{organization_name}}. Esse login dá acesso somente a esta organização. Sua senha, seus outros " +
      "métodos de login e suas outras organizações não mudam.",
    button: "Verificar sua conta",
    after: "Se você não reconhece este login, avise um administrador de {{organization_name}}.",
  },
  organization_factor_enabled: {
    subject: "Segundo fator configurado para {{organization_name}}",
    preheader: "{{device}}, {{time}}. Se não foi você, avise um administrador de {{organization_name}}.",
    title: "Um segundo fator foi configurado",
    lead:
      "Um app autenticador foi configurado para o logon único de {{organization_name}}. O app só é pedido depois " +
      "desse login. Sua senha e seus outros métodos de login não mudam.",
    button: "Verificar sua conta",
    after:
      "Foi você? Então pode ignorar este e-mail. Se não foi, avise imediatamente um administrador de " +
      "{{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "O acesso de emergência foi usado",
    preheader: "A conta {{address}} fez login sem o seu provedor de identidade.",
    title: "O acesso de emergência foi usado",
    lead:
      "A conta {{address}} fez login com o acesso de emergência em {{time}}, enquanto a sua organização exige o " +
      "logon único. A sessão termina após uma hora.",
    button: "Revisar o logon único",
    after: "Se você não esperava este login, encerre a sessão dessa pessoa e altere a política.",
  },
  sso_paused: {
    subject: "Logon único opcional por 24 horas",
    preheader: "O operador de {{brand}} suspendeu a exigência.",
    title: "A exigência está suspensa",
    lead:
      "O operador de {{brand}} suspendeu a exigência de logon único na sua organização até {{time}}. Os " +
      "membros podem fazer login com os próprios métodos. Motivo: {{reason}}",
    button: "Revisar o logon único",
    after: "A exigência volta por si só. Em caso de dúvidas, fale com o operador de {{brand}}.",
  },
  requirement_lifted: {
    subject: "Uma exigência da sua organização pode ter terminado",
    preheader: "A configuração {{setting}} fazia parte da exigência.",
    title: "Uma configuração de uma exigência mudou",
    lead:
      "A sua organização exige logon único ou um segundo fator. A configuração {{setting}}, parte dessa " +
      "exigência, foi alterada ou removida em {{time}} por um membro que pode alterar políticas.",
    button: "Revisar o logon único",
    after:
      "Se você não espera essa alteração, restaure a configuração e verifique no registro de auditoria quem a fez.",
  },
  sso_certificate_expiring: {
    subject: "Um certificado do seu provedor de identidade expira em {{time}}",
    preheader: "A conexão {{connection}} usa este certificado.",
    title: "Um certificado expira",
    lead:
      "Um certificado do provedor de identidade da conexão {{connection}} é válido até {{time}}. Peça o próximo " +
      "certificado ao administrador do provedor de identidade.",
    button: "Revisar a conexão",
    after:
      "Adicione o próximo certificado ao lado do antigo para que nenhum login falhe. Com o endereço dos " +
      "metadados, o serviço lê os novos certificados sozinho.",
  },
  sso_secret_expiring: {
    subject: "O segredo do seu provedor de identidade expira em {{time}}",
    preheader: "A conexão {{connection}} usa este segredo.",
    title: "Um segredo do cliente expira",
    lead:
      "O segredo do cliente da conexão {{connection}} é válido até {{time}}. Crie um novo segredo no provedor de " +
      "identidade.",
    button: "Revisar a conexão",
    after: "Insira o novo segredo e a nova data antes que o antigo expire, para que nenhum login falhe.",
  },
  sso_certificates_changed: {
    subject: "Os certificados da conexão {{connection}} mudaram",
    preheader: "Os metadados do seu provedor de identidade mudaram em {{time}}.",
    title: "Os certificados mudaram",
    lead:
      "O serviço leu em {{time}} novos metadados do provedor de identidade da conexão {{connection}} e alterou " +
      "os certificados da conexão.",
    button: "Revisar a conexão",
    after:
      "Se você não espera esta alteração, desative a conexão e fale com o administrador do provedor de " +
      "identidade.",
  },
  sso_setup_link: {
    subject: "Configure o logon único de {{organization_name}}",
    preheader: "{{inviter_name}} pede que você conecte seu provedor de identidade.",
    title: "Configure o logon único",
    lead:
      "{{inviter_name}} pede que você configure o logon único de {{organization_name}} em {{brand}}. Você não " +
      "precisa de uma conta. O link funciona em um só navegador: abra-o no navegador com que você administra o " +
      "provedor de identidade.",
    button: "Começar a configuração",
    after: "Não encaminhe o link. Se você não espera este e-mail, ignore-o.",
  },
  sso_activation_requested: {
    subject: "Uma conexão aguarda sua ativação",
    preheader: "A configuração de {{connection}} foi concluída.",
    title: "Ative a conexão",
    lead:
      "A configuração da conexão {{connection}} foi concluída em {{time}} por um link de configuração. Confira " +
      "as configurações. Os membros poderão fazer login quando um proprietário ativar a conexão.",
    button: "Revisar a conexão",
    after: "Se você não sabe quem configurou a conexão, não a ative e revogue o link de configuração.",
  },
};
