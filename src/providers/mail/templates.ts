import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Mustache from "mustache";
import { SUBJECT_VALUE_MAX_CHARACTERS } from "../../limits/email-limits.ts";
import type { Mail } from "./mail.ts";

type Value = string | number | boolean | null;

/**
 * Values of a template. Mustache omits the section of an absent, false or empty value, and repeats the section of a
 * list.
 */
export type Values = Readonly<Record<string, Value | readonly Readonly<Record<string, Value>>[]>>;

export interface Templates {
  /** Renders an e-mail in the language closest to `locale`. Throws for an unknown kind. */
  render(kind: string, locale: string | null, values: Values): Pick<Mail, "subject" | "text" | "html">;
  /** Languages that have a template for every kind. */
  readonly locales: readonly string[];
}

const BUILT_IN = join(import.meta.dirname, "templates");
const FALLBACK = "en";
/** Mustache partials shared by notices: `{{> request}}`. */
const PARTIALS = ["request", "more_changes"] as const;
const SUBJECT_LINE = /^Subject: (.+)\n\n?/;

interface Parts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type Read = (name: string) => string | undefined;

/**
 * Reads all Mustache templates once: `<locale>/<kind>.txt` (its first line is `Subject: …`), `<locale>/<kind>.html`,
 * and `layout.html` around it. A file in the operator's folder replaces the built-in file with this name. A language is
 * not used for a kind without text and HTML template. Throws an error with the file name when a file of the operator
 * does not parse.
 */
export function loadTemplates(kinds: readonly string[], folder: string | undefined): Templates {
  const folders = folder === undefined ? [BUILT_IN] : [folder, BUILT_IN];
  const read: Read = (name) => readTemplate(folders, name);
  const layout = read("layout.html") ?? "{{{content}}}";
  const locales = [...new Set(folders.flatMap(languagesOf))];
  const loaded = new Map<string, Parts>();
  for (const name of locales.flatMap((locale) => kinds.map((kind) => `${locale}/${kind}`))) {
    const parts = readParts(name, read);
    if (parts) loaded.set(name.toLowerCase(), parts);
  }
  const partials = new Map(locales.map((locale) => [locale.toLowerCase(), readPartials(locale, read)]));
  return {
    locales: locales.filter((locale) => kinds.every((kind) => loaded.has(`${locale}/${kind}`.toLowerCase()))),
    render(kind, locale, values) {
      const language = closestLanguage(locale, (each) => loaded.has(`${each}/${kind}`));
      const parts = loaded.get(`${language}/${kind}`);
      if (!parts) throw new Error(`no template for ${kind}`);
      const subject = oneLine(Mustache.render(parts.subject, values, {}, { escape: subjectValue }));
      const { text, html } = partials.get(language) ?? NO_PARTIALS;
      const content = Mustache.render(parts.html, values, html);
      return {
        subject,
        text: renderText(parts.text, values, text),
        html: Mustache.render(layout, { ...values, content, language, subject }),
      };
    },
  };
}

interface Partials {
  readonly text: Readonly<Record<string, string>>;
  readonly html: Readonly<Record<string, string>>;
}

const NO_PARTIALS: Partials = { text: {}, html: {} };

/** Reads the partials of a language. A partial missing in the language renders as empty text. */
function readPartials(locale: string, read: Read): Partials {
  const ofType = (extension: string) =>
    Object.fromEntries(PARTIALS.map((name) => [name, read(`${locale}/${name}.${extension}`) ?? ""]));
  return { text: ofType("txt"), html: ofType("html") };
}

function readParts(name: string, read: Read): Parts | undefined {
  const [text, html] = [read(`${name}.txt`), read(`${name}.html`)];
  if (text === undefined || html === undefined) return undefined;
  const subject = SUBJECT_LINE.exec(text)?.[1];
  if (subject === undefined) throw new Error(`${name}.txt: the first line must be "Subject: …"`);
  return { subject, text: text.replace(SUBJECT_LINE, ""), html };
}

function languagesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function readTemplate(folders: readonly string[], name: string): string | undefined {
  const folder = folders.find((each) => existsSync(join(each, name)));
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  const template = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  try {
    // The built-in templates are tested, and are parsed at their first use: parsing would delay each start.
    if (folder !== BUILT_IN) Mustache.parse(template);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : "does not parse"}`);
  }
  return template;
}

/**
 * The requested language in lower case, else without its last subtags (`zh-hans-cn`: `zh-hans`, `zh`; RFC 4647, section
 * 3.4), else English.
 */
function closestLanguage(locale: string | null, exists: (locale: string) => boolean): string {
  const subtags = locale?.toLowerCase().split("-") ?? [];
  const requested = subtags.map((_, dropped) => subtags.slice(0, subtags.length - dropped).join("-"));
  return requested.find(exists) ?? FALLBACK;
}

/** Without HTML escaping. */
function renderText(template: string, values: Values, partials: Partials["text"]): string {
  return Mustache.render(template, values, partials, { escape: String });
}

const QUOTES = /["\u00AB\u00BB\u201C-\u201F\u2039\u203A\u300C-\u300F\uFF02]/g;

/**
 * Escapes a value in a subject, where only quotation marks separate text of a tenant from text of the service (G41):
 * the value cannot close the quotation, and is shortened so the rest of the subject stays visible.
 */
function subjectValue(value: unknown): string {
  const characters = [...String(value).replace(QUOTES, "'")];
  if (characters.length <= SUBJECT_VALUE_MAX_CHARACTERS) return characters.join("");
  return `${characters.slice(0, SUBJECT_VALUE_MAX_CHARACTERS - 1).join("")}…`;
}

/** Prevents header injection (G19). */
function oneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
