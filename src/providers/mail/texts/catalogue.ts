/** The texts of the emails: `<language>.json` beside this file. docs/pages.md describes the files for translators. */
import { messageCatalogue, messageText, type TextMaker } from "../../../base/message-catalogue.ts";
import type { EmailTexts } from "./email-texts.gen.ts";
import { isCounted, templateOf } from "./template-text.ts";

export type { EmailTexts };

export type EmailKinds = EmailTexts["kinds"];
export type EmailKind = keyof EmailKinds;
/** Why the reader receives an email, in the foot of the email. */
export type EmailReason = keyof EmailTexts["reasons"];

/** A text becomes part of a Mustache template, or a function if the text depends on a number. */
const emailText: TextMaker = (message, language, english) =>
  isCounted(english) ? messageText(message, language, english) : templateOf(message);

export const EMAIL_TEXTS = messageCatalogue<EmailTexts>(import.meta.dirname, emailText);
