import type { SamlTrust } from "../../../src/pool/saml-protocol.ts";
import type { CorpusCase } from "./corpus.ts";
import { samlKeys } from "./keys.ts";
import { ALICE, at, DEFAULT_PARTS, EMAIL, type MessageParts } from "./message.ts";
import { emailAttributeOf, PRESET_SHAPES, type PresetShape, presetMessage } from "./presets.ts";
import { RSA_PSS_SHA256, RSA_SHA512, SHA512 } from "./sign.ts";

export function trustOf(shape: PresetShape): Partial<SamlTrust> {
  return {
    signedElement: shape.signed.includes("Assertion") ? "assertion" : "either",
    emailFrom: emailAttributeOf(shape),
    ...(shape.encryption ? { encryptedAssertions: "required", decryptionKeys: [samlKeys.service().key] } : {}),
  };
}

/** Contents that every product can send. */
const CONTENTS: Readonly<Record<string, Partial<MessageParts>>> = {
  usual: {},
  "without a session end": { sessionNotOnOrAfter: null },
  "without a session index": { sessionIndex: null },
  "without Conditions NotBefore": { notBefore: null },
  "not before, within the skew": { notBefore: at(59) },
  "expired, within the skew": { notOnOrAfter: at(-45), confirmationNotOnOrAfter: at(-45) },
  "a lifetime of a day": { notOnOrAfter: at(86_400), confirmationNotOnOrAfter: at(86_400) },
  "times without fractions": { issueInstant: at(-2).replace(".000", ""), authnInstant: at(-5).replace(".000", "") },
  "times of seven digits": { issueInstant: at(-2).replace(".000", ".1234567") },
  "no attributes": { attributes: [] },
  "an umlaut and an escaped character": { nameId: "J&#xFC;rgen &amp; S&#246;hne" },
  "a subject of 256 characters": { nameId: "x".repeat(256) },
  "OneTimeUse and two audiences": {},
  "white space around the audience": {},
  "white space around the issuer and the NameID": {
    assertionIssuer: `\n  ${DEFAULT_PARTS.assertionIssuer}\n`,
    nameId: `\n  ${DEFAULT_PARTS.nameId}\n`,
  },
  "IDs that begin with a digit": { responseId: "4c2a-response", assertionId: "28338c8c-assertion" },
};

/** Contents that few other implementations accept. */
const RARE_CONTENTS: ReadonlySet<string> = new Set([
  "expired, within the skew",
  "white space around the audience",
  "white space around the issuer and the NameID",
]);

function contentOf(name: string, shape: PresetShape): Partial<MessageParts> {
  const p = shape.style.saml === "" ? "" : `${shape.style.saml}:`;
  const named = (text: string) =>
    `<${p}AudienceRestriction><${p}Audience>${text}</${p}Audience></${p}AudienceRestriction>`;
  if (name === "white space around the audience") return { conditions: named(`\n  ${DEFAULT_AUDIENCE}\n`) };
  if (name !== "OneTimeUse and two audiences") return CONTENTS[name] ?? {};
  const audiences = [`https://other.example`, DEFAULT_AUDIENCE].map((text) => `<${p}Audience>${text}</${p}Audience>`);
  return { conditions: `<${p}AudienceRestriction>${audiences.join("")}</${p}AudienceRestriction><${p}OneTimeUse/>` };
}

const DEFAULT_AUDIENCE = DEFAULT_PARTS.destination?.replace(/\/acs$/, "/metadata") ?? "";

export function validMessages(): CorpusCase[] {
  const usual = PRESET_SHAPES.flatMap((shape) =>
    Object.keys(CONTENTS).map(
      (name): CorpusCase => ({
        kind: "valid",
        name: `${shape.name}: ${name}`,
        xml: presetMessage(shape, contentOf(name, shape)),
        trust: trustOf(shape),
        isRare: RARE_CONTENTS.has(name),
      }),
    ),
  );
  return [...usual, ...algorithms(), ...encryptions(), ...connections()];
}

const plain = PRESET_SHAPES.find(({ name }) => name === "simplesamlphp") as PresetShape;
const encrypted = PRESET_SHAPES.find(({ name }) => name === "shibboleth") as PresetShape;

function algorithms(): CorpusCase[] {
  const methods = { "RSA-SHA512": RSA_SHA512, "RSA-PSS-SHA256": RSA_PSS_SHA256 };
  return Object.entries(methods).map(([name, signatureAlgorithm]) => ({
    kind: "valid",
    name: `signature by ${name}, digest SHA-512`,
    xml: presetMessage({ ...plain, signing: { signatureAlgorithm, digestAlgorithm: SHA512 } }),
    trust: trustOf(plain),
    isRare: signatureAlgorithm === RSA_PSS_SHA256,
  }));
}

