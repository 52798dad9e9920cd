/** Dutch: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "E‑mails",
    lead: "Alle e‑mails die de service verstuurt, met voorbeeldwaarden.",
    findBrand: "Huisstijl zoeken",
    preview: "Voorbeeld",
    previewOf: (subject) => `Voorbeeld: ${subject}`,
    sample: "Voorbeeldwaarden",
    language: "Taal",
    subject: "Onderwerp",
    preheader: "Voorbeeldtekst",
    html: "HTML",
    text: "Platte tekst",
    sendTest: "Test naar mij sturen",
    testSent: "De test is naar je adres gestuurd.",
    notConfirmed: "Bevestig eerst je e‑mailadres. Een test wordt alleen naar een bevestigd adres gestuurd.",
  },
};
