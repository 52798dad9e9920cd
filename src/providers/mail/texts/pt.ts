import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./pt-access.ts";
import { addressEmails } from "./pt-addresses.ts";
import { directoryEmails } from "./pt-directories.ts";
import { domainEmails } from "./pt-domains.ts";
import { leavingEmails } from "./pt-leaving.ts";
import { membershipEmails } from "./pt-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("pt");

export const emailTexts: EmailTexts = {
  greeting: "Olá{{#name}}, {{name}}{{/name}},",
  codeValidity: "O código funciona uma única vez e é válido por {{valid_for}}.",
  linkValidity: "O link funciona uma única vez e é válido por {{valid_for}}.",
  copyLink: "Se o botão não funcionar, abra este endereço:",
  labels: {
    device: "Dispositivo",
    address: "Endereço IP",
    location: "Local",
    time: "Data e hora",
    account: "Conta",
    provider: "Provedor",
    endpoint: "Endpoint",
    since: "Desde",
    domain: "Domínio",
    recordName: "Nome do registro TXT",
    recordValue: "Valor do registro TXT",
  },
  unknownBrowser: "Navegador desconhecido",
  browserOn: "{{browser}} no {{system}}",
  unknownBrowserOn: "Navegador desconhecido no {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "Houve mais # alteração deste tipo desde o e-mail anterior sobre ela.",
      many: "Houve mais # de alterações deste tipo desde o e-mail anterior sobre elas.",
      other: "Houve mais # alterações deste tipo desde o e-mail anterior sobre elas.",
    }),
  reasons: {
    request: "Você recebeu este e-mail porque este endereço foi informado em {{brand}}.",
    invitation:
      "Você recebeu este e-mail porque um membro de uma organização em {{brand}} enviou um convite para este endereço.",
    security: "Você recebeu este aviso porque ele diz respeito à segurança da sua conta. Não é possível desativá-lo.",
    webhook: "Você recebeu este aviso porque é responsável por este webhook em {{brand}}.",
    owner: "Você recebeu este aviso porque é proprietário de uma organização em {{brand}}.",
    data: "Você recebeu este e-mail porque uma cópia dos seus dados foi solicitada em {{brand}}.",
  },
  providedBy: "Fornecido por {{brand}}",
  links: { support: "Ajuda", privacy: "Privacidade", terms: "Termos" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    email_code: {
      subject: "Seu código de login para {{brand}}",
      preheader: "O código é válido por {{valid_for}}. Nunca compartilhe o código.",
      title: "Seu código de login",
      lead: "Digite este código para fazer login em {{brand}}:",
      after:
        "Não foi você que tentou fazer login? Ignore este e-mail: ninguém consegue entrar sem o código. Nunca " +
        "compartilhe o código.",
    },
    email_verification: {
      subject: "Confirme seu e-mail para {{brand}}",
      preheader: "Conclua a criação da sua conta. O link é válido por {{valid_for}}.",
      title: "Confirme seu e-mail",
      lead:
        "Este endereço foi usado para criar uma conta em {{brand}}. " +
        "Confirme-o para concluir a criação da sua conta.",
      button: "Confirmar e-mail",
      after:
        "Confirme somente se foi você que criou esta conta. Se você não se cadastrou, ignore esta mensagem e não " +
        "abra o link.",
    },
    ...addressEmails,
    ...leavingEmails,
    password_reset: {
      subject: "Escolha uma nova senha para {{brand}}",
      preheader: "O link é válido por {{valid_for}}. Sua senha só muda quando você escolhe uma nova.",
      title: "Escolha uma nova senha",
      lead: "Uma nova senha foi solicitada para sua conta em {{brand}}.",
      button: "Escolher nova senha",
      after: "Não foi você que solicitou uma nova senha? Ignore este e-mail: sua senha não será alterada.",
    },
    invitation: {
      subject: "Convite para entrar em “{{organization_name}}” em {{brand}}",
      preheader: "Aceite em até {{valid_for}}.",
      title: "Você recebeu um convite",
      lead: "{{inviter_name}} convidou você para a organização {{organization_name}} em {{brand}}.",
      button: "Aceitar convite",
      after: "Não conhece quem enviou? Ignore este e-mail.",
    },
    password_changed: {
      subject: "Sua senha de {{brand}} foi alterada",
      preheader: "{{device}}, {{time}}. Se não foi você, redefina sua senha.",
      title: "Sua senha foi alterada",
      lead: "A senha da sua conta foi alterada. Todas as outras sessões foram encerradas.",
      button: "Redefinir senha",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, redefina sua senha imediatamente e avise seu " +
        "administrador.",
    },
    password_removed: {
      subject: "Sua senha de {{brand}} foi removida",
      preheader: "{{device}}, {{time}}. Se não foi você, crie uma nova senha.",
      title: "Sua senha foi removida",
      lead: "Sua conta não tem mais senha. Faça login com uma chave de acesso.",
      button: "Criar nova senha",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, crie uma nova senha: isso encerra todas as sessões.",
    },
    mfa_enabled: {
      subject: "A verificação em duas etapas de {{brand}} foi ativada",
      preheader: "{{device}}, {{time}}. Se não foi você, altere sua senha.",
      title: "A verificação em duas etapas está ativada",
      lead: "Um app autenticador foi adicionado à sua conta. A partir de agora, o login pede um código do app.",
      button: "Revisar segurança",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, altere sua senha imediatamente e avise seu " +
        "administrador.",
    },
    mfa_disabled: {
      subject: "A verificação em duas etapas de {{brand}} foi desativada",
      preheader: "{{device}}, {{time}}. Se não foi você, altere sua senha.",
      title: "A verificação em duas etapas está desativada",
      lead: "O app autenticador foi removido da sua conta. O login não pede mais um código do app.",
      button: "Revisar segurança",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, altere sua senha imediatamente e avise seu " +
        "administrador.",
    },
    mfa_reset: {
      subject: "A verificação em duas etapas de {{brand}} foi redefinida",
      preheader: "Um administrador removeu seu app autenticador. Configure um novo.",
      title: "A verificação em duas etapas foi redefinida",
      lead:
        "Um administrador removeu o app autenticador, os códigos de recuperação e os navegadores confiáveis da sua " +
        "conta e encerrou todas as sessões.",
      button: "Configurar verificação",
      after: "Não foi você que pediu a redefinição? Altere sua senha e fale com seu administrador.",
    },
    recovery_codes_renewed: {
      subject: "Novos códigos de recuperação de {{brand}}",
      preheader: "{{device}}, {{time}}. Os códigos antigos não funcionam mais.",
      title: "Novos códigos de recuperação",
      lead: "Novos códigos de recuperação foram gerados para sua conta. Os códigos antigos não funcionam mais.",
      button: "Revisar segurança",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, altere sua senha imediatamente, gere novos códigos de " +
        "recuperação e avise seu administrador.",
    },
    passkey_added: {
      subject: "Nova chave de acesso na sua conta em {{brand}}",
      preheader: "{{device}}, {{time}}. Se não foi você, exclua a chave de acesso.",
      title: "Uma chave de acesso foi adicionada",
      lead: "Uma chave de acesso foi adicionada à sua conta. Com ela, é possível fazer login sem senha.",
      button: "Revisar chaves de acesso",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, exclua a chave de acesso, altere sua senha e avise " +
        "seu administrador.",
    },
    new_browser: {
      subject: "Novo login em {{brand}}",
      preheader: "{{device}}, {{time}}. Se não foi você, proteja sua conta.",
      title: "Novo login na sua conta",
      lead: "Sua conta em {{brand}} foi usada para fazer login em um navegador que ainda não conhecíamos.",
      notMe:
        "Não foi você? Abra este link para sair de todos os dispositivos, remover a senha e remover o que foi " +
        "adicionado desde esse login. O link funciona uma única vez, em até {{valid_for}}:",
      button: "Revisar atividade",
      after: "Foi você? Então pode ignorar este e-mail.",
    },
    identity_linked: {
      subject: "{{provider}} agora pode ser usado para login em {{brand}}",
      preheader: "{{device}}, {{time}}. Se não foi você, altere suas senhas.",
      title: "{{provider}} foi vinculado",
      lead:
        "Sua conta em {{provider}} foi vinculada à sua conta em {{brand}}" +
        "{{^by_user}}, porque ambas têm este e-mail confirmado{{/by_user}}. " +
        "Quem consegue fazer login em {{provider}} agora pode fazer login na sua conta.",
      button: "Revisar provedores vinculados",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, altere sua senha em {{provider}} e aqui, e avise seu " +
        "administrador.",
    },
    identity_unlinked: {
      subject: "{{provider}} não pode mais ser usado para login em {{brand}}",
      preheader: "{{device}}, {{time}}. Se não foi você, encerre todas as outras sessões.",
      title: "{{provider}} foi desvinculado",
      lead: "Sua conta em {{provider}} foi desvinculada da sua conta aqui. Faça login aqui de outra forma.",
      button: "Revisar provedores vinculados",
      after:
        "Foi você? Então pode ignorar este e-mail. Se não foi, faça login, encerre todas as outras sessões e " +
        "vincule o provedor novamente.",
    },
    account_secured: {
      subject: "Sua conta em {{brand}} agora é só sua",
      preheader: "Tudo o que foi configurado antes de você confirmar seu e-mail foi removido.",
      title: "Sua conta agora é só sua",
      lead:
        "Você confirmou pela primeira vez que o e-mail da sua conta em {{brand}} é seu. Outra pessoa poderia ter " +
        "criado a conta antes. Por isso, tudo o que tinha sido configurado na conta até então foi removido: todas " +
        "as outras sessões, chaves de acesso, provedores vinculados e aplicativos conectados, navegadores " +
        "confiáveis, convites pendentes, chaves de API, webhooks e fluxos de eventos.",
      secondFactor: "O app autenticador e seus códigos de recuperação também foram removidos. Configure um novo app.",
      password:
        "A senha também foi removida. Para criar uma nova, escolha “Esqueceu a senha?” ao fazer login: você receberá " +
        "um e-mail com um link.",
      removed: "Itens removidos:",
      items: {
        password: "Senha",
        second_factor: "App autenticador e códigos de recuperação",
        passkeys: "Chave de acesso",
        identities: "Provedor vinculado",
        company_accounts: "Conta da empresa vinculada",
        trusted_browsers: "Navegador confiável",
        invitations: "Convite pendente",
        api_keys: "Chave de API",
        webhooks: "Webhook (desativado)",
        event_streams: "Fluxo de eventos (desativado)",
        setup_links: "Link de configuração do logon único",
        oauth_grants: "Aplicativo conectado",
      },
      named: " “{{name}}”",
      moreRemoved: (count) => plural(count, { one: "e mais #", many: "e mais #", other: "e mais #" }),
      joined:
        "Estes membros entraram por um convite da conta antes de você confirmar seu e-mail. Eles não foram " +
        "removidos:",
      member: "{{name}} em “{{organization_name}}”",
      moreMembers: "e outros",
      members: "Se você não conhece um membro, remova-o nesta página:",
      button: "Revisar segurança",
      after: "Se não foi você, redefina sua senha imediatamente e avise seu administrador.",
    },
    webhook_failing: {
      subject: "Um webhook em {{brand}} está com falhas há uma hora",
      preheader: "As entregas para {{webhook_host}} falham. O serviço tenta durante três dias.",
      title: "Um webhook está com falhas",
      lead:
        "As entregas para seu webhook estão falhando. O serviço continua tentando durante três dias; depois disso, " +
        "os eventos são descartados.",
      button: "Revisar entregas",
      after:
        "A página mostra as últimas respostas e o horário da próxima tentativa. Você recebe este aviso uma vez a " +
        "cada interrupção.",
    },
    webhook_disabled: {
      subject: "Um webhook em {{brand}} foi desativado",
      preheader: "{{webhook_host}} não recebe mais eventos.",
      title: "Um webhook foi desativado",
      lead: "O serviço desativou seu webhook. Enquanto ele estiver desativado, nenhum evento é guardado para ele.",
      gone: "O endpoint respondeu com o status 410: ele não quer mais receber eventos.",
      backlog: "Mais de 50.000 entregas aguardavam o endpoint.",
      button: "Revisar webhook",
      after: "Depois que você reativar o webhook, os eventos dos últimos 30 dias podem ser reenviados.",
    },
  },
};
