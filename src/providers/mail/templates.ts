import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Mustache from "mustache";
import { SUBJECT_VALUE_MAX_CHARACTERS } from "../../base/limits.ts";
import type { Mail } from "./mail.ts";

/** What fills a template: texts, numbers, flags; a section of an absent one is left out. */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

export interface Templates {
  /** Renders a letter in the language that comes nearest to `locale`. Throws for a kind that nobody loaded. */
  render(kind: string, locale: string | null, values: Values): Pick<Mail, "subject" | "text" | "html">;
  /** Languages in which every kind is at hand. */
  readonly locales: readonly string[];
}

const BUILT_IN = join(import.meta.dir, "templates");
const FALLBACK = "en";
const SUBJECT_LINE = /^Subject: (.+)\n\n?/;

interface Parts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Reads all templates once: `<locale>/<kind>.txt` (its first line is `Subject: …`), `<locale>/<kind>.html` and `layout.html` around
 * it, as Mustache. Files of the operator's folder replace the built-in ones one by one; a language that lacks a part is no
 * language of that letter. Throws, naming the file, for a template that does not parse.
 */
export function loadTemplates(kinds: readonly string[], folder: string | undefined): Templates {
  const folders = folder === undefined ? [BUILT_IN] : [folder, BUILT_IN];
  const read = (name: string) => readTemplate(folders, name);
  const layout = read("layout.html") ?? "{{{content}}}";
  const locales = [...new Set(folders.flatMap(languagesOf))];
  const loaded = new Map<string, Parts>();
  for (const locale of locales) {
    for (const kind of kinds) {
      const [text, html] = [read(`${locale}/${kind}.txt`), read(`${locale}/${kind}.html`)];
      if (text === undefined || html === undefined) continue;
      const subject = SUBJECT_LINE.exec(text)?.[1];
      if (subject === undefined) throw new Error(`${locale}/${kind}.txt: the first line must be "Subject: …"`);
      loaded.set(`${locale}/${kind}`, { subject, text: text.replace(SUBJECT_LINE, ""), html });
    }
  }
  return {
    locales: locales.filter((locale) => kinds.every((kind) => loaded.has(`${locale}/${kind}`))),
    render(kind, locale, values) {
      const language = nearest(locale, (each) => loaded.has(`${each}/${kind}`));
      const parts = loaded.get(`${language}/${kind}`);
      if (!parts) throw new Error(`no template for ${kind}`);
      const subject = oneLine(Mustache.render(parts.subject, values, {}, { escape: subjectValue }));
      const content = Mustache.render(parts.html, values);
      return {
        subject,
        text: plain(parts.text, values),
        html: Mustache.render(layout, { ...values, content, language, subject }),
      };
    },
  };
}

function languagesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function readTemplate(folders: readonly string[], name: string): string | undefined {
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) return undefined;
  const template = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  try {
    Mustache.parse(template);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : "does not parse"}`);
  }
  return template;
}

/** The language asked for, else its primary one (`de-AT`: `de`), else English. */
function nearest(locale: string | null, exists: (locale: string) => boolean): string {
  const asked = locale === null ? [] : [locale, locale.split("-")[0] ?? ""];
  return asked.find(exists) ?? FALLBACK;
}

/** Text is for people: nothing in it is escaped. */
function plain(template: string, values: Values): string {
  return Mustache.render(template, values, {}, { escape: String });
}

const QUOTES = /["\u00AB\u00BB\u201C-\u201F\u2039\u203A\u300C-\u300F\uFF02]/g;

/**
 * A value inside a subject, where nothing but quotation marks tells the words of a tenant from those of the service: it
 * neither ends the quotation nor pushes the rest out of sight.
 */
function subjectValue(value: unknown): string {
  const characters = [...String(value).replace(QUOTES, "'")];
  if (characters.length <= SUBJECT_VALUE_MAX_CHARACTERS) return characters.join("");
  return `${characters.slice(0, SUBJECT_VALUE_MAX_CHARACTERS - 1).join("")}…`;
}

/** A name must not add a header. */
function oneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
