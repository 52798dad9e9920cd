/** The texts of pages and e-mails in every language: placeholders, plural forms, typography, lengths. */
import { describe, expect, test } from "bun:test";
import { LANGUAGES, type Language } from "../../src/base/languages.ts";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { EMAIL_TEXTS } from "../../src/providers/mail/texts/catalogue.ts";
import { type CatalogueText, textsOf, textWith } from "../support/catalogue-texts.ts";
import { isAllowedInEnglish, QUOTES } from "../support/language-rules.ts";

const CATALOGUES = { pages: TEXTS, emails: EMAIL_TEXTS };
const TRANSLATIONS = LANGUAGES.flatMap((language) => (language === "en" ? [] : [language]));

/** Every text of a language by its path, such as `pages.signIn.title`. */
function allTexts(language: Language): ReadonlyMap<string, CatalogueText> {
  const catalogues = Object.entries(CATALOGUES).map(([name, texts]) => [name, texts[language]] as const);
  return new Map(textsOf(Object.fromEntries(catalogues)));
}

const ENGLISH = allTexts("en");

/** Paths of the texts of a language that fail a check, each with its text. */
function failing(language: Language, passes: (text: string, english: string, path: string) => boolean): string[] {
  return [...allTexts(language)].flatMap(([path, text]) => {
    const written = textWith(text);
    return passes(written, textWith(ENGLISH.get(path) ?? ""), path) ? [] : [`${path}: ${written}`];
  });
}

const OTHER_COUNT = 777;
/** Numbers of each category of the languages. */
const COUNTS = [1, 3, 7, 22, 1_000_000];

/** Every match of a pattern once, in order. */
function matchesIn(text: string, pattern: RegExp): string {
  return [...new Set(text.match(pattern))].sort().join(" ");
}

