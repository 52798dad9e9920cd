import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "Sua conta em {{brand}} será excluída",
    preheader: "{{#link}}Você pode manter a conta por {{valid_for}}.{{/link}}{{^link}}A conta foi fechada.{{/link}}",
    title: "Sua conta será excluída",
    lead:
      "A exclusão da sua conta em {{brand}} foi solicitada. A conta foi fechada: todos os dispositivos e aplicativos " +
      "foram desconectados, e ninguém pode fazer login.",
    byAdministrator: "A exclusão foi solicitada por um administrador.",
    pending:
      "Todos os dados da conta serão apagados depois de {{valid_for}}. Até lá, você pode manter a conta. O link " +
      "funciona uma única vez.",
    immediate: "Todos os dados da conta estão sendo apagados agora. Não é possível desfazer a exclusão.",
    button: "Manter minha conta",
    after: "Foi você? Então não precisa fazer mais nada.",
  },
  organization_deletion: {
    subject: "A organização “{{organization_name}}” em {{brand}} será excluída",
    preheader: "Qualquer proprietário pode manter a organização por {{valid_for}}.",
    title: "Uma organização será excluída",
    lead:
      "A exclusão da organização {{organization_name}} foi solicitada. A organização está suspensa: membros e chaves " +
      "de API estão sem acesso. Todos os dados da organização serão apagados depois de {{valid_for}}. Até lá, " +
      "qualquer proprietário pode manter a organização. O link funciona uma única vez.",
    button: "Manter organização",
    after:
      "Você recebeu este e-mail porque é proprietário. " +
      "A exclusão está correta? Então não precisa fazer mais nada.",
  },
  data_export: {
    subject: "Seus dados de {{brand}} estão prontos para baixar",
    preheader: "O download fica disponível por {{valid_for}}.",
    title: "Seus dados estão prontos",
    lead:
      "A cópia dos seus dados em {{brand}} está pronta. Faça login para baixá-la em até {{valid_for}}; depois disso, " +
      "ela será excluída.",
    button: "Baixar meus dados",
    after: "Não foi você que solicitou os dados? Altere sua senha e avise seu administrador.",
  },
};
