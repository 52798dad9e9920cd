/** French: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "E‑mails",
    lead: "Tous les e‑mails que le service envoie, avec des valeurs d’exemple.",
    findBrand: "Rechercher une marque",
    preview: "Aperçu",
    previewOf: (subject) => `Aperçu\u00A0: ${subject}`,
    sample: "Valeurs d’exemple",
    language: "Langue",
    subject: "Objet",
    preheader: "Texte d’aperçu",
    html: "HTML",
    text: "Texte brut",
    sendTest: "M’envoyer un test",
    testSent: "Le test vient d’être envoyé à votre adresse.",
    notConfirmed: "Confirmez d’abord votre adresse e‑mail. Un test n’est envoyé qu’à une adresse confirmée.",
  },
};
