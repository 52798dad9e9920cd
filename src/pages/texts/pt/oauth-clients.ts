/** Portuguese: the applications that use this service for sign-in, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { OAuthClientTexts } from "../en/oauth-clients.ts";

const plural = pluralIn("pt");

export const oauthClientTexts: OAuthClientTexts = {
  clients: {
    title: "Aplicativos",
    count: (total) => plural(total, { one: "# aplicativo", many: "# de aplicativos", other: "# aplicativos" }),
    search: "Nome ou ID do cliente",
    noMatch: (q) => `Nenhum aplicativo corresponde a “${q}”.`,
    none: "Ainda não há aplicativos. Registre o primeiro aplicativo que usa este serviço para login.",
    create: "Novo aplicativo",
    createAction: "Registrar aplicativo",
    full: "Já há 1.000 aplicativos. Exclua um aplicativo que não é usado.",
    on: "ativado",
    off: "desativado",
    firstPartyTag: "próprio",
    readOnly: "A edição das configurações exige a verificação em duas etapas.",
    edit: "Editar configurações",
    stepUpAgain:
      "Isto exige a verificação em duas etapas. Confirme sua identidade em uma nova guia e envie este formulário.",
    stepUp: "Confirmar identidade",
    settings: "Configurações",
    saved: "As alterações foram salvas e estão em uso.",
    created: "O aplicativo foi registrado.",
    deleted: "O aplicativo foi excluído. Os tokens dele não funcionam mais.",
    presetsTitle: "Tipo de aplicativo",
    presets: {
      web: { title: "Aplicativo da Web", lead: "Um servidor faz o login dos usuários e guarda um segredo." },
      spa: {
        title: "Aplicativo de página única (SPA)",
        lead: "Um site faz o login dos usuários com JavaScript, sem segredo.",
      },
      native: { title: "Aplicativo nativo", lead: "Um aplicativo no celular ou no computador, sem segredo." },
      machine: { title: "Máquina", lead: "Um servidor chama APIs em seu próprio nome, sem usuários." },
    },
    folds: {
      basics: "Informações básicas",
      basicsLead: "Nome e endereços",
      tokens: "Tokens",
      tokensLead: "Tipos de concessão, escopos e APIs",
      advanced: "Avançado",
      advancedLead: "Autenticação, PKCE e logout",
    },
    name: "Nome",
    nameHint: "Os usuários veem o nome ao fazer login.",
    clientId: "ID do cliente",
    logo: "Endereço do logotipo",
    logoHint: "Exibido no login. Sem logotipo, os usuários veem as iniciais.",
    policy: "Endereço da Política de Privacidade",
    terms: "Endereço dos Termos de Serviço",
    type: "Tipo",
    types: { web: "Aplicativo da Web", native: "Aplicativo em um dispositivo" },
    method: "Autenticação do cliente",
    methods: {
      none: "Nenhuma (cliente público)",
      client_secret_basic: "Segredo, por HTTP Basic",
      client_secret_post: "Segredo, no formulário",
      private_key_jwt: "Chave própria (private_key_jwt)",
    },
    methodHint: "HTTP Basic e formulário são igualmente aceitos. Um novo segredo é exibido uma única vez.",
    pkce: "PKCE",
    pkceOptions: { true: "Obrigatório", false: "Opcional: solicitações sem PKCE precisam de um nonce" },
    pkceHint:
      "Escolha “opcional” somente para um servidor cuja biblioteca não tem PKCE. Um cliente público sempre usa PKCE.",
    pushed: "Solicitações de autorização enviadas (PAR)",
    pushedOptions: { true: "Obrigatórias", false: "Opcionais" },
    pushedHint:
      "O aplicativo envia primeiro a solicitação a partir do servidor. " +
      "Escolha “Obrigatórias” somente se a biblioteca oferecer PAR.",
    dpop: "Prova de posse (DPoP)",
    dpopOptions: { true: "Obrigatória", false: "Opcional" },
    dpopHint:
      "Um token roubado é inútil sem a chave do aplicativo. " +
      "Escolha “Obrigatória” somente se a biblioteca oferecer DPoP.",
    idTokenClaims: "Declarações (claims) no token de ID",
    idTokenClaimsOptions: {
      scope: "Nome, e-mail e organização, conforme o escopo",
      none: "Somente o ID do usuário",
    },
    idTokenAlgorithm: "Assinatura do token de ID",
    idTokenAlgorithmHint:
      "Todas as bibliotecas verificam RS256. ES256 e EdDSA têm assinaturas mais curtas e usam menos CPU.",
    idTokenClaimsHint: "A maioria das bibliotecas lê o nome e o e-mail no token de ID. UserInfo sempre retorna ambos.",
    sector: "Setor",
    sectorHint:
      "Um host como example.com: os usuários têm um ID diferente em cada setor. Vazio: um só ID. " +
      "Uma alteração substitui todos os IDs.",
    keys: "Chaves públicas",
    keysHint: "Somente para private_key_jwt: o JSON Web Key Set do aplicativo.",
    redirectUris: "URIs de redirecionamento",
    postLogoutUris: "URIs de redirecionamento após o logout",
    linesHint: "Um endereço por linha.",
    redirectHint:
      "Uma por linha: https, ou http nesta máquina (localhost, 127.0.0.1, [::1]). " +
      "Nativo: também com.example.app:/caminho.",
    postLogoutHint: "Um endereço por linha, com as mesmas regras.",
    lineError: (line, reason) => `Linha ${line}: ${reason}`,
    addressProblems: {
      too_long: "O endereço é muito longo. Use no máximo 500 caracteres.",
      not_absolute: "O endereço está incompleto. Use um endereço como https://app.example.com/callback.",
      unsafe_scheme: "Este esquema não é permitido.",
      fragment: "Remova o fragmento (a parte a partir de #).",
      user_information: "Remova o nome de usuário e a senha.",
      not_https: "Use https. Somente um aplicativo nativo pode usar um esquema próprio.",
      http_not_loopback: "Use https. http só é permitido nesta máquina: localhost, 127.0.0.1 ou [::1].",
      not_reversed_domain: "Use um nome de domínio invertido como esquema, como com.example.app:/callback.",
      duplicate: "A lista contém este endereço duas vezes.",
    },
    backchannel: "Endereço para logout por back-channel",
    backchannelHint: "O endereço recebe uma notificação quando uma sessão termina.",
    grants: "Tipos de concessão permitidos",
    grantTypes: {
      authorization_code: "Fazer o login de usuários (authorization_code)",
      refresh_token: "Renovar os próprios tokens (refresh_token)",
      client_credentials: "Agir em seu próprio nome (client_credentials)",
      "urn:ietf:params:oauth:grant-type:device_code":
        "Fazer o login de usuários em dispositivos sem navegador (device_code)",
    },
    scopes: "Escopos",
    ownScopes: "Escopos próprios",
    ownScopesHint: "Separados por espaços, por exemplo invoices:read.",
    resources: "APIs que pode chamar",
    audiences: "APIs que oferece (introspecção)",
    audiencesHint: "O aplicativo pode inspecionar tokens destes endereços. Um endereço por linha.",
    firstParty: "Aplicativo próprio: os usuários não precisam dar consentimento",
    secrets: "Segredos",
    secretsLead: "Dois segredos podem valer ao mesmo tempo, para que você substitua um deles sem interrupção.",
    secret: "Segredo",
    newSecret: "Novo segredo",
    displayedOnce: "O segredo só é exibido agora. Copie-o para a configuração do aplicativo.",
    kept: "Concluir",
    noSecret: "Não há segredo. O aplicativo não pode se autenticar.",
    twoSecrets: "Já há dois segredos. Primeiro, exclua um deles.",
    deleteSecret: "Excluir segredo",
    deleteSecretTitle: (name, created) => `Excluir o segredo de ${name} (criação: ${created})?`,
    deleteSecretText: "O aplicativo não poderá mais usar este segredo. Verifique se o aplicativo usa o outro segredo.",
    secretDeleted: "O segredo foi excluído.",
    access: "Acesso",
    disable: "Desativar",
    disableDetails:
      "Todos os tokens do aplicativo perdem a validade. Não será possível fazer login até que ele seja ativado.",
    disableTitle: (name) => `Desativar ${name}?`,
    disableText:
      "Todos os tokens deste aplicativo perdem a validade imediatamente, e só haverá novos tokens depois que você o " +
      "ativar.",
    disabledNow: "O aplicativo foi desativado. Os tokens dele perderam a validade.",
    enable: "Ativar",
    enableDetails: "O aplicativo está desativado e não recebe tokens. Os tokens anteriores continuam inválidos.",
    enabledNow: "O aplicativo foi ativado. Os tokens anteriores continuam inválidos.",
    remove: "Excluir",
    removeDetails: "Os consentimentos dos usuários também são excluídos.",
    removeTitle: (name) => `Excluir ${name}?`,
    removeText:
      "Todos os tokens do aplicativo perdem a validade imediatamente, e os consentimentos são excluídos. " +
      "Não é possível desfazer esta ação.",
    rules: {
      redirect_uris: "Use até 20 endereços https diferentes, sem fragmento. O login precisa de pelo menos um.",
      post_logout_redirect_uris: "Use até 20 endereços https diferentes, sem fragmento.",
      resources: "Use até 20 endereços absolutos diferentes, sem fragmento.",
      audiences: "Use até 20 endereços absolutos diferentes, sem fragmento.",
      backchannel_logout_uri: "Use um endereço https.",
      logo_url: "Use um endereço https.",
      scopes:
        "Use até 50 nomes diferentes, cada um com no máximo 100 caracteres imprimíveis, sem aspas nem barras " +
        "invertidas.",
      grant_types:
        "Renovar tokens exige o login de usuários, e agir em seu próprio nome exige um aplicativo que se autentica.",
      policy_uri: "Use um endereço https.",
      tos_uri: "Use um endereço https.",
      require_pkce: "Um aplicativo sem autenticação precisa de PKCE. Escolha “obrigatório”.",
      sector: "Use um nome de host em minúsculas ao qual todas as URIs de redirecionamento pertençam.",
      keys:
        "Use um JSON Web Key Set com uma a oito chaves públicas para private_key_jwt e nada para os outros " +
        "métodos.",
    },
  },
  connect: {
    action: "Conectar",
    title: (name) => `Conectar ${name}`,
    lead: "Copie estes valores e um dos exemplos para seu aplicativo.",
    values: "Valores",
    issuer: "Emissor (issuer)",
    redirectUri: "URI de redirecionamento",
    secretHidden: "O segredo foi exibido uma única vez. Se você o perdeu, crie um novo segredo nas configurações.",
    environment: "Variáveis de ambiente dos exemplos",
    endpoints: "Endpoints",
    endpointsLead: "A maioria das bibliotecas precisa apenas do emissor e obtém os endpoints pela descoberta.",
    discovery: "Descoberta (discovery)",
    code: "Exemplos",
    codeLead: "Cada exemplo é completo e lê as variáveis de ambiente acima.",
    install: (library) => `Instalação de ${library}`,
    callback: (path) => `A URI de redirecionamento termina com ${path}.`,
    variable: (name) => `Defina ${name} como um texto aleatório de 32 caracteres ou mais.`,
    withoutPkce: "Esta biblioteca não tem PKCE. Defina PKCE como “opcional” nas configurações, em “Avançado”.",
    unfit: "não para este aplicativo",
    browserOnly:
      "Esta biblioteca é executada no navegador e faz o login dos usuários sem segredo. " +
      "Registre um aplicativo de página única.",
    unsupported: {
      public: "Esta biblioteca precisa de um segredo. Registre um aplicativo da Web.",
      secret: "Esta biblioteca não usa segredo.",
      keys: "Este exemplo se autentica com um segredo. Escolha um segredo como método de autenticação.",
      machine: "Esta biblioteca faz o login de usuários. O aplicativo age em seu próprio nome.",
      machine_keys: "Este exemplo se autentica com um segredo. Escolha um segredo como método de autenticação.",
    },
    settings: "Configurações",
  },
};
