/** Portuguese: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("pt");

export const listTexts: ListTexts = {
  lists: {
    apply: "Aplicar",
    clear: "Limpar filtros",
    anyStatus: "Qualquer status",
    anyRole: "Qualquer função na plataforma",
    anyFactor: "Com ou sem verificação em duas etapas",
    anyTier: "Qualquer plano",
    anyType: "Qualquer tipo",
    searchApis: "Pesquisar por nome ou identificador",
    searchFlags: "Pesquisar por chave ou descrição",
    nothingFound: (q) => `Nenhum resultado para “${q}”.`,
    apiCount: (count) => plural(count, { one: "# API", many: "# de APIs", other: "# APIs" }),
    flagCount: (count) => plural(count, { one: "# flag", many: "# de flags", other: "# flags" }),
    role: "Função na plataforma",
    factor: "Verificação em duas etapas",
    factorOn: "Configurado",
    factorOff: "Nenhum",
    createdFrom: "Criação a partir de",
    createdTo: "Criação até",
    first: "Primeira página",
    last: "Última página",
    pageSize: "Linhas por página",
    csv: "Exportar CSV",
    csvHint: (rows) =>
      plural(rows, {
        one: "As linhas encontradas, no máximo #",
        many: "As linhas encontradas, no máximo #",
        other: "As linhas encontradas, no máximo #",
      }),
    noMatch: "Nenhum resultado com estes filtros. Altere ou limpe os filtros.",
    usersDisabled: (count) => plural(count, { one: "# desativado", many: "# desativados", other: "# desativados" }),
    organizationsSuspended: (count) => plural(count, { one: "# suspensa", many: "# suspensas", other: "# suspensas" }),
    onlyMembers: (organization) => `Membros de ${organization}`,
    redirectUri: "URI de redirecionamento",
    redirectUriLead: "Cadastre este endereço no provedor.",
    send: "Enviar link",
    verification: "Link de confirmação do e‑mail",
    verificationSent: "Um link de confirmação do e‑mail foi enviado ao usuário.",
    reset: "Link para uma nova senha",
    resetSent: "Um link para uma nova senha foi enviado ao usuário.",
  },
};