function encryptions(): CorpusCase[] {
  const ciphers = ["aes128-gcm", "aes256-gcm", "aes128-cbc", "aes256-cbc"] as const;
  const signed = ciphers.map((cipher): CorpusCase => {
    const shape: PresetShape = { ...encrypted, encryption: { cipher } };
    return { kind: "valid", name: `${cipher} in a signed response`, xml: presetMessage(shape), trust: trustOf(shape) };
  });
  const alone: PresetShape = { ...encrypted, encryption: { cipher: "aes256-gcm" }, signed: ["Assertion"] };
  const outside: PresetShape = { ...encrypted, encryption: { cipher: "aes256-gcm" }, signed: ["Response"] };
  const second = { ...trustOf(encrypted), decryptionKeys: [samlKeys.otherService().key, samlKeys.service().key] };
  // Okta, Shibboleth and Liferay place the key beside; Keycloak and PingFederate use RSA-OAEP of XML Encryption 1.1.
  const places = (["referenced", "beside"] as const).flatMap((place) =>
    (["rsa-oaep-mgf1p", "rsa-oaep"] as const).map((transport) => ({ place, transport })),
  );
  const forms = [...places, { place: "inside", transport: "rsa-oaep" } as const].flatMap((encryption) =>
    ([["Assertion"], ["Response"], ["Assertion", "Response"]] as const).map((parts): CorpusCase => {
      const shape: PresetShape = { ...encrypted, encryption, signed: parts };
      const name = `a key ${encryption.place}, ${encryption.transport}, signed: ${parts.join(" and ")}`;
      return { kind: "valid", name, xml: presetMessage(shape), trust: trustOf(shape), isRare: true };
    }),
  );
  return [
    ...signed,
    ...forms,
    { kind: "valid", name: "AES-GCM in an unsigned response", xml: presetMessage(alone), trust: trustOf(alone) },
    { kind: "valid", name: "AES-GCM, the response is signed", xml: presetMessage(outside), trust: trustOf(outside) },
    { kind: "valid", name: "AES-GCM for the second key of the service", xml: presetMessage(encrypted), trust: second },
  ];
}

function connections(): CorpusCase[] {
  const [current, next] = [samlKeys.idp().certificate, samlKeys.nextIdp().certificate];
  const rolled = { ...plain, signing: { key: samlKeys.nextIdp() } };
  const uid = { ...trustOf(plain), subjectFrom: "uid" };
  return [
    {
      kind: "valid",
      name: "the second of two certificates",
      xml: presetMessage(rolled),
      trust: { ...trustOf(plain), certificates: [current, next] },
    },
    {
      kind: "valid",
      name: "a transient NameID with subject_from",
      xml: presetMessage(plain, { nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" }),
      trust: uid,
    },
    {
      kind: "valid",
      name: "an authentication within the maximum age",
      xml: presetMessage(plain, { authnInstant: at(-290) }),
      trust: trustOf(plain),
      job: { maxAgeSeconds: 300 },
    },
    {
      kind: "valid",
      name: "an attribute found by FriendlyName",
      xml: presetMessage(plain, { attributes: [{ name: EMAIL, friendlyName: "uid", values: ["alice"] }] }),
      trust: { ...trustOf(plain), subjectFrom: "uid", emailFrom: null },
    },
    {
      kind: "valid",
      name: "an attribute with the name of a prototype",
      xml: presetMessage(plain, { attributes: [{ name: "__proto__", values: ["admin"] }] }),
      trust: { ...trustOf(plain), emailFrom: null },
      isRare: true,
    },
    {
      kind: "valid",
      // A parser that hands over the canonical form in parts divides characters of several bytes.
      name: "a long value of characters of several bytes",
      xml: presetMessage(plain, { attributes: [{ name: "uid", values: [`x${"üé€".repeat(8_000)}`] }] }),
      trust: { ...trustOf(plain), subjectFrom: null, emailFrom: null },
    },
    {
      kind: "valid",
      name: "the same address twice, in two spellings, and an empty value",
      xml: presetMessage(plain, { attributes: [{ name: "mail", values: ["Alice@acme.example", "", ALICE] }] }),
      trust: { ...trustOf(plain), emailFrom: "mail" },
    },
    {
      kind: "valid",
      name: "an empty statement of attributes",
      xml: presetMessage(plain, { attributes: [], assertionEnd: "<saml:AttributeStatement/>" }),
      trust: { ...trustOf(plain), emailFrom: null },
    },
    {
      kind: "valid",
      name: "an unsigned response without an issuer",
      xml: presetMessage({ ...plain, signed: ["Assertion"] }).replace(
        /(<samlp:Response[^>]*>)<saml:Issuer>[^<]*<\/saml:Issuer>/,
        "$1",
      ),
      trust: trustOf(plain),
    },
    {
      kind: "valid",
      name: "a declared encoding of which ASCII is a part",
      xml: `<?xml version="1.0" encoding="US-ASCII"?>${presetMessage(plain)}`,
      trust: trustOf(plain),
    },
    {
      kind: "valid",
      name: "a comment outside the signed assertion",
      xml: presetMessage({ ...plain, signed: ["Assertion"] }).replace("<samlp:Status>", "<!-- note --><samlp:Status>"),
      trust: trustOf(plain),
    },
  ];
}
