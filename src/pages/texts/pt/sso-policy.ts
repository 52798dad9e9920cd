/** Portuguese: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("pt");

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Política",
    signIn: "Login",
    signInLead: "A política se aplica a todas as conexões da organização.",
    mode: "Logon único",
    open: "Alterar política",
    modes: {
      off: "Desativado: as conexões só podem ser testadas",
      optional: "Opcional: os membros podem usar o logon único",
      required: "Obrigatório: os membros devem usar o logon único",
    },
    emergency:
      "Enquanto o logon único for obrigatório, você mantém um acesso de emergência com a sua senha e o seu " +
      "segundo fator, por uma hora de cada vez.",
    notReady:
      "O logon único ainda não pode ser obrigatório. É preciso ter uma conexão ativa, um domínio " +
      "verificado e um login pela conexão feito por um proprietário ou administrador nas últimas 24 horas. " +
      "A sua conta precisa de um endereço verificado e de um segundo fator ou uma chave de acesso.",
    jit: "Usuários que não são membros",
    jits: {
      on: "Criar conta e associação no primeiro login",
      invited_only: "Admitir usuários com convite",
      off: "Não admitir ninguém",
    },
    guests: "Membros com endereços de outros domínios",
    guestRules: { own_methods: "Mantêm os próprios métodos de login", required: "Também usam o logon único" },
    guestsHint: "Vale quando o logon único for obrigatório.",
    ownFactor: "Segundo fator deste serviço",
    ownFactors: { off: "Não exigido", on: "Exigido" },
    ownFactorHint:
      "Depois do logon único, os membros confirmam também um código de um app autenticador, somente para esta " +
      "organização.",
    roles: "Funções",
    rolesLead: "Nenhuma regra concede a função de proprietário nem altera um proprietário.",
    defaultRole: "Função sem regra correspondente",
    sync: "Aplicar as regras",
    syncs: { always: "Em cada login", first: "Somente no início da associação" },
    rules: "Regras",
    rulesHint:
      "O atributo é groups ou outro atributo da conexão. Vale a função correspondente mais alta. Salve para obter " +
      "mais regras vazias.",
    rule: (number) => `Regra ${number}`,
    from: "Atributo",
    value: "Valor",
    badRules: "Digite atributo e valor em cada regra. No máximo 50 regras.",
    start: "Obrigatório a partir de",
    startKept: (time) => `Como definido: ${time}`,
    startNow: "Imediatamente",
    startIn: (count) => plural(count, { one: "Em # dia", many: "Em # de dias", other: "Em # dias" }),
    breakGlass: "Acesso de emergência",
    breakGlassHint: "Proprietários com endereço verificado e um segundo fator ou uma chave de acesso. No máximo 5.",
    noBreakGlass: "Nenhum proprietário tem ainda um endereço verificado e um segundo fator ou uma chave de acesso.",
    preview: "Prévia",
    previewTitle: "Efeito das configurações",
    covered: (count) =>
      plural(count, {
        one: "# membro deve usar o logon único.",
        many: "# de membros devem usar o logon único.",
        other: "# membros devem usar o logon único.",
      }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# desses membros ainda não fez login pelo logon único:",
        many: "# desses membros ainda não fizeram login pelo logon único:",
        other: "# desses membros ainda não fizeram login pelo logon único:",
      }),
    allLinked: "Todos esses membros já fizeram login pelo logon único.",
    firstMembers: "A lista contém os primeiros 100 endereços.",
    pausedUntil: (time) => `O operador deste serviço suspendeu a exigência até ${time}.`,
    console: {
      title: "Exigência de logon único",
      off: "A organização não exige o logon único.",
      on: "O logon único é obrigatório.",
      since: (time) => `O logon único é obrigatório a partir de ${time}.`,
      until: (time) => `A exigência está suspensa até ${time}.`,
      pause: "Suspender por 24 horas",
      text:
        "Os membros afetados podem usar os próprios métodos de login por 24 horas. Os proprietários recebem um " +
        "e‑mail com o motivo.",
      reasonHint: "Exibido aos proprietários, no máximo 500 caracteres.",
      paused: "A exigência está suspensa por 24 horas.",
      end: "Encerrar a suspensão",
      ended: "A exigência voltou a valer.",
    },
    saved: "A política foi salva.",
    ownersOnly: "Somente proprietários podem alterar a política.",
  },
};
