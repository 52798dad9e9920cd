/** Catalogues of texts in ICU MessageFormat: one JSON file for each language, with keys by area. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Formatters, IntlMessageFormat } from "intl-messageformat";
import { FALLBACK_LANGUAGE, LANGUAGES, type Language, tagOf } from "../vocabulary/languages.ts";
import { lazily } from "./lazily.ts";

/** A file of messages. English has every key; the file of a language may lack keys. */
export interface Messages {
  readonly [key: string]: string | readonly string[] | Messages;
}

/** The values of a message by the names of its arguments. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** A text without arguments, or the function that completes the text. */
export type MessageText = string | ((values: MessageValues) => string);

/** Makes the text of a message. The English message decides whether the text is a function. */
export type TextMaker = (message: string, language: Language, english: string) => MessageText;

/**
 * Returns the texts of a folder by language. The type is generated from English (`npm run texts:types`). A file is
 * read when a text of the language is first used, and an area of keys becomes an object when the area is first used.
 * A text that a language lacks is the English text; `test/pages/texts.test.ts` fails for the absence.
 */
export function messageCatalogue<Texts>(folder: string, makeText: TextMaker): Record<Language, Texts> {
  const readFile = (language: Language) =>
    JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")) as Messages;
  const english = lazily(() => readFile(FALLBACK_LANGUAGE));
  const catalogue = {};
  for (const language of LANGUAGES) {
    defineLazily(catalogue, language, () => {
      const own = language === FALLBACK_LANGUAGE ? english() : readFile(language);
      return areaOf(english(), own, language, makeText);
    });
  }
  return catalogue as Record<Language, Texts>;
}

/** The texts of an area: every key of English, in the words of the language. */
function areaOf(english: Messages, own: Messages, language: Language, makeText: TextMaker): object {
  const textOf = (message: string, translated: unknown) =>
    typeof translated === "string"
      ? makeText(translated, language, message)
      : makeText(message, FALLBACK_LANGUAGE, message);
  const area: Record<string, unknown> = {};
  for (const [key, message] of Object.entries(english)) {
    const translated: unknown = own[key];
    if (typeof message === "string") area[key] = textOf(message, translated);
    else if (isList(message)) {
      const items: readonly unknown[] = Array.isArray(translated) ? translated : [];
      area[key] = message.map((item, index) => textOf(item, items[index]));
    } else {
      const inner = isMessages(translated) ? translated : {};
      defineLazily(area, key, () => areaOf(message, inner, language, makeText));
    }
  }
  return area;
}

function isList(message: Messages[string]): message is readonly string[] {
  return Array.isArray(message);
}

function isMessages(value: unknown): value is Messages {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Defines a property whose value is made at the first use. */
function defineLazily(target: object, key: string, make: () => unknown): void {
  const options = { enumerable: true, configurable: true };
  const get = () => {
    const value = make();
    Object.defineProperty(target, key, { value, writable: true, ...options });
    return value;
  };
  Object.defineProperty(target, key, { get, ...options });
}

/** An opening brace that no apostrophe quotes. A test compares the pattern with the parser. */
const ARGUMENT = /(?:^|[^']|'')\{/;
/** An apostrophe with a meaning in ICU MessageFormat. A single apostrophe before a letter is an apostrophe. */
const QUOTATION = /'['{}<>]/;

/** The text of a message: a string, or a function if the English message has arguments. Parsed at the first use. */
export function messageText(message: string, language: Language, english: string): MessageText {
  if (!ARGUMENT.test(english)) return QUOTATION.test(message) ? formatOf(message, language)({}) : message;
  const format = lazily(() => formatOf(message, language));
  return (values) => format()(values);
}

/** Options of the parser: a tag such as `<b>` is plain text, because pages escape every text. */
export const MESSAGE_SYNTAX = { ignoreTag: true } as const;

function formatOf(message: string, language: Language): (values: MessageValues) => string {
  const options = { ...MESSAGE_SYNTAX, formatters: FORMATTERS[language] };
  const format = new IntlMessageFormat(message, tagOf(language), undefined, options);
  return (values) => String(format.format(values));
}

/** Formats of a language, which all its messages share: the creation of a format takes longer than its use. */
function formattersIn(language: Language): Formatters {
  const numbers = lazily(() => new Intl.NumberFormat(tagOf(language)));
  const cardinals = lazily(() => new Intl.PluralRules(tagOf(language)));
  return {
    getNumberFormat: (locale, options) => (options ? new Intl.NumberFormat(locale, options) : numbers()),
    getPluralRules: (locale, options) =>
      options?.type === "ordinal" ? new Intl.PluralRules(locale, options) : cardinals(),
    getDateTimeFormat: (locale, options) => new Intl.DateTimeFormat(locale, options),
  };
}

const FORMATTERS = Object.fromEntries(LANGUAGES.map((language) => [language, formattersIn(language)])) as Record<
  Language,
  Formatters
>;
