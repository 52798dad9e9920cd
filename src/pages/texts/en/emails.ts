/** English: previews of e-mails. */
import type { Shape } from "../shape.ts";

export const emailTexts = {
  emailPreviews: {
    title: "E‑mails",
    lead: "All e‑mails that the service sends, with sample values.",
    findBrand: "Find a brand",
    preview: "Preview",
    previewOf: (subject: string) => `Preview: ${subject}`,
    sample: "Sample values",
    language: "Language",
    subject: "Subject",
    preheader: "Preview text",
    html: "HTML",
    text: "Plain text",
    sendTest: "Send a test to me",
    testSent: "The test is on its way to your address.",
    notConfirmed: "Confirm your e‑mail address first. A test is sent only to a confirmed address.",
  },
};

export type EmailPageTexts = Shape<typeof emailTexts>;
