import { type CanonicalElement, canonicalXml } from "./canonical-xml.ts";
import { keyDescriptor, METADATA, POST_BINDING, PROTOCOL, REDIRECT_BINDING } from "./metadata-parts.ts";

/** The parts of the metadata of an identity provider that a connection uses. */
export interface IdpDescription {
  readonly entityId: string;
  readonly redirectUrl: string | null;
  readonly postUrl: string | null;
  readonly logoutRedirectUrl: string | null;
  readonly logoutPostUrl: string | null;
  readonly certificates: readonly { readonly pem: string }[];
}

const PEM_FRAME = /-----[^-]+-----|\s/g;

/** Metadata with these parts alone, in the order of the schema (SAML metadata 2.0, section 2.4.3). */
export function idpMetadataXml(idp: IdpDescription): string {
  const descriptor: CanonicalElement = {
    name: "md:IDPSSODescriptor",
    attributes: { protocolSupportEnumeration: PROTOCOL },
    content: [
      ...idp.certificates.map(({ pem }) => keyDescriptor("signing", pem.replace(PEM_FRAME, ""))),
      ...services("md:SingleLogoutService", idp.logoutRedirectUrl, idp.logoutPostUrl),
      ...services("md:SingleSignOnService", idp.redirectUrl, idp.postUrl),
    ],
  };
  return canonicalXml({
    name: "md:EntityDescriptor",
    namespaces: { md: METADATA },
    attributes: { entityID: idp.entityId },
    content: [descriptor],
  });
}

function services(name: string, redirectUrl: string | null, postUrl: string | null): readonly CanonicalElement[] {
  const locations = [
    [REDIRECT_BINDING, redirectUrl],
    [POST_BINDING, postUrl],
  ] as const;
  return locations.flatMap(([Binding, Location]) =>
    Location === null ? [] : [{ name, attributes: { Binding, Location } }],
  );
}
