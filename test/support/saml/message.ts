/** Builds responses as text, so that a test decides on every character. */

/** The time of the corpus, in whole seconds: the certificates are valid at this time for further implementations. */
export const NOW = Math.floor(Date.now() / 1000) * 1000;
export const IDP = "https://idp.acme.example/saml/metadata";
export const CONNECTION_URL = "https://service.example/v1/auth/sso/0197c0de-0000-7000-8000-000000000001";
export const SERVICE = `${CONNECTION_URL}/metadata`;
export const ACS = `${CONNECTION_URL}/acs`;
export const REQUEST_ID = "_5f3a0c9b7d1e2f4a6b8c0d1e2f3a4b5c6d7e8f90";
export const ALICE = "alice@acme.example";
export const EMAIL = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress";

export const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

/** The manner in which an identity provider writes messages. Empty prefix: the default namespace. */
export interface MessageStyle {
  readonly samlp: string;
  readonly saml: string;
  /** White space between elements. */
  readonly gap: string;
  readonly declaration: string;
}

export const PLAIN_STYLE: MessageStyle = { samlp: "samlp", saml: "saml", gap: "", declaration: "" };

export interface AttributeText {
  readonly name: string;
  readonly friendlyName?: string;
  /** Escaped text or elements. */
  readonly values: readonly string[];
  readonly nameFormat?: string;
}

/** Every value is XML text. `null` leaves out an attribute or element. */
export interface MessageParts {
  readonly style: MessageStyle;
  readonly responseId: string;
  readonly assertionId: string;
  readonly issuer: string;
  readonly assertionIssuer: string;
  readonly destination: string | null;
  readonly inResponseTo: string | null;
  readonly version: string;
  readonly status: string;
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  readonly method: string;
  readonly recipient: string | null;
  readonly confirmationInResponseTo: string | null;
  readonly confirmationNotBefore: string | null;
  readonly confirmationNotOnOrAfter: string | null;
  readonly issueInstant: string;
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
  /** The elements of `Conditions`; null: the audience of the service. */
  readonly conditions: string | null;
  readonly authnInstant: string;
  readonly sessionIndex: string | null;
  readonly sessionNotOnOrAfter: string | null;
  readonly authnContext: string;
  readonly attributes: readonly AttributeText[];
  /** Further elements: after the issuer of the response, and at the end of the assertion and of the response. */
  readonly extensions: string;
  readonly advice: string;
  readonly assertionEnd: string;
  readonly responseEnd: string;
}

export const DEFAULT_PARTS: MessageParts = {
  style: PLAIN_STYLE,
  responseId: "_response1",
  assertionId: "_assertion1",
  issuer: IDP,
  assertionIssuer: IDP,
  destination: ACS,
  inResponseTo: REQUEST_ID,
  version: "2.0",
  status: "urn:oasis:names:tc:SAML:2.0:status:Success",
  nameId: ALICE,
  nameIdFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  method: "urn:oasis:names:tc:SAML:2.0:cm:bearer",
  recipient: ACS,
  confirmationInResponseTo: REQUEST_ID,
  confirmationNotBefore: null,
  confirmationNotOnOrAfter: at(300),
  issueInstant: at(-2),
  notBefore: at(-60),
  notOnOrAfter: at(300),
  conditions: null,
  authnInstant: at(-5),
  sessionIndex: "_session1",
  sessionNotOnOrAfter: at(28_800),
  authnContext: "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
  attributes: [{ name: EMAIL, friendlyName: "mail", values: [ALICE] }],
  extensions: "",
  advice: "",
  assertionEnd: "",
  responseEnd: "",
};

const tag = (prefix: string, name: string) => (prefix === "" ? name : `${prefix}:${name}`);
const declare = (prefix: string) => (prefix === "" ? "xmlns" : `xmlns:${prefix}`);
const attribute = (name: string, value: string | null | undefined) => (value == null ? "" : ` ${name}="${value}"`);

