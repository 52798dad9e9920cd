/**
 * The schemas of SAML 2.0, XML Signature and XML Encryption as far as responses and logout messages use the schemas
 * (saml-schema-protocol-2.0.xsd, saml-schema-assertion-2.0.xsd, xmldsig-core-schema.xsd, xenc-schema.xsd). Elements
 * without meaning for a sign-in are absent and refused: other statements, encrypted names and attributes, `ds:Object`.
 */
import { DS, EXC_C14N, SAML, SAMLP, XENC, XML, XSI } from "./namespaces.ts";
import type { XmlElement } from "./xml-document.ts";

/** `?` at most one, `*` any number, `+` at least one; no sign: exactly one. */
type Occurrence = "" | "?" | "*" | "+";

interface Particle {
  /** Alternatives, as `prefix:name`. */
  readonly names: readonly string[];
  readonly occurrence: Occurrence;
}

interface ElementModel {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** A sequence; `text`: text only; `any`: other elements, attributes and text of any namespace. */
  readonly content: readonly Particle[] | "text" | "any";
}

const PREFIXES: Readonly<Record<string, string>> = { samlp: SAMLP, saml: SAML, ds: DS, xenc: XENC, ec: EXC_C14N };

/** `content`: particles separated by spaces, alternatives by `|`. */
function model(content: string, required = "", optional = ""): ElementModel {
  const list = (names: string) => names.split(" ").filter((name) => name !== "");
  if (content === "text" || content === "any") return { required: list(required), optional: list(optional), content };
  const particles = list(content).map((text): Particle => {
    const occurrence = (/[?*+]$/.exec(text)?.[0] ?? "") as Occurrence;
    return { names: text.replace(/[?*+]$/, "").split("|"), occurrence };
  });
  return { required: list(required), optional: list(optional), content: particles };
}

const ALGORITHM = "Algorithm";
const MODELS: Readonly<Record<string, ElementModel>> = {
  // The issuer of an unsigned response is optional (profiles, section 4.1.4.2); the rule is in assertion.ts.
  "samlp:Response": model(
    "saml:Issuer? ds:Signature? samlp:Extensions? samlp:Status saml:Assertion|saml:EncryptedAssertion*",
    "ID Version IssueInstant",
    "InResponseTo Destination Consent",
  ),
  "samlp:LogoutRequest": model(
    "saml:Issuer ds:Signature? samlp:Extensions? saml:NameID|saml:EncryptedID samlp:SessionIndex*",
    "ID Version IssueInstant",
    "Destination Consent NotOnOrAfter Reason",
  ),
  "samlp:LogoutResponse": model(
    "saml:Issuer ds:Signature? samlp:Extensions? samlp:Status",
    "ID Version IssueInstant",
    "InResponseTo Destination Consent",
  ),
  "samlp:SessionIndex": model("text"),
  "saml:EncryptedID": model("xenc:EncryptedData xenc:EncryptedKey*"),
  "samlp:Extensions": model("any"),
  "samlp:Status": model("samlp:StatusCode samlp:StatusMessage? samlp:StatusDetail?"),
  "samlp:StatusCode": model("samlp:StatusCode?", "Value"),
  "samlp:StatusMessage": model("text"),
  "samlp:StatusDetail": model("any"),
  "saml:Issuer": model("text", "", "Format NameQualifier SPNameQualifier SPProvidedID"),
  "saml:EncryptedAssertion": model("xenc:EncryptedData xenc:EncryptedKey*"),
  "saml:Assertion": model(
    "saml:Issuer ds:Signature? saml:Subject? saml:Conditions? saml:Advice? " +
      "saml:AuthnStatement|saml:AttributeStatement*",
    "ID Version IssueInstant",
  ),
  "saml:Subject": model("saml:NameID? saml:SubjectConfirmation*"),
  "saml:NameID": model("text", "", "Format NameQualifier SPNameQualifier SPProvidedID"),
  "saml:SubjectConfirmation": model("saml:NameID? saml:SubjectConfirmationData?", "Method"),
  "saml:SubjectConfirmationData": model("", "", "NotBefore NotOnOrAfter Recipient InResponseTo Address {other}"),
  "saml:Conditions": model(
    "saml:AudienceRestriction|saml:OneTimeUse|saml:ProxyRestriction|saml:Condition*",
    "",
    "NotBefore NotOnOrAfter",
  ),
  "saml:AudienceRestriction": model("saml:Audience+"),
  "saml:Audience": model("text"),
  "saml:OneTimeUse": model(""),
  "saml:ProxyRestriction": model("saml:Audience*", "", "Count"),
  // Abstract: a condition of another specification, refused by the rule for unknown conditions.
  "saml:Condition": model("any"),
  "saml:Advice": model("any"),
  "saml:AuthnStatement": model(
    "saml:SubjectLocality? saml:AuthnContext",
    "AuthnInstant",
    "SessionIndex SessionNotOnOrAfter",
  ),
  "saml:SubjectLocality": model("", "", "Address DNSName"),
  "saml:AuthnContext": model(
    "saml:AuthnContextClassRef? saml:AuthnContextDecl? saml:AuthnContextDeclRef? saml:AuthenticatingAuthority*",
  ),
  "saml:AuthnContextClassRef": model("text"),
  "saml:AuthnContextDecl": model("any"),
  "saml:AuthnContextDeclRef": model("text"),
  "saml:AuthenticatingAuthority": model("text"),
  // AWS IAM Identity Center sends an empty statement.
  "saml:AttributeStatement": model("saml:Attribute*"),
  // `anyAttribute` of the schema: attributes of other namespaces are permitted.
  "saml:Attribute": model("saml:AttributeValue*", "Name", "NameFormat FriendlyName {other}"),
  "saml:AttributeValue": model("any"),
  "ds:Signature": model("ds:SignedInfo ds:SignatureValue ds:KeyInfo?"),
  "ds:SignedInfo": model("ds:CanonicalizationMethod ds:SignatureMethod ds:Reference"),
  "ds:CanonicalizationMethod": model("ec:InclusiveNamespaces?", ALGORITHM),
  "ds:SignatureMethod": model("", ALGORITHM),
  "ds:Reference": model("ds:Transforms ds:DigestMethod ds:DigestValue", "URI"),
  "ds:Transforms": model("ds:Transform+"),
  "ds:Transform": model("ec:InclusiveNamespaces?", ALGORITHM),
  "ds:DigestMethod": model("", ALGORITHM),
  "ds:DigestValue": model("text"),
  "ds:SignatureValue": model("text"),
  // Never used as a key; inside EncryptedData the profile reads the EncryptedKey.
  "ds:KeyInfo": model("any"),
  "ec:InclusiveNamespaces": model("", "PrefixList"),
  "xenc:EncryptedData": model("xenc:EncryptionMethod ds:KeyInfo xenc:CipherData", "", "Id Type MimeType Encoding"),
  "xenc:EncryptedKey": model(
    "xenc:EncryptionMethod ds:KeyInfo? xenc:CipherData xenc:ReferenceList? xenc:CarriedKeyName?",
    "",
    "Id Type MimeType Encoding Recipient",
  ),
  "xenc:EncryptionMethod": model("any", ALGORITHM),
  "xenc:CipherData": model("xenc:CipherValue"),
  "xenc:CipherValue": model("text"),
  "xenc:ReferenceList": model("any"),
  "xenc:CarriedKeyName": model("text"),
};

