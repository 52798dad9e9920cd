/** The built-in emails as Mustache templates, written from the blocks and the texts of a language. */
import { join } from "node:path";
import { blocksAsHtml, blocksAsText } from "./blocks.ts";
import { blocksOf, moreChangesBlock, noticeBlocks } from "./compose.ts";
import type { EmailKind, EmailTexts } from "./texts/catalogue.ts";

/** Mustache templates of the three parts of an email. */
export interface Template {
  readonly subject: string;
  readonly text: string;
  /** Inside of the layout. */
  readonly html: string;
}

export interface Partials {
  readonly text: Readonly<Record<string, string>>;
  readonly html: Readonly<Record<string, string>>;
}

export const BUILT_IN_LAYOUT = join(import.meta.dirname, "layout.html");

/** Equals the foot of the layout. The dashes with a space begin a signature (RFC 3676, section 4.3). */
const TEXT_FOOT =
  "\n-- \n{{reason}}\n{{sender}}\n{{#links}}{{label}}: {{url}}\n{{/links}}" +
  "{{#provided_by}}{{provided_by}}\n{{/provided_by}}";

export function builtInTemplate(kind: EmailKind, texts: EmailTexts): Template {
  const blocks = blocksOf(kind, texts);
  const { subject } = texts.kinds[kind];
  return { subject, text: `${blocksAsText(blocks)}${TEXT_FOOT}`, html: blocksAsHtml(blocks) };
}

export function builtInPartials(texts: EmailTexts): Partials {
  const [request, more] = [noticeBlocks("request", texts), [moreChangesBlock()]];
  return {
    text: { request: blocksAsText(request).trim(), more_changes: blocksAsText(more) },
    html: { request: blocksAsHtml(request), more_changes: blocksAsHtml(more) },
  };
}
