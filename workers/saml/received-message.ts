/** Parts of the strict profile that hold for responses and for logout messages. */
import { SAML_BASE64_MAX_CHARACTERS, SAML_MESSAGE_MAX_BYTES } from "../../src/limits/saml-limits.ts";
import type { FormValue } from "../../src/pool/saml-protocol.ts";
import { decodeBase64 } from "./decode.ts";
import { attributeOf, childOf } from "./elements.ts";
import { formText } from "./form-value.ts";
import { SAMLP, STATUS_PREFIX } from "./namespaces.ts";
import { require, SamlProblem } from "./saml-problem.ts";
import { DOCUMENT_BOUNDS } from "./signature.ts";
import { type OpenDocument, openDocument, type XmlElement, XmlProblem } from "./xml-document.ts";

export const SAML_VERSION = "2.0";
/** Status codes of SAML core 2.0, section 3.2.2.2, at the top level. */
const STATUS_CODES = ["Requester", "Responder", "VersionMismatch"];

/** The bytes of a message of the POST binding. */
export function decodeMessage(message: FormValue): Buffer {
  const text = formText(message);
  require(text.length <= SAML_BASE64_MAX_CHARACTERS, "too_large");
  const bytes = decodeBase64(text);
  require(bytes !== undefined, "not_xml");
  require(bytes.length <= SAML_MESSAGE_MAX_BYTES, "too_large");
  return bytes;
}

export function openReceived(bytes: Buffer): OpenDocument {
  try {
    return openDocument(bytes, DOCUMENT_BOUNDS);
  } catch (error) {
    if (error instanceof XmlProblem) throw new SamlProblem(error.reason);
    throw error;
  }
}

/**
 * Characters of NCName in ASCII: an ID with other characters could end an XPath expression of the second
 * implementation. A digit may be the first character, as in the UUIDs of some identity providers.
 */
const ID = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** The second implementation takes an attribute with such a name for an ID, in every namespace. */
const ID_NAME = /^id$/i;

export function requireUniqueIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap(({ attributes }) => attributes.filter(({ name }) => ID_NAME.test(name)));
  const values = ids.map(({ value }) => value);
  require(new Set(values).size === values.length && values.every((id) => ID.test(id)), "structure");
}

export function statusCodeOf(root: XmlElement): string {
  const value = attributeOf(childOf(childOf(root, SAMLP, "Status"), SAMLP, "StatusCode"), "Value") ?? "";
  return value.startsWith(STATUS_PREFIX) ? value.slice(STATUS_PREFIX.length) : "";
}

export function requireSuccess(root: XmlElement): void {
  const code = statusCodeOf(root);
  if (code !== "Success") throw new SamlProblem("status", STATUS_CODES.includes(code) ? code : "other");
}