/** The `Assertion` without a signature, with the declaration of its namespace. */
export function assertionText(parts: MessageParts): string {
  const { saml: p, gap } = parts.style;
  const t = (name: string) => tag(p, name);
  const element = (name: string, content: string) => `<${t(name)}>${content}</${t(name)}>`;
  const audience = element("AudienceRestriction", element("Audience", SERVICE));
  const confirmation = [
    attribute("NotBefore", parts.confirmationNotBefore),
    attribute("NotOnOrAfter", parts.confirmationNotOnOrAfter),
    attribute("Recipient", parts.recipient),
    attribute("InResponseTo", parts.confirmationInResponseTo),
  ].join("");
  const context = element("AuthnContext", element("AuthnContextClassRef", parts.authnContext));
  const session = [
    attribute("SessionIndex", parts.sessionIndex),
    attribute("SessionNotOnOrAfter", parts.sessionNotOnOrAfter),
  ].join("");
  return [
    `<${t("Assertion")} ${declare(p)}="urn:oasis:names:tc:SAML:2.0:assertion" ID="${parts.assertionId}"`,
    ` Version="${parts.version}" IssueInstant="${parts.issueInstant}">${gap}`,
    `<${t("Issuer")}>${parts.assertionIssuer}</${t("Issuer")}>${gap}`,
    `<${t("Subject")}><${t("NameID")}${attribute("Format", parts.nameIdFormat)}>${parts.nameId}</${t("NameID")}>`,
    `<${t("SubjectConfirmation")} Method="${parts.method}"><${t("SubjectConfirmationData")}${confirmation}/>`,
    `</${t("SubjectConfirmation")}></${t("Subject")}>${gap}`,
    `<${t("Conditions")}${attribute("NotBefore", parts.notBefore)}${attribute("NotOnOrAfter", parts.notOnOrAfter)}>`,
    `${parts.conditions ?? audience}</${t("Conditions")}>${gap}${parts.advice}`,
    `<${t("AuthnStatement")} AuthnInstant="${parts.authnInstant}"${session}>${context}</${t("AuthnStatement")}>${gap}`,
    `${attributesText(parts)}${parts.assertionEnd}</${t("Assertion")}>`,
  ].join("");
}

function attributesText({ attributes, style: { saml: p } }: MessageParts): string {
  if (attributes.length === 0) return "";
  const t = (name: string) => tag(p, name);
  const items = attributes.map(({ name, friendlyName, values, nameFormat }) => {
    const texts = values.map((value) => `<${t("AttributeValue")}>${value}</${t("AttributeValue")}>`).join("");
    const names = `${attribute("NameFormat", nameFormat)}${attribute("FriendlyName", friendlyName)}`;
    return `<${t("Attribute")} Name="${name}"${names}>${texts}</${t("Attribute")}>`;
  });
  return `<${t("AttributeStatement")}>${items.join("")}</${t("AttributeStatement")}>`;
}

/** The `Response` around an assertion, which may be signed or encrypted. */
export function responseText(parts: MessageParts, assertion: string): string {
  const { samlp, saml, gap, declaration } = parts.style;
  const t = (name: string) => tag(samlp, name);
  // With one default namespace for both, the issuer declares its own.
  const isOwn = saml === "" && samlp === "";
  const issuerName = tag(isOwn ? "" : saml, "Issuer");
  const issuerDeclaration = ` ${declare(saml)}="urn:oasis:names:tc:SAML:2.0:assertion"`;
  return [
    declaration,
    `<${t("Response")} ${declare(samlp)}="urn:oasis:names:tc:SAML:2.0:protocol" ID="${parts.responseId}"`,
    ` Version="${parts.version}" IssueInstant="${parts.issueInstant}"${attribute("Destination", parts.destination)}`,
    `${attribute("InResponseTo", parts.inResponseTo)}>${gap}`,
    `<${issuerName}${issuerDeclaration}>${parts.issuer}</${issuerName}>${gap}${parts.extensions}`,
    `<${t("Status")}><${t("StatusCode")} Value="${parts.status}"/></${t("Status")}>${gap}`,
    `${assertion}${gap}${parts.responseEnd}</${t("Response")}>`,
  ].join("");
}

/** The Base64 form of a message. */
export const encodeMessage = (xml: string): string => Buffer.from(xml).toString("base64");
