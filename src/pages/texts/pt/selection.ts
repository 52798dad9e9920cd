/** Portuguese (Brazil): selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("pt");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `Selecionar ${name}`,
    rows: "Linhas selecionadas",
    all: "Selecionar tudo",
    back: "Voltar à lista",
    missing: "Esta linha não existe mais.",
    bounds: (count) =>
      plural(count, {
        one: "Selecione # linha.",
        many: "Selecione de 1 a # linhas.",
        other: "Selecione de 1 a # linhas.",
      }),
    partial: (count) =>
      plural(count, {
        one: "# linha não foi alterada",
        many: "# de linhas não foram alteradas",
        other: "# linhas não foram alteradas",
      }),
    actions: {
      "remove-selected": {
        action: "Remover",
        title: (count) =>
          plural(count, { one: "Remover # membro?", many: "Remover # de membros?", other: "Remover # membros?" }),
        text: "Os membros perdem imediatamente o acesso a esta organização. As contas continuam existindo.",
        done: (count) =>
          plural(count, { one: "# membro removido.", many: "# de membros removidos.", other: "# membros removidos." }),
      },
      "resend-selected": {
        action: "Reenviar",
        title: (count) =>
          plural(count, { one: "Reenviar # convite?", many: "Reenviar # de convites?", other: "Reenviar # convites?" }),
        text: "Cada e‑mail contém um novo link. Os links anteriores deixarão de funcionar.",
        done: (count) =>
          plural(count, {
            one: "# convite reenviado.",
            many: "# de convites reenviados.",
            other: "# convites reenviados.",
          }),
      },
      "revoke-selected": {
        action: "Revogar",
        title: (count) =>
          plural(count, { one: "Revogar # convite?", many: "Revogar # de convites?", other: "Revogar # convites?" }),
        text: "Os links dos e‑mails deixarão de funcionar.",
        done: (count) =>
          plural(count, {
            one: "# convite revogado.",
            many: "# de convites revogados.",
            other: "# convites revogados.",
          }),
      },
      "end-selected": {
        action: "Encerrar sessões",
        title: (count) =>
          plural(count, { one: "Encerrar # sessão?", many: "Encerrar # de sessões?", other: "Encerrar # sessões?" }),
        text: "Os dispositivos serão desconectados imediatamente. Os usuários podem fazer login novamente.",
        done: (count) =>
          plural(count, {
            one: "# sessão encerrada.",
            many: "# de sessões encerradas.",
            other: "# sessões encerradas.",
          }),
      },
      "disable-selected": {
        action: "Desativar",
        title: (count) =>
          plural(count, {
            one: "Desativar # usuário?",
            many: "Desativar # de usuários?",
            other: "Desativar # usuários?",
          }),
        text:
          "Todas as sessões destes usuários terminam imediatamente, e nenhum login funcionará até que " +
          "você reative as contas.",
        done: (count) =>
          plural(count, {
            one: "# usuário desativado.",
            many: "# de usuários desativados.",
            other: "# usuários desativados.",
          }),
      },
      "sign-out-selected": {
        action: "Encerrar todas as sessões",
        title: (count) =>
          plural(count, {
            one: "Encerrar todas as sessões de # usuário?",
            many: "Encerrar todas as sessões de # de usuários?",
            other: "Encerrar todas as sessões de # usuários?",
          }),
        text: "Todas as sessões destes usuários terminam imediatamente. Os usuários podem fazer login novamente.",
        done: (count) =>
          plural(count, {
            one: "Todas as sessões de # usuário foram encerradas.",
            many: "Todas as sessões de # de usuários foram encerradas.",
            other: "Todas as sessões de # usuários foram encerradas.",
          }),
      },
    },
  },
};
