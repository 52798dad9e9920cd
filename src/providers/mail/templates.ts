import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Mustache from "mustache";
import { lazily } from "../../base/lazily.ts";
import { SUBJECT_VALUE_MAX_CHARACTERS } from "../../limits/email-limits.ts";
import { directionOf, FALLBACK_LANGUAGE, LANGUAGES, type Language } from "../../vocabulary/languages.ts";
import { withNoBreakHyphens } from "./blocks.ts";
import { BUILT_IN_LAYOUT, builtInPartials, builtInTemplate, type Partials, type Template } from "./built-in.ts";
import { KINDS, reasonOf } from "./compose.ts";
import type { EmailBrand } from "./email-brand.ts";
import { localizedValues } from "./localized-values.ts";
import type { Mail } from "./mail.ts";
import { EMAIL_TEXTS, type EmailKind, type EmailTexts } from "./texts/catalogue.ts";
import type { Values } from "./values.ts";

export type { EmailBrand, EmailKind, Values };

/** The corner radius of a button in a brand without a radius. */
const BUTTON_RADIUS_PIXELS = 8;

export interface EmailToRender {
  readonly kind: EmailKind;
  /** The preferred language tag of the reader. */
  readonly locale: string | null;
  readonly values: Values;
  readonly brand: EmailBrand;
}

export interface RenderedEmail extends Pick<Mail, "subject" | "text" | "html"> {
  /** The text after the subject in the list of a mail program; part of `html`. */
  readonly preheader: string;
}

export interface Templates {
  /** Renders an email in the language closest to the locale. */
  render(email: EmailToRender): RenderedEmail;
  /** Languages that have a template for every kind. */
  readonly locales: readonly string[];
}

/**
 * The built-in templates, and Mustache templates of an operator's folder: `<locale>/<kind>.txt` (its first line is
 * `Subject: …`), `<locale>/<kind>.html`, and `layout.html` around it. A file replaces one part of a built-in template.
 * A language is not used for a kind without text and HTML template. Throws an error with the file name when a file does
 * not parse. A built-in template is written at its first use.
 */
export function loadTemplates(folder: string | undefined): Templates {
  const read: Read = folder === undefined ? () => undefined : (name) => readTemplate(folder, name);
  const layout = read("layout.html") ?? readFileSync(BUILT_IN_LAYOUT, "utf8");
  const locales = [...new Set([...LANGUAGES, ...(folder === undefined ? [] : languagesOf(folder))])];
  const loaded = new Map<string, () => Template>();
  for (const locale of locales) {
    for (const kind of KINDS) {
      const template = findTemplate(locale, kind, read);
      if (template) loaded.set(`${locale}/${kind}`.toLowerCase(), template);
    }
  }
  const partials = new Map(locales.map((locale) => [locale.toLowerCase(), partialsOf(locale, read)]));
  return {
    locales: locales.filter((locale) => KINDS.every((kind) => loaded.has(`${locale}/${kind}`.toLowerCase()))),
    render({ kind, locale, values: given, brand }) {
      const language = closestLanguage(locale, (each) => loaded.has(`${each}/${kind}`));
      const template = loaded.get(`${language}/${kind}`)?.();
      if (!template) throw new Error(`no template for ${kind}`);
      const texts = textsIn(language) ?? EMAIL_TEXTS[FALLBACK_LANGUAGE];
      const localized = localizedValues(texts, { language, locale }, given);
      const all = { ...given, ...localized, ...deploymentValues(brand), ...brandValues(brand, texts) };
      const frame = framed(kind, texts, language, all);
      const values = { ...all, ...frame };
      const { text, html } = partials.get(language)?.() ?? NO_PARTIALS;
      const subject = oneLine(Mustache.render(template.subject, values, {}, { escape: subjectValue }));
      const inHtml = { ...values, ...htmlValues(kind, texts, all) };
      const content = Mustache.render(template.html, inHtml, html);
      return {
        subject,
        text: renderText(template.text, values, text),
        html: Mustache.render(layout, { ...inHtml, ...brand.palette, content, language, subject }),
        preheader: frame.preheader,
      };
    },
  };
}

/** The built-in language of a folder or template; undefined for a language of the operator alone. */
function languageOf(locale: string): Language | undefined {
  return LANGUAGES.find((each) => each === locale);
}

function textsIn(locale: string): EmailTexts | undefined {
  const language = languageOf(locale);
  return language && EMAIL_TEXTS[language];
}

