/** Responses in the manner of products: prefixes, signed elements, algorithms, formats and attributes. */
import {
  ALICE,
  assertionText,
  DEFAULT_PARTS,
  EMAIL,
  type MessageParts,
  type MessageStyle,
  PLAIN_STYLE,
  responseText,
} from "./message.ts";
import { type EncryptOptions, encrypt, type SignOptions, sign } from "./sign.ts";

export interface PresetShape {
  readonly name: string;
  readonly style: MessageStyle;
  readonly signed: readonly ("Response" | "Assertion")[];
  readonly signing: SignOptions;
  readonly parts: Partial<MessageParts>;
  readonly encryption?: EncryptOptions;
}

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";
const BASIC = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic";
const URI = "urn:oasis:names:tc:SAML:2.0:attrname-format:uri";
const UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";
const PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
const style = (samlp: string, saml: string, gap = "", declaration = ""): MessageStyle => ({
  samlp,
  saml,
  gap,
  declaration,
});
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const email = (name: string, friendlyName?: string, nameFormat?: string) => ({
  name,
  values: [ALICE],
  ...(friendlyName === undefined ? {} : { friendlyName }),
  ...(nameFormat === undefined ? {} : { nameFormat }),
});

export const PRESET_SHAPES: readonly PresetShape[] = [
  {
    name: "entra_id",
    style: style("samlp", ""),
    signed: ["Assertion"],
    signing: { prefix: "" },
    parts: {
      nameIdFormat: PERSISTENT,
      nameId: "Kx3vAh6hTn0pW9aBzE1cUgQ2sYd8rLfM",
      attributes: [
        email(`${CLAIMS}/emailaddress`),
        {
          name: "http://schemas.microsoft.com/identity/claims/tenantid",
          values: ["6babcaad-604b-40ac-a9d7-9fd97c0b779f"],
        },
        { name: "http://schemas.microsoft.com/claims/authnmethodsreferences", values: ["pwd", "mfa"] },
        { name: "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups", values: ["a1", "b2"] },
      ],
    },
  },
  {
    name: "okta",
    style: style("saml2p", "saml2", "", DECLARATION),
    signed: ["Assertion", "Response"],
    signing: { inclusivePrefixes: ["xs"] },
    parts: { attributes: [email("email", undefined, UNSPECIFIED), { name: "groups", values: ["Everyone", "Admins"] }] },
  },
  {
    name: "google_workspace",
    style: style("saml2p", "saml2", "", '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'),
    signed: ["Response"],
    signing: {},
    parts: { attributes: [email("email"), { name: "department", values: ["R&amp;D"] }] },
  },
  {
    name: "onelogin",
    style: PLAIN_STYLE,
    signed: ["Assertion"],
    signing: {},
    parts: { attributes: [email("User.email", undefined, BASIC), { name: "memberOf", values: [""] }] },
  },
  {
    name: "jumpcloud",
    style: style("saml2p", "saml2", "\n", DECLARATION),
    signed: ["Assertion"],
    signing: { keyInfo: false },
    parts: { nameIdFormat: UNSPECIFIED, attributes: [email("email", undefined, UNSPECIFIED)] },
  },
  {
    name: "ping",
    style: style("samlp", "saml"),
    signed: ["Assertion"],
    signing: {},
    parts: { attributes: [email("saml_subject", undefined, BASIC)], sessionNotOnOrAfter: null },
  },
  {
    name: "adfs",
    style: style("samlp", ""),
    signed: ["Assertion"],
    signing: {},
    parts: {
      attributes: [
        email(`${CLAIMS}/upn`),
        { name: "http://schemas.xmlsoap.org/claims/Group", values: ["Domain Users"] },
      ],
      nameIdFormat: null,
      sessionNotOnOrAfter: null,
    },
  },
  {
    name: "auth0",
    style: style("samlp", "saml"),
    signed: ["Assertion"],
    signing: { prefix: "" },
    parts: { nameIdFormat: UNSPECIFIED, nameId: "auth0|62b1", attributes: [email(EMAIL, undefined, URI)] },
  },
  {
    name: "keycloak",
    style: PLAIN_STYLE,
    signed: ["Assertion", "Response"],
    signing: { prefix: "dsig" },
    parts: {
      attributes: [
        email("email", "email", BASIC),
        { name: "Role", values: ["manage-account"], nameFormat: BASIC },
        { name: "Role", values: ["view-profile"], nameFormat: BASIC },
      ],
    },
  },
  {
    name: "shibboleth",
    style: style("saml2p", "saml2", "", DECLARATION),
    signed: ["Assertion", "Response"],
    signing: {},
    encryption: { cipher: "aes128-gcm" },
    parts: {
      attributes: [
        email("urn:oid:0.9.2342.19200300.100.1.3", "mail", URI),
        {
          name: "urn:oid:1.3.6.1.4.1.5923.1.1.1.10",
          friendlyName: "eduPersonTargetedID",
          nameFormat: URI,
          values: ['<saml2:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">x</saml2:NameID>'],
        },
      ],
      nameIdFormat: PERSISTENT,
    },
  },
  {
    name: "simplesamlphp",
    style: PLAIN_STYLE,
    signed: ["Assertion", "Response"],
    signing: {},
    parts: { attributes: [email("mail", undefined, BASIC), { name: "uid", values: ["alice"], nameFormat: BASIC }] },
  },
  {
    name: "lemonldap_ng",
    style: PLAIN_STYLE,
    signed: ["Assertion"],
    signing: { keyInfo: false, signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512" },
    parts: { nameIdFormat: PERSISTENT, attributes: [email("mail", "mail", BASIC)] },
  },
];

/** A response of a product with changed parts. */
export function presetMessage(shape: PresetShape, changes: Partial<MessageParts> = {}): string {
  const parts: MessageParts = { ...DEFAULT_PARTS, style: shape.style, ...shape.parts, ...changes };
  const signs = (name: "Response" | "Assertion") => shape.signed.includes(name);
  let assertion = assertionText(parts);
  if (shape.encryption) {
    if (signs("Assertion")) assertion = sign(assertion, "Assertion", shape.signing);
    assertion = encrypt(assertion, shape.encryption);
  }
  let message = responseText(parts, assertion);
  if (!shape.encryption && signs("Assertion")) message = sign(message, "Assertion", shape.signing);
  return signs("Response") ? sign(message, "Response", shape.signing) : message;
}

/** The attribute with the email address of a product. */
export function emailAttributeOf({ parts }: PresetShape): string {
  return parts.attributes?.[0]?.name ?? EMAIL;
}
