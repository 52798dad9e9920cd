/**
 * The strict profile of logout messages of SAML 2.0 (docs/contract.md, section 29.36). The checks run in the order of
 * the reasons; the first failure decides.
 */
import { inflateRawSync } from "node:zlib";
import {
  SAML_BASE64_MAX_CHARACTERS,
  SAML_INFLATED_MAX_BYTES,
  SAML_LOGOUT_MAX_AGE_MS,
  SAML_SESSION_INDEXES_MAX,
  SAML_SUBJECT_MAX_CHARACTERS,
} from "../../src/limits/saml-limits.ts";
import type {
  SamlLogout,
  SamlLogoutRequestJob,
  SamlLogoutResponseJob,
  SamlLogoutTrust,
} from "../../src/pool/saml-protocol.ts";
import { decodeBase64, decodeTime } from "./decode.ts";
import { decryptAssertion } from "./decryption.ts";
import { attributeOf, childOf, childrenOf, descendants, trimmedText } from "./elements.ts";
import { DS, SAML, SAMLP } from "./namespaces.ts";
import { decodeMessage, openReceived, requireSuccess, requireUniqueIds, SAML_VERSION } from "./received-message.ts";
import { require, SamlProblem } from "./saml-problem.ts";
import { matchesSchema } from "./schema.ts";
import { parseCanonical, pinnedKeys, readSignature, verifyQuerySignature, verifySignature } from "./signature.ts";
import { isXmlProblem, type OpenDocument, type XmlElement } from "./xml-document.ts";

export interface StrictLogout {
  readonly logout: SamlLogout;
  /** The private key that opened the NameID, in PEM form; undefined for a NameID in clear text. */
  readonly decryptionKey: string | undefined;
}

/** Verifies a request for a logout. Throws `SamlProblem`. */
export function verifyLogoutRequest(job: SamlLogoutRequestJob): StrictLogout {
  const root = verifyMessage(job, "LogoutRequest");
  const { name, decryptionKey } = readNameId(root, job.trust);
  requireParties(root, job.trust);
  const expiresAt = requireTime(root, job);
  const nameId = trimmedText(name) ?? "";
  require(nameId.trim() !== "" && [...nameId].length <= SAML_SUBJECT_MAX_CHARACTERS, "subject");
  const sessionIndexes = childrenOf(root, SAMLP, "SessionIndex").map(({ text }) => text);
  require(sessionIndexes.length <= SAML_SESSION_INDEXES_MAX, "subject");
  const nameIdFormat = attributeOf(name, "Format") ?? null;
  const id = attributeOf(root, "ID") ?? "";
  return { logout: { id, expiresAt, nameId, nameIdFormat, sessionIndexes }, decryptionKey };
}

/** Verifies the response to a request of the service. Throws `SamlProblem`. */
export function verifyLogoutResponse(job: SamlLogoutResponseJob): void {
  const root = verifyMessage(job, "LogoutResponse");
  requireParties(root, job.trust);
  const { requestId } = job;
  require(requestId !== null && attributeOf(root, "InResponseTo") === requestId, "in_response_to");
  requireTime(root, job);
}

type LogoutName = "LogoutRequest" | "LogoutResponse";
type LogoutJob = SamlLogoutRequestJob | SamlLogoutResponseJob;

/** The root under a valid signature of a pinned key: of the query, or of the root. */
function verifyMessage({ received, trust }: LogoutJob, name: LogoutName): XmlElement {
  if (received.binding === "post") {
    using document = openReceived(decodeMessage(received.message));
    requireMessage(document.root, name, "post");
    const signature = readSignature(document, document.root);
    require(signature !== undefined, "signature");
    return parseCanonical(verifySignature(document, signature, pinnedKeys(trust.certificates)));
  }
  const query = readQuery(received.query, name);
  using document = openReceived(query.bytes);
  requireMessage(document.root, name, "redirect");
  require(query.algorithm !== undefined && query.signature !== undefined, "signature");
  verifyQuerySignature(query.algorithm, query.octets, query.signature, pinnedKeys(trust.certificates));
  return document.root;
}

function requireMessage(root: XmlElement, name: LogoutName, binding: "post" | "redirect"): void {
  require(root.namespace === SAMLP && root.name === name && attributeOf(root, "Version") === SAML_VERSION, "not_xml");
  require(!root.hasComment, "not_xml");
  const elements = descendants(root);
  const count = (element: string) => elements.filter((each) => each.namespace === DS && each.name === element).length;
  const signatures = childrenOf(root, DS, "Signature").length;
  // The signature of the redirect binding is in the query (bindings, section 3.4.4.1).
  require(count("Signature") === signatures && (binding === "post" || signatures === 0), "structure");
  require(count("Object") === 0 && matchesSchema(root), "structure");
  requireUniqueIds(elements);
  if (name === "LogoutResponse") requireSuccess(root);
}

