/** Spanish: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "Correos",
    lead: "Todos los correos que envía el servicio, con valores de ejemplo.",
    findBrand: "Buscar una marca",
    preview: "Vista previa",
    previewOf: (subject) => `Vista previa: ${subject}`,
    sample: "Valores de ejemplo",
    language: "Idioma",
    subject: "Asunto",
    preheader: "Texto de vista previa",
    html: "Versión HTML",
    text: "Texto sin formato",
    sendTest: "Enviarme una prueba",
    testSent: "Se envió la prueba a tu dirección.",
    notConfirmed: "Primero confirma tu correo electrónico. La prueba solo se envía a una dirección confirmada.",
  },
};
