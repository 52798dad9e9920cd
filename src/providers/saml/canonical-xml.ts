/**
 * Writes XML in the form of exclusive canonicalization (RFC 3741, without comments), so that the text can be signed as
 * written: each namespace is declared where its prefix is used first, attributes are sorted, and no tag is empty.
 */

export interface CanonicalElement {
  /** With prefix. */
  readonly name: string;
  /** Declarations of namespaces by prefix. */
  readonly namespaces?: Readonly<Record<string, string>>;
  /** Attributes without namespace; undefined values are left out. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly content?: readonly (CanonicalElement | string | undefined)[];
}

/** Sorts by code units, as canonicalization sorts names of ASCII. */
const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]) => (left < right ? -1 : 1);

/** Strings of `content` are text and are escaped. */
export function canonicalXml({ name, namespaces = {}, attributes = {}, content = [] }: CanonicalElement): string {
  const declarations = Object.entries(namespaces)
    .toSorted(byName)
    .map(([prefix, uri]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`);
  const values = Object.entries(attributes)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .toSorted(byName)
    .map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`);
  const inner = content.map((each) => {
    if (each === undefined) return "";
    return typeof each === "string" ? escapeText(each) : canonicalXml(each);
  });
  return `<${name}${declarations.join("")}${values.join("")}>${inner.join("")}</${name}>`;
}

/** Canonical XML 1.0, section 2.3. */
const TEXT_ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" };
const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => TEXT_ESCAPES[character] ?? character);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => ATTRIBUTE_ESCAPES[character] ?? character);
}
