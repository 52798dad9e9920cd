/** Messages signed by the identity provider that break a rule of the profile. */
import type { SamlReason } from "../../../src/pool/saml-protocol.ts";
import { assertionOnly, both, breach, changed, type Extra } from "./breach.ts";
import type { CorpusCase } from "./corpus.ts";
import { samlKeys } from "./keys.ts";
import { malformedMessages } from "./malformed-messages.ts";
import { ACS, ALICE, at, DEFAULT_PARTS, EMAIL, type MessageParts, SERVICE } from "./message.ts";
import { type PresetShape, presetMessage } from "./presets.ts";
import { C14N, EXC_C14N, RSA_SHA1, SHA1 } from "./sign.ts";
import { change, insertFirst } from "./xml-text.ts";

export function ruleBreaches(): CorpusCase[] {
  return [...malformedMessages(), ...statuses(), ...signatureRules(), ...addressees(), ...times(), ...subjects()];
}

function statuses(): CorpusCase[] {
  const prefix = "urn:oasis:names:tc:SAML:2.0:status:";
  const codes = ["Requester", "Responder", "VersionMismatch", "AuthnFailed", "success"];
  const signed = codes.map((code) => changed(`${code} with an assertion`, { status: `${prefix}${code}` }, "status"));
  const error = change(
    presetMessage({ ...both, signed: [] }, { status: `${prefix}Responder` }),
    /<saml:Assertion[\s\S]*<\/saml:Assertion>/,
    "",
  );
  return [...signed, breach("an error response without an assertion", error, "status")];
}

function signatureRules(): CorpusCase[] {
  const signedBy = (name: string, signing: PresetShape["signing"], reason: SamlReason, extra: Extra = {}) =>
    breach(name, presetMessage({ ...assertionOnly, signing }), reason, extra);
  const prefixes = Array.from({ length: 11 }, (_, index) => `p${index}`);
  const envelopedOnly = ["http://www.w3.org/2000/09/xmldsig#enveloped-signature"];
  return [
    signedBy("SHA-1 signature", { signatureAlgorithm: RSA_SHA1 }, "signature"),
    // The names of members that every object of JavaScript inherits are no algorithms.
    ...["constructor", "toString", "__proto__"].flatMap((name) =>
      ["DigestMethod", "SignatureMethod"].map((element) => {
        const algorithm = new RegExp(`<ds:${element} Algorithm="[^"]*"`);
        const xml = change(presetMessage(assertionOnly), algorithm, `<ds:${element} Algorithm="${name}"`);
        return breach(`${element} ${name}`, xml, "signature");
      }),
    ),
    signedBy("SHA-1 digest", { digestAlgorithm: SHA1 }, "signature"),
    signedBy("inclusive canonicalization of SignedInfo", { canonicalization: C14N }, "signature"),
    signedBy("exclusive canonicalization with comments", { canonicalization: `${EXC_C14N}WithComments` }, "signature"),
    signedBy("inclusive canonicalization as transform", { transforms: [...envelopedOnly, C14N] }, "signature"),
    signedBy("a single transform", { transforms: envelopedOnly }, "signature"),
    signedBy("the transforms in the other order", { transforms: [EXC_C14N, ...envelopedOnly] }, "signature"),
    signedBy("eleven inclusive prefixes", { inclusivePrefixes: prefixes }, "signature"),
    signedBy("RSA of 1024 bits", { key: samlKeys.shortIdp() }, "key", {
      trust: { certificates: [samlKeys.shortIdp().certificate] },
    }),
    signedBy("a pinned elliptic key", {}, "key", { trust: { certificates: [samlKeys.ellipticIdp().certificate] } }),
    breach("only the response is signed", presetMessage({ ...both, signed: ["Response"] }), "signature"),
    breach(
      "the signature of the response does not verify",
      insertFirst(presetMessage(both), "Status", " "),
      "signature",
    ),
  ];
}

