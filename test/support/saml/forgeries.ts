/**
 * Messages of an attacker who has a genuine response for the own account and no key of the identity provider: signature
 * wrapping (Somorovsky et al., "On Breaking SAML", variants 1 to 8), decoys, foreign keys, doubled signatures.
 */
import type { SamlReason } from "../../../src/pool/saml-protocol.ts";
import type { CorpusCase } from "./corpus.ts";
import { encryptionForgeries } from "./encryption-forgeries.ts";
import { samlKeys } from "./keys.ts";
import { ALICE } from "./message.ts";
import { PRESET_SHAPES, type PresetShape, presetMessage } from "./presets.ts";
import { type SignOptions, sign } from "./sign.ts";
import { trustOf } from "./valid-messages.ts";
import { change, elementText, insertFirst, insertLast } from "./xml-text.ts";

export const ADMIN = "admin@acme.example";

interface Genuine {
  readonly shape: PresetShape;
  readonly xml: string;
  /** The assertion with its signature, if signed. */
  readonly assertion: string;
  /** An equal assertion for the administrator, without a signature, with another ID. */
  readonly evil: string;
  /** The whole response for the administrator, without signatures. */
  readonly evilResponse: string;
  /** The signature of the first signed element. */
  readonly signature: string;
}

type Attack = readonly [name: string, xml: string, reasons: readonly SamlReason[]];

const DS = "http://www.w3.org/2000/09/xmldsig#";
const SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
const SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol";
const ROLE_STATEMENT = [
  `<s:AttributeStatement xmlns:s="${SAML}"><s:Attribute Name="role"><s:AttributeValue>admin</s:AttributeValue>`,
  "</s:Attribute></s:AttributeStatement>",
].join("");
const STRUCTURE = ["structure"] as const;
const SIGNATURE = ["signature"] as const;
const REFERENCE = /<((?:\w+:)?)Reference URI="#[^"]*">/;

function genuineOf(shape: PresetShape): Genuine {
  const xml = presetMessage(shape);
  const unsigned = presetMessage({ ...shape, signed: [] });
  const evilResponse = change(unsigned, new RegExp(nameIdOf(shape).replace(/[|.]/g, "\\$&"), "g"), ADMIN);
  const evil = change(elementText(evilResponse, "Assertion"), 'ID="_assertion1"', 'ID="_evil"');
  return {
    shape,
    xml,
    assertion: elementText(xml, "Assertion"),
    evil,
    evilResponse,
    signature: elementText(xml, "Signature"),
  };
}

const nameIdOf = ({ parts }: PresetShape) => parts.nameId ?? ALICE;

/** Products with clear text, so that every attack applies. */
export function forgeries(): CorpusCase[] {
  const shapes = PRESET_SHAPES.filter(({ encryption }) => !encryption);
  const cases = shapes.flatMap((shape) => {
    const genuine = genuineOf(shape);
    return attacks(genuine).map(
      ([name, xml, reasons]): CorpusCase => ({
        kind: "forgery",
        name: `${shape.name}: ${name}`,
        xml,
        trust: trustOf(shape),
        reasons,
      }),
    );
  });
  return [...cases, ...encryptionForgeries()];
}

function attacks(genuine: Genuine): Attack[] {
  return [...wrappings(genuine), ...decoys(genuine), ...changes(genuine), ...signatures(genuine), ...doubles(genuine)];
}

/** XSW 1 to 8. */
function wrappings({ xml, assertion, evil, evilResponse, signature }: Genuine): Attack[] {
  const bare = assertion.replace(signature, "");
  const inner = xml.replace(/^<\?xml[^>]*>/, "");
  const stripped = inner.replace(signature, "");
  const within = (content: string) => insertLast(signature, "Signature", content);
  const evilRoot = change(evilResponse.replace(/^<\?xml[^>]*>/, ""), 'ID="_response1"', 'ID="_evilresponse"');
  const object = (content: string) => `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${content}</ds:Object>`;
  const replaced = (content: string) => change(xml, assertion, content);
  return [
    [
      "XSW 1: the response inside the signature of a forged response",
      afterIssuer(evilRoot, within(stripped)),
      STRUCTURE,
    ],
    ["XSW 2: the response beside its detached signature", afterIssuer(evilRoot, `${signature}${stripped}`), STRUCTURE],
    ["XSW 3: a forged assertion before the genuine assertion", replaced(`${evil}${assertion}`), STRUCTURE],
    [
      "XSW 4: the genuine assertion inside the forged assertion",
      replaced(insertLast(evil, "Assertion", assertion)),
      STRUCTURE,
    ],
    [
      "XSW 5: the signature in the forged assertion, the genuine assertion last",
      replaced(`${afterIssuer(evil, signature)}${bare}`),
      STRUCTURE,
    ],
    [
      "XSW 6: the genuine assertion inside the signature of the forged assertion",
      replaced(afterIssuer(evil, within(bare))),
      STRUCTURE,
    ],
    [
      "XSW 7: a forged assertion with the ID of the genuine in Extensions",
      withExtensions(xml, evil.replace("_evil", "_assertion1")),
      STRUCTURE,
    ],
    [
      "XSW 8: the genuine assertion in an Object of the signature",
      replaced(afterIssuer(evil, within(object(bare)))),
      STRUCTURE,
    ],
  ];
}

