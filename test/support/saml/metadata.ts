/** Metadata of an identity provider by SAML 2.0. */
import { samlKeys } from "./keys.ts";
import { IDP } from "./message.ts";
import { SSO_URL } from "./saml-browser.ts";

export const base64Of = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");

export function metadataText({
  entityId = IDP,
  location = SSO_URL,
  certificates = [samlKeys.idp().certificate],
} = {}): string {
  const keys = certificates.map(
    (pem) =>
      `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>` +
      `${base64Of(pem)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
  );
  return (
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">` +
    `<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join("")}` +
    `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${location}"/>` +
    `</IDPSSODescriptor></EntityDescriptor>`
  );
}
