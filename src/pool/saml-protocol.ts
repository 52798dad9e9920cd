/** Jobs of the workers that parse SAML messages, and their results. Plain data. */
import type { LeftOutCertificate } from "../base/certificate-text.ts";

/** The values of a connection that a response must match. */
export interface SamlTrust {
  /** The entity id of the identity provider. */
  readonly entityId: string;
  /** The entity id of the service at the connection: the audience. */
  readonly spEntityId: string;
  /** The assertion consumer service of the connection: destination and recipient. */
  readonly acsUrl: string;
  /** Certificates in PEM form. */
  readonly certificates: readonly string[];
  /** `assertion`: the assertion itself is signed; `either`: a signature of the whole response counts too. */
  readonly signedElement: "assertion" | "either";
  readonly encryptedAssertions: "off" | "required";
  /** Private keys of the service in PEM form, the current key first. */
  readonly decryptionKeys: readonly string[];
  readonly clockSkewSeconds: number;
  /** The attribute with the subject; null: the NameID is the subject. */
  readonly subjectFrom: string | null;
  /** The attribute with the email address, with one value at most; null: no attribute. */
  readonly emailFrom: string | null;
}

/** A form value: text, or bytes in `application/x-www-form-urlencoded` as received, which the worker decodes. */
export type FormValue = string | Uint8Array;

export interface SamlResponseJob {
  readonly kind: "response";
  /** The form value `SAMLResponse`. */
  readonly message: FormValue;
  readonly trust: SamlTrust;
  /** The ID of the live request that the browser named by `RelayState`; null: there is no live request. */
  readonly requestId: string | null;
  /** Maximum age of the authentication, requested from the identity provider; null: not requested. */
  readonly maxAgeSeconds: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Why a response is refused, in the order of the checks. */
export const SAML_REASONS = [
  "too_large",
  "not_xml",
  "structure",
  "status",
  "signature",
  "key",
  "decryption",
  "issuer",
  "destination",
  "recipient",
  "audience",
  "in_response_to",
  "time",
  "condition",
  "subject",
  "implementations_disagree",
] as const;
export type SamlReason = (typeof SAML_REASONS)[number];

export interface SamlAttribute {
  readonly name: string;
  readonly friendlyName: string | null;
  readonly values: readonly string[];
}

/** Attributes by `Name`; without a match, by `FriendlyName`. Several attributes can have one name. */
export function findAttributes(attributes: readonly SamlAttribute[], name: string): readonly SamlAttribute[] {
  const named = attributes.filter((attribute) => attribute.name === name);
  return named.length > 0 ? named : attributes.filter((attribute) => attribute.friendlyName === name);
}

/** The content of a verified assertion. Every value was under a valid signature of a pinned key. */
export interface SamlIdentity {
  readonly assertionId: string;
  /** The assertion is refused from this time, in milliseconds since the epoch: the id may be forgotten afterwards. */
  readonly expiresAt: number;
  /** The NameID, or the value of the attribute `subjectFrom`. */
  readonly subject: string;
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  /** Qualifiers of the NameID, which a logout repeats (core, section 3.7.1). */
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
  readonly sessionIndex: string | null;
  /** Milliseconds since the epoch; null: the identity provider does not limit the session. */
  readonly sessionNotOnOrAfter: number | null;
  /** Milliseconds since the epoch. */
  readonly authnInstant: number;
  readonly authnContexts: readonly string[];
  readonly attributes: readonly SamlAttribute[];
}

export interface SamlRefusal {
  readonly ok: false;
  /** A refused message of any kind. */
  readonly kind: "response";
  readonly reason: SamlReason;
  /** A top-level status code of SAML 2.0 without its prefix, or `other`; only with the reason `status`. */
  readonly statusCode?: string;
}

export type SamlResponseResult =
  | { readonly ok: true; readonly kind: "response"; readonly identity: SamlIdentity }
  | SamlRefusal;

/** The values of a connection that a logout message must match. */
export interface SamlLogoutTrust
  extends Pick<SamlTrust, "entityId" | "certificates" | "decryptionKeys" | "clockSkewSeconds"> {
  /** The single logout service of the service at the connection: the destination. */
  readonly sloUrl: string;
}

/** A logout message as received: the signature of the redirect binding covers the encoded query. */
export type ReceivedLogout =
  | { readonly binding: "redirect"; readonly query: string }
  | { readonly binding: "post"; readonly message: FormValue };

interface LogoutJob {
  readonly received: ReceivedLogout;
  readonly trust: SamlLogoutTrust;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface SamlLogoutRequestJob extends LogoutJob {
  readonly kind: "logout_request";
}

export interface SamlLogoutResponseJob extends LogoutJob {
  readonly kind: "logout_response";
  /** The ID of the live request; null: there is no live request. */
  readonly requestId: string | null;
}

/** The end of sessions, as a signed request of the identity provider names the sessions. */
export interface SamlLogout {
  readonly id: string;
  /** The request is refused from this time, in milliseconds since the epoch: the id may be forgotten afterwards. */
  readonly expiresAt: number;
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  /** Empty: all sessions of the NameID. */
  readonly sessionIndexes: readonly string[];
}

export type SamlLogoutRequestResult =
  | { readonly ok: true; readonly kind: "logout_request"; readonly logout: SamlLogout }
  | SamlRefusal;
export type SamlLogoutResponseResult = { readonly ok: true; readonly kind: "logout_response" } | SamlRefusal;

export interface SamlMetadataJob {
  readonly kind: "metadata";
  readonly xml: string;
  /** The entity to read from an aggregate; null: the document has one identity provider. */
  readonly entityId: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface SamlCertificate {
  readonly pem: string;
  /** SHA-256 of the DER form, in hexadecimal. */
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
}

/** The description of an identity provider. At least one of the two URLs is present. */
export interface IdpMetadata {
  readonly entityId: string;
  readonly redirectUrl: string | null;
  readonly postUrl: string | null;
  /** Single logout by redirect and by POST. */
  readonly logoutRedirectUrl: string | null;
  readonly logoutPostUrl: string | null;
  /** 1 to `SAML_CERTIFICATES_MAX`, those valid longest, in the order of the document. */
  readonly certificates: readonly SamlCertificate[];
  readonly leftOut: readonly LeftOutCertificate[];
}

export type SamlMetadataProblem =
  | "too_large"
  | "not_xml"
  /** No entity with an identity provider of SAML 2.0. */
  | "no_identity_provider"
  /** No identity provider has the requested entity id. */
  | "unknown_entity"
  /** Several identity providers, and no requested entity id. */
  | "several_entities"
  | "no_sign_on_service"
  /** No certificate can be read. */
  | "no_certificate"
  /** No certificate has an RSA key of at least `SAML_KEY_MIN_BITS`. */
  | "weak_key"
  /** `validUntil` has passed. */
  | "expired";

export type SamlMetadataResult =
  | { readonly ok: true; readonly kind: "metadata"; readonly metadata: IdpMetadata }
  | { readonly ok: false; readonly kind: "metadata"; readonly problem: SamlMetadataProblem };

export type SamlJob = SamlResponseJob | SamlLogoutRequestJob | SamlLogoutResponseJob | SamlMetadataJob;
export type SamlResult = SamlResponseResult | SamlLogoutRequestResult | SamlLogoutResponseResult | SamlMetadataResult;
