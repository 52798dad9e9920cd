/**
 * The only file with the XML parser, libxml2 in WebAssembly. A document is copied into plain values, so that the rules
 * read no memory of the parser; canonicalization is the only further use of the parser.
 */
import {
  type C14NOptions,
  XmlElement as ParsedElement,
  ParseOption,
  XmlC14NMode,
  XmlComment,
  XmlDocument,
  XmlError,
  type XmlOutputBufferHandler,
  XmlText,
} from "libxml2-wasm";
import {
  SAML_ATTRIBUTES_MAX,
  SAML_CANONICAL_MAX_BYTES,
  SAML_NAMESPACE_MAX_CHARACTERS,
  SAML_NAMESPACES_IN_SCOPE_MAX,
} from "../../src/limits/saml-limits.ts";

export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** The text of the element itself, without the text of its children. */
  readonly text: string;
  /** Whether a comment is inside, at any depth. */
  readonly hasComment: boolean;
}

export interface XmlBounds {
  readonly levelsMax: number;
  /** Elements, attributes, texts and comments. */
  readonly nodesMax: number;
}

/** `too_large`: the document exceeds the bounds. `not_xml`: not well-formed, or with a forbidden construct. */
export class XmlProblem extends Error {
  readonly reason: "too_large" | "not_xml";

