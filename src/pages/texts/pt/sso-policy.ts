/** Portuguese: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

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
    saved: "A política foi salva.",
    ownersOnly: "Somente proprietários podem alterar a política.",
  },
};
