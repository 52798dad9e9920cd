/** The e-mails of every language. A language with a missing text does not compile. */
import type { Language } from "../../../base/languages.ts";
import { emailTexts as de } from "./de.ts";
import { emailTexts as en } from "./en.ts";
import { emailTexts as es } from "./es.ts";
import { emailTexts as fr } from "./fr.ts";
import { emailTexts as it } from "./it.ts";
import { emailTexts as ja } from "./ja.ts";
import { emailTexts as nl } from "./nl.ts";
import { emailTexts as pl } from "./pl.ts";
import { emailTexts as pt } from "./pt.ts";
import type { EmailTexts } from "./shape.ts";

export const EMAIL_TEXTS: Readonly<Record<Language, EmailTexts>> = {
  en,
  de,
  es,
  fr,
  it,
  ja,
  nl,
  pl,
  pt,
};