/**
 * The texts name the deployment in every brand: the account of the reader is an account at the deployment (G41). The
 * layouts of operators use `brand` and `logo` as one unit, so the logo of a tenant has a separate value.
 */
function deploymentValues({ name, provider, host, publicBaseUrl, logo }: EmailBrand) {
  return {
    brand: provider ?? name,
    host,
    logo: provider === undefined && logo ? logo.url : null,
    security_link: `${publicBaseUrl}/account/security`,
    reset_link: `${publicBaseUrl}/forgot-password`,
  };
}

function brandValues({ name, provider, palette, radius, logo, ...urls }: EmailBrand, texts: EmailTexts) {
  const links = [
    { label: texts.links.support, url: urls.supportUrl },
    { label: texts.links.privacy, url: urls.privacyUrl },
    { label: texts.links.terms, url: urls.termsUrl },
  ];
  return {
    sender: name,
    sender_logo: logo?.url ?? null,
    sender_logo_dark: logo?.darkUrl ?? null,
    sender_logo_width: logo?.width ?? null,
    sender_logo_height: logo?.height ?? null,
    provided_by: provider === undefined ? null : renderText(texts.providedBy, { brand: provider }, {}),
    fill: palette.light.fill,
    radius: radius ?? BUTTON_RADIUS_PIXELS,
    links: links.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }])),
  };
}

/** The values of the layout: preheader, the reason in the foot, and the sides of the reading direction. */
function framed(kind: EmailKind, texts: EmailTexts, language: string, values: Values) {
  const direction = directionOf(language);
  const [start, end] = direction === "ltr" ? ["left", "right"] : ["right", "left"];
  return {
    preheader: renderText(texts.kinds[kind].preheader, values, {}),
    reason: renderText(texts.reasons[reasonOf(kind)], values, {}),
    direction,
    start,
    end,
  };
}

/** The texts of the catalogue among the values, with no-break hyphens; names of users and brands stay as they are. */
function htmlValues(kind: EmailKind, texts: EmailTexts, values: Values) {
  const { merged_text: merged } = values;
  return {
    reason: renderText(withNoBreakHyphens(texts.reasons[reasonOf(kind)]), values, {}),
    merged_text: typeof merged === "string" ? withNoBreakHyphens(merged) : null,
  };
}

type Read = (name: string) => string | undefined;

const NO_PARTIALS: Partials = { text: {}, html: {} };
/** Mustache partials of notices in an operator's templates: `{{> request}}`. */
const PARTIALS = ["request", "more_changes"] as const;

/** Reads the partials of a language. A partial missing in the language renders as empty text. */
function partialsOf(locale: string, read: Read): () => Partials {
  const readAll = (extension: string) =>
    PARTIALS.map((name) => [name, read(`${locale}/${name}.${extension}`)] as const);
  const own = { text: readAll("txt"), html: readAll("html") };
  return lazily(() => {
    const texts = textsIn(locale);
    const builtIn = texts ? builtInPartials(texts) : NO_PARTIALS;
    const ofType = (type: keyof Partials) =>
      Object.fromEntries(own[type].map(([name, file]) => [name, file ?? builtIn[type][name] ?? ""]));
    return { text: ofType("text"), html: ofType("html") };
  });
}

const SUBJECT_LINE = /^Subject: (.+)\n\n?/;

function findTemplate(locale: string, kind: EmailKind, read: Read): (() => Template) | undefined {
  const name = `${locale}/${kind}`;
  const [text, html] = [read(`${name}.txt`), read(`${name}.html`)];
  const subject = text === undefined ? undefined : SUBJECT_LINE.exec(text)?.[1];
  if (text !== undefined && subject === undefined) {
    throw new Error(`${name}.txt: the first line must be "Subject: …"`);
  }
  const own = {
    ...(text === undefined || subject === undefined ? {} : { subject, text: text.replace(SUBJECT_LINE, "") }),
    ...(html === undefined ? {} : { html }),
  };
  const language = languageOf(locale);
  if (language) return lazily(() => ({ ...builtInTemplate(kind, EMAIL_TEXTS[language]), ...own }));
  return isWhole(own) ? () => own : undefined;
}

function isWhole(template: Partial<Template>): template is Template {
  return template.text !== undefined && template.html !== undefined;
}

function languagesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function readTemplate(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const template = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  try {
    Mustache.parse(template);
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
  return requested.find(exists) ?? FALLBACK_LANGUAGE;
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
