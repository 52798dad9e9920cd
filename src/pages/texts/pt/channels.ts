/** Portuguese: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "Confirmar as novas permissões",
    text: "Estas pessoas têm menos permissões e são responsáveis por vias para o que atribui:",
    action: "Atribuir mesmo assim",
    note:
      "Os membros que iniciam sessão por uma ligação têm de associar eles próprios a conta da empresa " +
      "antes do próximo início de sessão.",
    nobody: "Conta eliminada",
    holders: "Quem mais tem acesso a esta conta",
    holdersLead: "As novas permissões exigem confirmação se uma destas pessoas tiver menos.",
    kinds: {
      linked_identity: "Ligação com que o membro inicia sessão",
      directory_key: "Chave do diretório",
      setup_key: "Chave do diretório criada por um link de configuração",
      group_mapping: "Chave que preenche os grupos",
      role_rule: "Ligação que indica os grupos",
      default_role: "Ligação cujos utilizadores aderem",
      claimed_domain: "Domínio cujos utilizadores aderem",
      setup_link: "Link de configuração",
    },
  },
};
