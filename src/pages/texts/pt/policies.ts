/** Portuguese: the policies of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { PolicyTexts } from "../en/policies.ts";

const plural = pluralIn("pt");

export const policyTexts: PolicyTexts = {
  policies: {
    title: "Políticas",
    lead:
      "Regras para todos os membros, somente nesta organização. As políticas tornam mais rígidas as configurações " +
      "deste serviço.",
    notYours: "Somente proprietários e administradores da organização podem ver as políticas.",
    notIncluded: "Seu plano não inclui políticas. Fale com o operador deste serviço.",
    ownersOnly: "Somente proprietários e membros com uma função para políticas podem alterar as políticas.",
    change: "Alterar políticas",
    groups: {
      signIn: "Login",
      sessions: "Sessões",
      network: "Rede",
      members: "Membros",
      applications: "Aplicativos",
      passwords: "Senhas",
    },
    names: {
      mfa: "Verificação em duas etapas",
      mfaGraceDays: "Prazo para a configuração",
      methods: "Métodos de login",
      trustedBrowsers: "Navegadores confiáveis",
      signInNotices: "E‑mails sobre novos navegadores",
      sessionMaxHours: "Duração máxima da sessão",
      sessionIdleMinutes: "Inatividade máxima",
      allowedIps: "Redes permitidas",
      inviteDomains: "Domínios dos endereços convidados",
      domainJoin: "Entrada por um domínio verificado",
      thirdPartyClients: "Aplicativos de outros fornecedores",
      approvedClients: "Aplicativos aprovados",
      deviceFlow: "Login em dispositivos por código",
      passwordMinLength: "Tamanho mínimo da senha",
      passwordCheck: "Senhas comuns",
    },
    mfa: {
      optional: "Opcional",
      required: "Obrigatória",
      phishing_resistant: "Chave de acesso obrigatória",
    },
    mfaHint: "Um membro sem o fator pode apenas configurar o fator.",
    days: (count) => plural(count, { one: "# dia", many: "# de dias", other: "# dias" }),
    noDays: "Nenhum: a regra vale imediatamente",
    daysHint: "Dias para membros sem o fator, desde o início da regra ou da associação.",
    allMethods: "Todos os métodos deste serviço",
    methodsHint: "Sem uma escolha, todos os métodos são permitidos. O logon único é sempre permitido.",
    trustedBrowsers: {
      on: "Substituem o segundo fator",
      off: "Não substituem o segundo fator",
    },
    signInNotices: {
      on: "Sempre",
      off: "Não em logins por logon único",
    },
    hours: (count) => plural(count, { one: "# hora", many: "# de horas", other: "# horas" }),
    minutes: (count) => plural(count, { one: "# minuto", many: "# de minutos", other: "# minutos" }),
    byService: "Conforme definido por este serviço",
    hoursHint: "Horas desde o login, de 1 a 2160. Em branco: conforme definido por este serviço.",
    minutesHint: "Minutos sem uso, de 5 a 43200. Em branco: conforme definido por este serviço.",
    everyNetwork: "Todas as redes",
    networksHint: (address) =>
      `Um endereço ou intervalo por linha, como 192.0.2.0/24. Em branco: todas as redes. Seu endereço é ${address}.`,
    everyDomain: "Todos os domínios",
    domainsHint: "Um domínio por linha, como acme.com. Em branco: todos os domínios. Os membros continuam membros.",
    domainJoin: {
      off: "Desativada",
      ask: "Com o consentimento de um administrador",
      join: "Sem consentimento",
    },
    thirdPartyClients: {
      any: "Todos",
      approved: "Somente aplicativos aprovados",
      none: "Nenhum",
    },
    noApplications: "Nenhum",
    applicationsHint: "Aplicativos que os membros já usam.",
    deviceFlow: {
      on: "Permitido",
      off: "Não permitido",
    },
    characters: (count) => plural(count, { one: "# caractere", many: "# de caracteres", other: "# caracteres" }),
    lengthHint: "De 12 a 64 caracteres, para a próxima senha. Em branco: conforme definido por este serviço.",
    passwordCheck: {
      on: "Recusadas",
      off: "Conforme definido por este serviço",
    },
    start: "Início",
    startHint: "As políticas atuais valem até o início.",
    pending: (time) => `As novas políticas valem a partir de ${time}.`,
    cancelPending: "Cancelar as novas políticas",
    cancelled: "As novas políticas foram canceladas. As políticas atuais continuam valendo.",
    saved: "As políticas foram salvas.",
    now: "Agora",
    next: "Novo",
    policy: "Política",
    review: "Revisar a alteração",
    unchanged: "Nada muda.",
    appliesNow: "A alteração vale assim que você confirmar.",
    appliesFrom: (time) => `A alteração vale a partir de ${time}.`,
    effect: "Efeito sobre os membros",
    affected: (count) =>
      plural(count, {
        one: "A alteração afeta # membro.",
        many: "A alteração afeta # de membros.",
        other: "A alteração afeta # membros.",
      }),
    unaffected: "A alteração não afeta nenhum membro atual.",
    ended: (count) =>
      plural(count, { one: "# sessão termina.", many: "# de sessões terminam.", other: "# sessões terminam." }),
    member: "Membro",
    rules: {
      mfa: "Não tem o segundo fator",
      methods: "Não tem nenhum método de login permitido",
      session: "Uma sessão termina",
      allowed_ips: "Visto por último fora das redes permitidas",
      invite_domains: "Tem um endereço de outro domínio e continua membro",
      device_flow: "Usa um aplicativo para dispositivos e não pode conectar outros dispositivos",
      passwords: "A próxima senha segue a nova regra",
      third_party_clients: "Um aplicativo perde o acesso",
      trusted_browsers: "Apresenta o segundo fator também nos navegadores confiáveis",
    },
    affectedBy: "Efeito",
    firstMembers: "A lista contém os primeiros 100 endereços.",
    lockOuts: {
      policy_address: "Seu endereço está fora das redes permitidas. Você perderia o acesso.",
      policy_methods: "Você não pode usar nenhum dos métodos permitidos. Você perderia o acesso.",
      policy_passkey: "Você não tem uma chave de acesso. Adicione primeiro uma chave de acesso em Segurança.",
      policy_join_role:
        "Os usuários do domínio entrariam como administradores. " +
        "Somente um administrador ou proprietário pode permitir isso.",
      policy_owners: "Nenhum proprietário poderia fazer login com estas políticas.",
    },
    noEmergency:
      "Designe primeiro um proprietário para o acesso de emergência, na política de logon único. Depois você " +
      "pode confirmar a alteração.",
    accept: "Aplicar a alteração mesmo assim. Um proprietário com acesso de emergência pode desfazer a alteração.",
    apply: "Aplicar a alteração",
    back: "Voltar ao formulário",
    badNumber: "Digite um número inteiro dentro dos limites.",
    badNetworks:
      "Digite endereços ou intervalos como 192.0.2.0/24, no máximo 64. Um intervalo de todos os endereços não é " +
      "aceito.",
    badDomains: "Digite domínios como acme.com, no máximo 50.",
  },
};
