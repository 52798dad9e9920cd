/** Certificates in the forms of consoles, files and metadata: PEM, Base64 with or without lines, the XML element. */

const PEM = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([^-]*)-----END/g;
const ELEMENT = /<(?:[\w.-]+:)?X509Certificate(?:\s[^<>]*)?>([^<]*)</g;
/** Line breaks as two characters, as in a JSON text of an environment. */
const ESCAPED_BREAKS = /\\r|\\n/g;
const NO_BASE64 = /[\s\p{Cf}\p{Cc}]/gu;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The end of one Base64 text before the next. */
const BETWEEN = /(?<==)(?=[A-Za-z0-9+/])/;

/** The certificates of a text in DER form, in the order of the text; an unreadable text has none. */
export function certificatesIn(text: string): readonly Buffer[] {
  const lines = text.replace(ESCAPED_BREAKS, "\n");
  const framed = bodiesOf(lines, PEM);
  const elements = framed.length > 0 ? framed : bodiesOf(lines, ELEMENT);
  const bodies = elements.length > 0 ? elements : [lines];
  return bodies.flatMap((body) => body.replace(NO_BASE64, "").split(BETWEEN)).flatMap(decode);
}

function bodiesOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, body = ""]) => body);
}

/** Base64, also without its padding. */
function decode(base64: string): readonly Buffer[] {
  return BASE64.test(base64) ? sequencesOf(Buffer.from(base64, "base64")) : [];
}

const SEQUENCE = 0x30;
const LONG_FORM = 0x80;
const LENGTH_BYTES_MAX = 3;

/** The sequences (X.690, section 8.1) of bytes: without padding between, the bytes of two certificates adjoin. */
function sequencesOf(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endOfSequence(bytes, at);
    if (end === undefined) return found;
    found.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

function endOfSequence(bytes: Buffer, at: number): number | undefined {
  const length = bytes[at + 1] ?? 0;
  if (bytes[at] !== SEQUENCE) return undefined;
  const count = length >= LONG_FORM ? length - LONG_FORM : 0;
  if (count > LENGTH_BYTES_MAX || at + 2 + count > bytes.length) return undefined;
  const content = count === 0 ? length : bytes.readUIntBE(at + 2, count);
  const end = at + 2 + count + content;
  return end <= bytes.length ? end : undefined;
}

/** Why a certificate of metadata, or of a change, is not used. `surplus`: other certificates are valid longer. */
export const LEFT_OUT_REASONS = ["unreadable", "key_type", "short_key", "surplus"] as const;

/** A certificate of metadata, or of a change, that a connection does not use. */
export interface LeftOutCertificate {
  readonly reason: (typeof LEFT_OUT_REASONS)[number];
  /** SHA-256 of the DER form, in hexadecimal; absent for an unreadable certificate. */
  readonly sha256?: string;
  /** The length of an RSA key that is too short. */
  readonly bits?: number;
}
