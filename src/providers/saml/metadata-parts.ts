/** Names and elements of SAML metadata 2.0. */
import type { CanonicalElement } from "./canonical-xml.ts";

export const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
export const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
export const POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
export const REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
const DS = "http://www.w3.org/2000/09/xmldsig#";

/** `certificate`: Base64 of DER. */
export function keyDescriptor(use: string, certificate: string): CanonicalElement {
  const data: CanonicalElement = {
    name: "ds:X509Data",
    content: [{ name: "ds:X509Certificate", content: [certificate] }],
  };
  return {
    name: "md:KeyDescriptor",
    attributes: { use },
    content: [{ name: "ds:KeyInfo", namespaces: { ds: DS }, content: [data] }],
  };
}
