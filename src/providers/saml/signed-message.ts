/** Messages of the service by the redirect and the POST binding of SAML 2.0 (bindings, sections 3.4 and 3.5). */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { type CanonicalElement, canonicalXml } from "./canonical-xml.ts";

export const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const DS = "http://www.w3.org/2000/09/xmldsig#";
const EXC_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";

/** Signs bytes by RSA-SHA256 (PKCS #1 1.5) with the current service key of the connection. */
export type RsaSigner = (bytes: Buffer) => Promise<Buffer>;

export interface SamlMessage {
  readonly name: "samlp:AuthnRequest" | "samlp:LogoutRequest" | "samlp:LogoutResponse";
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** The entity id of the service at the connection. */
  readonly spEntityId: string;
  /** The address at the identity provider. */
  readonly destination: string;
  /** Further attributes; undefined values are left out. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
  /** The elements after the issuer. */
  readonly content: readonly (CanonicalElement | undefined)[];
}

/** Where the browser carries a message. */
export interface CarriedMessage {
  readonly location: string;
  /** Fields of the POST binding. */
  readonly form?: Readonly<Record<string, string>>;
}

/** An element of the namespace of assertions. */
export function assertionElement(
  name: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): CanonicalElement {
  return { name: `saml:${name}`, namespaces: { saml: ASSERTION }, attributes, content: [text] };
}

/** A message by a binding, signed if there is a signer. `relayState` is left out if undefined. */
export async function carryMessage(
  message: SamlMessage,
  binding: "post" | "redirect",
  relayState: string | undefined,
  signer: RsaSigner | undefined,
): Promise<CarriedMessage> {
  const parameter = message.name === "samlp:LogoutResponse" ? "SAMLResponse" : "SAMLRequest";
  const relay: Record<string, string> = relayState === undefined ? {} : { RelayState: relayState };
  if (binding === "redirect") {
    const deflated = deflateRawSync(messageXml(message)).toString("base64");
    return { location: await redirectUrl(message.destination, { [parameter]: deflated, ...relay }, signer) };
  }
  const signature = signer && (await signatureOf(message, signer));
  const xml = Buffer.from(messageXml(message, signature)).toString("base64");
  return { location: message.destination, form: { [parameter]: xml, ...relay } };
}

/** The URL of the redirect binding, signed if there is a signer (bindings, section 3.4.4.1). */
async function redirectUrl(
  destination: string,
  parameters: Readonly<Record<string, string>>,
  signer: RsaSigner | undefined,
): Promise<string> {
  const pairs = Object.entries(signer ? { ...parameters, SigAlg: RSA_SHA256 } : parameters);
  let query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  if (signer) query += `&Signature=${encodeURIComponent((await signer(Buffer.from(query))).toString("base64"))}`;
  return `${destination}${destination.includes("?") ? "&" : "?"}${query}`;
}

/** The signature follows the issuer (core, section 3.2.1). */
function messageXml(message: SamlMessage, signature?: CanonicalElement): string {
  return canonicalXml({
    name: message.name,
    namespaces: { samlp: PROTOCOL },
    attributes: {
      ID: message.id,
      Version: "2.0",
      IssueInstant: new Date(message.issuedAt).toISOString(),
      Destination: message.destination,
      ...message.attributes,
    },
    content: [assertionElement("Issuer", message.spEntityId), signature, ...message.content],
  });
}

async function signatureOf(message: SamlMessage, signer: RsaSigner): Promise<CanonicalElement> {
  const digest = createHash("sha256").update(messageXml(message)).digest("base64");
  const namespaces = { ds: DS };
  const signedInfo = signedInfoOf(message.id, digest);
  const value = await signer(Buffer.from(canonicalXml({ ...signedInfo, namespaces })));
  return {
    name: "ds:Signature",
    namespaces,
    content: [signedInfo, { name: "ds:SignatureValue", content: [value.toString("base64")] }],
  };
}

function signedInfoOf(id: string, digest: string): CanonicalElement {
  const method = (name: string, Algorithm: string): CanonicalElement => ({ name, attributes: { Algorithm } });
  const transforms = [`${DS}enveloped-signature`, EXC_C14N].map((each) => method("ds:Transform", each));
  return {
    name: "ds:SignedInfo",
    content: [
      method("ds:CanonicalizationMethod", EXC_C14N),
      method("ds:SignatureMethod", RSA_SHA256),
      {
        name: "ds:Reference",
        attributes: { URI: `#${id}` },
        content: [
          { name: "ds:Transforms", content: transforms },
          method("ds:DigestMethod", SHA256),
          { name: "ds:DigestValue", content: [digest] },
        ],
      },
    ],
  };
}