function decoys({ xml, assertion, evil, shape }: Genuine): Attack[] {
  const p = shape.style.samlp === "" ? "" : `${shape.style.samlp}:`;
  const detail = `<${p}StatusDetail>${evil}</${p}StatusDetail>`;
  const sameId = evil.replace("_evil", "_assertion1");
  const advice = `<saml:Advice xmlns:saml="${SAML}">${evil}</saml:Advice>`;
  const encrypted = `<saml:EncryptedAssertion xmlns:saml="${SAML}"/>`;
  return [
    ["a forged assertion in Extensions", withExtensions(xml, evil), STRUCTURE],
    ["a forged assertion in StatusDetail", insertLast(xml, "Status", detail), STRUCTURE],
    ["a forged assertion after the genuine assertion", insertLast(xml, "Response", evil), STRUCTURE],
    ["a forged assertion with the same ID", insertLast(xml, "Response", sameId), STRUCTURE],
    [
      "the genuine assertion in the Advice of the forged",
      change(xml, assertion, insertLast(evil, "Assertion", advice.replace(evil, assertion))),
      STRUCTURE,
    ],
    ["a forged assertion in Advice", change(xml, assertion, insertLast(assertion, "Assertion", advice)), STRUCTURE],
    ["an EncryptedAssertion beside the assertion", insertLast(xml, "Response", encrypted), STRUCTURE],
    ["a forged assertion in a foreign element", insertLast(xml, "Response", `<x xmlns="urn:x">${evil}</x>`), STRUCTURE],
    ["a response inside the response", insertLast(xml, "Response", xml.replace(/^<\?xml[^>]*>/, "")), STRUCTURE],
  ];
}

