import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Confirme seu e-mail para {{brand}}",
    preheader: "Abra o link em um navegador em que você fez login. Validade: {{valid_for}}.",
    title: "Confirme seu novo e-mail",
    lead:
      "Confirme que este e-mail pertence à sua conta em {{brand}}. Até lá, continue fazendo login com seu e-mail " +
      "atual.",
    button: "Confirmar e-mail",
    after: "Não foi você? Ignore esta mensagem: sem a confirmação, o e-mail não será usado.",
  },
  email_in_use: {
    subject: "Seu e-mail em {{brand}}",
    preheader: "O e-mail já pertence a uma conta. Nada foi alterado.",
    title: "Seu e-mail já está em uso",
    lead:
      "Este e-mail foi solicitado para uma conta em {{brand}}. Ele já pertence a uma conta, e por isso nada foi " +
      "alterado.",
    button: "Fazer login",
    after:
      "Foi você? Faça login com este e-mail ou escolha uma nova senha na página de login. Se não foi, ignore esta " +
      "mensagem.",
  },
  email_change_notice: {
    subject: "O e-mail da sua conta em {{brand}}",
    preheader: "{{device}}, {{time}}. Se não foi você, desfaça a alteração.",
    title: "O e-mail da sua conta",
    lead: "Os endereços de e-mail da sua conta em {{brand}} vão mudar ou já mudaram.",
    change:
      "Um novo e-mail principal foi solicitado{{#new_email}}: {{new_email}}{{/new_email}}. Depois da confirmação, " +
      "este e-mail deixará de pertencer à conta.",
    addition:
      "Um e-mail adicional foi solicitado{{#new_email}}: {{new_email}}{{/new_email}}. Depois da confirmação, será " +
      "possível fazer login e redefinir a senha com ele.",
    replaced:
      "O e-mail principal foi alterado{{#new_email}} para {{new_email}}{{/new_email}}. Ainda é possível fazer login " +
      "com este e-mail.",
    undo:
      "Se não foi você, desfaça a alteração. O link funciona uma única vez, até {{undo_period}} depois da alteração. " +
      "Todos os dispositivos serão desconectados, e a senha e todos os métodos de login adicionados desde a " +
      "solicitação serão removidos:",
    noUndo: "Este e-mail nunca foi confirmado para a conta, e por isso você não precisa fazer nada.",
    button: "Revisar segurança",
    after: "Foi você? Então pode ignorar esta mensagem.",
  },
  email_removed: {
    subject: "Um e-mail foi removido da sua conta em {{brand}}",
    preheader: "{{device}}, {{time}}. Se não foi você, altere sua senha.",
    title: "Um e-mail foi removido",
    lead: "O e-mail {{email}} foi removido de uma conta em {{brand}}. Não é mais possível fazer login com ele.",
    button: "Revisar segurança",
    after:
      "Foi você? Então pode ignorar esta mensagem. Se não foi, altere sua senha imediatamente e avise seu " +
      "administrador.",
  },
  email_reverted: {
    subject: "A alteração do seu e-mail em {{brand}} foi desfeita",
    preheader: "Este e-mail voltou a ser o principal. Crie uma nova senha.",
    title: "A alteração do seu e-mail foi desfeita",
    lead:
      "Este e-mail voltou a ser o principal da sua conta. Todos os dispositivos foram desconectados, e a senha e " +
      "todos os métodos de login adicionados desde a solicitação foram removidos. Crie uma nova senha.",
    button: "Criar nova senha",
    after: "Não foi você que desfez a alteração? Avise seu administrador.",
  },
};
