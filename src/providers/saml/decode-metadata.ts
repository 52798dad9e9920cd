/** Bytes in which an XML declaration stands, if the document has a declaration. */
const DECLARATION_BYTES = 200;
const DECLARED = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

/**
 * The text of metadata: by the byte order mark, else by the encoding of the XML declaration, else UTF-8 (XML 1.0,
 * appendix F). An unknown encoding is read as UTF-8, in which ASCII text is the same.
 */
export function decodeMetadata(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1");
  const declared = DECLARED.exec(start)?.[1]?.toLowerCase() ?? "";
  // ISO 8859-1 is read as its superset (WHATWG Encoding, section 4.2).
  return /^(?:iso-8859-1|latin-?1|windows-1252|cp1252)$/.test(declared) ? "windows-1252" : "utf-8";
}