function changes({ xml, assertion, evil, evilResponse, shape }: Genuine): Attack[] {
  const nameId = nameIdOf(shape);
  const inverse = new RegExp(`>${nameId.replace(/[|.]/g, "\\$&")}<`);
  return [
    ["another NameID", change(xml, inverse, `>${ADMIN}<`), SIGNATURE],
    ["another session index", change(xml, 'SessionIndex="_session1"', 'SessionIndex="_session2"'), SIGNATURE],
    ["a later NotOnOrAfter", change(xml, /NotOnOrAfter="\d{4}/g, 'NotOnOrAfter="2099'), SIGNATURE],
    ["no signature", evilResponse, SIGNATURE],
    ["the unsigned assertion instead of the signed", change(xml, assertion, evil), SIGNATURE],
    ["an additional attribute", insertLast(xml, "Assertion", ROLE_STATEMENT), SIGNATURE],
    [
      "a NameID of another namespace before the NameID",
      insertFirst(xml, "Subject", `<saml:NameID xmlns:saml="urn:evil">${ADMIN}</saml:NameID>`),
      STRUCTURE,
    ],
    [
      "an AttributeStatement in the response",
      insertLast(xml, "Response", `<saml:AttributeStatement xmlns:saml="${SAML}"/>`),
      STRUCTURE,
    ],
    [
      "an entity with another NameID",
      change(change(xml, inverse, ">&name;<"), /^(<\?xml[^>]*>)?/, `<!DOCTYPE x [<!ENTITY name "${ADMIN}">]>`),
      ["not_xml"],
    ],
    [
      "xml:id on a forged assertion",
      change(xml, assertion, change(evil, 'ID="_evil"', 'ID="_evil" xml:id="_assertion1"')),
      STRUCTURE,
    ],
  ];
}

function signatures({ evilResponse, xml, signature, shape }: Genuine): Attack[] {
  const resign = (options: SignOptions) =>
    shape.signed.reduce((message, name) => sign(message, name, { ...shape.signing, ...options }), evilResponse);
  const transform = /<(\w+:)?Transform Algorithm="[^"]*enveloped-signature"\s*(\/>|><\/(\w+:)?Transform>)/;
  const xpath = `<ds:Transform xmlns:ds="${DS}" Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/>`;
  return [
    ["signed by a foreign key, with its certificate", resign({ key: samlKeys.attacker() }), ["key"]],
    ["signed by a foreign key, without KeyInfo", resign({ key: samlKeys.attacker(), keyInfo: false }), ["key"]],
    ["HMAC with the certificate as secret", resign({ hmac: true }), SIGNATURE],
    ["the genuine signature on a forged message", afterIssuer(evilResponse, signature), SIGNATURE],
    [
      "an empty Reference URI",
      change(xml, REFERENCE, '<$1Reference URI="">'.replace("$1", REFERENCE.exec(xml)?.[1] ?? "")),
      SIGNATURE,
    ],
    [
      "a Reference to another element",
      change(xml, REFERENCE, '<$1Reference URI="#_evil">'.replace("$1", REFERENCE.exec(xml)?.[1] ?? "")),
      SIGNATURE,
    ],
    ["an additional transform by XPath", change(xml, transform, `${transform.exec(xml)?.[0]}${xpath}`), SIGNATURE],
    ["an XPath transform in place of enveloped-signature", change(xml, transform, xpath), SIGNATURE],
    ["an empty SignatureValue", change(xml, /(SignatureValue>)[^<]*/, "SignatureValue>"), ["signature", "key"]],
    ["an empty DigestValue", change(xml, /(DigestValue>)[^<]*/, "DigestValue>"), SIGNATURE],
  ];
}

/** CVE-2025-29774 and CVE-2025-29775: two values where a verifier and a reader choose differently. */
function doubles({ xml, evilResponse, signature, shape }: Genuine): Attack[] {
  const forged = shape.signed.reduce(
    (message, name) => sign(message, name, { ...shape.signing, key: samlKeys.attacker() }),
    evilResponse,
  );
  const foreign = elementText(forged, "Signature");
  const [info, digest] = [elementText(signature, "SignedInfo"), elementText(signature, "DigestValue")];
  const [foreignInfo, foreignDigest] = [elementText(foreign, "SignedInfo"), elementText(foreign, "DigestValue")];
  const value = /DigestValue>([^<]*)</;
  const [text, foreignText] = [value.exec(digest)?.[1] ?? "", value.exec(foreignDigest)?.[1] ?? ""];
  const onForged = (change_: string) => change(forged, foreign, change_);
  const reference = elementText(info, "Reference");
  return [
    ["two SignedInfo, the forged first", onForged(change(signature, info, `${foreignInfo}${info}`)), STRUCTURE],
    ["two SignedInfo, the genuine first", onForged(change(signature, info, `${info}${foreignInfo}`)), STRUCTURE],
    ["two signatures, the forged first", onForged(`${foreign}${signature}`), STRUCTURE],
    ["two signatures, the genuine first", onForged(`${signature}${foreign}`), STRUCTURE],
    ["two DigestValues", onForged(change(signature, digest, `${foreignDigest}${digest}`)), STRUCTURE],
    [
      "the forged digest in a comment before the genuine",
      onForged(change(signature, digest, digest.replace(text, `<!--${foreignText}-->${text}`))),
      ["not_xml"],
    ],
    [
      "the genuine digest in a comment",
      onForged(change(signature, digest, digest.replace(text, `${foreignText}<!--${text}-->`))),
      ["not_xml"],
    ],
    [
      "two References",
      onForged(change(signature, reference, `${reference}${elementText(foreignInfo, "Reference")}`)),
      STRUCTURE,
    ],
    [
      "a second SignatureValue",
      change(xml, elementText(xml, "SignatureValue"), elementText(xml, "SignatureValue").repeat(2)),
      STRUCTURE,
    ],
  ];
}

function afterIssuer(xml: string, text: string): string {
  const issuer = elementText(xml, "Issuer");
  return change(xml, issuer, `${issuer}${text}`);
}

function withExtensions(xml: string, content: string): string {
  const extensions = `<p:Extensions xmlns:p="${SAMLP}">${content}</p:Extensions>`;
  const status = elementText(xml, "Status");
  return change(xml, status, `${extensions}${status}`);
}
