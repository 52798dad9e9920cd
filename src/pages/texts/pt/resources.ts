/** Portuguese: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("pt");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "APIs",
    lead:
      "Os aplicativos solicitam acesso às APIs por escopos. " +
      "Os usuários leem as descrições antes de permitir o acesso.",
    none: "Ainda não há APIs. Sem uma API registrada, os usuários veem apenas os nomes dos escopos.",
    create: "Nova API",
    createAction: "Registrar API",
    full: "Já há 1.000 APIs. Exclua uma API que não é usada.",
    taken: "Outra API já tem este identificador.",
    identifier: "Identificador",
    identifierHint:
      "O endereço da API, como os aplicativos o enviam no parâmetro resource. Não é possível alterá-lo depois.",
    name: "Nome",
    scopes: "Escopos",
    scopesLead: "A página de consentimento exibe a descrição no idioma do usuário ou, se não houver, em inglês.",
    scopeCount: (total) => plural(total, { one: "# escopo", many: "# de escopos", other: "# escopos" }),
    noScope: "A API ainda não tem escopos.",
    addScope: "Adicionar escopo",
    editScope: "Editar",
    editScopeNamed: (name) => `Editar ${name}`,
    scopeName: "Escopo",
    scopeNameHint: "Como os aplicativos o enviam, por exemplo invoices:read.",
    permission: "Permissão",
    permissionHint:
      "Somente usuários com uma função que contém a permissão recebem o escopo, por exemplo invoices.approve. " +
      "Em branco: todos.",
    isPublic: "Aplicativos sem registro podem receber o escopo",
    publicTag: "público",
    sensitive: "Cada autorização pede o consentimento",
    sensitiveTag: "consentimento sempre",
    description: (language) => `Descrição em ${language}`,
    /** Displayed at the field of the description in the language of this text. */
    descriptionHint: "Completa “Acme Wiki quer: …”, por exemplo “ver suas faturas”.",
    noDescription: "sem descrição",
    scopeExists: "A API já tem um escopo com este nome.",
    scopesFull: "A API já tem 100 escopos. Exclua um escopo que não é usado.",
    scopeSaved: "O escopo foi salvo. A página de consentimento exibe a nova descrição.",
    scopeDeleted: "O escopo foi excluído.",
    deleteScope: "Excluir",
    deleteScopeNamed: (name) => `Excluir ${name}`,
    deleteScopeTitle: (name) => `Excluir o escopo ${name}?`,
    deleteScopeText:
      "A partir de agora, a página de consentimento exibe o nome do escopo. Tokens e consentimentos continuam válidos.",
    settings: "Configurações",
    created: "A API foi registrada. Adicione os escopos.",
    saved: "As alterações foram salvas e estão em uso.",
    deleted: "A API foi excluída.",
    changedMeanwhile: "Outro usuário alterou a API. Confira a API e tente novamente.",
    access: "Acesso",
    algorithm: "Assinatura dos tokens de acesso",
    algorithmHint: "RS256, a menos que a API verifique o outro algoritmo. Os novos tokens têm a nova assinatura.",
    dpop: "Prova de posse (DPoP)",
    dpopOptions: { allowed: "Permitida", required: "Obrigatória" },
    dpopHint: "Com “obrigatória”, os aplicativos recebem somente tokens vinculados à sua chave.",
    lifetime: "Duração dos tokens de acesso, em segundos",
    lifetimeHint: "De 60 a 3600. Em branco: a duração das sessões.",
    minAcr: "Login exigido",
    minAcrOptions: {
      none: "Qualquer login",
      aal1: "Um fator (aal1)",
      aal2: "Dois fatores (aal2)",
      phr: "Chave de acesso (phr)",
    },
    openTo: "Disponível para",
    openToOptions: { registered: "Aplicativos registrados", any: "Todos os aplicativos, para escopos públicos" },
    organizations: "Organizações",
    organizationsHint: "Um ID por linha. Em branco: todas as organizações.",
    claims: "Declarações (claims) dos tokens de acesso",
    claimNames: {
      email: "Endereço de e‑mail",
      name: "Nome",
      organization: "Organização",
      roles: "Funções",
      permissions: "Permissões",
      groups: "Grupos",
    },
    disable: "Desativar",
    disableDetails: "Os aplicativos não recebem novo acesso a esta API. O acesso existente continua válido.",
    disableTitle: (name) => `Desativar ${name}?`,
    disableText:
      "Os aplicativos não recebem novo acesso a esta API até que você a ative. O acesso existente continua válido.",
    disabledNow: "A API foi desativada.",
    enable: "Ativar",
    enableDetails: "A API está desativada: os aplicativos não recebem novo acesso.",
    enabledNow: "A API foi ativada.",
    remove: "Excluir",
    removeDetails: "Os aplicativos mantêm o acesso; os usuários veem os nomes dos escopos.",
    removeTitle: (name) => `Excluir ${name}?`,
    removeText:
      "As descrições dos escopos são excluídas. Os aplicativos mantêm o acesso. Não é possível desfazer esta ação.",
    rules: {
      token_lifetime_seconds: "Use um número inteiro de 60 a 3600 ou deixe o campo em branco.",
      identifier: "Use um endereço https de no máximo 500 caracteres, sem fragmento.",
      organizations: "Use IDs de organizações, no máximo 1000, ou deixe o campo em branco.",
    },
    scopeRules: {
      permission: "Use um nome como invoices.approve; nenhuma permissão deste serviço.",
      name:
        "Use de 1 a 100 caracteres imprimíveis, sem espaços, aspas ou barras invertidas; nenhum escopo " +
        "deste serviço.",
      description: "Use uma linha de no máximo 200 caracteres, sem caracteres invisíveis.",
    },
  },
};
