/** Portuguese: copies of the user's data, and the deletion of accounts and organizations. */
import { pluralIn } from "../../../base/plural.ts";
import type { LeavingTexts } from "../en/leaving.ts";

const plural = pluralIn("pt");

export const leavingTexts: LeavingTexts = {
  dataExport: {
    title: "Seus dados",
    lead: "Solicite uma cópia dos dados da sua conta. Você receberá um e‑mail quando ela estiver pronta.",
    contents:
      "A cópia é um arquivo JSON com perfil, endereços de e‑mail, organizações, sessões, chaves de acesso, " +
      "aplicativos, convites enviados e sua atividade. Ela não contém senhas nem chaves.",
    request: "Solicitar cópia",
    requested: "Sua cópia está sendo preparada. Você receberá um e‑mail quando ela estiver pronta.",
    limited: (span) => `Você pode solicitar uma cópia por dia. Tente novamente em ${span}.`,
    copies: "Cópias",
    none: "Nenhuma cópia foi solicitada.",
    pending: "Em preparação",
    failed: "Não foi possível gerar a cópia. Solicite uma nova.",
    until: (time) => `Disponível até ${time}`,
    requestedOn: (day) => `Solicitada em ${day}`,
    download: "Baixar",
    signInAgain: "Saia e faça login novamente para continuar.",
  },
  deleteAccount: {
    title: "Excluir conta",
    open: "Excluir minha conta",
    rowDetails: "Fecha a conta agora e apaga todos os dados depois.",
    exportDetails: "Receba uma cópia dos seus dados em um arquivo.",
    now: "Imediatamente",
    signedOut: "Você sai de todos os dispositivos, e os aplicativos perdem o acesso.",
    noSignIn: "Ninguém pode fazer login na conta.",
    invitations: "Seus convites pendentes perdem a validade.",
    organizationsSuspended: (names) => `Estas organizações não têm outros membros e serão suspensas: ${names}.`,
    later: (days) => plural(days, { one: "Depois de # dia", many: "Depois de # de dias", other: "Depois de # dias" }),
    immediately: "Logo em seguida",
    erased: "Seu perfil, e‑mails, métodos de login, dispositivos e o acesso de aplicativos são apagados.",
    organizationsErased: (names) => `Estas organizações são apagadas com a sua conta: ${names}.`,
    kept: "Os registros de atividade mantêm um ID, sem seu nome e seu e‑mail.",
    cancelUntil: "Até lá, você pode manter a conta com o link de um e‑mail que vamos enviar.",
    noCancel: "Não é possível desfazer a exclusão.",
    lastOwner: (names) => `Primeiro, torne outro membro proprietário destas organizações: ${names}.`,
    breakGlass: (names) =>
      `Você tem o acesso de emergência destas organizações. Primeiro, indique outro membro nelas: ${names}.`,
    lastPlatformOwner: "Você é o último proprietário da plataforma. Primeiro, torne outro usuário proprietário.",
    typeEmail: (email) => `Digite ${email} para confirmar`,
    wrongEmail: "Este não é o e‑mail da sua conta.",
    code: "Código recebido por e‑mail",
    sendCode: "Enviar código",
    codeSent: "Enviamos um código para seu e‑mail.",
    wrongCode: "O código está incorreto ou expirou.",
    codeLead: "Sua conta não tem senha. A exclusão é confirmada com um código.",
    done: "Enviamos um e‑mail para você. Até os dados serem apagados, você pode manter a conta com o link do e‑mail.",
    doneImmediate: "Todos os dados da conta estão sendo apagados.",
  },
  cancelDeletion: {
    title: "Manter a conta",
    lead: "A exclusão será cancelada, e você poderá fazer login novamente. Nenhum dispositivo será reconectado.",
    action: "Manter minha conta",
    doneTitle: "A conta foi mantida",
    done: "A exclusão foi cancelada. Você pode fazer login novamente.",
    organizationTitle: "Manter a organização",
    organizationLead: "A exclusão será cancelada, e os membros e as chaves de API terão acesso novamente.",
    organizationAction: "Manter organização",
    organizationDoneTitle: "A organização foi mantida",
    organizationDone: "A exclusão foi cancelada. Os membros podem fazer login novamente.",
    dead: "O link expirou ou já foi usado.",
  },
  deleteOrganization: {
    title: (name) => `Excluir ${name}`,
    open: "Excluir organização",
    lead:
      "Todos os dados da organização são apagados depois de 30 dias. Até lá, qualquer proprietário pode manter a " +
      "organização.",
    suspended: "A organização é suspensa imediatamente: membros e chaves de API ficam sem acesso.",
    erased:
      "Depois de 30 dias, membros, convites, chaves de API e webhooks são apagados. " +
      "As contas dos membros são mantidas.",
    notice: "Cada proprietário recebe um e‑mail com um link para manter a organização.",
    export: "Baixar os dados",
    typeSlug: (slug) => `Digite ${slug} para confirmar`,
    wrongSlug: "Este não é o slug da organização.",
    done: "A organização foi suspensa e será excluída.",
    ownersOnly: "Somente um proprietário pode excluir a organização.",
  },
  adminDeletions: {
    title: "Exclusões",
    lead: "Exclusões pendentes e exclusões concluídas nos últimos 180 dias.",
    none: "Nenhuma exclusão pendente.",
    user: "Usuário",
    organization: "Organização",
    due: "Exclusão definitiva",
    erased: "Dados apagados",
    reason: "Motivo",
    reasonHint: "O motivo é apagado com os dados.",
    badReason: "Digite um motivo de até 500 caracteres.",
    cancel: "Cancelar exclusão",
    cancelled: "A exclusão foi cancelada.",
    pendingUntil: (time) => `Data da exclusão definitiva: ${time}.`,
    deleteUser: "Excluir usuário",
    deleteUserText: "A conta é fechada imediatamente. O usuário recebe um e‑mail com um link para cancelar a exclusão.",
    deleteOrganization: "Excluir organização",
    deleteOrganizationText:
      "A organização é suspensa imediatamente. " +
      "Os proprietários recebem um e‑mail com um link para cancelar a exclusão.",
    requestedDone: "A exclusão foi solicitada.",
    conflict: "Não é possível: já há uma exclusão pendente, ou uma organização ficaria sem proprietário.",
  },
};
