/** Values of forms as received: the thread of the requests leaves the decoding of a large value to the worker. */
import type { FormValue } from "../../src/pool/saml-protocol.ts";

/** A percent sign without two digits stays, as in the decoder of forms (WHATWG URL, section 1.3). */
const ESCAPED = /%([0-9A-Fa-f]{2})/g;

/** The text of a value. Bytes beyond ASCII become characters of Latin-1, which no Base64 has. */
export function formText(value: FormValue): string {
  if (typeof value === "string") return value;
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1");
  return text.replaceAll("+", " ").replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
