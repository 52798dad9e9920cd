/**
 * The content of an email as blocks. Text and HTML are written from the same blocks, so the two parts have equal
 * content. Every text is a Mustache template.
 */

/** A value whose absence omits a block or a row. */
interface Conditional {
  readonly when?: string;
}

export interface Fact extends Conditional {
  readonly label: string;
  readonly value: string;
}

export type Block =
  | { readonly kind: "title"; readonly text: string }
  | ({ readonly kind: "paragraph"; readonly text: string } & Conditional)
  /** Text of secondary importance, at the end. */
  | { readonly kind: "after"; readonly text: string }
  | { readonly kind: "code"; readonly value: string }
  | { readonly kind: "facts"; readonly rows: readonly Fact[] }
  /** `copy`: introduces the address in full, for a button that does not work. */
  | ({ readonly kind: "button"; readonly label: string; readonly link: string; readonly copy?: string } & Conditional)
  | ({ readonly kind: "link"; readonly text: string; readonly link: string } & Conditional)
  /** `more`: the last item, if a further list has no room. */
  | {
      readonly kind: "list";
      readonly lead: string;
      readonly when: string;
      readonly section: string;
      readonly item: string;
      readonly more: { readonly when: string; readonly text: string };
    };

/** `content`: whole lines. Mustache removes the line of a tag that stands alone. */
function section(name: string | undefined, content: string): string {
  return name === undefined ? content : `{{#${name}}}\n${content}{{/${name}}}\n`;
}

/** The plain text of a block, with an empty line before the block. */
function textOf(block: Block): string {
  switch (block.kind) {
    case "title":
      return `${block.text}\n`;
    case "paragraph":
      return section(block.when, `\n${block.text}\n`);
    case "after":
      return `\n${block.text}\n`;
    case "code":
      return `\n${block.value}\n`;
    case "facts":
      return `\n${block.rows.map(({ when, label, value }) => section(when, `${label}: ${value}\n`)).join("")}`;
    case "button":
      return section(block.when, `\n${block.label}:\n\n${block.link}\n`);
    case "link":
      return section(block.when, `\n${block.text}\n\n${block.link}\n`);
    case "list":
      return section(block.when, `\n${block.lead}\n${listText(block)}`);
  }
}

function listText({ section: items, item, more }: Extract<Block, { kind: "list" }>): string {
  return `${section(items, `- ${item}\n`)}${section(more.when, `- ${more.text}\n`)}`;
}

/** Short first parts of words such as "email" and "IP-Adresse", which must not stand alone at the end of a line. */
const SHORT_FIRST_PART = /\b(e|ip)-(?=\p{L})/giu;

/** A text of the catalogue with no-break hyphens after short first parts, for HTML. */
export function withNoBreakHyphens(text: string): string {
  return text.replace(SHORT_FIRST_PART, "$1\u2011");
}

/** Tags stay: the texts of the catalogue contain no markup. */
function escaped(text: string): string {
  return withNoBreakHyphens(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case "title":
      return `<h1>${escaped(block.text)}</h1>\n`;
    case "paragraph":
      return section(block.when, `<p>${escaped(block.text)}</p>\n`);
    case "after":
      return `<p class="after">${escaped(block.text)}</p>\n`;
    case "code":
      return `<p class="code">${block.value}</p>\n`;
    case "facts":
      return factsHtml(block.rows);
    case "button":
      return section(block.when, buttonHtml(block));
    case "link":
      return section(block.when, linkHtml(block.text, block.link));
    case "list":
      return section(block.when, `<p>${escaped(block.lead)}</p>\n<ul>\n${listHtml(block)}</ul>\n`);
  }
}

function listHtml({ section: items, item, more }: Extract<Block, { kind: "list" }>): string {
  const line = (text: string) => `<li>${escaped(text)}</li>\n`;
  return `${section(items, line(item))}${section(more.when, line(more.text))}`;
}

function factsHtml(rows: readonly Fact[]): string {
  const row = ({ label, value, when }: Fact) =>
    section(when, `<tr><th scope="row" align="{{start}}">${escaped(label)}</th><td>${value}</td></tr>\n`);
  return `<table class="facts" width="100%" cellpadding="0" cellspacing="0">\n${rows.map(row).join("")}</table>\n`;
}

/** A table: Outlook for Windows gives a link no padding. */
function buttonHtml({ label, link, copy }: Extract<Block, { kind: "button" }>): string {
  const table = `<table class="button" role="presentation" cellpadding="0" cellspacing="0" bgcolor="{{fill}}">`;
  const button = `${table}<tr><td align="center"><a href="${link}">${escaped(label)}</a></td></tr></table>\n`;
  return copy === undefined ? button : `${button}${linkHtml(copy, link)}`;
}

function linkHtml(text: string, link: string): string {
  return `<p class="link">${escaped(text)}<br><a href="${link}">${link}</a></p>\n`;
}

export function blocksAsText(blocks: readonly Block[]): string {
  return blocks.map(textOf).join("");
}

export function blocksAsHtml(blocks: readonly Block[]): string {
  return blocks.map(htmlOf).join("");
}
