/** Polish: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "E‑maile",
    lead: "Wszystkie e‑maile wysyłane przez usługę, z przykładowymi wartościami.",
    findBrand: "Szukaj marki",
    preview: "Podgląd",
    previewOf: (subject) => `Podgląd: ${subject}`,
    sample: "Przykładowe wartości",
    language: "Język",
    subject: "Temat",
    preheader: "Tekst podglądu",
    html: "HTML",
    text: "Zwykły tekst",
    sendTest: "Wyślij mi wiadomość testową",
    testSent: "Wysłaliśmy wiadomość testową na Twój adres.",
    notConfirmed: "Najpierw potwierdź swój adres e‑mail. Wiadomość testowa trafia tylko na potwierdzony adres.",
  },
};