/** White space of XML 1.0, section 2.3. */
const NOT_WHITE_SPACE = /[^ \t\r\n]/;

const NAMES = new Map(Object.entries(PREFIXES).map(([prefix, namespace]) => [namespace, prefix]));

/** `prefix:name` with the prefixes of this file; undefined for another namespace. */
export function qualifiedName({ namespace, name }: XmlElement): string | undefined {
  const prefix = NAMES.get(namespace);
  return prefix === undefined ? undefined : `${prefix}:${name}`;
}

/** Whether an element and its descendants have exactly the children and attributes of the schema. */
export function matchesSchema(element: XmlElement): boolean {
  const found = MODELS[qualifiedName(element) ?? ""];
  return found !== undefined && hasAttributes(element, found) && hasContent(element, found.content);
}

/** Attributes of every element: `xsi:type` and `xml:lang`; never `xml:id` or `xml:base`. */
function isCommonAttribute({ namespace, name }: XmlElement["attributes"][number]): boolean {
  if (namespace === XSI) return name === "type" || name === "nil" || name === "schemaLocation";
  return namespace === XML && (name === "lang" || name === "space");
}

function hasAttributes(element: XmlElement, { required, optional, content }: ElementModel): boolean {
  const isPermitted = (attribute: XmlElement["attributes"][number]) => {
    if (isCommonAttribute(attribute)) return true;
    if (attribute.namespace === XML) return false;
    if (attribute.namespace !== "") return content === "any" || optional.includes("{other}");
    return content === "any" || required.includes(attribute.name) || optional.includes(attribute.name);
  };
  const present = element.attributes.filter(({ namespace }) => namespace === "").map(({ name }) => name);
  return element.attributes.every(isPermitted) && required.every((name) => present.includes(name));
}

function hasContent(element: XmlElement, content: ElementModel["content"]): boolean {
  if (content === "any") return element.children.every(isForeignOrValid);
  if (content === "text") return element.children.length === 0;
  if (NOT_WHITE_SPACE.test(element.text)) return false;
  return matchesSequence(element.children, content) && element.children.every(matchesSchema);
}

/** Below `any`, an element of the schemas is valid too, and elements of other namespaces have no rule. */
function isForeignOrValid(element: XmlElement): boolean {
  if (element.attributes.some(({ namespace, name }) => namespace === XML && name === "id")) return false;
  const name = qualifiedName(element);
  if (name !== undefined && MODELS[name] !== undefined) return matchesSchema(element);
  return element.children.every(isForeignOrValid);
}

function matchesSequence(children: readonly XmlElement[], particles: readonly Particle[]): boolean {
  let position = 0;
  for (const { names, occurrence } of particles) {
    const start = position;
    const max = occurrence === "" || occurrence === "?" ? 1 : Number.POSITIVE_INFINITY;
    while (position - start < max && names.includes(nameAt(children, position))) position += 1;
    if (position === start && (occurrence === "" || occurrence === "+")) return false;
  }
  return position === children.length;
}

function nameAt(children: readonly XmlElement[], position: number): string {
  const child = children[position];
  return (child && qualifiedName(child)) ?? "";
}
