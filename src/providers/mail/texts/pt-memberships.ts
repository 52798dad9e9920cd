import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "As suas permissões em {{organization_name}} mudaram",
    preheader: "Veja quem mais tem acesso à sua conta.",
    title: "Tem mais permissões",
    lead:
      "Agora tem mais permissões em {{organization_name}}. Estas ligações e chaves também chegam à sua conta, " +
      "com a pessoa responsável entre parênteses: {{channels}}.",
    button: "Abrir as definições de segurança",
    after:
      "Se já não conseguir iniciar sessão com a conta da empresa, inicie sessão com um método próprio e " +
      "associe a conta da empresa nas definições de segurança.",
  },
  channels_accepted: {
    subject: "Foram confirmadas novas permissões em {{organization_name}}",
    preheader: "Pessoas com menos permissões são responsáveis por vias para elas.",
    title: "Uma atribuição foi confirmada",
    lead:
      "Foram atribuídas permissões em {{organization_name}}, embora pessoas com menos permissões sejam " +
      "responsáveis por estas vias para elas: {{channels}}.",
    button: "Rever a organização",
    after: "Se não esperava isto, anule a alteração ou substitua as ligações e as chaves.",
  },
  role_template_widened: {
    subject: "A função “{{role_name}}” tem novas permissões",
    preheader: "Membros de {{organization_name}} com a função já têm as permissões.",
    title: "Uma função tem novas permissões",
    lead:
      "A plataforma {{brand}} adicionou permissões ao modelo “{{role_name}}”, que {{organization_name}} " +
      "usa. Membros com a função têm a partir de agora estas permissões: {{added}}.",
    button: "Verificar a função",
    after: "Se os membros não devem ter essas permissões, retire a função dos membros ou crie uma função " + "própria.",
  },
  join_requested: {
    subject: "Pedido para entrar em {{organization_name}}",
    preheader: "{{address}} quer se tornar membro. Prazo para decidir: {{valid_for}}.",
    title: "Um pedido para entrar na sua organização",
    lead:
      "O usuário {{address}} pede para entrar em {{organization_name}} em {{brand}}. O endereço pertence a um " +
      "domínio verificado da organização. O pedido termina depois de {{valid_for}}.",
    button: "Verificar o pedido",
    after: "Se você não conhece o usuário, recuse o pedido.",
  },
  join_approved: {
    subject: "Agora você é membro de {{organization_name}}",
    preheader: "Seu pedido para entrar foi aprovado.",
    title: "Seu pedido foi aprovado",
    lead:
      "Seu pedido para entrar em {{organization_name}} em {{brand}} foi aprovado. Você pode mudar para a " +
      "organização na sua conta.",
    button: "Abrir a conta",
    after: "Se você não fez esse pedido, avise o administrador.",
  },
  join_denied: {
    subject: "Seu pedido para entrar em {{organization_name}} foi recusado",
    preheader: "Você pode pedir de novo mais tarde.",
    title: "Seu pedido foi recusado",
    lead:
      "Seu pedido para entrar em {{organization_name}} em {{brand}} foi recusado. Você pode pedir de novo " +
      "{{valid_for}} depois do seu pedido.",
    button: "Abrir a conta",
    after: "Se você precisa de acesso agora, peça um convite a um membro da organização.",
  },
};
