import { type CanonicalElement, canonicalXml } from "./canonical-xml.ts";
import { keyDescriptor, METADATA, POST_BINDING, PROTOCOL, REDIRECT_BINDING } from "./metadata-parts.ts";

export interface ServiceMetadata {
  /** The URL of the metadata, unique for each connection. */
  readonly spEntityId: string;
  readonly acsUrl: string;
  readonly sloUrl: string;
  readonly signsRequests: boolean;
  readonly wantsSignedAssertions: boolean;
  /** Certificates in Base64 of DER: the current key, then the next key during a rollover. */
  readonly certificates: readonly string[];
  /** Null: the connection accepts every format. */
  readonly nameIdFormat: string | null;
}

/** Metadata of the service at one connection (SAML metadata 2.0, section 2.4.4). */
export function serviceMetadataXml(metadata: ServiceMetadata): string {
  const content: CanonicalElement[] = [
    ...["signing", "encryption"].flatMap((use) => metadata.certificates.map((each) => keyDescriptor(use, each))),
    ...[REDIRECT_BINDING, POST_BINDING].map((Binding) => ({
      name: "md:SingleLogoutService",
      attributes: { Binding, Location: metadata.sloUrl },
    })),
    ...(metadata.nameIdFormat === null ? [] : [{ name: "md:NameIDFormat", content: [metadata.nameIdFormat] }]),
    {
      name: "md:AssertionConsumerService",
      attributes: { Binding: POST_BINDING, Location: metadata.acsUrl, index: "0", isDefault: "true" },
    },
  ];
  const descriptor: CanonicalElement = {
    name: "md:SPSSODescriptor",
    attributes: {
      AuthnRequestsSigned: String(metadata.signsRequests),
      WantAssertionsSigned: String(metadata.wantsSignedAssertions),
      protocolSupportEnumeration: PROTOCOL,
    },
    content,
  };
  return canonicalXml({
    name: "md:EntityDescriptor",
    namespaces: { md: METADATA },
    attributes: { entityID: metadata.spEntityId },
    content: [descriptor],
  });
}
