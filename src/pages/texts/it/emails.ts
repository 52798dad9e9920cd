/** Italian: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "Email",
    lead: "Tutte le email inviate dal servizio, con valori di esempio.",
    findBrand: "Cerca un brand",
    preview: "Anteprima",
    previewOf: (subject) => `Anteprima: ${subject}`,
    sample: "Valori di esempio",
    language: "Lingua",
    subject: "Oggetto",
    preheader: "Testo di anteprima",
    html: "HTML",
    text: "Testo normale",
    sendTest: "Inviami un test",
    testSent: "Il test è stato inviato al tuo indirizzo.",
    notConfirmed: "Prima conferma il tuo indirizzo email. Un test viene inviato solo a un indirizzo confermato.",
  },
};