function addressees(): CorpusCase[] {
  const audience = (text: string) =>
    `<saml:AudienceRestriction><saml:Audience>${text}</saml:Audience></saml:AudienceRestriction>`;
  const other = SERVICE.replace("000001", "000002");
  const signedResponse = (parts: Partial<MessageParts>) => presetMessage(both, parts);
  return [
    changed("the response", { issuer: "https://evil.example" }, "issuer"),
    changed("the assertion", { assertionIssuer: "https://evil.example" }, "issuer"),
    changed("a trailing slash", { issuer: `${DEFAULT_PARTS.issuer}/` }, "issuer"),
    changed("another connection", { destination: ACS.replace("000001", "000002") }, "destination"),
    changed("another case of a letter", { destination: ACS.replace("service", "Service") }, "destination"),
    changed("a query", { destination: `${ACS}?x=1` }, "destination"),
    breach("absent in a signed response", signedResponse({ destination: null }), "destination"),
    changed("another connection", { recipient: ACS.replace("000001", "000002") }, "recipient"),
    changed("absent", { recipient: null }, "recipient"),
    changed("another connection", { conditions: audience(other) }, "audience"),
    changed("absent", { conditions: "" }, "audience"),
    changed("one of two restrictions", { conditions: `${audience(SERVICE)}${audience(other)}` }, "audience"),
    changed("white space inside the audience", { conditions: audience(SERVICE.replace("://", ": //")) }, "audience"),
    changed("another request", { inResponseTo: "_other", confirmationInResponseTo: "_other" }, "in_response_to"),
    changed("absent in the confirmation", { confirmationInResponseTo: null }, "in_response_to"),
    changed("absent in the response", { inResponseTo: null }, "in_response_to"),
    changed("another request in the confirmation", { confirmationInResponseTo: "_other" }, "in_response_to"),
    changed("unsolicited", { inResponseTo: null, confirmationInResponseTo: null }, "in_response_to", {
      job: { requestId: null },
    }),
    changed("no live request", {}, "in_response_to", { job: { requestId: null } }),
  ];
}

function times(): CorpusCase[] {
  const aged: Extra = { job: { maxAgeSeconds: 300 } };
  return [
    changed("expired conditions", { notOnOrAfter: at(-60) }, "time"),
    changed("expired confirmation", { confirmationNotOnOrAfter: at(-60) }, "time"),
    changed("conditions without NotOnOrAfter", { notOnOrAfter: null }, "time"),
    changed("confirmation without NotOnOrAfter", { confirmationNotOnOrAfter: null }, "time"),
    changed("not yet valid", { notBefore: at(61) }, "time"),
    changed("a confirmation with NotBefore", { confirmationNotBefore: at(-60) }, "time"),
    changed("issued in the future", { issueInstant: at(61) }, "time"),
    changed(
      "issued two hours ago, for a day",
      { issueInstant: at(-7200), notOnOrAfter: at(86_400), confirmationNotOnOrAfter: at(86_400) },
      "time",
    ),
    changed("the session has ended", { sessionNotOnOrAfter: at(-61) }, "time"),
    changed("an authentication in the future", { authnInstant: at(61) }, "time"),
    changed("an authentication older than the maximum age", { authnInstant: at(-361) }, "time", aged),
    changed("an authentication in the year 0", { authnInstant: "0000-01-01T00:00:00Z" }, "time"),
    changed("a time zone", { notOnOrAfter: at(7500).replace("Z", "+02:00") }, "time"),
    changed("no time zone", { notOnOrAfter: at(300).replace("Z", "") }, "time"),
    changed("no time", { notOnOrAfter: "tomorrow" }, "time"),
    changed("the 30th of February", { notOnOrAfter: "2027-02-30T25:00:00Z" }, "time"),
  ];
}

function subjects(): CorpusCase[] {
  const audience = `<saml:AudienceRestriction><saml:Audience>${SERVICE}</saml:Audience></saml:AudienceRestriction>`;
  const condition =
    '<saml:Condition xmlns:x="urn:x" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="x:Other"/>';
  const email = (...values: string[]) => ({ attributes: [{ name: EMAIL, values }] });
  const twice = {
    attributes: [
      { name: EMAIL, values: [ALICE] },
      { name: EMAIL, values: ["admin@acme.example"] },
    ],
  };
  const byEmail: Extra = { trust: { emailFrom: EMAIL } };
  const bySubject: Extra = { trust: { subjectFrom: EMAIL } };
  return [
    changed("an unknown condition", { conditions: `${audience}${condition}` }, "condition"),
    changed("OneTimeUse twice", { conditions: `${audience}<saml:OneTimeUse/><saml:OneTimeUse/>` }, "condition"),
    changed("an empty NameID", { nameId: "" }, "subject"),
    changed("a NameID of white space", { nameId: " \n" }, "subject"),
    changed("a NameID with a line break", { nameId: `${ALICE}&#13;x` }, "subject"),
    changed("a NameID with an invisible character", { nameId: `${ALICE}&#8203;` }, "subject"),
    changed("a NameID of 257 characters", { nameId: "x".repeat(257) }, "subject"),
    changed("a transient NameID", { nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" }, "subject"),
    changed("two email addresses", email(ALICE, "admin@acme.example"), "subject", byEmail),
    changed("two attributes with the email address", twice, "subject", byEmail),
    changed("two subjects", email(ALICE, "admin@acme.example"), "subject", bySubject),
    changed("two attributes with the subject", twice, "subject", bySubject),
    changed("no attribute with the subject", { attributes: [] }, "subject", bySubject),
    changed("holder of key", { method: "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key" }, "structure"),
    changed("sender vouches", { method: "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches" }, "structure"),
  ];
}
