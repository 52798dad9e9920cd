/**
 * The strict profile of SAML 2.0 responses (docs/contract.md, chapter 29). The checks run in the order of the reasons;
 * the first failure decides. Values are read only from the canonical bytes that a signature covers.
 */
import { SAML_MESSAGE_MAX_BYTES } from "../../src/limits/saml-limits.ts";
import type { SamlIdentity, SamlResponseJob, SamlTrust } from "../../src/pool/saml-protocol.ts";
import { readIdentity, type VerifiedResponse } from "./assertion.ts";
import { type DecryptedAssertion, decryptAssertion } from "./decryption.ts";
import { attributeOf, childOf, childrenOf, descendants } from "./elements.ts";
import { BEARER, DS, SAML, SAMLP } from "./namespaces.ts";
import {
  decodeMessage,
  openReceived,
  requireSuccess,
  requireUniqueIds,
  SAML_VERSION,
  statusCodeOf,
} from "./received-message.ts";
import { require, SamlProblem } from "./saml-problem.ts";
import { matchesSchema } from "./schema.ts";
import {
  DOCUMENT_BOUNDS,
  parseCanonical,
  pinnedKeys,
  readSignature,
  type UnverifiedSignature,
  verifySignature,
} from "./signature.ts";
import { isXmlProblem, type OpenDocument, openDocument, type XmlElement } from "./xml-document.ts";

export interface StrictResult {
  readonly identity: SamlIdentity;
  /** Undefined for an assertion in clear text. */
  readonly decrypted: DecryptedAssertion | undefined;
  /** Whether a valid signature covers the whole response. */
  readonly isResponseSigned: boolean;
}

/** Verifies a response. Throws `SamlProblem`; the parser's memory is released in every case. */
export function verifyStrictly(job: SamlResponseJob): StrictResult {
  const bytes = decodeMessage(job.message);
  using document = openReceived(bytes);
  requireResponse(document.root);
  const { root } = document;
  requireStructure(root);
  requireSuccess(root);
  const keys = pinnedKeys(job.trust.certificates);
  const signatures = [root, childOf(root, SAML, "Assertion")].map(
    (element) => element && readSignature(document, element),
  );
  if (!childOf(root, SAML, "EncryptedAssertion")) requireSignedElement(signatures, job.trust);
  const [response, assertion] = signatures.map((each) => each && parseCanonical(verifySignature(document, each, keys)));
  const encrypted = childOf(response ?? root, SAML, "EncryptedAssertion");
  const decrypted = decryptIfRequired(encrypted, response !== undefined, job.trust);
  const opened = decrypted && readDecrypted(decrypted.bytes, root, response !== undefined, job, keys);
  const signed = opened ?? assertion ?? childOf(response, SAML, "Assertion");
  require(signed !== undefined, "signature");
  requireAssertionStructure(signed);
  const verified: VerifiedResponse = {
    response: response ?? root,
    isResponseSigned: response !== undefined,
    assertion: signed,
  };
  const { isResponseSigned } = verified;
  return { identity: readIdentity(verified, job), decrypted, isResponseSigned };
}

function requireResponse(root: XmlElement): void {
  require(root.namespace === SAMLP && root.name === "Response", "not_xml");
  require(attributeOf(root, "Version") === SAML_VERSION, "not_xml");
  for (const element of descendants(root)) {
    const isSigned = childrenOf(element, DS, "Signature").length > 0;
    require(!isSigned || !element.hasComment, "not_xml");
  }
}

/** One place for each assertion and signature, so that a wrapped element has no place to be read from. */
function requireStructure(root: XmlElement): void {
  const elements = descendants(root);
  const named = (namespace: string, ...names: string[]) =>
    elements.filter((element) => element.namespace === namespace && names.includes(element.name));
  const assertions = named(SAML, "Assertion", "EncryptedAssertion");
  const isError = statusCodeOf(root) !== "Success";
  require(assertions.length === 1 || (isError && assertions.length === 0), "structure");
  require(assertions.every((assertion) => root.children.includes(assertion)), "structure");
  const places = [root, ...assertions].flatMap((element) => childrenOf(element, DS, "Signature"));
  require(named(DS, "Signature").length === places.length && named(DS, "Object").length === 0, "structure");
  require(named(SAMLP, "Response").length === 1 && matchesSchema(root), "structure");
  requireUniqueIds(elements);
  const [assertion] = assertions;
  if (assertion?.name === "Assertion") requireAssertionStructure(assertion);
}

function requireAssertionStructure(assertion: XmlElement): void {
  require(attributeOf(assertion, "Version") === SAML_VERSION, "structure");
  const subject = childOf(assertion, SAML, "Subject");
  const confirmations = subject ? childrenOf(subject, SAML, "SubjectConfirmation") : [];
  require(confirmations.length > 0, "structure");
  require(confirmations.every((confirmation) => attributeOf(confirmation, "Method") === BEARER), "structure");
  require(childrenOf(assertion, SAML, "AuthnStatement").length > 0, "structure");
}

/** `signatures`: of the response and of the assertion. */
function requireSignedElement(signatures: readonly (UnverifiedSignature | undefined)[], trust: SamlTrust): void {
  const [response, assertion] = signatures;
  require(assertion !== undefined || (trust.signedElement === "either" && response !== undefined), "signature");
}

function decryptIfRequired(encrypted: XmlElement | undefined, isSigned: boolean, trust: SamlTrust) {
  require((trust.encryptedAssertions === "required") === (encrypted !== undefined), "decryption");
  return encrypted && decryptAssertion(encrypted, trust.decryptionKeys, isSigned);
}

/** The decrypted assertion under a signature of its own, or of the response if the connection permits this. */
function readDecrypted(
  bytes: Buffer,
  root: XmlElement,
  isResponseSigned: boolean,
  { trust }: SamlResponseJob,
  keys: Parameters<typeof verifySignature>[2],
): XmlElement {
  using document = openDecrypted(bytes);
  const assertion = document.root;
  const isPlain = assertion.namespace === SAML && assertion.name === "Assertion" && !assertion.hasComment;
  require(isPlain, "decryption");
  requireDecryptedStructure(assertion, root);
  const signature = readSignature(document, assertion);
  require(signature !== undefined || (trust.signedElement === "either" && isResponseSigned), "signature");
  return signature ? parseCanonical(verifySignature(document, signature, keys)) : assertion;
}

function openDecrypted(bytes: Buffer): OpenDocument {
  require(bytes.length <= SAML_MESSAGE_MAX_BYTES, "decryption");
  try {
    return openDocument(bytes, DOCUMENT_BOUNDS);
  } catch (error) {
    if (isXmlProblem(error)) throw new SamlProblem("decryption");
    throw error;
  }
}

function requireDecryptedStructure(assertion: XmlElement, root: XmlElement): void {
  const elements = descendants(assertion);
  const isNested = (element: XmlElement) =>
    element !== assertion &&
    ((element.namespace === SAML && ["Assertion", "EncryptedAssertion"].includes(element.name)) ||
      (element.namespace === DS && element.name === "Object") ||
      (element.namespace === DS && element.name === "Signature" && !assertion.children.includes(element)));
  require(!elements.some(isNested) && matchesSchema(assertion), "structure");
  requireUniqueIds([...descendants(root), ...elements]);
  requireAssertionStructure(assertion);
}
