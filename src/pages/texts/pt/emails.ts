/** Portuguese: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "E‑mails",
    lead: "Todos os e‑mails que o serviço envia, com valores de exemplo.",
    findBrand: "Buscar uma marca",
    preview: "Visualizar",
    previewOf: (subject) => `Visualizar: ${subject}`,
    sample: "Valores de exemplo",
    language: "Idioma",
    subject: "Assunto",
    preheader: "Texto de visualização",
    html: "Versão em HTML",
    text: "Texto simples",
    sendTest: "Enviar um teste para mim",
    testSent: "O teste foi enviado para seu e‑mail.",
    notConfirmed: "Primeiro, confirme seu e‑mail. O teste só é enviado para um e‑mail confirmado.",
  },
};
