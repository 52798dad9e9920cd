import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "Verifique sua conta em {{brand}}",
    preheader: "Sua senha foi redefinida. Encerre o acesso do que você não conhece.",
    title: "Verifique o que foi configurado recentemente",
    lead:
      "A senha da sua conta em {{brand}} foi redefinida. Chaves de acesso, endereços e contas vinculadas dos últimos " +
      "sete dias não fazem login até você confirmar.",
    listed: "Configurado recentemente:",
    end: "Se você não conhece um item, encerre o acesso nesta página:",
    button: "Verificar",
    after: "Se tudo é seu, confirme os itens nas configurações de segurança.",
  },
  member_creations: {
    subject: "Chaves e links de {{address}} em {{organization_name}}",
    preheader: "A pessoa saiu ou tem menos permissões agora. Verifique o que ainda é válido.",
    title: "Verifique o que uma pessoa configurou",
    lead:
      "O usuário {{address}} não faz mais parte de {{organization_name}} em {{brand}} ou agora tem menos " +
      "permissões.",
    listed: "O que essa pessoa configurou ainda é válido:",
    button: "Verificar e encerrar",
    after: "Se sua organização precisa de um item, substitua-o primeiro e encerre o acesso depois.",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "Chave de acesso",
  identities: "Provedor vinculado",
  company_accounts: "Conta da empresa vinculada",
  address_changes: "Endereço de e-mail",
  second_factor: "App autenticador",
  api_keys: "Chave de API",
  webhooks: "Webhook",
  event_streams: "Fluxo de eventos",
  oauth_grants: "Aplicativo conectado",
  invitations: "Convite pendente",
  setup_links: "Link de configuração do logon único",
  connections: "Conexão de logon único",
  domains: "Domínio",
};
