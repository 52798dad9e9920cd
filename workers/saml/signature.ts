/** XML Signature 1.1 in the profile of SAML core 2.0, section 5.4: one enveloped signature of the parent element. */
import { constants, createHash, type KeyObject, verify, X509Certificate } from "node:crypto";
import {
  SAML_INCLUSIVE_PREFIXES_MAX,
  SAML_KEY_MIN_BITS,
  SAML_LEVELS_MAX,
  SAML_NODES_MAX,
} from "../../src/limits/saml-limits.ts";
import { decodeBase64 } from "./decode.ts";
import { attributeOf, childOf, childrenOf } from "./elements.ts";
import { DS, EXC_C14N } from "./namespaces.ts";
import { require, SamlProblem } from "./saml-problem.ts";
import { matchesSchema } from "./schema.ts";
import { isXmlProblem, type OpenDocument, openDocument, type XmlElement } from "./xml-document.ts";

export const DOCUMENT_BOUNDS = { levelsMax: SAML_LEVELS_MAX, nodesMax: SAML_NODES_MAX };

const ENVELOPED_SIGNATURE = `${DS}enveloped-signature`;
/** Maps, because every object has inherited members, such as `constructor`, that are no algorithms. */
const DIGESTS: ReadonlyMap<string, "sha256" | "sha512"> = new Map([
  ["http://www.w3.org/2001/04/xmlenc#sha256", "sha256"],
  ["http://www.w3.org/2001/04/xmlenc#sha512", "sha512"],
]);

const DIGEST_BYTES = { sha256: 32, sha512: 64 };

interface SignatureMethod {
  readonly hash: "sha256" | "sha512";
  readonly padding: number;
}

/** A closed list: SHA-1, HMAC and every other method is refused, and no setting extends the list. */
const METHODS: ReadonlyMap<string, SignatureMethod> = new Map([
  ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", { hash: "sha256", padding: constants.RSA_PKCS1_PADDING }],
  ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", { hash: "sha512", padding: constants.RSA_PKCS1_PADDING }],
  // RFC 9231, section 2.3.10: the salt is as long as the hash.
  [
    "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
    { hash: "sha256", padding: constants.RSA_PKCS1_PSS_PADDING },
  ],
]);

/** A signature before its verification. The canonical bytes of `SignedInfo` are read before any transform. */
export interface UnverifiedSignature {
  readonly parent: XmlElement;
  readonly signature: XmlElement;
  readonly signedInfo: Buffer;
  readonly method: SignatureMethod;
  readonly value: Buffer;
  readonly digest: { readonly hash: "sha256" | "sha512"; readonly value: Buffer };
  readonly inclusivePrefixes: readonly string[];
}

/** The keys of certificates. A certificate with another or a shorter key verifies no signature. */
export function pinnedKeys(certificates: readonly string[]): KeyObject[] {
  return certificates.flatMap((pem) => {
    const { publicKey } = new X509Certificate(pem);
    const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
    return publicKey.asymmetricKeyType === "rsa" && bits >= SAML_KEY_MIN_BITS ? [publicKey] : [];
  });
}

/**
 * Reads the signature of an element; undefined without a signature. All signatures of a document are read before
 * `verifySignature` changes the document.
 */
export function readSignature(document: OpenDocument, parent: XmlElement): UnverifiedSignature | undefined {
  const signature = childOf(parent, DS, "Signature");
  if (!signature) return undefined;
  const received = childOf(signature, DS, "SignedInfo");
  require(received !== undefined, "signature");
  const canonicalization = childOf(received, DS, "CanonicalizationMethod");
  require(canonicalization !== undefined && attributeOf(canonicalization, "Algorithm") === EXC_C14N, "signature");
  const signedInfo = canonicalBytes(document, received, inclusivePrefixesOf(canonicalization));
  const value = decodeBase64(childOf(signature, DS, "SignatureValue")?.text ?? "");
  require(value !== undefined, "signature");
  return { parent, signature, signedInfo, value, ...readSignedInfo(signedInfo, parent) };
}

/**
 * Verifies a signature and returns the canonical bytes of the signed element without the signature. The signature is
 * removed from the document (enveloped-signature transform), so an enclosing element is verified first.
 */