  constructor(reason: XmlProblem["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

export interface OpenDocument {
  readonly root: XmlElement;
  /**
   * Exclusive canonicalization of a subtree, without comments. Throws `XmlError` of the parser, also for a form beyond
   * `SAML_CANONICAL_MAX_BYTES`.
   */
  canonicalize(element: XmlElement, inclusivePrefixes: readonly string[]): Buffer;
  /** Removes a subtree from later canonicalizations: the enveloped-signature transform. */
  remove(element: XmlElement): void;
  [Symbol.dispose](): void;
}

/** No network, no external entity, no catalogue. */
const OPTIONS = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NO_SYS_CATALOG;

/** `message`: no CDATA section, by the rules of the second implementation. `metadata`: CDATA sections are texts. */
export type XmlDialect = "message" | "metadata";

/** Declared encodings of which ASCII text is the same text in UTF-8. */
const OF_ASCII = /^(?:us-)?ascii$|^iso-8859-\d{1,2}$|^latin[-_]?1$|^windows-125\d$|^utf-?8$/i;
const ASCII = /^[\0-\x7f]*$/;

const DECLARED_ENCODING = /^\uFEFF?<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/;
/** A document type in a comment or a CDATA section is refused too. */
const DOCTYPE = /<!DOCTYPE/i;

/** The message of libxml2 for more than 256 levels. */
const EXCESSIVE_DEPTH = /excessive depth/i;

/** Parses UTF-8. The caller disposes of the document, because the parser's memory has no garbage collection. */
export function openDocument(bytes: Uint8Array, bounds: XmlBounds, dialect: XmlDialect = "message"): OpenDocument {
  const decoded = decodeText(bytes);
  refuseForbiddenText(decoded);
  refuseManyTags(decoded, bounds);
  const document = parse(bytes, dialect);
  try {
    if (document.dtd !== null || document.version !== "1.0" || hasInstructionBesideRoot(document.root)) {
      throw new XmlProblem("not_xml");
    }
    const sources = new Map<XmlElement, ParsedElement>();
    const root = copyElement(document.root, { ...bounds, nodes: 0, sources }, 1);
    return {
      root,
      canonicalize: (element, inclusivePrefixes) =>
        canonicalize(document, sourceOf(sources, element), inclusivePrefixes),
      remove: (element) => sourceOf(sources, element).remove(),
      [Symbol.dispose]: () => document.dispose(),
    };
  } catch (error) {
    document.dispose();
    throw error;
  }
}

/** Whether an error is a problem of the document: of the rules above, or reported by the parser. */
export function isXmlProblem(error: unknown): boolean {
  return error instanceof XmlProblem || error instanceof XmlError;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new XmlProblem("not_xml");
  }
}

function refuseForbiddenText(text: string): void {
  const encoding = DECLARED_ENCODING.exec(text)?.[1];
  const isUtf8 = encoding === undefined || /^utf-?8$/i.test(encoding);
  const isForeign = !isUtf8 && !(OF_ASCII.test(encoding) && ASCII.test(text));
  if (isForeign || text.includes("\0") || DOCTYPE.test(text)) throw new XmlProblem("not_xml");
}

/** `/`, `!` and `?` begin no element. */
const NO_ELEMENT = new Set(["/", "!", "?"].map((character) => character.charCodeAt(0)));

/**
 * Refuses a document beyond the bound without a parse. Each element but the root counts twice: as an element and as a
 * child. Tags in comments count too.
 */
function refuseManyTags(text: string, { nodesMax }: XmlBounds): void {
  let elements = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) {
    if (!NO_ELEMENT.has(text.charCodeAt(at + 1))) elements += 1;
    if (2 * elements - 1 > nodesMax) throw new XmlProblem("too_large");
  }
}

function parse(bytes: Uint8Array, dialect: XmlDialect): XmlDocument {
  // CDATA sections become texts.
  const option = dialect === "metadata" ? OPTIONS | ParseOption.XML_PARSE_NOCDATA : OPTIONS;
  try {
    return XmlDocument.fromBuffer(bytes, { option, encoding: "utf-8" });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new XmlProblem(EXCESSIVE_DEPTH.test(error.message) ? "too_large" : "not_xml");
  }
}

function hasInstructionBesideRoot(root: ParsedElement): boolean {
  for (let node = root.prev; node !== null; node = node.prev) if (!(node instanceof XmlComment)) return true;
  for (let node = root.next; node !== null; node = node.next) if (!(node instanceof XmlComment)) return true;
  return false;
}

interface CopyState extends XmlBounds {
  nodes: number;
  readonly sources: Map<XmlElement, ParsedElement>;
}

function count(state: CopyState, nodes: number): void {
  state.nodes += nodes;
  if (state.nodes > state.nodesMax) throw new XmlProblem("too_large");
}

function copyElement(source: ParsedElement, state: CopyState, level: number, outside = 0): XmlElement {
  if (level > state.levelsMax) throw new XmlProblem("too_large");
  const declarations = declarationsInScope(source, outside);
  const namespace = boundedName(source.namespaceUri);
  const attributes = source.attrs.map((attribute) => ({
    namespace: boundedName(attribute.namespaceUri),
    name: attribute.name,
    value: attribute.value,
  }));
  if (attributes.length > SAML_ATTRIBUTES_MAX) throw new XmlProblem("too_large");
  count(state, 1 + attributes.length);
  refuseForeignNames([source.name, ...attributes.map(({ name }) => name)]);
  const children: XmlElement[] = [];
  let [text, hasComment] = ["", false];
  for (let node = source.firstChild; node !== null; node = node.next) {
    if (node instanceof ParsedElement) {
      const child = copyElement(node, state, level + 1, declarations);
      children.push(child);
      hasComment ||= child.hasComment;
    } else if (node instanceof XmlText) text += node.content;
    else if (node instanceof XmlComment) hasComment = true;
    // Processing instructions, CDATA sections, entity references.
    else throw new XmlProblem("not_xml");
    count(state, 1);
  }
  const element = { namespace, name: source.name, attributes, children, text, hasComment };
  state.sources.set(element, source);
  return element;
}

/** The parser of the second implementation knows no names with characters beyond the Basic Multilingual Plane. */
const BEYOND_BMP = /[\u{10000}-\u{10FFFF}]/u;

function refuseForeignNames(names: readonly string[]): void {
  if (names.some((name) => BEYOND_BMP.test(name))) throw new XmlProblem("not_xml");
}

/** The first use of a long name ends the copy, so no long name is copied for each element. */
function boundedName(namespace: string): string {
  if (namespace.length > SAML_NAMESPACE_MAX_CHARACTERS) throw new XmlProblem("too_large");
  return namespace;
}

/** The number of declarations of an element and its ancestors. */
function declarationsInScope(source: ParsedElement, outside: number): number {
  const prefixes = Object.keys(source.nsDeclarations);
  refuseForeignNames(prefixes);
  const inScope = outside + prefixes.length;
  if (inScope > SAML_NAMESPACES_IN_SCOPE_MAX) throw new XmlProblem("too_large");
  return inScope;
}

function sourceOf(sources: ReadonlyMap<XmlElement, ParsedElement>, element: XmlElement): ParsedElement {
  const source = sources.get(element);
  if (!source) throw new Error("the element belongs to another document");
  return source;
}

function canonicalize(document: XmlDocument, element: ParsedElement, inclusivePrefixes: readonly string[]): Buffer {
  const options: C14NOptions = { mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0, nodeSet: new Set([element]) };
  if (inclusivePrefixes.length > 0) options.inclusiveNamespacePrefixes = [...inclusivePrefixes];
  const output = new BoundedOutput();
  document.canonicalize(output, options);
  return output.bytes();
}

/** Bytes, because the parser may divide a character between two parts of its output. */
class BoundedOutput implements XmlOutputBufferHandler {
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** A negative number makes the parser fail; the parser stores no further part. */
  write(part: Uint8Array): number {
    this.#length += part.byteLength;
    if (this.#length > SAML_CANONICAL_MAX_BYTES) return -1;
    // The memory of the part belongs to the parser.
    this.#parts.push(Buffer.from(part));
    return part.byteLength;
  }

  close(): boolean {
    return true;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
