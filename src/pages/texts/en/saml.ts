/** English: connections by SAML 2.0. */
import type { Shape } from "../shape.ts";

export const samlTexts = {
  saml: {
    protocol: "Protocol",
    metadata: "Load the metadata of the identity provider",
    metadataLead:
      "Enter the address of the metadata, or paste the metadata. The page displays the changes before they apply.",
    metadataUrl: "Address of the metadata",
    metadataXml: "Metadata as XML",
    metadataXmlHint: "Only without an address, at most 64 KiB.",
    metadataFile: "Metadata as a file",
    metadataFileHint: "An XML file of at most 512 KiB.",
    preview: "Display changes",
    changes: "Changes by the metadata",
    noChanges: "The connection already has the settings of the metadata.",
    apply: "Apply changes",
    imported: "The metadata are applied.",
    settings: "Settings of the identity provider",
    entityId: "Entity ID of the identity provider",
    ssoUrl: "Sign-in URL",
    sloUrl: "Sign-out URL",
    certificates: "Certificates for signatures",
    certificatesHint: "In PEM form, at most 4. For a change of keys, enter the old and the new certificate.",
    expired: "Expired",
    endsSoon: "Ends soon",
    binding: "Transport of requests",
    signedElement: "Signature on",
    signedElements: { assertion: "Assertion", either: "Assertion or response" },
    nameIdFormat: "Requested NameID format",
    nameIdFormatHint: "Empty: no format is requested.",
    signRequests: "Sign requests",
    encrypted: "Accept encrypted assertions only",
    enforceExpiry: "Refuse expired certificates",
    keysLead: "The identity provider loads the keys with the metadata of this service.",
    needsSettings: "Entity ID, sign-in URL and certificate",
    needsKey: "Key of this service",
    attributes: "Attributes",
    attributesLead:
      "Names of attributes in the assertion, compared exactly. An empty ID or address is read from the NameID.",
    mfaTrust: "Trusted classes of authentication",
    incomplete: "Load the metadata or enter the settings first.",
    secondImplementation: "Second implementation agrees",
    rules: {
      entity_id: "Enter the entity ID exactly as the identity provider displays it.",
      url: "Enter an address with https.",
      certificates: "Enter at most 4 certificates in PEM form, each with an RSA key of at least 2,048 bits.",
      metadata: "The metadata cannot be read. Check the address, or paste the complete XML.",
      metadataTooLong: "The metadata are larger than 64 KiB. Upload the file, or enter the address of the metadata.",
      fileTooLong:
        "The file is larger than 512 KiB. Upload the metadata of your identity provider alone, or enter the address.",
    },
  },
} as const;

export type SamlTexts = Shape<typeof samlTexts>;
