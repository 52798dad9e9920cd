/** The texts of pages and emails in every language: keys, arguments, plural forms, typography, lengths. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { EMAIL_TEXTS } from "../../src/providers/mail/texts/catalogue.ts";
import { AUDIT_ACTIONS } from "../../src/vocabulary/audit-action.ts";
import { LANGUAGES, type Language, tagOf } from "../../src/vocabulary/languages.ts";
import { argumentsOf } from "../../tools/message-arguments.ts";
import { SURFACES, typesFile, typesOf } from "../../tools/text-types.ts";
import {
  type CatalogueText,
  MESSAGE_FOLDERS,
  type MessageSurface,
  messagesByPath,
  messagesIn,
  textsOf,
  textWith,
} from "../support/catalogue-texts.ts";
import { isAllowedInEnglish, quotesOf } from "../support/language-rules.ts";

const CATALOGUES = { pages: TEXTS, emails: EMAIL_TEXTS };
const SURFACE_NAMES = Object.keys(CATALOGUES) as MessageSurface[];
const TRANSLATIONS = LANGUAGES.flatMap((language) => (language === "en" ? [] : [language]));

/** Every text of a language by its path, such as `pages.signIn.title`. */
function allTexts(language: Language): ReadonlyMap<string, CatalogueText> {
  return new Map(SURFACE_NAMES.flatMap((name) => textsOf(CATALOGUES[name][language], messagesIn(name, "en"), [name])));
}

/** Every message in the files of a language by its path. */
function allMessages(language: Language): ReadonlyMap<string, string> {
  return new Map(SURFACE_NAMES.flatMap((name) => messagesByPath(messagesIn(name, language), [name])));
}

const ENGLISH = allTexts("en");

/** Paths of the texts of a language that fail a check, each with its text. */
function failing(language: Language, passes: (text: string, english: string, path: string) => boolean): string[] {
  return [...allTexts(language)].flatMap(([path, text]) => {
    const english = ENGLISH.get(path);
    const written = textWith(text);
    return english && passes(written, textWith(english), path) ? [] : [`${path}: ${written}`];
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
  test("have every key of the English file, and no other key", () => {
    expect([...allMessages(language).keys()].sort()).toEqual([...ENGLISH.keys()].sort());
  });

  test("have the arguments of the English text, with a number where English has a number", () => {
    const shape = (message = "") =>
      [...argumentsOf(message)].map(([name, { isNumber }]) => `${name} ${isNumber ? "number" : ""}`).sort();
    const english = allMessages("en");
    const other = [...allMessages(language)].filter(
      ([path, message]) => shape(message).join() !== shape(english.get(path)).join(),
    );
    expect(other).toEqual([]);
  });

  test("have exactly one form for each plural category of the language", () => {
    const { pluralCategories } = new Intl.PluralRules(tagOf(language)).resolvedOptions();
    const expected = pluralCategories.toSorted().join();
    const counted = [...allMessages(language)].flatMap(([path, message]) =>
      [...argumentsOf(message).values()].flatMap(({ plurals }) =>
        plurals.map((categories) => [path, categories.toSorted().join()]),
      ),
    );
    expect(counted.length).toBeGreaterThan(10);
    expect(counted.filter(([, categories]) => categories !== expected)).toEqual([]);
  });

  test("are functions where the English text has arguments, and strings elsewhere", () => {
    const isWrong = ([path, { text, args }]: [string, CatalogueText]) => {
      const isFunction = path.startsWith("emails.")
        ? [...args.values()].some(({ isNumber }) => isNumber)
        : args.size > 0;
      return typeof text !== (isFunction ? "function" : "string");
    };
    expect([...allTexts(language)].filter(isWrong)).toEqual([]);
  });

  test("name the applications of an account and of an organization differently in one navigation", () => {
    const { oauth, applications } = TEXTS[language];
    expect(oauth.applications).not.toBe(applications.title);
    expect(oauth.removable).toContain(oauth.applications);
  });

  test("keep every placeholder of the English text", () => {
    const placeholders = (text: string) => matchesIn(text, /⟦\w+⟧|\{\{[^}]+\}\}/g);
    expect(failing(language, (text, english) => placeholders(text) === placeholders(english))).toEqual([]);
  });

  test("contain the number in every plural form", () => {
    const hasNumber = (text: CatalogueText | undefined, count: number) =>
      text !== undefined && textWith(text, { count }).replace(/\D/g, "").includes(String(count));
    const texts = allTexts(language);
    const counted = [...ENGLISH].filter(([, text]) => typeof text.text === "function" && hasNumber(text, OTHER_COUNT));
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
    const [open, close] = quotesOf(language);
    const foreign = new RegExp(`[^${open}${close}]`);
    const hasOwnQuotes = (text: string, _: string, path: string) =>
      path === "emails.kinds.invitation.subject" ||
      !(text.match(/["\u00AB\u00BB\u201C-\u201F\u300C-\u300F]/g) ?? []).some((mark) => foreign.test(mark));
    expect(failing(language, hasOwnQuotes)).toEqual([]);
  });

  test("break no line after the first letter of a word such as “email” on pages", () => {
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

test("an event of the audit trail has a name, and no other event has a name", () => {
  expect(Object.keys(TEXTS.en.events.names).sort()).toEqual([...AUDIT_ACTIONS].sort());
});

describe("the files of messages", () => {
  test.each(SURFACE_NAMES)("of %s are one file for each language of the service", (name) => {
    const files = readdirSync(MESSAGE_FOLDERS[name]).filter((file) => file.endsWith(".json"));
    expect(files.sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort());
  });

  test.each(SURFACES)("have the types of the English texts: `npm run texts:types` ($file)", (surface) => {
    expect(readFileSync(typesFile(surface), "utf8")).toBe(typesOf(surface));
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
    return other ? failing(language, (text) => !other.test(text.replaceAll(/\{\{\w+\}\}/g, ""))) : [];
  });
  expect(wrong).toEqual([]);
});
