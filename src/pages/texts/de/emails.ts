/** German: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "E‑Mails",
    lead: "Alle E‑Mails, die der Dienst verschickt, mit Beispielwerten.",
    findBrand: "Marke suchen",
    preview: "Vorschau",
    previewOf: (subject) => `Vorschau: ${subject}`,
    sample: "Beispielwerte",
    language: "Sprache",
    subject: "Betreff",
    preheader: "Vorschautext",
    html: "HTML-Fassung",
    text: "Textfassung",
    sendTest: "Test an mich senden",
    testSent: "Der Test ist unterwegs an Ihre Adresse.",
    notConfirmed: "Bestätigen Sie zuerst Ihre E‑Mail-Adresse. Ein Test geht nur an eine bestätigte Adresse.",
  },
};
