/** Portuguese: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "Tokens de registro",
    lead: "Com um token, os aplicativos se registram por conta própria.",
    leadOff:
      "O registro está desativado: defina SERVICE_OAUTH_REGISTRATION como token. " +
      "Até lá, nenhum aplicativo pode usar um token.",
    leadOpen: "O registro está aberto: os aplicativos não precisam de token.",
    none: "Ainda não há tokens.",
    create: "Novo token",
    name: "Nome",
    nameHint: "Por exemplo, a equipe ou o produto que recebe o token.",
    maxUses: "Registros",
    maxUsesHint: "Quantos aplicativos podem se registrar com o token, de 1 a 1.000.",
    days: "Dias de validade",
    daysHint: "De 1 a 365 dias.",
    createAction: "Criar token",
    createdTitle: "O novo token de registro",
    used: "Usado",
    uses: (uses: string, max: string) => `${uses} de ${max}`,
    expires: "Expira",
    ended: "Expirado",
    remove: "Excluir",
    removeTitle: (name: string) => `Excluir o token ${name}?`,
    removeText: "Nenhum outro aplicativo poderá se registrar com o token. Os aplicativos registrados permanecem.",
    deleted: "O token foi excluído.",
    full: "Já existem 100 tokens. Exclua um token sem uso.",
  },
};
