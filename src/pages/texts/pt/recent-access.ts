/** What was set up in an account or an organization, and may end. */
import type { RecentAccessTexts } from "../en/recent-access.ts";

export const recentAccessTexts: RecentAccessTexts = {
  credentialReview: {
    title: "Configurado recentemente",
    lead: "Verifique o que foi configurado antes da última redefinição da sua senha.",
    held: "Aguarda sua confirmação",
    confirm: "Fui eu",
    end: "Encerrar acesso",
    effects: "Todos os itens da lista são removidos e você sai de todos os outros dispositivos.",
    factorStays:
      "O app autenticador permanece. Remova o app nas configurações de segurança ou fale com seu administrador.",
    confirmed: "Os itens foram confirmados.",
    ended: "O acesso pelos itens da lista foi encerrado.",
    note: "Sua senha foi redefinida. Verifique o que foi configurado antes.",
    review: "Verificar",
    dead: "O link expirou ou já foi usado.",
    skip: "Continuar para o login",
    none: "Não há nada para verificar.",
  },
  creations: {
    title: (name: string) => `Configurado por ${name}`,
    lead: "O que essa pessoa configurou na organização e ainda é válido.",
    end: "Encerrar chaves e links",
    stays: "Conexões e domínios permanecem, porque os membros fazem login com eles. Verifique-os na página deles.",
    ended: "As chaves e os links da pessoa foram encerrados.",
    none: "Nada do que essa pessoa configurou é válido.",
    open: "Abrir",
  },
  accessItems: {
    passkeys: "Chave de acesso",
    identities: "Provedor vinculado",
    company_accounts: "Conta da empresa vinculada",
    address_changes: "Endereço de e\u2011mail",
    second_factor: "App autenticador",
    api_keys: "Chave de API",
    webhooks: "Webhook",
    event_streams: "Fluxo de eventos",
    oauth_grants: "Aplicativo conectado",
    invitations: "Convite pendente",
    setup_links: "Link de configuração do logon único",
    connections: "Conexão de logon único",
    domains: "Domínio",
  },
};
