/** Authentication requests of SAML 2.0 (core, section 3.4; bindings, sections 3.4 and 3.5). */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { SAML_REQUEST_ID_BYTES } from "../../limits/saml-limits.ts";
import { type CanonicalElement, canonicalXml } from "./canonical-xml.ts";

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
const DS = "http://www.w3.org/2000/09/xmldsig#";
const EXC_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";

/** Signs bytes by RSA-SHA256 (PKCS #1 1.5) with the current service key of the connection. */
export type RsaSigner = (bytes: Buffer) => Promise<Buffer>;

export interface AuthnRequest {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly spEntityId: string;
  /** The single sign-on service of the identity provider. */
  readonly ssoUrl: string;
  readonly acsUrl: string;
  /** Null: the request names no format. */
  readonly nameIdFormat: string | null;
  /** A step-up: the identity provider authenticates the user again. */
  readonly forceAuthn: boolean;
  /** Requested classes of authentication, for a step-up only. */
  readonly authnContexts: readonly string[];
}

/**
 * The ID of the request with a random handle, the `RelayState`: a response names both, and only the ID is under its
 * signature. An ID begins with a letter or underscore (NCName).
 */
export function requestIdOf(handle: string): string {
  const digest = createHash("sha256").update(`saml request ${handle}`).digest("hex");
  return `_${digest.slice(0, SAML_REQUEST_ID_BYTES * 2)}`;
}

/** The URL of the redirect binding, signed if there is a signer (bindings, section 3.4.4.1). */
export async function redirectUrl(
  request: AuthnRequest,
  relayState: string,
  signer: RsaSigner | undefined,
): Promise<string> {
  const message = deflateRawSync(authnRequestXml(request)).toString("base64");
  let query = `SAMLRequest=${encodeURIComponent(message)}&RelayState=${encodeURIComponent(relayState)}`;
  if (signer) {
    query += `&SigAlg=${encodeURIComponent(RSA_SHA256)}`;
    query += `&Signature=${encodeURIComponent((await signer(Buffer.from(query))).toString("base64"))}`;
  }
  return `${request.ssoUrl}${request.ssoUrl.includes("?") ? "&" : "?"}${query}`;
}

/** The form values of the POST binding, with an enveloped signature if there is a signer. */
export async function postForm(
  request: AuthnRequest,
  relayState: string,
  signer: RsaSigner | undefined,
): Promise<{ readonly SAMLRequest: string; readonly RelayState: string }> {
  const xml = signer ? authnRequestXml(request, await signatureOf(request, signer)) : authnRequestXml(request);
  return { SAMLRequest: Buffer.from(xml).toString("base64"), RelayState: relayState };
}

/** The signature follows the issuer (core, section 3.2.1). */
function authnRequestXml(request: AuthnRequest, signature?: CanonicalElement): string {
  const format = request.nameIdFormat ?? undefined;
  return canonicalXml({
    name: "samlp:AuthnRequest",
    namespaces: { samlp: PROTOCOL },
    attributes: {
      ID: request.id,
      Version: "2.0",
      IssueInstant: new Date(request.issuedAt).toISOString(),
      Destination: request.ssoUrl,
      AssertionConsumerServiceURL: request.acsUrl,
      ProtocolBinding: POST_BINDING,
      ForceAuthn: request.forceAuthn ? "true" : undefined,
    },
    content: [
      { name: "saml:Issuer", namespaces: { saml: ASSERTION }, content: [request.spEntityId] },
      signature,
      { name: "samlp:NameIDPolicy", attributes: { AllowCreate: "true", Format: format } },
      requestedContext(request.authnContexts),
    ],
  });
}

function requestedContext(classes: readonly string[]): CanonicalElement | undefined {
  if (classes.length === 0) return undefined;
  return {
    name: "samlp:RequestedAuthnContext",
    attributes: { Comparison: "exact" },
    content: classes.map((value) => ({
      name: "saml:AuthnContextClassRef",
      namespaces: { saml: ASSERTION },
      content: [value],
    })),
  };
}

async function signatureOf(request: AuthnRequest, signer: RsaSigner): Promise<CanonicalElement> {
  const digest = createHash("sha256").update(authnRequestXml(request)).digest("base64");
  const namespaces = { ds: DS };
  const signedInfo = signedInfoOf(request.id, digest);
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