export function verifySignature(
  document: OpenDocument,
  unverified: UnverifiedSignature,
  keys: readonly KeyObject[],
): Buffer {
  const { parent, signature, signedInfo, method, value, digest, inclusivePrefixes } = unverified;
  // Before the canonicalization, the costliest step: a document without a signature of a pinned key costs little.
  require(keys.some((key) => verifies(key, method, signedInfo, value)), "key");
  document.remove(signature);
  const content = canonicalBytes(document, parent, inclusivePrefixes);
  require(createHash(digest.hash).update(content).digest().equals(digest.value), "signature");
  return content;
}

/** The signature of a query (bindings, section 3.4.4.1) with a method of the list above. */
export function verifyQuerySignature(
  algorithm: string,
  octets: string,
  value: Buffer,
  keys: readonly KeyObject[],
): void {
  const method = METHODS.get(algorithm);
  require(method !== undefined, "signature");
  require(keys.some((key) => verifies(key, method, Buffer.from(octets), value)), "key");
}

function verifies(key: KeyObject, { hash, padding }: SignatureMethod, bytes: Buffer, value: Buffer): boolean {
  const salt = padding === constants.RSA_PKCS1_PSS_PADDING ? { saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
  return verify(hash, bytes, { key, padding, ...salt }, value);
}

/** Reads the values of `SignedInfo` from a parse of the canonical bytes, never from the received document. */
function readSignedInfo(
  signedInfo: Buffer,
  parent: XmlElement,
): Pick<UnverifiedSignature, "method" | "digest" | "inclusivePrefixes"> {
  const root = parseCanonical(signedInfo);
  require(matchesSchema(root), "signature");
  const reference = childOf(root, DS, "Reference");
  require(reference !== undefined && attributeOf(reference, "URI") === `#${attributeOf(parent, "ID")}`, "signature");
  const method = METHODS.get(algorithmOf(root, "SignatureMethod"));
  const hash = DIGESTS.get(algorithmOf(reference, "DigestMethod"));
  const value = decodeBase64(childOf(reference, DS, "DigestValue")?.text ?? "");
  require(method !== undefined && hash !== undefined && value?.length === DIGEST_BYTES[hash], "signature");
  return { method, digest: { hash, value }, inclusivePrefixes: readTransforms(reference) };
}

/** Parses canonical bytes. A canonical form that exceeds the bounds or cannot be parsed is refused. */
export function parseCanonical(content: Buffer): XmlElement {
  try {
    using document = openDocument(content, DOCUMENT_BOUNDS);
    return document.root;
  } catch (error) {
    if (!isXmlProblem(error)) throw error;
    throw new SamlProblem("signature");
  }
}

/** Requires enveloped-signature, then exclusive canonicalization; returns the prefixes of the canonicalization. */
function readTransforms(reference: XmlElement): readonly string[] {
  const transforms = childrenOf(childOf(reference, DS, "Transforms") ?? reference, DS, "Transform");
  const [enveloped, canonicalization] = transforms;
  require(transforms.length === 2 && enveloped !== undefined && canonicalization !== undefined, "signature");
  require(attributeOf(enveloped, "Algorithm") === ENVELOPED_SIGNATURE && enveloped.children.length === 0, "signature");
  require(attributeOf(canonicalization, "Algorithm") === EXC_C14N, "signature");
  return inclusivePrefixesOf(canonicalization);
}

function inclusivePrefixesOf(canonicalization: XmlElement): readonly string[] {
  const list = attributeOf(childOf(canonicalization, EXC_C14N, "InclusiveNamespaces"), "PrefixList") ?? "";
  const prefixes = list.split(/[ \t\r\n]+/).filter((prefix) => prefix !== "");
  require(prefixes.length <= SAML_INCLUSIVE_PREFIXES_MAX, "signature");
  return prefixes;
}

function algorithmOf(parent: XmlElement, name: string): string {
  return attributeOf(childOf(parent, DS, name), "Algorithm") ?? "";
}

/** A failed or empty canonicalization would verify a digest of nothing, so both are refused. */
function canonicalBytes(document: OpenDocument, element: XmlElement, inclusivePrefixes: readonly string[]): Buffer {
  const content = canonicalOrEmpty(document, element, inclusivePrefixes);
  if (content.length === 0) throw new SamlProblem("signature");
  return content;
}

function canonicalOrEmpty(document: OpenDocument, element: XmlElement, inclusivePrefixes: readonly string[]): Buffer {
  try {
    return document.canonicalize(element, inclusivePrefixes);
  } catch (error) {
    if (!isXmlProblem(error)) throw error;
    return Buffer.alloc(0);
  }
}