interface SignedQuery {
  readonly bytes: Buffer;
  /** The encoded parameters under the signature, in the order of the specification. */
  readonly octets: string;
  readonly algorithm: string | undefined;
  readonly signature: Buffer | undefined;
}

const DEFLATE = "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE";

/** Reads the query as sent: another encoding of the values has another signature. */
function readQuery(query: string, name: LogoutName): SignedQuery {
  const parameters = query.split("&").map((pair) => pair.split("=", 2) as [string, string | undefined]);
  const encoded = (key: string) => {
    const values = parameters.flatMap(([each, value = ""]) => (each === key ? [value] : []));
    require(values.length <= 1, "structure");
    return values[0];
  };
  const decoded = (key: string) => decodeParameter(encoded(key));
  const key = name === "LogoutRequest" ? "SAMLRequest" : "SAMLResponse";
  require(encoded("SAMLRequest") === undefined || encoded("SAMLResponse") === undefined, "structure");
  require((decoded("SAMLEncoding") ?? DEFLATE) === DEFLATE, "structure");
  const signedKeys = [key, "RelayState", "SigAlg"].filter((each) => encoded(each) !== undefined);
  return {
    bytes: inflate(decoded(key) ?? ""),
    octets: signedKeys.map((each) => `${each}=${encoded(each)}`).join("&"),
    algorithm: decoded("SigAlg"),
    signature: decodeBase64(decoded("Signature") ?? "-"),
  };
}

function decodeParameter(value: string | undefined): string | undefined {
  try {
    return value === undefined ? undefined : decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    throw new SamlProblem("not_xml");
  }
}

function inflate(text: string): Buffer {
  require(text.length <= SAML_BASE64_MAX_CHARACTERS, "too_large");
  const bytes = decodeBase64(text);
  require(bytes !== undefined && bytes.length > 0, "not_xml");
  try {
    return inflateRawSync(bytes, { maxOutputLength: SAML_INFLATED_MAX_BYTES });
  } catch (error) {
    throw new SamlProblem((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "not_xml");
  }
}

/** The issuer, and the address: both bindings require `Destination` in a signed message (sections 3.4.5.2, 3.5.5.2). */
function requireParties(root: XmlElement, { entityId, sloUrl }: SamlLogoutTrust): void {
  require(trimmedText(childOf(root, SAML, "Issuer")) === entityId, "issuer");
  require(attributeOf(root, "Destination") === sloUrl, "destination");
}

/** Returns the time from which the message is refused. */
function requireTime(root: XmlElement, { trust, now }: LogoutJob): number {
  const skew = trust.clockSkewSeconds * 1000;
  const issuedAt = decodeTime(attributeOf(root, "IssueInstant") ?? "");
  const end = attributeOf(root, "NotOnOrAfter");
  const endsAt = end === undefined ? Number.POSITIVE_INFINITY : decodeTime(end);
  require(issuedAt !== undefined && endsAt !== undefined && issuedAt <= now + skew, "time");
  const expiresAt = Math.min(endsAt, issuedAt + SAML_LOGOUT_MAX_AGE_MS) + skew;
  require(now < expiresAt, "time");
  return expiresAt;
}

function readNameId(
  root: XmlElement,
  { decryptionKeys }: SamlLogoutTrust,
): { readonly name: XmlElement; readonly decryptionKey: string | undefined } {
  const name = childOf(root, SAML, "NameID");
  if (name) return { name, decryptionKey: undefined };
  const encrypted = childOf(root, SAML, "EncryptedID");
  require(encrypted !== undefined, "structure");
  const { bytes, key } = decryptAssertion(encrypted, decryptionKeys, true);
  using document = openDecrypted(bytes);
  const opened = document.root;
  require(opened.namespace === SAML && opened.name === "NameID" && !opened.hasComment, "decryption");
  require(matchesSchema(opened), "decryption");
  return { name: opened, decryptionKey: key };
}

function openDecrypted(bytes: Buffer): OpenDocument {
  try {
    return openReceived(bytes);
  } catch (error) {
    if (error instanceof SamlProblem || isXmlProblem(error)) throw new SamlProblem("decryption");
    throw error;
  }
}