describe.each([...LANGUAGES])("the texts in %s", (language) => {
  test("exist for every English text, with the same parameters", () => {
    const shape = (texts: ReadonlyMap<string, CatalogueText>) =>
      [...texts].map(([path, text]) => `${path} ${typeof text === "function" ? text.length : ""}`).sort();
    expect(shape(allTexts(language))).toEqual(shape(ENGLISH));
  });

  test("name the applications of an account and of an organization differently in one navigation", () => {
    const { oauth, applications } = TEXTS[language];
    expect(oauth.applications).not.toBe(applications.title);
    expect(oauth.removable).toContain(oauth.applications);
  });

  test("keep every placeholder of the English text", () => {
    const placeholders = (text: string) => matchesIn(text, /⟦\d⟧|\{\{[^}]+\}\}/g);
    expect(failing(language, (text, english) => placeholders(text) === placeholders(english))).toEqual([]);
  });

  test("contain the number in every plural form", () => {
    const hasNumber = (text: CatalogueText | undefined, count: number) =>
      textWith(text ?? "", { count })
        .replace(/\D/g, "")
        .includes(String(count));
    const texts = allTexts(language);
    const counted = [...ENGLISH].filter(([, text]) => typeof text === "function" && hasNumber(text, OTHER_COUNT));
    const missing = counted.flatMap(([path]) =>
      COUNTS.filter((count) => !hasNumber(texts.get(path), count)).map((count) => `${path}: ${count}`),
    );
    expect(counted.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  test("have no exclamation marks, no empty text, no outer spaces and no double spaces", () => {
    const joined = (path: string) => path.endsWith(".account_secured.named");
    const isTidy = (text: string, _: string, path: string) =>
      text !== "" && !/[!！]| {2}/.test(text) && (joined(path) || text === text.trim());
    expect(failing(language, isTidy)).toEqual([]);
  });

  test("have the quotation marks of the language", () => {
    const [open, close] = QUOTES[language];
    const foreign = new RegExp(`[^${open}${close}]`);
    const hasOwnQuotes = (text: string, _: string, path: string) =>
      path === "emails.kinds.invitation.subject" ||
      !(text.match(/["\u00AB\u00BB\u201C-\u201F\u300C-\u300F]/g) ?? []).some((mark) => foreign.test(mark));
    expect(failing(language, hasOwnQuotes)).toEqual([]);
  });

  test("break no line after the first letter of a word such as “e-mail” on pages", () => {
    const isKept = (text: string, _: string, path: string) => !path.startsWith("pages.") || !/\be-mail/i.test(text);
    expect(failing(language, isKept)).toEqual([]);
  });

  test("have subjects and preheaders that mailboxes display whole", () => {
    const length = (text: string) => [...text.replace(/\{\{[^}]+\}\}/g, "")].length;
    const fits = (text: string, _: string, path: string) =>
      !path.startsWith("emails.") ||
      ((!path.endsWith(".subject") || length(text) <= SUBJECT_MAX_CHARACTERS) &&
        (!path.endsWith(".preheader") || length(text) <= PREHEADER_MAX_CHARACTERS));
    expect(failing(language, fits)).toEqual([]);
  });
});

/** Without the values of the placeholders. */
const SUBJECT_MAX_CHARACTERS = 60;
const PREHEADER_MAX_CHARACTERS = 110;

describe.each(TRANSLATIONS)("the translation to %s", (language) => {
  test("equals no English text except for terms of the field", () => {
    const isTranslated = (text: string, english: string) => text !== english || isAllowedInEnglish(language, text);
    expect(failing(language, isTranslated)).toEqual([]);
  });

  test("ends a sentence where the English text ends a sentence", () => {
    const isSentence = (text: string) => /[.。?？]$/.test(text);
    expect(failing(language, (text, english) => isSentence(text) === isSentence(english))).toEqual([]);
  });
});

/** A colon inside of an address, a scope or the scheme `mailto:` has no space. */
const FRENCH_SPACES = /(?<![\u00A0\u202F])[;?»]|\u00A0\?|(?<![\u00A0\u202F])(?<!mailto):(?=\s|$)|«(?![\u00A0\u202F])/;

/** Rules of single languages; a rule applies as soon as the language has texts. */
const TYPOGRAPHY: Partial<Record<string, (text: string) => boolean>> = {
  fr: (text) => !FRENCH_SPACES.test(text) && !text.includes("'"),
  es: (text) => (text.match(/\?/g) ?? []).length === (text.match(/¿/g) ?? []).length,
  it: (text) => !text.includes("'"),
  nl: (text) => !text.includes("'"),
  ja: (text) => !/[\u3040-\u30FF\u4E00-\u9FFF] ?[.,?:()]/.test(text),
};

test("the typography of single languages is kept", () => {
  const wrong = LANGUAGES.flatMap((language) => {
    const isKept = TYPOGRAPHY[language];
    return isKept ? failing(language, isKept) : [];
  });
  expect(wrong).toEqual([]);
});

/** Words that a translator could write beside the term of the language: users must recognize a term on every page. */
const OTHER_WORDS: Partial<Record<Language, RegExp>> = {
  de: /Prüfprotokoll|Passschlüssel|Applikation/,
  fr: /domaines? vérifié|clés? d’API|invitations? ouverte/,
  es: /[Dd]irectivas? |\b(?:[Ee]limine|[Ee]stablezca|[Cc]ompruebe)\b|\bvenc(?:e|en|er|ió)\b|invitación(?:es)? abierta/,
  it: /registro di audit|\b(?:[Ii]mposti|[Ee]limini|[Ii]nserisca)\b|\be[-‑]mail|invit[oi] apert/,
  pt: /\b[Pp]ap(?:el|éis)\b|trilha de auditoria|participação|convites? aberto/,
  nl: /[Aa]anmeld|toepassing(?:en)?\b|auditspoor|[Pp]asskey|[Ee]igenaars\b|\bdienst\b|\bmetadata\b/,
  ja: /サインイン|監査証跡|信頼済みブラウザ/,
};

test("a term has one word in each language", () => {
  const wrong = LANGUAGES.flatMap((language) => {
    const other = OTHER_WORDS[language];
    return other ? failing(language, (text) => !other.test(text)) : [];
  });
  expect(wrong).toEqual([]);
});
